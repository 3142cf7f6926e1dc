/* SPDX-License-Identifier: GPL-2.0-only */
/* t_hash_table.c - numbers are found by hash and comparison, at any size and with equal hashes */
#include "base/hash_table.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

/* A set of values that uses the bits @mask of their hashes. */
struct values {
	uint32_t of[5000]; /* by number */
	uint64_t mask;
	struct hash_table index;
};

static uint64_t hash_of(const struct values *v, uint32_t value)
{
	return hash_mix(value, 0) & v->mask;
}

static uint32_t find(const struct values *v, uint32_t value)
{
	return HASH_FIND(&v->index, hash_of(v, value), n, v->of[n] == value);
}

static void check_all(uint64_t mask, uint32_t nr)
{
	static struct values v;

	v = (struct values){ .mask = mask };
	CHECK_EQ(find(&v, 7), 0);
	for (uint32_t n = 1; n <= nr; n++) {
		v.of[n] = 3 * n;
		CHECK_EQ(find(&v, 3 * n), 0);
		hash_table_add(&v.index, hash_of(&v, 3 * n), n);
		CHECK_EQ(find(&v, 3 * n), n);
	}
	CHECK_EQ(v.index.nr, nr);
	CHECK(v.index.mask + 1 >= 2 * (size_t)nr);
	for (uint32_t n = 1; n <= nr; n++) {
		CHECK_EQ(find(&v, 3 * n), n);
		CHECK_EQ(find(&v, 3 * n + 1), 0);
	}
	hash_table_clear(&v.index);
	CHECK_EQ(find(&v, 3), 0);
	hash_table_clear(&v.index);
	hash_table_add(&v.index, hash_of(&v, 3), 1);
	CHECK_EQ(find(&v, 3), 1);
	hash_table_release(&v.index);
	CHECK_EQ(find(&v, 3), 0);
}

TEST(numbers_are_found_at_any_size)
{
	check_all(UINT64_MAX, 4999);
}

TEST(equal_hashes_are_told_apart_by_comparison)
{
	check_all(0, 500);
	check_all(0xf, 999);
	check_all((uint64_t)UINT32_MAX << 32, 500); /* the table uses the lower half only */
}

TEST(keys_have_hashes_of_their_own)
{
	CLEANUP(hash_table_release) struct hash_table t = { 0 };

	for (uint32_t key = 0; key < 1000; key++) {
		uint32_t wide = key << 22 | key;

		CHECK_EQ(HASH_FIND(&t, hash_key32(wide), n, true), 0);
		hash_table_add(&t, hash_key32(wide), key + 1);
	}
	for (uint32_t key = 0; key < 1000; key++)
		CHECK_EQ(HASH_FIND(&t, hash_key32(key << 22 | key), n, true), key + 1);
}

TEST(the_table_does_not_move_within_its_room)
{
	CLEANUP(hash_table_release) struct hash_table t = { 0 };

	hash_table_reserve(&t, 1000);
	uint64_t *slots = t.slots;
	for (uint32_t n = 1; n <= 1000; n++)
		hash_table_add(&t, hash_mix(n, 0), n);
	CHECK(t.slots == slots);
}

TEST(a_slot_can_be_given_another_number)
{
	CLEANUP(hash_table_release) struct hash_table t = { 0 };

	hash_table_reserve(&t, 1);
	uint64_t *slot = HASH_SLOT(&t, 5, n, true);
	CHECK(!*slot);
	hash_table_set(&t, slot, 5, 1);
	hash_table_set(&t, HASH_SLOT(&t, 5, n, n == 1), 5, 2);
	CHECK_EQ(t.nr, 1);
	CHECK_EQ(HASH_FIND(&t, 5, n, true), 2);
	CHECK_EQ(HASH_FIND(&t, 5, n, n == 1), 0);
}
