/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bloom_filter.h - does any string that we know begin like this one?
 *
 * A base has many strings, and few of them are those of a split. To tell that of one takes a
 * look at its first eight bytes and at one bit, and neither its end nor its hash.
 */
#ifndef BTFENC_DEDUP_POOL_BLOOM_FILTER_H
#define BTFENC_DEDUP_POOL_BLOOM_FILTER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/hash.h"

#include <stdlib.h>

/* A bit for each start of a string; release it. Zeroed is empty. */
struct bloom_filter {
	uint64_t *words;
	unsigned int shift;
};

/* @w without what is behind the first zero in it, which is marked in @zeros. */
ALWAYS_INLINE uint64_t up_to_zero(uint64_t w, uint64_t zeros)
{
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint64_t behind;

	if (!zeros)
		return w;
	behind = ~(uint64_t)0;
	behind = little ? behind << 8 * first_byte(zeros) : behind >> 8 * first_byte(zeros);
	return w & ~behind;
}

/* Up to eight bytes at @s, of which @room are there, zeros behind them. */
ALWAYS_INLINE uint64_t load_start(const char *s, size_t room)
{
	uint64_t w = 0;

	if (likely(room >= sizeof(w)))
		return load64(s);
	memcpy(&w, s, room);
	return w;
}

/* Room for @nr strings. */
static inline void bloom_filter_init(struct bloom_filter *f, size_t nr)
{
	unsigned int bits = 12;

	while (bits < 20 && (size_t)1 << bits < nr * 16)
		bits++;
	f->shift = 64 - bits;
	f->words = mem_zalloc(((size_t)1 << bits) / 64, sizeof(f->words[0]));
}

static inline void bloom_filter_release(struct bloom_filter *f)
{
	free(f->words);
	f->words = NULL;
}

ALWAYS_INLINE size_t bloom_bit(const struct bloom_filter *f, uint64_t prefix)
{
	return hash_word(prefix) >> f->shift;
}

/* A string of @len bytes at @s is known. */
static inline void bloom_filter_add(struct bloom_filter *f, const char *s, size_t len)
{
	size_t bit = bloom_bit(f, load_start(s, len));

	f->words[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* May the one that begins with @prefix, which ends at its first zero, be known? */
ALWAYS_INLINE bool bloom_filter_has(const struct bloom_filter *f, uint64_t prefix)
{
	size_t bit = bloom_bit(f, prefix);

	return f->words[bit / 64] >> bit % 64 & 1;
}

#endif
