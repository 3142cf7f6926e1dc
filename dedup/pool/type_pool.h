/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_pool.h - a thread-safe set of the distinct types of the program
 *
 * The units of a kernel have 40 copies of each of 100,000 types on average. Almost all copies of a type
 * are equal byte by byte if references to structs, unions and enums that have a name, and to their
 * forward declarations, are by name. So a record in the pool is a BTF record in which
 *
 *   - a reference to such a type is a *name reference*: the name space and the name of the type;
 *   - any other reference is the pool id of the type it refers to;
 *   - every name is an id of the string pool.
 *
 * Equal records get one id, whichever unit they come from. The pool compares their contents, not only
 * their hashes. A unit adds each type when it has read it, and keeps only the id.
 *
 * References by name are correct only if the name has one meaning in the program. ambiguous.h finds
 * the units in which it does not, and libbpf's rules (dedup.h) compare the records of these units one
 * by one.
 */
#ifndef BTFENC_DEDUP_POOL_TYPE_POOL_H
#define BTFENC_DEDUP_POOL_TYPE_POOL_H

#include "base/err.h"
#include "base/id_array.h"
#include "base/id_set.h"
#include "btf/btf_kind.h"

/*
 * A reference: 0 is void, else a pool id, or with the highest bit set a name reference:
 * two bits of name space, 29 of string id.
 */
typedef uint32_t pool_ref;

/*
 * NO_REF of encoder/unit/unit_encoder.h is in the space of number 3. Code that handles structs and unions alike
 * tests for POOL_ENUM: git grep -nw POOL_ENUM lists what another space changes.
 */
enum pool_space { POOL_STRUCT, POOL_UNION, POOL_ENUM, POOL_NR_SPACES };

#define POOL_REF_NAMED 0x80000000u
/* The index type of every array: one for the whole program (docs/spec/encoding.md 6.6). */
#define POOL_REF_INDEX 0x7fffffffu

static inline pool_ref pool_ref_named(enum pool_space space, uint32_t name)
{
	return POOL_REF_NAMED | (uint32_t)space << 29 | name;
}

static inline bool pool_ref_is_named(pool_ref r)
{
	return r & POOL_REF_NAMED;
}

static inline enum pool_space pool_ref_space(pool_ref r)
{
	return (enum pool_space)(r >> 29 & 3);
}

static inline uint32_t pool_ref_name(pool_ref r)
{
	return r & 0x1fffffff;
}

/* The reference to the record @rec with pool id @id. */
static inline pool_ref pool_ref_to(const uint32_t *rec, uint32_t id)
{
	enum btf_space space = btf_rec_space(rec);
	uint32_t name = rec[BTF_REC_NAME];

	if (!name)
		return id;
	return space == BTF_SPACE_STRUCT ? pool_ref_named(POOL_STRUCT, name) :
	       space == BTF_SPACE_UNION  ? pool_ref_named(POOL_UNION, name) :
	       space == BTF_SPACE_ENUM   ? pool_ref_named(POOL_ENUM, name) :
					   id;
}

struct pool_type {
	/*
	 * The lowest place of the type: the first unit that has it, and its index there. The
	 * complement is stored, so that zero means that no unit has it yet.
	 */
	_Atomic uint64_t inv_first_use;
	/*
	 * The types that followed it in the last unit and in one before. They mostly follow it in
	 * other units, too, because these include the same headers in the same order. A guess; NULL
	 * for none.
	 */
	_Atomic(struct pool_type *) next, next_before;
	uint32_t id;
	uint32_t nr; /* words in @rec */
	uint32_t rec[];
};

static inline uint32_t pool_place_unit(uint64_t place)
{
	return (uint32_t)(place >> 32);
}

static inline uint32_t pool_place_index(uint64_t place)
{
	return (uint32_t)place;
}

struct type_pool {
	struct id_set set;
	struct id_array types; /* struct pool_type * by id */
	_Atomic uint32_t end;  /* one past the highest id */
	pthread_mutex_t arenas_lock;
	struct type_arena *arenas;
};

