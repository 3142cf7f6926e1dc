/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations are those of C, and no input makes them long. */
#include "btf/print/decl_text.h"

#include "base/cleanup.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

static const struct {
	const char *name, *types; /* the last one is declared as x */
	const char *text;
} cases[] = {
	{ "a base type", "int", "int x" },
	{ "a pointer to a pointer", "int; ptr 1; ptr 2", "int **x" },
	{ "qualifiers of a pointer and of what it points to",
	  "int; const 1; ptr 2; const 3; volatile 4", "const int *const volatile x" },
	{ "an array of arrays", "int; array 1 1 3; array 2 1 2", "int x[2][3]" },
	{ "a pointer to an array", "int; array 1 1 3; ptr 2", "int (*x)[3]" },
	{ "an array of pointers", "int; ptr 1; array 2 1 3", "int *x[3]" },
	{ "a const array has const elements", "int; array 1 1 3; const 2", "const int x[3]" },
	{ "a pointer to void", "ptr 0", "void *x" },
	{ "a declared union", "fwd! u; ptr 1", "union u *x" },
	{ "a struct without a name", "int; struct 4 {a 1}; ptr 2", "struct {...} *x" },
	{ "type tags are not seen", "int; type_tag user 1; ptr 2", "int *x" },
};

TEST_EACH(declarations_are_those_of_c, cases, c)
{
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);

	decl_text(&text, &v.view, test_view_add(&v, c->types), "x");
	CHECK_STR(text_string(&text), c->text);
}

TEST(a_function_has_its_parameters)
{
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);
	uint32_t id = test_view_add(
		&v, "int; ptr 3; func_proto 0 {a 1, 0}; ptr 5; func_proto 2 {f 2, x 1}; func go 5");

	decl_text_symbol(&text, &v.view, id);
	CHECK_STR(text_string(&text), "void (*go(void (*f)(int a, ...), int x))(int a, ...)");
}

TEST(types_that_nest_too_deep_become_dots)
{
	static const char *const types[] = { "ptr 1", "const 1", "array 1 1 2; struct s 8 {a 1}",
					     "ptr 2; func_proto 0 {1, 1}; typedef f 2" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		CLEANUP(text_release) struct text text = { 0 };
		VIEW(v);

		test_view_add(&v, types[i]);
		decl_text(&text, &v.view, 1, "x");
		CHECK(strstr(text_string(&text), "...") && text.nr < 20000);
	}
}

TEST(text_that_doubles_with_each_level_ends)
{
	CLEANUP(text_release) struct text text = { 0 };
	VIEW(v);

	decl_text(&text, &v.view, test_view_add_doubling(&v), "x");
	CHECK(text.nr < 1 << 20);
}
