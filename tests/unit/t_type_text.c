/* SPDX-License-Identifier: GPL-2.0-only */
/* A difference shows what functions take and return, and no input makes a text long. */
#include "btf/print/type_text.h"

#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* The text of type @id of @v. */
static char *text_of(const struct btf_view *v, uint32_t id)
{
	CLEANUP(type_graph_release) struct type_graph g = { 0 };

	CHECK_OK(type_graph_make(v, v, &g));
	return diff_type_text(&g, id, false);
}

static const struct {
	const char *name, *types; /* the text is that of the last one */
	const char *text;
} cases[] = {
	{ "a function", "int; func_proto 1 {a 1}", "int (int)" },
	{ "a function without parameters", "func_proto 0 {}; ptr 1", "void (*)(void)" },
	{ "a pointer to one", "struct s 4 {}; const 1; ptr 2; func_proto 0 {a 3, b 3}; ptr 4",
	  "void (*)(const struct s *, const struct s *)" },
	{ "any number of parameters", "int; func_proto 1 {a 1, 0}; ptr 2", "int (*)(int, ...)" },
	{ "a pointer as a result", "int; ptr 1; func_proto 2 {a 1}; ptr 3", "int *(*)(int)" },
	{ "an array of const pointers", "int; func_proto 1 {a 1}; ptr 2; const 3; array 4 1 3",
	  "int (*const[3])(int)" },
	{ "a type tag", "int; func_proto 1 {a 1}; type_tag t 2; ptr 3",
	  "int (type_tag(t) *)(int)" },
	{ "a function as a parameter", "int; func_proto 1 {a 1}; ptr 2; func_proto 0 {f 3}; ptr 4",
	  "void (*)(int (*)(int))" },
	{ "a function as a result", "int; func_proto 1 {a 1}; ptr 2; func_proto 3 {}; ptr 4",
	  "int (*(*)(void))(int)" },
	{ "a typedef of a function", "int; func_proto 1 {a 1}; typedef f 2; ptr 3", "f *" },
};

TEST_EACH(functions_are_written_as_in_c, cases, c)
{
	CLEANUP(mem_free_text) char *text = NULL;
	VIEW(v);
	uint32_t id = test_view_add(&v, c->types);

	text = text_of(&v.view, id);
	CHECK_STR(text, c->text);
}

TEST(a_text_that_doubles_with_each_function_ends)
{
	CLEANUP(mem_free_text) char *text = NULL;
	VIEW(v);

	text = text_of(&v.view, test_view_add_doubling(&v));
	CHECK(strlen(text) < 2 * TYPE_TEXT_PARAMS_MAX);
}

TEST(functions_of_themselves_end)
{
	static const char *const types[] = { "ptr 2; func_proto 1 {f 1}", "func_proto 1 {}",
					     "ptr 2; func_proto 0 {f 1}" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		CLEANUP(mem_free_text) char *text = NULL;
		VIEW(v);

		test_view_add(&v, types[i]);
		text = text_of(&v.view, 1);
		CHECK(strstr(text, "function") && strlen(text) < 2 * TYPE_TEXT_PARAMS_MAX);
	}
}
