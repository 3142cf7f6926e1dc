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
	return hash_word(value) & v->mask;
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

/* Map @key to @value, if it is not mapped already. */
static void map_first(struct hash_table *t, uint32_t key, uint32_t value)
{
	hash_table_reserve(t, 1);

	uint64_t *slot = HASH_SLOT(t, hash_key32(key), n, true);
	if (!*slot)
		hash_table_set(t, slot, hash_key32(key), value);
}

static uint32_t mapped(const struct hash_table *t, uint32_t key)
{
	return HASH_FIND(t, hash_key32(key), n, true);
}

TEST(keys_have_hashes_of_their_own)
{
	const uint32_t flag = 1U << 30, other = 1U << 31;
	CLEANUP(hash_table_release) struct hash_table t = { 0 };

	for (uint32_t i = 1; i < 1000; i++)
		map_first(&t, i % 2 ? i : flag | i, i + 7);
	for (uint32_t i = 1; i < 1000; i++) {
		CHECK_EQ(mapped(&t, i), i % 2 ? i + 7 : 0);
		CHECK_EQ(mapped(&t, flag | i), i % 2 ? 0 : i + 7);
		CHECK_EQ(mapped(&t, other | i), 0);
	}
	CHECK_EQ(mapped(&t, 0), 0);
	map_first(&t, 5, 8);
	CHECK_EQ(mapped(&t, 5), 12);
	CHECK_EQ(t.nr, 999);
}

TEST_WITH(names_get_numbers_in_order, name_ids, n)
{
	CHECK_EQ(name_ids_find(n, "a"), 0);
	CHECK_EQ(name_ids_add(n, "a"), 1);
	CHECK_EQ(name_ids_add(n, ""), 2);
	CHECK_EQ(name_ids_add(n, "a"), 1);
	CHECK_EQ(name_ids_find(n, ""), 2);
	CHECK_EQ(name_ids_find(n, "b"), 0);
	CHECK_STR(n->names.items[0], "a");
}

TEST_WITH(the_table_does_not_move_within_its_room, hash_table, t)
{
	hash_table_reserve(t, 1000);
	uint64_t *slots = t->slots;
	for (uint32_t n = 1; n <= 1000; n++)
		hash_table_add(t, hash_word(n), n);
	CHECK(t->slots == slots);
}

TEST_WITH(a_slot_can_be_given_another_number, hash_table, t)
{
	hash_table_reserve(t, 1);
	uint64_t *slot = HASH_SLOT(t, 5, n, true);
	CHECK(!*slot);
	hash_table_set(t, slot, 5, 1);
	hash_table_set(t, HASH_SLOT(t, 5, n, n == 1), 5, 2);
	CHECK_EQ(t->nr, 1);
	CHECK_EQ(HASH_FIND(t, 5, n, true), 2);
	CHECK_EQ(HASH_FIND(t, 5, n, n == 1), 0);
}
