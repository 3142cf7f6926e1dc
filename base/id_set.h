/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * id_set.h - find or add an id by content, from many threads
 *
 * The index of a pool: a hash table of ids for many threads (hash_table.h is the one for one thread).
 * The pool compares contents. Ids are never removed. Lookups take no lock: a slot changes once, from
 * empty to an id, and a table that became too small stays valid for its readers until
 * id_set_forget_older(). All old tables together are at most as large as the newest. An insertion locks
 * one of 64 shards.
 *
 * The id of a content depends on the scheduling of the threads, so the output must not depend on ids
 * except through an order given by the input.
 */
#ifndef BTFENC_BASE_ID_SET_H
#define BTFENC_BASE_ID_SET_H

#include "base/bytes.h"

#include <pthread.h>
#include <stdatomic.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define LOCK_ALONE() (__libc_single_threaded)
#else
#define LOCK_ALONE() 0
#endif

enum { ID_SET_SHARD_BITS = 6, ID_SET_SHARDS = 1 << ID_SET_SHARD_BITS };

struct id_set_table {
	struct id_set_table *older;
	size_t mask;
	/* upper half: the hash's tag; lower half: the id; 0: empty */
	_Atomic uint64_t slots[];
};

struct id_set_shard {
	_Atomic(struct id_set_table *) table;
	pthread_mutex_t lock;
	size_t used; /* under the lock */
} __attribute__((aligned(64)));

struct id_set {
	struct id_set_shard shards[ID_SET_SHARDS];
};

void id_set_init(struct id_set *s);
void id_set_release(struct id_set *s);
/*
 * Make room for about @nr ids. No other thread may use the set during the call.
 */
void id_set_expect(struct id_set *s, size_t nr);
/* Free the old tables. No other thread may use the set during the call. */
void id_set_forget_older(struct id_set *s);

/*
 * The upper bits of a hash select the shard. The slot keeps the 32 bits below them: the low ones
 * determine the slot, so growth does not need the pool, and the others avoid most comparisons.
 */
ALWAYS_INLINE struct id_set_shard *id_set_shard(struct id_set *s, uint64_t hash)
{
	return &s->shards[hash >> (64 - ID_SET_SHARD_BITS)];
}

ALWAYS_INLINE uint64_t id_set_tag(uint64_t hash)
{
	return hash << ID_SET_SHARD_BITS >> 32;
}

/* The id with @hash for which @same holds, or 0. */
ALWAYS_INLINE uint32_t id_set_find(struct id_set *s, uint64_t hash,
				   bool (*same)(void *ctx, uint32_t id), void *ctx)
{
	const struct id_set_table *t = atomic_load_explicit(&id_set_shard(s, hash)->table,
							    memory_order_acquire);

	uint64_t tag = id_set_tag(hash);

	for (size_t i = tag & t->mask;; i = (i + 1) & t->mask) {
		uint64_t slot = atomic_load_explicit(&t->slots[i], memory_order_acquire);

		if (!slot)
			return 0;
		if (slot >> 32 == tag && same(ctx, (uint32_t)slot))
			return (uint32_t)slot;
	}
}

/* Fetch the memory that id_set_find() reads first. */
static inline void id_set_prefetch(struct id_set *s, uint64_t hash)
{
	const struct id_set_table *t = atomic_load_explicit(&id_set_shard(s, hash)->table,
							    memory_order_acquire);

	__builtin_prefetch((const void *)&t->slots[id_set_tag(hash) & t->mask]);
}

/* Make room for one more id in the shard. The caller holds its lock. */
void id_set_reserve(struct id_set_shard *shard);
/* Insert @id, which is not in the set, after id_set_reserve(). The caller holds the lock. */
void id_set_put(struct id_set_shard *shard, uint64_t hash, uint32_t id);

/*
 * A mutex that costs nothing until the first thread starts, for a run with one thread takes a lock for
 * each name and type. No lock is held when threads start: only base/os/ordered.c starts them.
 */
ALWAYS_INLINE void lock_take(pthread_mutex_t *lock)
{
	if (!LOCK_ALONE())
		pthread_mutex_lock(lock);
}

ALWAYS_INLINE void lock_drop(pthread_mutex_t *lock)
{
	if (!LOCK_ALONE())
		pthread_mutex_unlock(lock);
}

#endif
