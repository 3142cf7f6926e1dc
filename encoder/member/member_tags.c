/* SPDX-License-Identifier: GPL-2.0-only */
/* member_tags.c - the declaration tags of a member's functions and variables */
#include "encoder/member/member_reader.h"

#include <stdlib.h>

static int by_owner(const void *a, const void *b)
{
	const struct member_tag *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void member_tags_take(const struct member_reader *r, uint32_t id, uint32_t kind,
		      struct member_tags *to)
{
	const uint32_t *rec = member_rec(r, id);

	if (btf_info_kind(rec[BTF_REC_INFO]) != BTF_DECL_TAG ||
	    member_kind(r, rec[BTF_REC_SIZE_TYPE]) != kind)
		return;
	vec_push(to, ((struct member_tag){ .of = rec[BTF_REC_SIZE_TYPE],
					   .id = id,
					   { rec[BTF_REC_NAME], (int32_t)rec[BTF_REC_WORDS] } }));
}

void member_tags_sort(struct member_tags *tags)
{
	if (tags->nr)
		qsort(tags->items, tags->nr, sizeof(tags->items[0]), by_owner);
}

const struct member_tag *member_tags_next(struct member_tags *tags, uint32_t of)
{
	while (tags->at < tags->nr && tags->items[tags->at].of < of)
		tags->at++;
	if (tags->at == tags->nr || tags->items[tags->at].of != of)
		return NULL;
	return &tags->items[tags->at++];
}
