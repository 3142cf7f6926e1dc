/* SPDX-License-Identifier: GPL-2.0-only */
/* candidate_filter.h - which types of a base can a type of a split turn out to be? */
#ifndef BTFENC_DEDUP_CANDIDATE_FILTER_H
#define BTFENC_DEDUP_CANDIDATE_FILTER_H

#include "dedup/base_index.h"

/*
 * Set the kinds of @x, of whose types nothing is known but where they are. *ret says by id
 * whether the rule of dedup.h may ever take it for a type of @split; the array is the
 * caller's. ERR_FORMAT if the kind of a type is unknown. Those of @split must not be.
 */
MUST_CHECK struct err *filter_candidates(struct base_index *x, const struct btf_types *split,
					 bool **ret);
/* The kind of @id, which is what @rec says. */
MUST_CHECK struct err *base_index_read_kind(struct base_index *x, const uint32_t *rec, uint32_t id);

#endif
