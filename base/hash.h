/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.h - hashes of words and bytes
 *
 * For tables in memory only: no output depends on the values. One widening multiply mixes two
 * 64-bit words, which is fast for records of a dozen words.
 */
#ifndef BTFENC_BASE_HASH_H
#define BTFENC_BASE_HASH_H

#include "base/bytes.h"

/* Odd constants with evenly distributed bits (fractions of pi and e). */
#define HASH_K1 0x9e3779b97f4a7c15u
#define HASH_K2 0xe7037ed1a0b428dbu

ALWAYS_INLINE uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 x = (unsigned __int128)(a ^ HASH_K1) * (b ^ HASH_K2);

	return (uint64_t)x ^ (uint64_t)(x >> 64);
}

ALWAYS_INLINE uint64_t hash_words(const uint32_t *w, size_t nr)
{
	uint64_t h = nr, g = HASH_K2;
	size_t i = 0;

	/* two independent chains, so that their multiplies overlap */
	for (; i + 4 <= nr; i += 4) {
		h = hash_mix(h, load64(w + i));
		g = hash_mix(g, load64(w + i + 2));
	}
	if (i + 2 <= nr) {
		h = hash_mix(h, load64(w + i));
		i += 2;
	}
	if (i < nr)
		g = hash_mix(g, w[i]);
	return hash_mix(h, g);
}

ALWAYS_INLINE uint64_t hash_bytes(const char *s, size_t len)
{
	uint64_t h = len, last;
	size_t i = 0;

	for (; i + 8 < len; i += 8)
		h = hash_mix(h, load64(s + i));
	/* the last one to eight bytes, without a read out of bounds */
	if (len >= 8)
		last = load64(s + len - 8);
	else if (len >= 4)
		last = load32(s) | (uint64_t)load32(s + len - 4) << 32;
	else if (len)
		last = (uint8_t)s[0] | (uint64_t)(uint8_t)s[len / 2] << 8 |
		       (uint64_t)(uint8_t)s[len - 1] << 16;
	else
		last = 0;
	return hash_mix(h, last);
}

static inline uint64_t hash_string(const char *s)
{
	return hash_bytes(s, strlen(s));
}

#endif
