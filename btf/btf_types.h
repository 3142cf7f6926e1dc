/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_types.h - a growing list of BTF records
 *
 * Records are contiguous native words; ids follow their order. String references are plain
 * numbers: equal numbers mean equal strings, and 0 is the empty string. dedup/ never reads the
 * strings. A list may have a base (split BTF): ids below @first belong to the base.
 */
#ifndef BTFENC_BTF_BTF_TYPES_H
#define BTFENC_BTF_BTF_TYPES_H

#include "base/vec.h"
#include "btf/btf_kind.h"

#include <assert.h>

/* Owns its arrays, borrows @base. Prepare with btf_types_init(). */
struct btf_types {
	const struct btf_types *base; /* NULL: none */
	uint32_t first;               /* id of the first own record; 1 without a base */
	VEC(uint32_t) words;
	VEC(uint32_t) start; /* index of each own record's first word */
};

void btf_types_init(struct btf_types *t, const struct btf_types *base);
void btf_types_release(struct btf_types *t);

/* One past the highest id, hence 1 for an empty list (0 is void). */
static inline uint32_t btf_types_end(const struct btf_types *t)
{
	return t->first + (uint32_t)t->start.nr;
}

/* The record of @id, which must be in [1, end). */
static inline uint32_t *btf_types_rec(const struct btf_types *t, uint32_t id)
{
	while (id < t->first)
		t = t->base;
	assert(id - t->first < t->start.nr);
	return t->words.items + t->start.items[id - t->first];
}

/*
 * Append a record of @nr words that the caller fills in; returns it, valid until the
 * next append. Its id is the end before the call.
 */
uint32_t *btf_types_add(struct btf_types *t, size_t nr);
/* Append the records of @more, whose ids follow those of @t. */
void btf_types_append(struct btf_types *t, const struct btf_types *more);

#endif
