/* SPDX-License-Identifier: GPL-2.0-only */
/* btfrefs.h - a reference of a record by its number */
#ifndef BTFENC_TESTS_BTFREFS_H
#define BTFENC_TESTS_BTFREFS_H

#include "btf/btf_kind.h"

/* The @i-th reference of @rec; NULL if it has less. */
static inline uint32_t *btf_rec_type(uint32_t *rec, size_t i)
{
	struct btf_refs refs = btf_rec_refs(rec);
	uint32_t *ref = btf_refs_next(&refs);

	while (ref && i--)
		ref = btf_refs_next(&refs);
	return ref;
}

#endif
