/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_types.h - which types of a unit are its own
 *
 * Where names do not tell what a unit means (settle.h), its types are given to the rule as records of
 * this unit, beside those that all units share. This finds them, by what other records say
 * to refer to them.
 */
#ifndef BTFENC_ENCODER_UNIT_OWN_TYPES_H
#define BTFENC_ENCODER_UNIT_OWN_TYPES_H

#include "base/err.h"
#include "dedup/pool/type_pool.h"

struct own_type {
	pool_ref ref; /* 0: a free slot */
	uint32_t id;  /* of the record in the result, before deduplication */
};

/* Owns its slots. Zeroed is empty. */
struct own_types {
	struct own_type *slots;
	size_t mask;
};

/* Room for @nr. @o must be zeroed. */
void own_types_init(struct own_types *o, size_t nr);
void own_types_release(struct own_types *o);

/* What is referred to by @ref is record @id, if none was before; at most as often as there is room. */
void own_types_add(struct own_types *o, pool_ref ref, uint32_t id);
/* The record that @ref means; 0: it is not the unit's own. */
uint32_t own_types_find(const struct own_types *o, pool_ref ref);

#endif