/*
 * Memory for the records that one thread adds. So they are in memory in the order of a unit, which is mostly
 * that of other units, too. The pool owns it.
 */
struct type_arena {
	struct type_arena *next;
	bool taken; /* by a thread */
	struct arena arena;
};

void type_pool_init(struct type_pool *p);
void type_pool_release(struct type_pool *p);
/* Returns an arena for the calling thread: a new one, or one that was given back, whose records stay. */
struct type_arena *type_pool_arena(struct type_pool *p);
void type_pool_give_arena_back(struct type_pool *p, struct type_arena *a);

/*
 * The id of the record @rec of @nr words, which is copied to @arena if it is new. Any thread.
 * *ret_type is the entry itself.
 */
uint32_t type_pool_add(struct type_pool *p, struct type_arena *arena, const uint32_t *rec,
		       size_t nr, struct pool_type **ret_type);

/* Fetch the memory that a lookup of a record with @hash (hash_words()) begins with. */
static inline void type_pool_prefetch(struct type_pool *p, uint64_t hash)
{
	id_set_prefetch(&p->set, hash);
}

/* The record that is equal to @rec; NULL if there is none. */
struct pool_type *type_pool_find(struct type_pool *p, const uint32_t *rec, size_t nr);

/* Store that @t followed @last in a unit. */
ALWAYS_INLINE void type_pool_follows(struct pool_type *last, struct pool_type *t)
{
	/* acquire, because the release below passes @next on to readers of next_before */
	struct pool_type *next = atomic_load_explicit(&last->next, memory_order_acquire);

	if (next != t) {
		atomic_store_explicit(&last->next_before, next, memory_order_release);
		atomic_store_explicit(&last->next, t, memory_order_release);
	}
}

/*
 * As type_pool_add(), for a unit whose previous type was @last. If the guess of the next type is right, no
 * lookup is needed. Prefetches the type after the returned one.
 */
ALWAYS_INLINE struct pool_type *type_pool_next(struct type_pool *p, struct type_arena *arena,
					       struct pool_type *last, const uint32_t *rec,
					       size_t nr)
{
	struct pool_type *t = last ? atomic_load_explicit(&last->next, memory_order_acquire) : NULL;

	if (unlikely(!t || t->nr != nr || memcmp(t->rec, rec, nr * sizeof(*rec)))) {
		type_pool_add(p, arena, rec, nr, &t);
		if (last)
			type_pool_follows(last, t);
	}
	__builtin_prefetch(atomic_load_explicit(&t->next, memory_order_relaxed));
	return t;
}

ALWAYS_INLINE struct pool_type *type_pool_at(const struct type_pool *p, uint32_t id)
{
	return *(struct pool_type **)id_array_at(&p->types, id, sizeof(struct pool_type *));
}

/* The lowest place of @t; all ones if it has none. */
ALWAYS_INLINE uint64_t pool_type_place(const struct pool_type *t)
{
	return ~atomic_load_explicit(&t->inv_first_use, memory_order_relaxed);
}

/*
 * Store that unit @unit has the type at @index, unless the stored place is lower. Any thread. Returns the
 * place stored before, or all ones.
 */
ALWAYS_INLINE uint64_t pool_type_place_at(struct pool_type *t, uint32_t unit, uint32_t index)
{
	uint64_t old = atomic_load_explicit(&t->inv_first_use, memory_order_relaxed);
	uint64_t mine = ~((uint64_t)unit << 32 | index);

	while (unlikely(old < mine) &&
	       !atomic_compare_exchange_weak_explicit(&t->inv_first_use, &old, mine,
						      memory_order_relaxed, memory_order_relaxed))
		;
	return ~old;
}

/* If the stored place of @t is in unit @unit, clear it. Only for the thread of that unit. */
static inline void pool_type_forget_first_use(struct pool_type *t, uint32_t unit)
{
	uint64_t old = atomic_load_explicit(&t->inv_first_use, memory_order_relaxed);

	while (old && pool_place_unit(~old) == unit &&
	       !atomic_compare_exchange_weak_explicit(&t->inv_first_use, &old, 0,
						      memory_order_relaxed, memory_order_relaxed))
		;
}

#endif
