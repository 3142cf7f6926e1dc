/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_match.h - compare a type of a pool with one of a base
 *
 * The records must be equal word by word. If one refers to a type with a name, the other must refer to a type
 * with the same name. Referenced types without a name are compared in turn.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_MATCH_H
#define BTFENC_DEDUP_BASE_BASE_MATCH_H

#include "btf/btf_view.h"
#include "dedup/pool/string_index.h"
#include "dedup/pool/type_pool.h"

/* Borrows all but @same and @assumed; release it. */
struct base_match {
	const struct type_pool *types;
	const struct str_pool *strings;
	const struct btf_view *base;
	/* the strings of @base, in which those of the pool were looked up */
	const struct string_index *base_strings;
	uint32_t *same; /* by pool id: an equal type of the base; 0: none is known */
	/* pairs assumed to be equal while a type is compared; @done of them have been compared */
	struct {
		struct assumed {
			uint32_t id, base;
		} * items;
		size_t nr, cap, done;
	} assumed;
};

void base_match_release(struct base_match *a);

static inline const uint32_t *base_match_rec(const struct base_match *a, uint32_t id)
{
	return btf_types_rec(&a->base->types, id);
}

/*
 * Is type @id of the pool equal to type @base, with the types without a name to which both lead? If so, @same has
 * all these pairs.
 */
bool base_match_types(struct base_match *a, uint32_t id, uint32_t base);

#endif
