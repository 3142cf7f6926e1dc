/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pooltext.h - a type pool with the types of some units, in the notation of btftext.h
 *
 * In a unit, a reference to a type with a name in a space of the pool becomes a reference by name, and the
 * index of an array is always that of the program. A type without a name may be referred to before it is
 * there if an earlier unit has the same one.
 */
#ifndef BTFENC_TESTS_POOLTEXT_H
#define BTFENC_TESTS_POOLTEXT_H

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

/*
 * Add units, which are separated by '|'. One that starts with "twice NAME:" defines the struct NAME several
 * times; one that starts with "irregular:" is that.
 */
void pool_scene_units(struct pool_scene *s, const char *units);

uint32_t pool_scene_name(struct pool_scene *s, const char *text);

/* Append a record as it is to the last unit. Returns its pool id. */
uint32_t pool_scene_say(struct pool_scene *s, const uint32_t *rec, size_t nr);

/* Resolve names, over a base if @other has the names that it defines differently. */
void pool_scene_resolve(struct pool_scene *s, const struct pool_ref_list *other);

/* The record @rec, whose names are those of @strings. */
const char *record_text(const struct str_pool *strings, const uint32_t *rec);

/*
 * How the units emit their types, and what names mean in shared records: "!xxX !xx 222, s: 2.1"
 *
 * A word for each unit starts with "*" if the unit needs exact dedup, or "!" if all its types do. For each
 * type it has the number of the unit that emits the shared record, or an "X" if this unit emits a record of
 * its own beside that, or an "x" if no unit emits a shared one. A name means the first type of the first
 * unit that has it: UNIT.TYPE.
 */
const char *pool_scene_text(const struct pool_scene *s);

#endif
