/* SPDX-License-Identifier: GPL-2.0-only */
#include "dedup/cand_table.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "tests/lib/rand.h"
#include "tests/lib/testlib.h"

enum { NR_KEYS = 7, NR_IDS = 3000 };

static uint64_t hash_of(uint32_t key)
{
	return hash_word(key);
}

/*
 * A chained hash table that does what the header says libbpf's does: entries move over one
 * by one, each to the front of its new chain.
 */
struct model {
	uint32_t ids[NR_KEYS][NR_IDS]; /* front first */
	size_t nr[NR_KEYS];
	size_t counted, buckets;
};

static void model_grow(struct model *m)
{
	m->buckets = m->buckets ? 2 * m->buckets : 4;
	for (size_t k = 0; k < NR_KEYS; k++) {
		for (size_t i = 0; i < m->nr[k] / 2; i++) {
			uint32_t *a = &m->ids[k][i], *b = &m->ids[k][m->nr[k] - 1 - i], x = *a;

			*a = *b;
			*b = x;
		}
	}
}

static void model_add(struct model *m, size_t key, uint32_t id)
{
	if (m->buckets == 0 || (m->counted + 1) * 4 / 3 > m->buckets)
		model_grow(m);
	m->counted++;
	memmove(m->ids[key] + 1, m->ids[key], m->nr[key] * sizeof(id));
	m->ids[key][0] = id;
	m->nr[key]++;
}

static void check_chain(const struct cand_table *t, const struct model *m, uint32_t key)
{
	size_t i = 0;

	cand_each(t, hash_of(key), id)
	{
		CHECK(i < m->nr[key]);
		CHECK_EQ(id, m->ids[key][i]);
		i++;
	}
	CHECK_EQ(i, m->nr[key]);
}

TEST_WITH(chains_are_in_the_order_of_a_table_that_grows, cand_table, t)
{
	struct model *m = mem_zalloc(1, sizeof(*m));
	struct rnd r = { 1 };

	cand_table_init(t, 0);
	for (uint32_t id = 1; id < NR_IDS; id++) {
		size_t key = rnd_below(&r, NR_KEYS);

		cand_table_add(t, hash_of((uint32_t)key), id);
		model_add(m, key, id);
		for (uint32_t k = 0; k < NR_KEYS; k++)
			check_chain(t, m, k);
	}
	free(m);
}

TEST_WITH(order_turns_before_entries_1_4_7_13_25, cand_table, t)
{
	unsigned int front = 0;

	cand_table_init(t, 0);
	for (uint32_t n = 1; n <= 49; n++) {
		bool grows = n == 1 || n == 4 || n == 7 || n == 13 || n == 25 || n == 49;

		cand_table_add(t, hash_of(n), n);
		CHECK_EQ(t->front != front, grows);
		front = t->front;
	}
}

TEST_WITH(types_may_be_entered_behind_their_time, cand_table, t)
{
	CLEANUP(cand_table_release) struct cand_table late = { 0 };
	enum { NR = 200, STEP = 7 };

	cand_table_init(t, 0);
	cand_table_init(&late, 0);
	for (uint32_t n = 1; n <= NR; n++) {
		cand_table_add(t, hash_of(n % STEP), n);
		CHECK_EQ(cand_table_front_after(n), t->front);
	}
	cand_table_skip(&late, NR);
	CHECK_EQ(late.counted, t->counted);
	CHECK_EQ(late.room, t->room);
	/* chain by chain, as they are asked for */
	for (uint32_t k = STEP; k-- > 0;) {
		for (uint32_t n = k ? k : STEP; n <= NR; n += STEP)
			cand_table_add_at(&late, cand_key(hash_of(k)), n,
					  cand_table_front_after(n));
	}
	cand_table_add(t, hash_of(3), NR + 1);
	cand_table_add(&late, hash_of(3), NR + 1);
	for (uint32_t k = 0; k < STEP; k++) {
		uint32_t node = cand_first(&late, hash_of(k));

		cand_each(t, hash_of(k), id)
		{
			CHECK_EQ(cand_id(&late, node), id);
			node = cand_next(&late, node);
		}
		CHECK_EQ(node, 0);
	}
}

TEST_WITH(what_is_only_counted_turns_the_order_and_is_not_found, cand_table, t)
{
	cand_table_init(t, 0);
	cand_table_add(t, hash_of(1), 10);
	cand_table_add(t, hash_of(1), 11);
	CHECK_EQ(cand_id(t, cand_first(t, hash_of(1))), 11);
	cand_table_count(t);
	cand_table_count(t); /* the fourth */
	CHECK_EQ(cand_id(t, cand_first(t, hash_of(1))), 10);
}

TEST_WITH(an_alias_does_not_count, cand_table, t)
{
	cand_table_init(t, 0);
	cand_table_add(t, hash_of(1), 1);
	for (uint32_t id = 2; id < 100; id++)
		cand_table_alias(t, hash_of(2), id);
	CHECK_EQ(t->counted, 1);
	CHECK_EQ(cand_id(t, cand_first(t, hash_of(2))), 99);
	CHECK_EQ(cand_first(t, hash_of(3)), 0);
}

TEST_WITH(many_keys_are_all_found_again, cand_table, t)
{
	cand_table_init(t, 0);
	for (uint32_t id = 1; id < 100000; id++)
		cand_table_add(t, hash_of(id), id);
	for (uint32_t id = 1; id < 100000; id++) {
		size_t same = 0;

		cand_each(t, hash_of(id), found) same += found == id;
		CHECK_EQ(same, 1);
	}
}
