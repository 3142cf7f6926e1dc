/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_diff_print.c - every single change is found, and told in one line
 *
 * One BTF with a type of each kind, or two of them, is written down below. Wherever V() stands,
 * there is a second one with another word in this place; beside it is the line that has to come of
 * it.
 */
#include "base/cleanup.h"
#include "cmd/print/outputs.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/shuffled.h"
#include "tests/lib/testlib.h"

struct plan {
	struct btf_view view;
	char text[1024];
	uint32_t change, at; /* which one is made, how many there were */
	const char *expected;
};

static uint32_t planted(struct plan *p, uint32_t was, uint32_t is, const char *expected)
{
	if (++p->at != p->change)
		return was;
	p->expected = expected;
	return is;
}

#define V(was, is, expected) planted(p, (was), (is), (expected))

static uint32_t name(struct plan *p, const char *s)
{
	size_t at = p->view.strings.len, len = strlen(s) + 1;

	CHECK(at + len <= sizeof(p->text));
	memcpy(p->text + at, s, len);
	p->view.strings.len += len;
	return (uint32_t)at;
}

#define N(s) name(p, s)
#define INFO btf_info

enum { INT = 1, DOUBLE, CHAR, POINT, OTHER, CHAR_PTR, CONST_CHAR, CONST_CHAR_PTR };

static void put_base_types(struct plan *p, struct btf_types *t)
{
	uint32_t n = N("int");

	ADD(t, n, INFO(BTF_INT, 0, false), V(4, 8, "int: size 8 bytes, was 4"),
	    V(0x01000020, 0x20, "int: 32 bits, was signed, 32 bits"));
	n = N("double");
	ADD(t, n, INFO(BTF_FLOAT, 0, false), V(8, 10, "double: size 10 bytes, was 8"));
	n = N("char");
	ADD(t, n, INFO(BTF_INT, 0, false), 1,
	    V(8, 0x04030005, "char: bool, 5 bits from bit 3, was 8 bits"));
}

/* From POINT on. */
static void put_points(struct plan *p, struct btf_types *t)
{
	uint32_t n = N("point"), x = N("x"), y = N("y"), z = N("z");

	ADD(t, n,
	    V(INFO(BTF_STRUCT, 2, false), INFO(BTF_STRUCT, 2, true),
	      "struct point: kind flag 1, was 0"),
	    V(8, 16, "struct point: size 16 bytes, was 8"), x, INT,
	    V(0, 32, "struct point.x: offset 32 bits, was 0"),
	    V(y, z, "struct point: member 2 'z', was member 2 'y'"),
	    V(INT, DOUBLE, "struct point.y: double, was int"), 32);
	n = N("other");
	ADD(t, n,
	    V(INFO(BTF_FWD, 0, false), INFO(BTF_STRUCT, 0, false),
	      "struct other: a definition, was a declaration"),
	    0);
	add_ptr(t, CHAR);
	add_ref(t, BTF_CONST, 0, CHAR);
	add_ptr(t, CONST_CHAR);
}

static void put_enums(struct plan *p, struct btf_types *t)
{
	uint32_t n = N("colour"), red = N("RED"), green = N("GREEN"), blue = N("BLUE");
	uint32_t big = N("big"), huge = N("HUGE"), limit = N("LIMIT"), most = N("MOST");

	ADD(t, n,
	    V(INFO(BTF_ENUM, 2, false), INFO(BTF_ENUM, 2, true),
	      "enum colour: signed, was unsigned"),
	    V(4, 1, "enum colour: size 1 bytes, was 4"), red,
	    V(0, 7, "enum colour: enumerator 1 'RED': 7, was 0"),
	    V(green, blue, "enum colour: enumerator 2 'BLUE', was enumerator 2 'GREEN'"), 1);
	ADD(t, big, INFO(BTF_ENUM64, 1, true), 8, huge, UINT32_MAX,
	    V(UINT32_MAX, 1, "enum big: enumerator 1 'HUGE': 8589934591, was -1"));
	ADD(t, 0, INFO(BTF_ENUM, 2, false), 4, limit, 100, most,
	    V(5, 6, "enum { LIMIT, ... }: enumerator 2 'MOST': 6, was 5"));
}

