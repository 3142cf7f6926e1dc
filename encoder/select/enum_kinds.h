/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * enum_kinds.h - enums that have 32 bits in one unit and 64 in another
 *
 * The type pool refers to an enum by its name, so prototypes with "enum e" are equal whatever
 * units mean by it. But when prototypes are compared, ENUM and ENUM64 are two kinds, of one
 * name or not (docs/spec/encoding.md 8.7). Hardly a program has such a name: only there, units are
 * asked what they mean.
 */
#ifndef BTFENC_ENCODER_SELECT_ENUM_KINDS_H
#define BTFENC_ENCODER_SELECT_ENUM_KINDS_H

#include "encoder/unit/unit_btf.h"

/* Owns its arrays. Zeroed: there are none. */
struct enum_kinds {
	/* string ids of such names, in ascending order */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} names;
	/* where they have 64 bits: name and unit, in ascending order */
	struct {
		uint64_t *items;
		size_t nr, cap;
	} wide;
};

/* Find them in all units of the program. */
void enum_kinds_find(const struct type_pool *types, const struct unit_btf *const *units,
		     size_t nr_units, struct enum_kinds *ret);
void enum_kinds_release(struct enum_kinds *k);

/* Does "enum @name" have 64 bits in @unit? To be asked about names that differ only; else false. */
bool enum_kinds_is_wide(const struct enum_kinds *k, uint32_t unit, uint32_t name);

#endif
