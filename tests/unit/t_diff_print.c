/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_diff_print.c - every single change is found, and printed as one line
 *
 * tests/lib/btftext.h has the notation.
 */
#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "cmd/print/outputs.h"
#include "tests/lib/btftext.h"
#include "tests/lib/shuffled.h"
#include "tests/lib/testlib.h"

/* The lines behind the table, without the one that counts what follows from them. */
static void check_lines(const struct btf_view *a, const struct btf_view *b, const char *want)
{
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };
	CLEANUP(text_release) struct text text = { 0 };

	CHECK_OK(btf_compare(&(struct btf_side){ a, 1 }, &(struct btf_side){ b, 1 }, true, &c));
	CHECK(!c.equal);
	diff_print(&text, &c);

	text_string(&text);
	char *lines = text.items;
	char *count = strstr(lines, "differ only because they refer to these: ");
	if (count)
		*count = '\0';
	CHECK(*lines && lines[strlen(lines) - 1] == '\n');
	lines[strlen(lines) - 1] = '\0';
	CHECK_STR(lines, want);
}

/* A type of each kind, or several: [4] struct point, [5] struct other, [24] struct box, [26] func. */
static const char everything[] =
	"int; float double 8; int char 1 8; struct point 8 {x 1, y 1 32}; fwd other;"
	/* [6] char *, const char, const char * */
	"ptr 3; const 3; ptr 7;"
	"enum colour 4 {RED 0, GREEN 1}; enum64! big 8 {HUGE -1}; enum 4 {LIMIT 100, MOST 5};"
	/* [12] for box: struct other *, int[4], (union at bit 0) */
	"ptr 5; array 1 1 4; struct 8 {right 1}; ptr 14; union 8 {left 15, right 12};"
	/* [17] on, call, text */
	"type_tag user 4; ptr 17; func_proto 0 {arg 1}; ptr 19; const 3; ptr 21;"
	/* [23] next */
	"ptr 24; "
	"struct! box 64 {16, flags 1 64:3, list 13 96, next 23 256, call 20 320, text 22 384,"
	" on 18 448, right 8 512};"
	"func_proto 1 {a 1, b 6}; func func 25; decl_tag tag 26 0; decl_tag other_tag 4;"
	"typedef sort_t 4; var var 1; var second 4 static; datasec .data 64 {30 0 4, 31 8 8};"
	/* [33] a place, [34] and [35] tuples */
	"loc_param 4 8 {5}; loc_proto {33, 0}; loc_proto; locsec inline.text {26 34 4, 26 34 8}";

