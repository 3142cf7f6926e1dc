/* SPDX-License-Identifier: GPL-2.0-only */
/* Types that no compiler, or only some, write are printed as C or refused: nothing hangs. */
#include "show/print.h"

#include "base/cleanup.h"
#include "show/layout.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* The text of @id, without comments, in *ret. */
static struct err *print(struct test_view *v, uint32_t id, const struct print_style *style,
			 struct text *ret)
{
	CLEANUP(types_release) struct show_types t = { 0 };

	types_init(&t, &v->view, 8);
	struct print_limits limits = print_limits_for(0, ret);
	struct printer p = { .types = &t, .text = ret, .style = style, .limits = &limits };
	struct err *e = print_type(&p, id, NULL, NULL);
	text_char(ret, '\0');
	return e;
}

static const struct print_style quiet = { .cacheline = 64, .quiet = true };
static const struct print_style expanding = { .cacheline = 64, .quiet = true, .expand = true };

#define CHECK_PRINTS(v, id, style, want)                         \
	do {                                                     \
		CLEANUP(text_release) struct text text_ = { 0 }; \
		CHECK_OK(print(v, id, style, &text_));           \
		CHECK_STR(text_.items, want);                    \
	} while (0)

#define CHECK_REFUSES(v, id, style, kind, part)                          \
	do {                                                             \
		CLEANUP(text_release) struct text text_ = { 0 };         \
		CHECK_ERR_TEXT(print(v, id, style, &text_), kind, part); \
	} while (0)

static const struct {
	const char *name, *types; /* the last one is printed */
	const char *text;
} cases[] = {
	{ "lengths of arrays come in the order of C",
	  "int; array 1 1 3; array 2 1 2; struct s 24 {a 3}",
	  "struct s {\n\tint                        a[2][3];\n};" },
	{ "a member without a name has none",
	  "int; struct 4 {a 1}; typedef alias 2; struct s 4 {3}",
	  "struct s {\n\talias                      ;\n};" },
	{ "type tags behind pointers are not seen", "int; type_tag user 1; ptr 2; struct s 8 {a 3}",
	  "struct s {\n\tint *                      a;\n};" },
	{ "type tags are not seen", "int; type_tag user 1; struct t 4 {a 2}",
	  "struct t {\n\tint                        a;\n};" },
	{ "a bit field of a type without bytes", "int none 0 0; struct! s 0 {a 1 0:5}",
	  "struct s {\n\tnone                       a:5;\n};" },
	{ "control characters in names", "int; struct 'a\1' 8 {'b\2' 1, 'c\3' 1 32}",
	  "struct a\\x01 {\n\tint                        b\\x02;\n"
	  "\tint                        c\\x03;\n};" },
	{ "an array of 16 GiB", "int; array 1 1 0xffffffff; struct s 4 {a 2}",
	  "struct s {\n\tint                        a[4294967295];\n};" },
};

TEST_EACH(types_are_printed_as_c, cases, c)
{
	VIEW(v);

	CHECK_PRINTS(&v, test_view_add(&v, c->types), &quiet, c->text);
}

static const char in_itself[] = "it lies in itself", chain[] = "more than 256 types in a chain";
static const char depth[] = "types nest deeper than 256";
static const char of_a_var[] = "type 2: VAR is used as a type";

static const struct {
	const char *name, *types; /* the last one is printed */
	enum err_kind kind;
	const char *problem;
} bad_cases[] = {
	{ "a union in itself", "struct s 8 {a 2}; union u 8 {b 1}", ERR_FORMAT, in_itself },
	{ "a struct in itself", "union u 8 {b 2}; struct s 8 {a 1}", ERR_FORMAT, in_itself },
	{ "a typedef of itself", "typedef t 1; struct s 8 {a 1}", ERR_FORMAT, chain },
	{ "a const of itself", "const 1; struct s 8 {a 1}", ERR_FORMAT, chain },
	{ "a typedef of a volatile of itself", "volatile 1; typedef t 1", ERR_LIMIT, depth },
	{ "a pointer to itself", "ptr 1; struct s 8 {a 1}", ERR_LIMIT, depth },
	{ "an array of itself", "array 1 1 2; struct s 8 {a 1}", ERR_FORMAT, chain },
	{ "a type tag of itself", "type_tag g 1; struct s 8 {a 1}", ERR_FORMAT, chain },
	{ "a prototype of itself", "ptr 2; func_proto 0 {1, 1}; struct s 8 {a 1}", ERR_LIMIT,
	  depth },
	{ "a nameless struct behind its own pointer", "ptr 2; struct 8 {a 1}; struct s 8 {a 1}",
	  ERR_LIMIT, depth },
	{ "a variable in a struct", "int; var x 1; struct s 8 {a 2}", ERR_FORMAT, of_a_var },
	{ "a variable behind a pointer", "int; var x 1; ptr 2; struct p 8 {a 3}", ERR_FORMAT,
	  of_a_var },
	{ "an array larger than any memory",
	  "int; array 1 1 0xffffffff; array 2 1 0xffffffff; struct t 4 {a 3}", ERR_LIMIT,
	  "more than 2^48 bytes" },
};

