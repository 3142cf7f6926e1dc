/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_filter.h - is a name perhaps one of those that were entered?
 *
 * Names are offsets of strings. A vmlinux has 100,000 types, and a module uses few of their names. The filter
 * has a bit for each hash of a name. It may take another name for one that was entered, so it may only decide
 * what costs time.
 */
#ifndef BTFENC_DEDUP_NAME_FILTER_H
#define BTFENC_DEDUP_NAME_FILTER_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>

struct name_filter {
	uint64_t *words; /* owned */
	unsigned int shift;
};

ALWAYS_INLINE uint32_t name_filter_bit(const struct name_filter *f, uint32_t name)
{
	return name * 0x9e3779b1u >> f->shift;
}

ALWAYS_INLINE void name_filter_add(struct name_filter *f, uint32_t name)
{
	uint32_t bit = name_filter_bit(f, name);

	f->words[bit / 64] |= (uint64_t)1 << bit % 64;
}

ALWAYS_INLINE bool name_filter_has(const struct name_filter *f, uint32_t name)
{
	uint32_t bit = name_filter_bit(f, name);

	return f->words[bit / 64] >> bit % 64 & 1;
}

/* Room for @nr names. */
static inline void name_filter_init(struct name_filter *f, size_t nr)
{
	unsigned int bits = 12;

	while (bits < 20 && (size_t)1 << bits < nr * 16)
		bits++;
	f->words = mem_zalloc(((size_t)1 << bits) / 64, sizeof(f->words[0]));
	f->shift = 32 - bits;
}

static inline void name_filter_release(struct name_filter *f)
{
	free(f->words);
	f->words = NULL;
}

#endif