/* A struct with all that has no name. */
static void put_box(struct plan *p, struct btf_types *t)
{
	uint32_t box = N("box"), left = N("left"), right = N("right"), flags = N("flags");
	uint32_t list = N("list"), next = N("next"), call = N("call"), arg = N("arg");
	uint32_t text = N("text"), user = N("user"), rcu = N("rcu"), on = N("on");
	uint32_t ptr_other = add_ptr(t, OTHER);
	uint32_t array = add_array(t, INT,
				   V(INT, CHAR, "struct box.list: array index char, was int"),
				   V(4, 5, "struct box.list: int[5], was int[4]"));
	uint32_t inner = ADD(t, 0, INFO(BTF_STRUCT, 1, false), 8, right,
			     V(INT, DOUBLE,
			       "struct box.(union at bit 0).left->right: double, was int"),
			     0);
	uint32_t to_inner = add_ptr(t, inner);
	uint32_t either = ADD(t, 0, INFO(BTF_UNION, 2, false),
			      V(8, 16, "struct box.(union at bit 0): size 16 bytes, was 8"), left,
			      to_inner, 0, right, ptr_other,
			      V(0, 8, "struct box.(union at bit 0).right: offset 8 bits, was 0"));
	uint32_t tagged = add_ref(t, BTF_TYPE_TAG,
				  V(user, rcu,
				    "struct box.on: struct point type_tag(rcu) *, was struct "
				    "point type_tag(user) *"),
				  POINT);
	uint32_t to_tagged = add_ptr(t, tagged);
	uint32_t proto = ADD(t, 0, INFO(BTF_FUNC_PROTO, 1, false),
			     V(0, INT, "struct box.call: result: int, was void"),
			     V(arg, on, "struct box.call: parameter 1 'on', was parameter 1 'arg'"),
			     V(INT, CHAR_PTR,
			       "struct box.call: parameter 1 'arg': char *, was int"));
	uint32_t to_proto = add_ptr(t, proto);
	uint32_t more = ADD(t, 0,
			    INFO(V(BTF_CONST, BTF_VOLATILE,
				   "struct box.text: volatile char *, was const char *"),
				 0, false),
			    CHAR);
	uint32_t to_more = add_ptr(t, more), self = add_ptr(t, btf_types_end(t) + 1);

	ADD(t, box, INFO(BTF_STRUCT, 8, true), 64, 0, either, 0, flags, INT,
	    V(3 << 24 | 64, 4 << 24 | 65,
	      "struct box.flags: offset 65 bits, was 64; width 4 bits, was 3"),
	    list, array, 96, next,
	    V(self, ptr_other, "struct box.next: struct other *, was struct box *"), 256, call,
	    to_proto, 320, text, to_more, 384, on, to_tagged, 448, right, CONST_CHAR_PTR, 512);
}

static void put_named(struct plan *p, struct btf_types *t)
{
	uint32_t func = N("func"), a = N("a"), b = N("b"), var = N("var"), second = N("second");
	uint32_t sec = N(".data"), tag = N("tag"), other_tag = N("other_tag"), sort = N("sort_t");
	uint32_t proto = ADD(t, 0, INFO(BTF_FUNC_PROTO, 2, false),
			     V(INT, DOUBLE, "func func: result: double, was int"), a, INT, b,
			     V(CHAR_PTR, CONST_CHAR_PTR,
			       "func func: parameter 2 'b': const char *, was char *"));
	uint32_t id = ADD(t, func,
			  INFO(BTF_FUNC,
			       V(BTF_LINK_STATIC, BTF_LINK_GLOBAL, "func func: global, was static"),
			       false),
			  proto);
	ADD(t,
	    V(tag, other_tag,
	      "func func: tag 'other_tag' of parameter 1 is new; tag 'tag' of parameter 1 is gone"),
	    INFO(BTF_DECL_TAG, 0, false), id,
	    V(0, 1,
	      "func func: tag 'tag' of parameter 2 is new; tag 'tag' of parameter 1 is gone"));
	ADD(t, other_tag, INFO(BTF_DECL_TAG, 0, false), V(POINT, id, NULL), UINT32_MAX);
	ADD(t, sort, INFO(BTF_TYPEDEF, 0, false),
	    V(POINT, OTHER, "typedef sort_t: struct other, was struct point"));
	id = ADD(t, var, INFO(BTF_VAR, 0, false), V(INT, CHAR, "var var: char, was int"),
		 V(BTF_LINK_GLOBAL, BTF_LINK_EXTERN, "var var: extern, was global"));
	uint32_t next = ADD(t, second, INFO(BTF_VAR, 0, false), POINT, BTF_LINK_STATIC);
	ADD(t, sec, INFO(BTF_DATASEC, 2, false),
	    V(64, 128, "section .data: size 128 bytes, was 64"), id,
	    V(0, 4, "section .data: variable 1 'var': offset 4 bytes, was 0"), 4,
	    V(next, id, "section .data: variable 2 'var', was variable 2 'second'"), 8,
	    V(8, 16, "section .data: variable 2 'second': size 16 bytes, was 8"));
}

