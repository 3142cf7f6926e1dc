/* SPDX-License-Identifier: GPL-2.0-only */
/* t_id_set.c - an index that many threads look into while it grows */
#include "base/id_set.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/id_array.h"
#include "base/os/ordered.h"
#include "tests/lib/testlib.h"

/* A pool of numbers: the content of an id is what the array has for it. */
struct numbers {
	struct id_set set;
	struct id_array values;
	_Atomic uint32_t end;
	uint64_t hash_mask; /* the bits that hashes are made of */
	uint32_t (*got)[1000];
};

struct wanted {
	const struct numbers *n;
	uint32_t value;
};

static bool same(void *ctx, uint32_t id)
{
	const struct wanted *w = ctx;

	return *(uint32_t *)id_array_at(&w->n->values, id, sizeof(uint32_t)) == w->value;
}

static void numbers_release(struct numbers *n)
{
	id_set_release(&n->set);
	id_array_release(&n->values);
	free(n->got);
}

static uint64_t hash_of(const struct numbers *n, uint32_t value)
{
	return hash_word(value) & n->hash_mask;
}

static uint32_t find(struct numbers *n, uint32_t value)
{
	struct wanted w = { n, value };

	return id_set_find(&n->set, hash_of(n, value), same, &w);
}

static uint32_t add(struct numbers *n, uint32_t value)
{
	uint64_t hash = hash_of(n, value);
	struct id_set_shard *shard = id_set_shard(&n->set, hash);
	uint32_t id = find(n, value);

	if (id)
		return id;
	pthread_mutex_lock(&shard->lock);
	id = find(n, value);
	if (!id) {
		id = atomic_fetch_add(&n->end, 1);
		*(uint32_t *)id_array_make(&n->values, id, sizeof(uint32_t)) = value;
		id_set_reserve(shard);
		id_set_put(shard, hash, id);
	}
	pthread_mutex_unlock(&shard->lock);
	return id;
}

static void init(struct numbers *n, uint64_t hash_mask)
{
	id_set_init(&n->set);
	atomic_init(&n->end, 1);
	n->hash_mask = hash_mask;
}

TEST(what_was_added_is_found_and_nothing_else)
{
	CLEANUP(numbers_release) struct numbers n = { .got = NULL };

	init(&n, UINT64_MAX);
	for (uint32_t v = 0; v < 100000; v++)
		CHECK_EQ(add(&n, v * 7), v + 1);
	for (uint32_t v = 0; v < 100000; v++) {
		CHECK_EQ(find(&n, v * 7), v + 1);
		CHECK_EQ(find(&n, v * 7 + 3), 0);
	}
	CHECK_EQ(add(&n, 7), 2);
}

TEST(equal_hashes_do_not_make_equal_content)
{
	CLEANUP(numbers_release) struct numbers n = { .got = NULL };

	init(&n, 0);
	for (uint32_t v = 0; v < 300; v++)
		CHECK_EQ(add(&n, v), v + 1);
	for (uint32_t v = 0; v < 300; v++)
		CHECK_EQ(find(&n, v), v + 1);
	CHECK_EQ(find(&n, 300), 0);
}

TEST(room_for_what_is_expected_loses_nothing)
{
	static const size_t expected[] = { 0, 1, 500, 20000, 1000000 };

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		CLEANUP(numbers_release) struct numbers n = { .got = NULL };

		init(&n, UINT64_MAX);
		for (uint32_t v = 0; v < 1000; v++)
			add(&n, v);
		id_set_expect(&n.set, expected[i]);
		for (uint32_t v = 0; v < 20000; v++)
			CHECK_EQ(add(&n, v), v + 1);
		id_set_forget_older(&n.set);
		for (uint32_t v = 0; v < 20000; v++)
			CHECK_EQ(find(&n, v), v + 1);
		CHECK_EQ(find(&n, 20000), 0);
		CHECK_EQ(add(&n, 20000), 20001);
	}
}

/* The address sanitizer detects an access behind a set that is alone in its memory. */
TEST(a_set_uses_no_memory_behind_it)
{
	struct id_set *s = aligned_alloc(_Alignof(struct id_set), sizeof(*s));

	id_set_init(s);
	id_set_expect(s, 1000);
	id_set_forget_older(s);
	id_set_release(s);
	free(s);
}

TEST(an_empty_set_finds_nothing)
{
	CLEANUP(numbers_release) struct numbers n = { .got = NULL };

	init(&n, UINT64_MAX);
	CHECK_EQ(find(&n, 0), 0);
}

static struct err *add_many(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct numbers *n = ctx;

	(void)worker, (void)ret;
	for (uint32_t v = 0; v < 1000; v++)
		n->got[i][v] = add(n, (uint32_t)(i % 2 ? 999 - v : v) * 3);
	return NULL;
}

TEST(threads_agree_on_one_id_for_each_content)
{
	static const struct ordered_ops ops = { .make = add_many };
	CLEANUP(numbers_release) struct numbers n = { .got = NULL };
	enum { ROUNDS = 40 };

	init(&n, UINT64_MAX);
	n.got = calloc(ROUNDS, sizeof(n.got[0]));
	CHECK(n.got);
	CHECK_OK(ordered_run(ROUNDS, 8, &ops, &n));
	CHECK_EQ(atomic_load(&n.end), 1001);
	for (size_t i = 0; i < ROUNDS; i++) {
		for (uint32_t v = 0; v < 1000; v++)
			CHECK_EQ(n.got[i][v], n.got[0][i % 2 ? 999 - v : v]);
	}
}
