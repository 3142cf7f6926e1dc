/* SPDX-License-Identifier: GPL-2.0-only */
/* type_pool.c - see type_pool.h */
#include "dedup/pool/type_pool.h"

#include "base/hash.h"
#include "base/id_set.h"

#include <stdlib.h>
#include <string.h>

struct wanted {
	const struct type_pool *pool;
	const uint32_t *rec;
	size_t nr;
	struct pool_type *found;
};

void type_pool_init(struct type_pool *p)
{
	memset(p, 0, sizeof(*p));
	id_set_init(&p->set);
	atomic_init(&p->end, 1);
	pthread_mutex_init(&p->arenas_lock, NULL);
}

void type_pool_release(struct type_pool *p)
{
	id_set_release(&p->set);
	id_array_release(&p->types);
	while (p->arenas) {
		struct type_arena *next = p->arenas->next;

		arena_release(&p->arenas->arena);
		free(p->arenas);
		p->arenas = next;
	}
}

struct type_arena *type_pool_arena(struct type_pool *p)
{
	struct type_arena *a;

	lock_take(&p->arenas_lock);
	for (a = p->arenas; a && a->taken; a = a->next)
		;
	if (!a) {
		a = mem_zalloc(1, sizeof(*a));
		a->next = p->arenas;
		p->arenas = a;
	}
	a->taken = true;
	lock_drop(&p->arenas_lock);
	return a;
}

void type_pool_give_arena_back(struct type_pool *p, struct type_arena *a)
{
	lock_take(&p->arenas_lock);
	a->taken = false;
	lock_drop(&p->arenas_lock);
}

/* The name tells most records apart; after it the info word gives the same length. */
ALWAYS_INLINE bool same_record(void *ctx, uint32_t id)
{
	struct wanted *w = ctx;
	struct pool_type *t = type_pool_at(w->pool, id);
	const uint32_t *rec = t->rec;

	w->found = t;
	if (rec[BTF_REC_NAME] != w->rec[BTF_REC_NAME] || rec[BTF_REC_INFO] != w->rec[BTF_REC_INFO])
		return false;
	/* most records have no more than this */
	if (rec[BTF_REC_SIZE_TYPE] != w->rec[BTF_REC_SIZE_TYPE])
		return false;
	return w->nr == BTF_REC_WORDS || !memcmp(rec + BTF_REC_WORDS, w->rec + BTF_REC_WORDS,
						 (w->nr - BTF_REC_WORDS) * sizeof(*rec));
}

static NOINLINE uint32_t add_new(struct type_pool *p, struct type_arena *arena, uint64_t hash,
				 struct wanted *w)
{
	struct id_set_shard *shard = id_set_shard(&p->set, hash);
	lock_take(&shard->lock);
	uint32_t id = id_set_find(&p->set, hash, same_record, w);

	if (!id) {
		struct pool_type *t = arena_alloc(&arena->arena,
						  sizeof(*t) + w->nr * sizeof(t->rec[0]));

		atomic_init(&t->inv_first_use, 0);
		atomic_init(&t->next, NULL);
		atomic_init(&t->next_before, NULL);
		t->nr = (uint32_t)w->nr;
		memcpy(t->rec, w->rec, w->nr * sizeof(t->rec[0]));
		id = atomic_fetch_add_explicit(&p->end, 1, memory_order_relaxed);
		if (id >= POOL_REF_INDEX)
			mem_die();
		t->id = id;
		*(struct pool_type **)id_array_make(&p->types, id, sizeof(t)) = t;
		id_set_reserve(shard);
		id_set_put(shard, hash, id);
		w->found = t;
	}
	lock_drop(&shard->lock);
	return id;
}

uint32_t type_pool_add(struct type_pool *p, struct type_arena *arena, const uint32_t *rec,
		       size_t nr, struct pool_type **ret_type)
{
	struct wanted w = { .pool = p, .rec = rec, .nr = nr };
	uint64_t hash = hash_words(rec, nr);
	uint32_t id = id_set_find(&p->set, hash, same_record, &w);

	if (unlikely(!id))
		id = add_new(p, arena, hash, &w);
	*ret_type = w.found;
	return id;
}

struct pool_type *type_pool_find(struct type_pool *p, const uint32_t *rec, size_t nr)
{
	struct wanted w = { .pool = p, .rec = rec, .nr = nr };

	return id_set_find(&p->set, hash_words(rec, nr), same_record, &w) ? w.found : NULL;
}