static void put_all(struct plan *p, uint32_t change)
{
	struct btf_types *t = &p->view.types;

	*p = (struct plan){ .change = change, .view.strings = { (const uint8_t *)p->text, 1 } };
	btf_types_init(t, NULL);
	put_base_types(p, t);
	put_points(p, t);
	put_enums(p, t);
	put_box(p, t);
	put_named(p, t);
}

static void plan_release(struct plan *p)
{
	btf_types_release(&p->view.types);
}

/* What is printed behind the table, on the heap. */
static char *print_lines(const struct btf_view *a, const struct btf_view *b)
{
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };
	static const char *const names[2] = { "a", "b" };
	CLEANUP(text_release) struct text text = { 0 };

	CHECK_OK(btf_compare(&(struct btf_side){ a, 1 }, &(struct btf_side){ b, 1 }, true, &c));
	CHECK(!c.equal);
	diff_print(&text, &c, names);
	return mem_strdup(strstr(text_string(&text), "\n\n") + 2);
}

/* The lines without the one that counts what follows. */
static void expect(uint32_t change, char *lines, const char *expected)
{
	char *count = strstr(lines, "differ only because they refer to these: ");

	if (count)
		*count = '\0';
	if (strlen(lines) != strlen(expected) + 1 || strncmp(lines, expected, strlen(expected)))
		test_fail(__FILE__, __LINE__, "change %u gives\n%sexpected\n%s", change, lines,
			  expected);
}

TEST(each_change_has_its_line)
{
	CLEANUP(plan_release) struct plan was;
	uint32_t nr;

	put_all(&was, 0);
	nr = was.at;
	CHECK(nr >= 40);
	for (uint32_t change = 1; change <= nr; change++) {
		CLEANUP(plan_release) struct plan is;
		CLEANUP(shuffled_release) struct shuffled order = { 0 };

		put_all(&is, change);
		shuffle(&is.view, change, &order);
		char *lines = print_lines(&was.view, &order.view);
		if (is.expected)
			expect(change, lines, is.expected);
		free(lines);
	}
}

/* --- what is there on one side only -------------------------------------------------------- */

/* Members, parameters and the like called @letters, one more or one less: "xyz" and "xz". */
static void put_letters(struct plan *p, enum btf_kind kind, const char *letters)
{
	struct btf_types *t = &p->view.types;
	uint32_t nr = (uint32_t)strlen(letters), words = btf_kind_layout(kind)->elem, first = 2;
	uint32_t *rec;

	*p = (struct plan){ .view.strings = { (const uint8_t *)p->text, 1 } };
	btf_types_init(t, NULL);
	add_int(t, N("int"));
	for (uint32_t i = 0; kind == BTF_DATASEC && i < nr; i++)
		add_var(t, name(p, (char[]){ letters[i], 0 }), 1);
	rec = btf_types_add(t, BTF_REC_WORDS + words * nr);
	rec[BTF_REC_NAME] = kind == BTF_FUNC_PROTO ? 0 : N("it");
	rec[BTF_REC_INFO] = btf_info(kind, nr, false);
	rec[BTF_REC_SIZE_TYPE] = kind == BTF_FUNC_PROTO ? 1 : 4 * nr;
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t *e = rec + BTF_REC_WORDS + words * i;

		memset(e, 0, words * sizeof(*e));
		if (kind == BTF_DATASEC) {
			e[0] = first + i;
			e[1] = 4 * i;
			e[2] = 4;
			continue;
		}
		e[0] = name(p, (char[]){ letters[i], 0 });
		e[1] = kind == BTF_ENUM ? i : 1;
	}
	if (kind == BTF_FUNC_PROTO)
		add_ref(t, BTF_FUNC, N("it"), btf_types_end(t) - 1);
}

static void check_letters(enum btf_kind kind, const char *was, const char *is, const char *expected)
{
	CLEANUP(plan_release) struct plan a;
	CLEANUP(plan_release) struct plan b;
	char *lines;

	put_letters(&a, kind, was);
	put_letters(&b, kind, is);
	lines = print_lines(&a.view, &b.view);
	expect(0, lines, expected);
	free(lines);
}

