/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash.h - keyed hashes of words and bytes
 *
 * The author of an input can know this code. If hashes were known as well, an input could give all entries of a
 * table one hash, and each lookup would visit all of them. So each run has a random key (hash.c), and its inputs
 * exist before the key does. Hashes are for tables in memory only: no output depends on them.
 *
 * A step adds a word to a hash by exclusive or, multiplies by a secret odd number, and folds the 128 bits of the
 * product to 64. The multiplier is no word of the input, so no word makes the product 0 for all hashes:
 * hashes that differ before a step differ after it, except by chance. To cancel such a difference, the next word
 * must be the exclusive or of two folded products with secret factors.
 *
 * Not done: SipHash, which stays secure even if an attacker sees hashes, but needs several times as many
 * instructions for a name.
 */
#ifndef BTFENC_BASE_HASH_H
#define BTFENC_BASE_HASH_H

#include "base/bytes.h"

/* The key of this run. It is set before main() starts and does not change. */
extern struct hash_key {
	uint64_t multiplier; /* odd */
	uint64_t seeds[2];
} hash_key __attribute__((visibility("hidden")));

/* One step: add the word @x, which is no hash, to @h, which is no word of the input. */
ALWAYS_INLINE uint64_t hash_step(uint64_t h, uint64_t x)
{
	__extension__ unsigned __int128 p = (unsigned __int128)(h ^ x) * hash_key.multiplier;

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* After the last word: one step alone would distribute some arithmetic progressions badly. */
ALWAYS_INLINE uint64_t hash_end(uint64_t h)
{
	return hash_step(h, 0);
}

/* Add @x, a word or another hash, to the hash @h. The rotation is for an @x that is equal to @h. */
ALWAYS_INLINE uint64_t hash_mix(uint64_t h, uint64_t x)
{
	return hash_end(hash_step(h << 32 | h >> 32, x));
}

ALWAYS_INLINE uint64_t hash_word(uint64_t x)
{
	return hash_end(hash_step(hash_key.seeds[1], x));
}

ALWAYS_INLINE uint64_t hash_pair(uint32_t a, uint32_t b)
{
	return hash_word((uint64_t)a << 32 | b);
}

/* The hash of nothing yet. No word can cancel the difference of two lengths. */
ALWAYS_INLINE uint64_t hash_begin(size_t len)
{
	return hash_key.seeds[0] ^ len * hash_key.multiplier;
}

ALWAYS_INLINE uint64_t hash_words(const uint32_t *w, size_t nr)
{
	uint64_t h = hash_begin(nr), g = hash_key.seeds[1];
	size_t i = 0;

	/* two independent chains, so that their multiplies overlap */
	for (; i + 4 <= nr; i += 4) {
		h = hash_step(h, load64(w + i));
		g = hash_step(g, load64(w + i + 2));
	}
	if (i + 2 <= nr) {
		h = hash_step(h, load64(w + i));
		i += 2;
	}
	if (i < nr)
		g = hash_step(g, w[i]);
	return hash_end((h << 32 | h >> 32) ^ g);
}

ALWAYS_INLINE uint64_t hash_bytes(const char *s, size_t len)
{
	uint64_t h = hash_begin(len), last;
	size_t i = 0;

	for (; i + 8 < len; i += 8)
		h = hash_step(h, load64(s + i));
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
	return hash_end(hash_step(h, last));
}

static inline uint64_t hash_string(const char *s)
{
	return hash_bytes(s, strlen(s));
}

/* A hash that no other @key has: a table of such keys needs no comparison. */
ALWAYS_INLINE uint32_t hash_key32(uint32_t key)
{
	/* odd factors, so each step can be undone */
	key *= (uint32_t)hash_key.seeds[0] | 1;
	key ^= key >> 16;
	key *= (uint32_t)hash_key.seeds[1] | 1;
	return key ^ key >> 15;
}

#endif
