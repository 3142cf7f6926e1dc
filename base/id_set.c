/* SPDX-License-Identifier: GPL-2.0-only */
/* id_set.c - see id_set.h */
#include "base/id_set.h"

#include "base/arena.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 64 };

static struct id_set_table *new_table(size_t slots, struct id_set_table *older)
{
	struct id_set_table *t = mem_zalloc(1, sizeof(*t) + slots * sizeof(t->slots[0]));

	t->mask = slots - 1;
	t->older = older;
	return t;
}

void id_set_init(struct id_set *s)
{
	for (size_t i = 0; i < ID_SET_SHARDS; i++) {
		struct id_set_shard *shard = &s->shards[i];

		atomic_init(&shard->table, new_table(FIRST_SLOTS, NULL));
		pthread_mutex_init(&shard->lock, NULL);
		shard->used = 0;
	}
}

static void release_tables(struct id_set_table *t)
{
	while (t) {
		struct id_set_table *older = t->older;

		free(t);
		t = older;
	}
}

void id_set_release(struct id_set *s)
{
	for (size_t i = 0; i < ID_SET_SHARDS; i++) {
		release_tables(atomic_load(&s->shards[i].table));
		atomic_store(&s->shards[i].table, NULL);
	}
}

void id_set_forget_older(struct id_set *s)
{
	for (size_t i = 0; i < ID_SET_SHARDS; i++) {
		struct id_set_table *t = atomic_load(&s->shards[i].table);

		release_tables(t->older);
		t->older = NULL;
	}
}

static void put_slot(struct id_set_table *t, uint64_t slot)
{
	size_t i = slot >> 32 & t->mask;

	while (atomic_load_explicit(&t->slots[i], memory_order_relaxed))
		i = (i + 1) & t->mask;
	atomic_store_explicit(&t->slots[i], slot, memory_order_release);
}

/* The load is three quarters at most: most lookups succeed, so they end early. */
static bool has_room(const struct id_set_table *t, size_t used)
{
	return used < (t->mask + 1) / 4 * 3;
}

static void widen(struct id_set_shard *shard, size_t slots)
{
	struct id_set_table *t = atomic_load_explicit(&shard->table, memory_order_relaxed);
	struct id_set_table *wider = new_table(slots, t);

	for (size_t i = 0; i <= t->mask; i++) {
		uint64_t slot = atomic_load_explicit(&t->slots[i], memory_order_relaxed);

		if (slot)
			put_slot(wider, slot);
	}
	atomic_store_explicit(&shard->table, wider, memory_order_release);
}

void id_set_reserve(struct id_set_shard *shard)
{
	struct id_set_table *t = atomic_load_explicit(&shard->table, memory_order_relaxed);

	if (!has_room(t, shard->used))
		widen(shard, (t->mask + 1) * 2);
}

void id_set_expect(struct id_set *s, size_t nr)
{
	for (size_t i = 0; i < ID_SET_SHARDS; i++) {
		struct id_set_shard *shard = &s->shards[i];
		struct id_set_table *t = atomic_load(&shard->table);
		size_t slots = t->mask + 1;

		while (slots / 4 * 3 < nr / ID_SET_SHARDS)
			slots *= 2;
		if (slots > t->mask + 1)
			widen(shard, slots);
	}
	id_set_forget_older(s);
}

void id_set_put(struct id_set_shard *shard, uint64_t hash, uint32_t id)
{
	put_slot(atomic_load_explicit(&shard->table, memory_order_relaxed),
		 id_set_tag(hash) << 32 | id);
	shard->used++;
}