/* One part of the text is replaced. */
static const struct {
	const char *name, *was, *is; /* the line that is printed */
} changes[] = {
	{ "int: size 8 bytes, was 4", "int; float", "int int 8 0x1000020; float" },
	{ "int: 32 bits, was signed, 32 bits", "int; float", "int int 4 32; float" },
	{ "double: size 10 bytes, was 8", "double 8", "double 10" },
	{ "char: bool, 5 bits from bit 3, was 8 bits", "char 1 8", "char 1 0x4030005" },

	{ "struct point: kind flag 1, was 0", "struct point", "struct! point" },
	{ "struct point: size 16 bytes, was 8", "point 8", "point 16" },
	{ "struct point.x: offset 4 bytes, was 0", "{x 1", "{x 1 32" },
	{ "struct point:\n  y: gone (int)\n  z: new (int)", "y 1 32", "z 1 32" },
	{ "struct point.y: double, was int", "y 1 32", "y 2 32" },
	{ "struct other: a definition, was a declaration", "fwd other", "struct other 0" },

	{ "enum colour: signed, was unsigned", "enum colour", "enum! colour" },
	{ "enum colour: size 1 bytes, was 4", "colour 4", "colour 1" },
	{ "enum colour: RED: 7, was 0", "RED 0", "RED 7" },
	{ "enum colour:\n  GREEN: gone (1)\n  BLUE: new (1)", "GREEN", "BLUE" },
	{ "enum big: HUGE: 8589934591, was -1", "HUGE -1", "HUGE 8589934591" },
	{ "enum { LIMIT, ... }: MOST: 6, was 5", "MOST 5", "MOST 6" },

	{ "struct box.list: array index char, was int", "array 1 1", "array 1 3" },
	{ "struct box.list: int[5], was int[4]", "array 1 1 4", "array 1 1 5" },
	{ "struct box.left->right: double, was int", "{right 1}", "{right 2}" },
	{ "struct box: another order or nesting of members", "union 8", "union 16" },
	{ "struct box.right: offset 1 bytes, was 0", "right 12", "right 12 8" },
	{ "struct box.on: struct point type_tag(rcu) *, was struct point type_tag(user) *", "user",
	  "rcu" },
	{ "struct box.call: result: int, was void", "func_proto 0", "func_proto 1" },
	{ "struct box.call: parameter 1: 'on', was 'arg'", "arg", "on" },
	{ "struct box.call: parameter 1 'arg': char *, was int", "arg 1", "arg 6" },
	{ "struct box.text: volatile char *, was const char *", "ptr 19; const 3",
	  "ptr 19; volatile 3" },
	{ "struct box:\n  left: gone (struct {...} *)\n  right: gone (const char *)\n  right: const char *, was struct other *; offset 64 bytes, was 0\n  u: new (union {...})",
	  "{16,", "{u 16," },
	{ "struct box.flags: offset 65 bits, was 64; width 4 bits, was 3", "64:3", "65:4" },
	{ "struct box.next: struct other *, was struct box *", "next 23", "next 12" },

	{ "func func: result: double, was int", "func_proto 1", "func_proto 2" },
	{ "func func: parameter 2 'b': const char *, was char *", "b 6", "b 8" },
	{ "func func: global, was static", "func func 25", "func func 25 global" },
	{ "func func: tag 'other_tag' of parameter 1 is new; tag 'tag' of parameter 1 is gone",
	  "decl_tag tag", "decl_tag other_tag" },
	{ "func func: tag 'tag' of parameter 2 is new; tag 'tag' of parameter 1 is gone",
	  "tag 26 0", "tag 26 1" },
	{ "struct point: tag 'other_tag' is gone\nfunc func: tag 'other_tag' is new", "other_tag 4",
	  "other_tag 26" },
	{ "typedef sort_t: struct other, was struct point", "sort_t 4", "sort_t 5" },
	{ "var var: char, was int", "var var 1", "var var 3" },
	{ "var var: extern, was global", "var var 1", "var var 1 extern" },
	{ "section .data: size 128 bytes, was 64", ".data 64", ".data 128" },
	{ "section .data: variable 1 'var': offset 4 bytes, was 0", "30 0 4", "30 4 4" },
	{ "section .data:\n  variable 2 'second': gone\n  variable 2 'var': new", "31 8 8",
	  "30 8 8" },
	{ "section .data: variable 2 'second': size 16 bytes, was 8", "31 8 8", "31 8 16" },

	{ "sites inline.text: 1 new", "26 34 8}", "26 34 8, 26 35 12}" },
	{ "sites inline.text: 1 gone", ", 26 34 8}", "}" },
	{ "sites inline.text: 1 with other places of parameters", "26 34 8}", "26 35 8}" },
	{ "sites inline.text: 1 at another offset", "26 34 8}", "26 34 12}" },
	{ "sites inline.text: 1 with other places of parameters, 1 at another offset",
	  "26 34 4, 26 34 8}", "26 34 5, 26 35 8}" },
	{ "sites inline.text: 2 with other places of parameters", "{5}; loc_proto",
	  "{6}; loc_proto" },
	{ "sites inline.text: 2 with other places of parameters", "{33, 0}", "{0, 33}" },
	/* the order alone */
	{ "sites inline.text: another order of sites", "26 34 4, 26 34 8", "26 34 8, 26 34 4" },
	{ "only in B: sites inline.init.text\nonly in A: sites inline.text", "inline.text",
	  "inline.init.text" },
};

