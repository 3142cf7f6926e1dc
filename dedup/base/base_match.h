/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_match.h - does a type of a pool say the same as one of a base?
 *
 * Word for word: where one says a type by its name, the other must lead to one of that name, and
 * where it has none, both are compared further down.
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
	/* those of @base, in which those of the pool were looked for; or NULL */
	const struct string_index *base_strings;
	/* arrays match that have as many elements, whatever these are */
	bool any_elements;
	uint32_t *same; /* by pool id: a type of the base that says the same; 0: not known */
	/* what is assumed to be so while a type is compared; @done of them have been */
	struct {
		struct assumed {
			uint32_t id, base;
		} * items;
		size_t nr, cap, done;
	} assumed;
};

/* A base may have one type twice and lead to both in turn; then it does not match. */
enum { BASE_MAX_ASSUMED = 65536 };

void base_match_release(struct base_match *a);

static inline const uint32_t *base_match_rec(const struct base_match *a, uint32_t id)
{
	return btf_types_rec(&a->base->types, id);
}

/*
 * Hold type @id of the pool against type @base, and whatever both lead to without a name:
 * these pairs are in @assumed then, and in @same. base_match_forget() before the next.
 */
bool base_match_walk(struct base_match *a, uint32_t id, uint32_t base);
/* Empty @assumed. Unless @same_too, what was assumed stays in @same. */
void base_match_forget(struct base_match *a, bool same_too);

#endif