TEST_EACH(types_that_no_compiler_writes_are_refused, bad_cases, c)
{
	VIEW(v);
	uint32_t id = test_view_add(&v, c->types);

	CHECK_REFUSES(&v, id, &quiet, c->kind, c->problem);
	CHECK_REFUSES(&v, id, &expanding, c->kind, c->problem);
}

/* Two parameters each: the text of 40 of them would be as long as 2^40. */
TEST(text_that_doubles_with_each_level_is_an_error)
{
	VIEW(v);
	uint32_t below = test_view_add(&v, "int");

	for (uint32_t i = 0; i < 40; i++, below += 2)
		test_view_addf(&v, "func_proto 0 {%u, %u}; ptr %u", below, below, below + 1);
	CHECK_REFUSES(&v, test_view_addf(&v, "struct s 8 {a %u}", below), &quiet, ERR_LIMIT,
		      "its text has more than");
}

/* 2000 structs, each in the next: no depth of calls is spent on that. */
TEST(structs_may_lie_in_structs_at_any_depth)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	uint32_t below = test_view_add(&v, "int long 8 64");

	for (size_t i = 0; i < 2000; i++)
		below = test_view_addf(&v, "struct s 8 {a %u}", below);
	types_init(&t, &v.view, 0);
	CHECK_EQ(t.addr_size, 8);
	CHECK_EQ(types_alignment(&t, below), 8);
	CHECK_OK(types_failed(&t));
	CHECK_REFUSES(&v, below, &expanding, ERR_LIMIT, "nest deeper");
	CHECK_PRINTS(&v, below, &quiet, "struct s {\n\tstruct s                   a;\n};");
}

TEST(a_pointer_is_as_large_as_long)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 }, given = { 0 };
	uint32_t pointer = test_view_add(&v, "int 'unsigned long' 4 32; ptr 1");

	types_init(&t, &v.view, 0);
	CHECK_EQ(types_size(&t, pointer), 4);
	types_init(&given, &v.view, 8);
	CHECK_EQ(types_size(&given, pointer), 8);
}

static const struct {
	const char *name, *types; /* the last one has this layout */
	uint64_t padding, nr_holes, hole;
} layouts[] = {
	{ "members behind the end leave no padding", "int; struct s 4 {a 1, b 1 0x100000}", 0, 1,
	  (1 << 17) - 4 },
	{ "the hole behind a bit field begins at the end of its type",
	  "int; int char 1 8; struct! s 8 {a 2 0:4, b 1 32}", 0, 1, 3 },
	{ "paddings are counted beyond 64 KiB", "int; struct s 0x100000 {a 1}", (1 << 20) - 4, 0,
	  0 },
};

TEST_EACH(holes_and_paddings_are_measured, layouts, c)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout l = { 0 };
	uint32_t s = test_view_add(&v, c->types);

	types_init(&t, &v.view, 8);
	layout_find(&t, s, 64, &l);
	CHECK_EQ(l.gaps.padding, c->padding);
	CHECK_EQ(l.gaps.nr_holes, c->nr_holes);
	CHECK_EQ(l.items[0].hole, c->hole);
	CHECK_OK(types_failed(&t));
}

/* As in pahole, what an outer struct tells counts from when it is looked at. */
TEST(a_struct_off_its_alignment_is_packed_from_then_on)
{
	VIEW(v);
	CLEANUP(types_release) struct show_types t = { 0 };
	CLEANUP(layout_release) struct layout in = { 0 }, out = { 0 };
	enum { INNER = 3, OUTER };

	test_view_add(&v,
		      "int; int char 1 8; struct in 8 {a 2, b 1 32}; struct out 12 {c 2, d 3 8}");
	types_init(&t, &v.view, 8);
	layout_find(&t, INNER, 64, &in);
	layout_find(&t, OUTER, 64, &out);
	CHECK(!packed_guess(&t, INNER, &in));
	CHECK_EQ(out.gaps.padding, 3);
	CHECK(!packed_guess(&t, OUTER, &out));
	CHECK(packed_guess(&t, INNER, &in));
}
