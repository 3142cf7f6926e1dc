/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_hash.c - no input can choose its hashes
 *
 * All tests but the last set keys, always the same ones, so that they pass or fail in every run.
 */
#include "base/hash_table.h"

#include "base/vec.h"
#include "tests/lib/rand.h"
#include "tests/lib/testlib.h"

#include <inttypes.h>

enum { NR_KEYS = 20 };

/* The constants that earlier versions used instead of a key. */
static const uint64_t old_constants[] = { 0x9e3779b97f4a7c15, 0xe7037ed1a0b428db };

static struct hash_key test_key(uint64_t seed)
{
	struct rnd r = { seed };
	struct hash_key ret = { .multiplier = rnd_next(&r) | 1 };

	ret.seeds[0] = rnd_next(&r);
	ret.seeds[1] = rnd_next(&r);
	return ret;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool all_differ(uint64_t *hashes, size_t nr)
{
	qsort(hashes, nr, sizeof(*hashes), by_value);
	for (size_t i = 1; i < nr; i++) {
		if (hashes[i] == hashes[i - 1])
			return false;
	}
	return true;
}

/* Run @check with several keys. */
static void with_keys(void (*check)(void))
{
	const struct hash_key own = hash_key;

	for (uint64_t seed = 1; seed <= NR_KEYS; seed++) {
		hash_key = test_key(seed);
		check();
	}
	hash_key = own;
}

/* --- no word erases what was hashed before it ---------------------------------------------- */

/* Are the hashes of some words and then @word different, whatever function makes them? */
static void check_word(uint64_t word)
{
	enum { NR = 64 };
	uint64_t mixed[NR], bytes[NR], first[NR], second[NR];

	for (uint32_t i = 0; i < NR; i++) {
		uint64_t prefix = i * UINT64_C(0x0101010101010101);
		uint64_t s[] = { prefix, word, 0x7878787878787878 };
		uint64_t a[] = { prefix, 1, word, 2, 3 }, b[] = { 1, prefix, 2, word, 3 };

		mixed[i] = hash_mix(hash_word(prefix), word);
		bytes[i] = hash_bytes((const char *)s, sizeof(s));
		first[i] = hash_words((const uint32_t *)a, 2 * ARRAY_SIZE(a));
		second[i] = hash_words((const uint32_t *)b, 2 * ARRAY_SIZE(b));
	}
	CHECK(all_differ(mixed, NR));
	CHECK(all_differ(bytes, NR));
	CHECK(all_differ(first, NR));
	CHECK(all_differ(second, NR));
}

static void check_prefixes(void)
{
	const uint64_t *parts = &hash_key.multiplier; /* even who knows the key cannot */
	struct rnd r = { 1 };

	for (size_t i = 0; i < sizeof(hash_key) / sizeof(*parts); i++) {
		check_word(parts[i]);
		check_word(~parts[i]);
		check_word(parts[i] ^ 1);
	}
	for (size_t i = 0; i < ARRAY_SIZE(old_constants); i++) {
		check_word(old_constants[i]);
		check_word(~old_constants[i]);
	}
	for (unsigned int bit = 0; bit < 64; bit++)
		check_word(UINT64_C(1) << bit);
	check_word(0);
	check_word(UINT64_MAX);
	for (int i = 0; i < 100; i++)
		check_word(rnd_next(&r));
}

TEST(no_word_erases_what_was_hashed_before_it)
{
	with_keys(check_prefixes);
}

/* Strings, and the records of enums, that had one hash in earlier versions. */
static void check_old_collisions(void)
{
	enum { NR = 2000 };
	uint64_t strings[NR], records[NR];

	for (uint32_t i = 0; i < NR; i++) {
		char s[25];
		uint32_t rec[] = { i, 0x13000001, 8, 7, 0, 0 };

		snprintf(s, sizeof(s), "%08" PRIu32 "12345678xxxxxxxx", i);
		memcpy(s + 8, &old_constants[1], sizeof(old_constants[1]));
		strings[i] = hash_bytes(s, sizeof(s) - 1);
		memcpy(rec + 4, &old_constants[1], sizeof(old_constants[1]));
		records[i] = hash_words(rec, ARRAY_SIZE(rec));
	}
	CHECK(all_differ(strings, NR));
	CHECK(all_differ(records, NR));
}

TEST(what_once_had_one_hash_has_many)
{
	with_keys(check_old_collisions);
}

/* Small numbers on both sides: none may cancel the other. */
static void check_pairs(void)
{
	enum { NR = 64 };
	uint64_t pairs[NR * NR], mixed[NR * NR], lengths[NR];

	for (uint32_t a = 0; a < NR; a++) {
		for (uint32_t b = 0; b < NR; b++) {
			pairs[a * NR + b] = hash_pair(a, b);
			mixed[a * NR + b] = hash_mix(hash_word(a), hash_word(b));
		}
	}
	CHECK(all_differ(pairs, ARRAY_SIZE(pairs)));
	CHECK(all_differ(mixed, ARRAY_SIZE(mixed)));

	/* the words of these strings would cancel their lengths if that were added as it is */
	for (uint32_t len = 9; len <= 16; len++) {
		char s[16];

		memset(s, 'c', sizeof(s));
		s[0] = (char)('c' ^ len ^ 9);
		lengths[len - 9] = hash_bytes(s, len);
	}
	CHECK(all_differ(lengths, 8));
}

TEST(small_numbers_do_not_cancel_each_other)
{
	with_keys(check_pairs);
}

/* --- tables stay fast ------------------------------------------------------------------- */

enum { NR_ENTRIES = 1 << 13 };

/* How many slots are passed on average when all numbers of @t are looked up. */
static double mean_distance(const struct hash_table *t)
{
	double sum = 0;

	for (size_t i = 0; i <= t->mask; i++) {
		if (t->slots[i])
			sum += (double)((i - (size_t)(t->slots[i] >> 32)) & t->mask);
	}
	return sum / (double)t->nr;
}

/* Numbers with a structure: entry @i of set @set; sets below NR_SMALL_SETS have 32 bits. */
enum { NR_SMALL_SETS = 5, NR_SETS = 12 };

static uint64_t member(int set, uint64_t i)
{
	switch (set) {
	case 0:
		return i;
	case 1:
		return i << 8;
	case 2:
		return i << 16;
	case 3:
		return i << 19;
	case 4:
		return (uint32_t)-i;
	case 5:
		return i << 32;
	case 6:
		return i << 48;
	case 7:
		return (i ^ i >> 1) << 32;
	case 8:
		return i << 32 | i;
	case 9:
		return (i & 0xff) << 32 | i >> 8;
	case 10:
		return i * UINT32_MAX;
	default:
		return i * i;
	}
}

static void check_distances(void)
{
	for (int set = 0; set < NR_SETS; set++) {
		struct hash_table tables[4] = { 0 };

		for (uint32_t i = 0; i < NR_ENTRIES; i++) {
			uint64_t x = member(set, i);

			hash_table_add(&tables[0], hash_word(x), i + 1);
			hash_table_add(&tables[1], hash_bytes((const char *)&x, sizeof(x)), i + 1);
			/* the upper half, which other tables use */
			hash_table_add(&tables[2], hash_word(x) >> 32, i + 1);
			if (set < NR_SMALL_SETS)
				hash_table_add(&tables[3], hash_key32((uint32_t)x), i + 1);
		}
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
			CHECK(!tables[i].nr || mean_distance(&tables[i]) < 8);
			hash_table_release(&tables[i]);
		}
	}
}

TEST(regular_numbers_do_not_meet_in_tables)
{
	with_keys(check_distances);
}

static void check_unique(void)
{
	for (int set = 0; set < NR_SMALL_SETS; set++) {
		static uint64_t hashes[NR_ENTRIES];

		for (uint32_t i = 0; i < NR_ENTRIES; i++)
			hashes[i] = hash_key32((uint32_t)member(set, i));
		CHECK(all_differ(hashes, NR_ENTRIES));
	}
}

TEST(each_key_has_a_hash_of_its_own)
{
	with_keys(check_unique);
}

TEST(the_run_has_a_key)
{
	CHECK(hash_key.multiplier & 1);
	CHECK(hash_key.multiplier >> 1);
	CHECK(hash_key.seeds[0] != hash_key.seeds[1]);
}