TEST(what_is_new_or_gone_among_others_is_named)
{
	check_letters(BTF_STRUCT, "xz", "xyz",
		      "struct it: member 2 'y' is new; size 12 bytes, was 8");
	check_letters(BTF_STRUCT, "xyz", "xz",
		      "struct it: member 2 'y' is gone; size 8 bytes, was 12");
	check_letters(BTF_UNION, "xy", "xyz",
		      "union it: member 3 'z' is new; size 12 bytes, was 8");
	check_letters(BTF_STRUCT, "xyz", "zyx", "struct it: member 1 'z', was member 1 'x'");
	check_letters(BTF_STRUCT, "xy", "zxyx",
		      "struct it: member 1 'z' is new; size 16 bytes, was 8");
	check_letters(BTF_STRUCT, "xyy", "yxyy",
		      "struct it: member 1 'y' is new; size 16 bytes, was 12");
	check_letters(BTF_ENUM, "xyz", "yz",
		      "enum it: enumerator 1 'x' is gone; size 8 bytes, was 12");
	check_letters(BTF_FUNC_PROTO, "a", "ab", "func it: parameter 2 'b' is new");
	check_letters(BTF_FUNC_PROTO, "abc", "ac", "func it: parameter 2 'b' is gone");
	check_letters(BTF_DATASEC, "ac", "abc",
		      "only in B: var b\n"
		      "section it: variable 2 'b' is new; size 12 bytes, was 8");
}

TEST(what_is_there_once_only_is_named_and_what_is_there_more_often)
{
	CLEANUP(plan_release) struct plan a;
	CLEANUP(plan_release) struct plan b;
	char *lines;

	put_letters(&a, BTF_STRUCT, "x");
	put_letters(&b, BTF_STRUCT, "x");
	struct plan *p = &a;
	add_fwd(&a.view.types, N("gone"), true);
	add_fwd(&a.view.types, N("gone"), true);
	add_int(&a.view.types, N("int"));
	add_array(&a.view.types, 1, 1, 3);
	p = &b;
	add_struct0(&b.view.types, N("\033[31mnew"));
	lines = print_lines(&a.view, &b.view);
	expect(0, lines,
	       "int: copies 1, was 2\n"
	       "only in B: struct \\x1b[31mnew\n"
	       "only in A: union gone (a declaration) (2 times)\n"
	       "only in A: int[3]");
	free(lines);
}

TEST(the_length_of_the_outermost_array_comes_first)
{
	CLEANUP(plan_release) struct plan a;
	CLEANUP(plan_release) struct plan b;
	char *lines;

	put_letters(&a, BTF_STRUCT, "x");
	put_letters(&b, BTF_STRUCT, "x");
	struct btf_types *t = &a.view.types;
	uint32_t row = add_array(t, 1, 1, 2);
	uint32_t rows = add_array(t, row, 1, 53);

	add_array(t, ADD(t, 0, INFO(BTF_PTR, 0, false), rows), 1, 4);
	lines = print_lines(&a.view, &b.view);
	expect(0, lines, "only in A: int[53][2] *[4]");
	free(lines);
}

/* struct leaf { int x; }; struct user { struct leaf l; }, @copies times */
static void put_users(struct plan *p, uint32_t leaf_size, int copies)
{
	struct btf_types *t = &p->view.types;
	uint32_t leaf, user, l;

	*p = (struct plan){ .view.strings = { (const uint8_t *)p->text, 1 } };
	btf_types_init(t, NULL);
	leaf = add_int(t, N("int"));
	leaf = ADD(t, N("leaf"), INFO(BTF_STRUCT, 1, false), leaf_size, N("x"), leaf, 0);
	user = N("user");
	l = N("l");
	while (copies--)
		ADD(t, user, INFO(BTF_STRUCT, 1, false), 8, l, leaf, 0);
}

TEST(copies_of_a_type_that_differs_through_another_are_counted)
{
	CLEANUP(plan_release) struct plan a;
	CLEANUP(plan_release) struct plan b;
	char *lines;

	put_users(&a, 4, 1);
	put_users(&b, 8, 2);
	lines = print_lines(&a.view, &b.view);
	expect(0, lines, "struct leaf: size 8 bytes, was 4\nstruct user: copies 2, was 1");
	free(lines);
}

/* struct row { int a } and struct row { int b }; struct user { struct row *r } has one of them */
static void put_one_of_two(struct plan *p, bool other)
{
	struct btf_types *t = &p->view.types;
	uint32_t row, rows[2], n;

	*p = (struct plan){ .view.strings = { (const uint8_t *)p->text, 1 } };
	btf_types_init(t, NULL);
	n = add_int(t, N("int"));
	row = N("row");
	rows[0] = add_struct1(t, row, N("a"), n);
	rows[1] = add_struct1(t, row, N("b"), n);
	n = add_ptr(t, rows[other]);
	add_ptr(t, rows[!other]);
	add_struct1(t, N("user"), N("r"), n);
}

TEST(one_of_several_types_of_a_name_is_another_one)
{
	CLEANUP(plan_release) struct plan a;
	CLEANUP(plan_release) struct plan b;
	char *lines;

	put_one_of_two(&a, false);
	put_one_of_two(&b, true);
	lines = print_lines(&a.view, &b.view);
	expect(0, lines, "struct user.r: another struct row");
	free(lines);
}
