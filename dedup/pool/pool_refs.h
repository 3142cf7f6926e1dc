/* SPDX-License-Identifier: GPL-2.0-only */
/* pool_refs.h - what a record of the type pool refers to */
#ifndef BTFENC_DEDUP_POOL_POOL_REFS_H
#define BTFENC_DEDUP_POOL_POOL_REFS_H

#include "dedup/pool/type_pool.h"

/* Is @r an id of the pool? It is not if it says nothing, a name, or the index type of arrays. */
static inline bool ref_is_id(pool_ref r)
{
	return r && !pool_ref_is_named(r) && r != POOL_REF_INDEX;
}

/* The references of a record in turn; the index type of arrays is none. */
struct ref_iter {
	const uint32_t *pos, *elem;
	uint32_t left, step;
};

static inline struct ref_iter ref_iter_start(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	struct ref_iter it = { 0 };

	if (!l)
		return it;
	if (l->main_is_type)
		it.pos = &rec[BTF_REC_SIZE_TYPE];
	else if (l->fixed_types)
		it.pos = &rec[BTF_REC_WORDS]; /* ARRAY: its elements */
	if (l->elem_type >= 0) {
		it.elem = rec + BTF_REC_WORDS + l->fixed + l->elem_type;
		it.left = btf_info_vlen(rec[BTF_REC_INFO]);
		it.step = l->elem;
	}
	return it;
}

ALWAYS_INLINE bool ref_iter_next(struct ref_iter *it, pool_ref *ret)
{
	if (it->pos) {
		*ret = *it->pos;
		it->pos = NULL;
		return true;
	}
	if (!it->left)
		return false;
	*ret = *it->elem;
	it->elem += it->step;
	it->left--;
	return true;
}

#define each_ref(rec, r) for (struct ref_iter it_ = ref_iter_start(rec); ref_iter_next(&it_, &(r));)

#endif
