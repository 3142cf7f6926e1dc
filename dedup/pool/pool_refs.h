/* SPDX-License-Identifier: GPL-2.0-only */
/* pool_refs.h - what a record of the type pool refers to */
#ifndef BTFENC_DEDUP_POOL_POOL_REFS_H
#define BTFENC_DEDUP_POOL_POOL_REFS_H

#include "dedup/pool/type_pool.h"

/* References whose types are compared. */
struct pair {
	pool_ref a, b;
};

struct pairs {
	struct pair *items;
	size_t nr, cap;
};

/* Is @r an id of the pool? It is not if it says nothing, a name, or the index type of arrays. */
static inline bool ref_is_id(pool_ref r)
{
	return r && !pool_ref_is_named(r) && r != POOL_REF_INDEX;
}

/* The next of @refs; false if there is none. */
static inline bool pool_refs_next(struct btf_refs *refs, pool_ref *ret)
{
	const uint32_t *ref = btf_refs_next(refs);

	if (ref)
		*ret = *ref;
	return ref;
}

#define each_ref(rec, r) for (struct btf_refs it_ = btf_rec_refs(rec); pool_refs_next(&it_, &(r));)

#endif
