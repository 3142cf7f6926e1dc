/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * enum_kinds.h - enums that have 32 bits in one unit and 64 in another
 *
 * A record in the type pool refers to an enum by its name, so prototypes with "enum e" are equal
 * whatever the units mean by it. The comparison of prototypes however distinguishes ENUM and
 * ENUM64 of one name (docs/spec/encoding.md 8.7). Programs rarely have such a name; where one has,
 * the units are searched for its meaning.
 */
#ifndef BTFENC_ENCODER_SELECT_ENUM_KINDS_H
#define BTFENC_ENCODER_SELECT_ENUM_KINDS_H

#include "encoder/unit/unit_btf.h"

struct enum_list {
	uint64_t *items;
	size_t nr, cap;
};

/* Both lists are sorted. Owns its arrays. Zeroed: there is no such name. */
struct enum_kinds {
	struct enum_list names; /* string ids of the names with two meanings */
	struct enum_list wide;  /* where they have 64 bits: name << 32 | unit */
};

/* Search all units of the program. */
void enum_kinds_find(const struct type_pool *types, const struct unit_btf *const *units,
		     size_t nr_units, struct enum_kinds *ret);
void enum_kinds_release(struct enum_kinds *k);

/* Does "enum @name" have 64 bits in @unit? False also if it has one meaning in all units. */
bool enum_kinds_is_wide(const struct enum_kinds *k, uint32_t unit, uint32_t name);

#endif
