/* SPDX-License-Identifier: GPL-2.0-only */
/* t_base_names.c - which names mean something else in a base */
#include "base/cleanup.h"
#include "tests/lib/overbase.h"

/* The names of the unit that the base defines differently, in memory that is kept. */
static const char *others(struct both *b)
{
	char *text = test_keep(mem_zalloc(100, 1));

	both_conflicts(b);
	for (size_t i = 0; i < b->other.nr; i++)
		sprintf(text + strlen(text), "%s%s", *text ? " " : "",
			str_pool_text(&b->scene.strings, pool_ref_name(b->other.items[i])));
	return text;
}

#define ARRAY_IN_S "int; array 1 0 3; struct s 8 {m 2}"
#define POINTER_IN_S "fwd t; ptr 1; struct s 8 {m 2}"
#define S "int; struct s 8 {m 1}"

static const struct {
	const char *name, *base, *unit, *others;
} cases[] = {
	{ "a name that is not there means what it means here", "int; struct other 8 {m 1}",
	  S "; fwd only_declared", "" },
	{ "the same definition agrees down to types without a name",
	  "int; ptr 1; array 2 1 3; struct s 8 {m 3}", "int; ptr 1; array 2 0 3; struct s 8 {m 3}",
	  "" },

	{ "the same array", "int; array 1 1 3; struct s 8 {m 2}", ARRAY_IN_S, "" },
	{ "an array of another int", "int long; array 1 1 3; struct s 8 {m 2}", ARRAY_IN_S, "s" },
	{ "an array of const", "int; const 1; array 2 1 3; struct s 8 {m 3}", ARRAY_IN_S, "s" },
	/* only "int" is the index of every array */
	{ "an array with another index", "int; ptr 1; array 1 2 3; struct s 8 {m 3}", ARRAY_IN_S,
	  "s" },
	{ "an array of another length", "int; array 1 1 4; struct s 8 {m 2}", ARRAY_IN_S, "s" },
	{ "another name of a member", "int; array 1 1 3; struct s 8 {n 2}", ARRAY_IN_S, "s" },

	{ "a pointer to the same name", "fwd t; ptr 1; struct s 8 {m 2}", POINTER_IN_S, "" },
	{ "a pointer to another name", "fwd u; ptr 1; struct s 8 {m 2}", POINTER_IN_S, "s" },
	{ "a pointer to a union", "fwd! t; ptr 1; struct s 8 {m 2}", POINTER_IN_S, "s" },

	{ "a declaration agrees with one definition", "struct s 0", "fwd s", "" },
	{ "a declaration does not agree with two definitions", "struct s 0; struct s 0", "fwd s",
	  "s" },
	{ "a declaration agrees with a declaration", "fwd s", "fwd s", "" },
	/* both the definition and the declaration beside it mean it */
	{ "a definition does not agree with a declaration", "fwd s", "fwd s; int; struct s 8 {m 2}",
	  "s" },
	{ "a base that has both agrees with nothing", S "; fwd s", S, "s" },
	{ "structs and enums do not share names", "fwd! s; enum e 4 {one 1}",
	  "int; struct e 8 {m 1}", "" },
	{ "structs and unions share names", "fwd! s; enum e 4 {one 1}",
	  "int; struct e 8 {m 1}; struct s 8 {m 1}", "s" },
	{ "enums agree by their values", "enum e 4 {one 1}", "enum e 4 {one 1}", "" },
	{ "enums differ by their values", "enum e 4 {one 1}", "enum e 4 {one 1}; enum e 4 {one 2}",
	  "e" },
};

TEST_EACH(names_are_compared_with_those_of_the_base, cases, c)
{
	CLEANUP(both_release) struct both b;

	both_init(&b);
	both_add(&b, c->base, c->unit);
	CHECK_STR(others(&b), c->others);
}

TEST_WITH_INIT(what_no_unit_has_is_not_asked_about, both, b)
{
	both_add(b, "fwd s", S);
	CHECK_STR(others(b), "s");
	pool_type_forget_first_use(type_pool_at(&b->scene.types, b->scene.ids[0][2]), 0);
	CHECK_STR(others(b), "");
}
