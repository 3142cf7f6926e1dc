/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * poolmake.h - a type pool with the types of some units, which are in the notation of btftext.h
 *
 * In a unit, a reference to a type with a name in a space of the pool becomes a reference by name, and the
 * index of an array is always that of the program. A type without a name may be referred to before it is
 * there if an earlier unit has the same one.
 */
#ifndef BTFENC_TESTS_POOLMAKE_H
#define BTFENC_TESTS_POOLMAKE_H

#include "dedup/ambiguous/ambiguous.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

enum { MAX_UNITS = 8, MAX_TYPES = 24 };

struct pool_scene {
	struct str_pool strings;
	struct type_pool types;
	struct type_arena *arena;
	struct resolved_names resolved;
	uint32_t ids[MAX_UNITS][MAX_TYPES]; /* of the units' types in the pool, from 1 on */
	struct id_words packed[MAX_UNITS];  /* the same */
	struct resolve_unit units[MAX_UNITS];
	size_t nr;
	pool_ref twice[MAX_UNITS]; /* the name that a unit defines twice */
	uint32_t names_end;        /* of string ids */
};

void pool_scene_init(struct pool_scene *s);
void pool_scene_release(struct pool_scene *s);

/* Add a unit without types; add types to the last unit. */
struct resolve_unit *pool_scene_unit(struct pool_scene *s);
void pool_scene_add(struct pool_scene *s, const char *types);

struct pool_unit {
	const char *types;
	const char *twice; /* a struct that it defines several times, or NULL */
	bool irregular;
};

#define UNIT(types_, ...)                      \
	{                                      \
		.types = (types_), __VA_ARGS__ \
	}

/* Add those of @units that have types. */
void pool_scene_units(struct pool_scene *s, const struct pool_unit *units, size_t nr);

uint32_t pool_scene_name(struct pool_scene *s, const char *text);

/* Append a record as it is to the last unit. Returns its pool id. */
uint32_t pool_scene_add_record(struct pool_scene *s, const uint32_t *rec, size_t nr);

/* Resolve names, over a base if @other has the names that it defines differently. */
void pool_scene_resolve(struct pool_scene *s, const struct pool_ref_list *other);

#endif
