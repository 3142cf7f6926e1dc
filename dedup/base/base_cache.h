/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_cache.h - tables about a base, for many runs over it
 *
 * A single module needs a few types and names of its base, so its tables have only these. In a batch, all
 * modules share tables with all types and names of the base, made by the same functions.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_CACHE_H
#define BTFENC_DEDUP_BASE_BASE_CACHE_H

#include "dedup/base/base_names.h"
#include "dedup/base_index.h"
#include "dedup/pool/string_index.h"

/* Zeroed is empty. Does not move: @names points to @strings. Read-only once made, for any thread. */
struct base_cache {
	struct string_index strings;
	struct base_index types;
	struct base_names names;
	bool no_duplicates; /* base_has_no_duplicates() */
};

/*
 * Make the tables of @base, which must outlive them. @typedefs: dedup_opts.base_typedefs. ERR_FORMAT for
 * a type of unknown kind. @ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *base_cache_make(const struct btf_view *base, bool typedefs,
				       struct base_cache *ret);
void base_cache_release(struct base_cache *c);

/* Are all types of @base, and of its own base, different? A deduplicated base is. */
bool base_has_no_duplicates(const struct btf_types *base);

#endif
