/* SPDX-License-Identifier: GPL-2.0-only */
/* t_base_lookalikes.c - structs that the rule may take for others of a base, because it takes two arrays for one */
#include "base/cleanup.h"
#include "tests/lib/overbase.h"

/* The types and names of the unit that have lookalikes in the base: "3 s", in memory that is kept. */
static const char *alike(struct both *b)
{
	char *text = test_keep(mem_zalloc(100, 1)), *end = text;

	both_conflicts(b);
	for (size_t i = 0; i < b->other.nr; i++) {
		pool_ref r = b->other.items[i];
		uint32_t at = 1;

		while (at < b->scene.units[0].types.nr && b->scene.ids[0][at] != r)
			at++;
		if (pool_ref_is_named(r))
			end += sprintf(end, "%s%s", i ? " " : "",
				       str_pool_text(&b->scene.strings, pool_ref_name(r)));
		else
			end += sprintf(end, "%s%u", i ? " " : "", at);
	}
	return text;
}

/* In the base and in the unit, two arrays of 4. */
#define BASE_ARRAYS "int; ptr 0; array 1 1 4; array 2 1 4;"
#define ARRAYS "int; array 1 0 4; ptr 0; array 3 0 4;"

static const struct {
	const char *name, *base, *unit, *alike;
} cases[] = {
	{ "one array of the base in the place of two", BASE_ARRAYS "struct 16 {a 3, b 3 64}",
	  ARRAYS "struct 16 {a 2, b 4 64}", "5" },
	{ "two arrays of the base in the place of one", BASE_ARRAYS "struct 16 {a 3, b 4 64}",
	  ARRAYS "struct 16 {a 2, b 2 64}", "" },
	{ "no difference", BASE_ARRAYS "struct 16 {a 3, b 4 64}", ARRAYS "struct 16 {a 2, b 4 64}",
	  "" },
	{ "arrays of others", "int; array 1 1 4; ptr 1; array 3 1 4; struct 16 {a 2, b 4 64}",
	  ARRAYS "struct 16 {a 2, b 4 64}", "" },
	{ "another length", "int; array 1 1 4; ptr 0; array 3 1 5; struct 16 {a 2, b 4 64}",
	  ARRAYS "struct 16 {a 2, b 4 64}", "" },
	{ "another name of a member", BASE_ARRAYS "struct 16 {a 3, c 4 64}",
	  ARRAYS "struct 16 {a 2, b 4 64}", "" },
	{ "the name of the struct", BASE_ARRAYS "struct s 16 {a 3, b 4 64}",
	  ARRAYS "struct s 16 {a 2, b 4 64}", "" },
	{ "another size", BASE_ARRAYS "struct 16 {a 3, b 4 64}", ARRAYS "struct 24 {a 2, b 4 64}",
	  "" },
	/* the struct inside looks like another */
	{ "what leads there without a name",
	  BASE_ARRAYS "struct 16 {a 3, b 3 64}; ptr 5; struct 8 {c 6}",
	  ARRAYS "struct 16 {a 2, b 4 64}; ptr 5; struct 8 {c 6}", "5 7" },
	/* of a struct with a name, its name in any case */
	{ "a name that differs in what its array holds", "int; array 1 1 4; struct s 8 {m 2}",
	  "ptr 0; array 1 0 4; struct s 8 {m 2}", "s 3" },
	{ "a name that differs in the length of its array, too",
	  "int; array 1 1 3; struct s 8 {m 2}", "ptr 0; array 1 0 4; struct s 8 {m 2}", "s" },
};

TEST_EACH(types_that_look_like_those_of_the_base_are_found, cases, c)
{
	CLEANUP(both_release) struct both b;

	both_init(&b);
	both_add(&b, c->base, c->unit);
	CHECK_STR(alike(&b), c->alike);
}

TEST_WITH_INIT(many_that_look_alike_are_not_held_against_one_another, both, b)
{
	both_add(b, "int", ARRAYS "struct 16 {a 2, b 4 64}");
	for (uint32_t i = 0; i < 40; i++)
		test_view_addf(&b->base, "array 1 1 4; array 1 1 %u; struct 16 {a %u, b %u 64}",
			       100 + i, 3 * i + 2, 3 * i + 3);
	CHECK_STR(alike(b), "5");
}
