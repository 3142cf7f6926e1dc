/* SPDX-License-Identifier: GPL-2.0-only */
/* t_map_to_base.c - which types of a pool are sure to be merged with one of the base */
#include "dedup/ambiguous/map_to_base.h"

#include "base/cleanup.h"
#include "dedup/base/base_cache.h"
#include "tests/lib/overbase.h"

/* The type of the base for each type of the unit, 0 for none, in memory that is kept. */
static const char *mapped(struct both *b)
{
	char *text = test_keep(mem_zalloc(200, 1)), *end = text;
	uint32_t *same;

	both_find(b, NULL, &same);
	CHECK_EQ(b->other.nr, 0);
	pool_scene_resolve(&b->scene, &b->other);
	CHECK_EQ(b->scene.resolved.nr_need_exact, 0);
	CHECK(base_has_no_duplicates(&b->base.view.types));
	map_to_base(&b->scene.types, &b->scene.resolved, same);
	for (size_t i = 1; i < b->scene.units[0].types.nr; i++)
		end += sprintf(end, "%s%u", i > 1 ? " " : "", same[b->scene.ids[0][i]]);
	free(same);
	return text;
}

static const struct {
	const char *name, *base, *unit, *mapped;
} cases[] = {
	/* the base has no int * */
	{ "a definition and what leads to it are in the base",
	  "int; struct s 0; ptr 2; func_proto 1 {3, 0}; ptr 4; struct t 8 {m 5}",
	  "int; struct s 0; ptr 2; func_proto 1 {3, 0}; ptr 4; struct t 8 {m 5}; ptr 1",
	  "1 2 3 4 5 6 0" },
	{ "a declaration is the definition of the base", "struct s 0; fwd declared",
	  "fwd s; fwd declared; fwd! s; fwd nowhere", "1 0 0 0" },
	/* but a, b and c are found by their names */
	{ "what leads to a typedef, an array or a nameless struct is not mapped",
	  "int; typedef t 1; ptr 2; array 1 1 3; ptr 4; struct 8 {m 1}; ptr 6;"
	  "struct a 8 {m 3}; struct b 8 {m 5}; struct c 8 {m 7}",
	  "int; typedef t 1; array 1 0 3; struct 8 {m 1}; ptr 2; struct a 8 {m 5}; ptr 3; struct b 8 {m 7};"
	  "ptr 4; struct c 8 {m 9}",
	  "1 0 0 0 0 8 0 9 0 10" },
};

TEST_EACH(types_of_the_pool_are_mapped_to_those_of_the_base, cases, c)
{
	CLEANUP(both_release) struct both b;

	both_init(&b);
	both_add(&b, c->base, c->unit);
	CHECK_STR(mapped(&b), c->mapped);
}

static const struct {
	const char *name, *types;
	bool duplicates;
} bases[] = {
	{ "none", "int; ptr 1; const 1", false },
	{ "a tag, to which nothing refers",
	  "int; ptr 1; const 1; decl_tag tag 1 0; decl_tag tag 1 0", false },
	{ "a pointer", "int; ptr 1; const 1; ptr 1", true },
};

TEST_EACH(a_base_with_duplicates_is_recognized, bases, c)
{
	VIEW(v);

	test_view_add(&v, c->types);
	CHECK_EQ(!base_has_no_duplicates(&v.view.types), c->duplicates);
}
