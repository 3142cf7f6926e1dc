/* SPDX-License-Identifier: GPL-2.0-only */
/* overbase.h - a base, and a unit over it in a type pool */
#ifndef BTFENC_TESTS_LIB_OVERBASE_H
#define BTFENC_TESTS_LIB_OVERBASE_H

#include "dedup/base/base_names.h"
#include "tests/lib/poolmake.h"

struct both {
	struct test_view base;
	struct pool_scene scene;
	struct pool_ref_list other; /* names that conflict with the base */
};

static inline void both_init(struct both *b)
{
	*b = (struct both){ 0 };
	test_view_init(&b->base);
	pool_scene_init(&b->scene);
	pool_scene_unit(&b->scene);
}

/* The types of the base and of the unit; NULL for none. */
static inline void both_add(struct both *b, const char *base, const char *unit)
{
	if (base)
		test_view_add(&b->base, base);
	if (unit)
		pool_scene_add(&b->scene, unit);
}

static inline void both_release(struct both *b)
{
	test_view_release(&b->base);
	pool_scene_release(&b->scene);
	free(b->other.items);
}

/* Find @b->other, and in *same the type of the base for each type of the pool: the caller's. */
static inline void both_find(struct both *b, const struct base_names *all, uint32_t **same)
{
	b->other.nr = 0;
	find_base_conflicts(&b->scene.types, &b->scene.strings, &b->base.view, all, &b->other,
			    same);
}

/* The same with and without all names of the base. */
static inline void both_conflicts(struct both *b)
{
	CLEANUP(string_index_release) struct string_index strings = { 0 };
	CLEANUP(base_names_release) struct base_names all = { 0 };
	struct pool_ref_list first;
	uint32_t *same, *same_again;

	both_find(b, NULL, &same);
	first = b->other;
	b->other = (struct pool_ref_list){ 0 };
	string_index_add(&strings, b->base.names.items, (uint32_t)b->base.names.nr, 0, NULL);
	base_names_index(&b->base.view, &strings, NULL, &all);
	both_find(b, &all, &same_again);
	CHECK_EQ(b->other.nr, first.nr);
	for (size_t i = 0; i < first.nr; i++)
		CHECK_EQ(b->other.items[i], first.items[i]);
	for (uint32_t id = 1; id < atomic_load(&b->scene.types.end); id++)
		CHECK_EQ(same_again[id], same[id]);
	free(same);
	free(same_again);
	free(first.items);
}

#endif