TEST_EACH(each_change_has_its_line, changes, c)
{
	VIEW(was);
	VIEW(is);
	CLEANUP(shuffled_release) struct shuffled order = { 0 };
	const char *at = strstr(everything, c->was);
	char text[sizeof(everything) + 64];

	CHECK(at && !strstr(at + 1, c->was));
	snprintf(text, sizeof(text), "%.*s%s%s", (int)(at - everything), everything, c->is,
		 at + strlen(c->was));
	test_view_add(&was, everything);
	test_view_add(&is, text);
	shuffle(&is.view, (uint64_t)(c - changes), &order);
	check_lines(&was.view, &order.view, c->name);
}

/* --- types and elements that only one side has --------------------------------------------- */

static const struct {
	const char *name, *a, *b; /* the lines that are printed */
} cases[] = {
	{ "struct it.y: new (int); size 12 bytes, was 8", "int; struct it 8 {x 1, z 1}",
	  "int; struct it 12 {x 1, y 1, z 1}" },
	{ "struct it.y: gone (int); size 8 bytes, was 12", "int; struct it 12 {x 1, y 1, z 1}",
	  "int; struct it 8 {x 1, z 1}" },
	{ "union it.z: new (int); size 12 bytes, was 8", "int; union it 8 {x 1, y 1}",
	  "int; union it 12 {x 1, y 1, z 1}" },
	{ "struct it: another order or nesting of members", "int; struct it 12 {x 1, y 1, z 1}",
	  "int; struct it 12 {z 1, y 1, x 1}" },
	{ "struct it: size 16 bytes, was 8\n  z: new (int)\n  x: new (int)",
	  "int; struct it 8 {x 1, y 1}", "int; struct it 16 {z 1, x 1, y 1, x 1}" },
	{ "struct it.y: new (int); size 16 bytes, was 12", "int; struct it 12 {x 1, y 1, y 1}",
	  "int; struct it 16 {y 1, x 1, y 1, y 1}" },
	{ "enum it: size 8 bytes, was 12\n  x: gone (0)\n  y: 0, was 1\n  z: 1, was 2",
	  "int; enum it 12 {x 0, y 1, z 2}", "int; enum it 8 {y 0, z 1}" },
	{ "func it: parameter 2 'b': new (int)", "int; func_proto 1 {a 1}; func it 2",
	  "int; func_proto 1 {a 1, b 1}; func it 2" },
	{ "func it: parameter 2 'b': gone (int)", "int; func_proto 1 {a 1, b 1, c 1}; func it 2",
	  "int; func_proto 1 {a 1, c 1}; func it 2" },
	{ "only in B: var b\n"
	  "section it: size 12 bytes, was 8\n"
	  "  variable 3 'c': offset 8 bytes, was 4\n"
	  "  variable 2 'b': new",
	  "int; var a 1; var c 1; datasec it 8 {2 0 4, 3 4 4}",
	  "int; var a 1; var b 1; var c 1; datasec it 12 {2 0 4, 3 4 4, 4 8 4}" },

	{ "int: copies 1, was 2\n"
	  "only in B: struct \\x1b[31mnew\n"
	  "only in A: union gone (a declaration) (2 times)\n"
	  "only in A: int[3]",
	  "int; fwd! gone; fwd! gone; int; array 1 1 3", "int; struct '\033[31mnew' 0" },
	/* the length of the outermost array comes first */
	{ "only in A: int[53][2] *[4]", "int; array 1 1 2; array 2 1 53; ptr 3; array 4 1 4",
	  "int" },
	/* copies of a type that differs through another are counted */
	{ "struct leaf: size 8 bytes, was 4\nstruct user: copies 2, was 1",
	  "int; struct leaf 4 {x 1}; struct user 8 {l 2}",
	  "int; struct leaf 8 {x 1}; struct user 8 {l 2}; struct user 8 {l 2}" },
	/* the order: gone, retyped, moved, new, size; three or more that moved by the same distance have a line */
	{ "struct it: size 40 bytes, was 24\n"
	  "  g: gone (int)\n"
	  "  t: c, was int; offset 20 bytes, was 4\n"
	  "  e: offset 4 bytes, was 20\n"
	  "  a to d: 3 members moved by 16 bytes\n"
	  "  n: new (c)",
	  "int; int c; struct it 24 {g 1, t 1 32, a 1 64, b 1 96, d 1 128, e 1 160}",
	  "int; int c; struct it 40 {n 2, e 1 32, t 2 160, a 1 192, b 1 224, d 1 256}" },
	{ "enum it:\n  B to D: 3 enumerators moved by -1\n  X: new (9)",
	  "enum it 4 {A 0, B 2, C 3, D 4}", "enum it 4 {A 0, B 1, C 2, D 3, X 9}" },
	/* through structs without a name, and into one that a member has */
	{ "struct it:\n  s.x: c, was int\n  x: offset 4 bytes, was 0\n  y: new (int)",
	  "int; int c; struct 4 {x 1}; union 4 {3}; struct 4 {x 1}; struct it 8 {4, s 5 32}",
	  "int; int c; struct 8 {y 1, x 1 32}; const 3; struct 4 {x 2}; struct it 8 {4, s 5 32}" },
	/* a struct with a tag is compared where it is defined, unless one side has its members itself */
	{ "struct in.x: offset 4 bytes, was 0", "int; struct in 8 {x 1}; struct it 16 {2, y 1 64}",
	  "int; struct in 8 {x 1 32}; struct it 16 {2, y 1 64}" },
	{ "only in B: struct in\nstruct it.z: new (int)", "int; struct it 16 {x 1, y 1 64}",
	  "int; struct in 8 {x 1, z 1 32}; struct it 16 {2, y 1 64}" },
	/* parameters keep their order */
	{ "func it:\n  parameter 3 'c': gone (int)\n  parameter 3: 'd', was 'b'\n"
	  "  parameter 1 'x': new (c)",
	  "int; int c; func_proto 0 {a 1, b 2, c 1}; func it 3",
	  "int; int c; func_proto 0 {x 2, a 1, d 2}; func it 3" },
	{ "struct it:\n  f: parameter 1: c *, was int *\n  f: parameter 3: new (int)",
	  "int; int c; ptr 1; func_proto 0 {'' 3, '' 1}; ptr 4; struct it 8 {f 5}",
	  "int; int c; ptr 2; func_proto 0 {'' 3, '' 1, '' 1}; ptr 4; struct it 8 {f 5}" },
	/* struct user refers to one of two structs row */
	{ "struct user.r: another struct row",
	  "int; struct row 8 {a 1}; struct row 8 {b 1}; ptr 2; ptr 3; struct user 8 {r 4}",
	  "int; struct row 8 {a 1}; struct row 8 {b 1}; ptr 2; ptr 3; struct user 8 {r 5}" },
};

TEST_EACH(types_and_elements_of_one_side_are_named, cases, c)
{
	VIEW(a);
	VIEW(b);

	test_view_add(&a, c->a);
	test_view_add(&b, c->b);
	check_lines(&a.view, &b.view, c->name);
}

TEST(a_name_is_cut_behind_the_bytes_that_the_kernel_accepts)
{
	CLEANUP(text_release) struct text text = { 0 };
	char name[514] = { 0 };

	memset(name, 'n', 512);
	diff_text_name(&text, name);
	CHECK_EQ(text.nr, 512);
	name[512] = 'n';
	diff_text_name(&text, name);
	CHECK_EQ(text.nr, 512 + 512 + strlen("..."));
}
