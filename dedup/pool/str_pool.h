/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * str_pool.h - every name of the program once, from many threads
 *
 * A name gets a number when it is first seen by anyone; equal numbers mean equal
 * names. The order of the final string section has nothing to do with these numbers:
 * it is the order in which the input first adds a string to the result
 * (docs/spec/encoding.md 1.3), so each string keeps the lowest place at which that happened.
 */
#ifndef BTFENC_DEDUP_POOL_STR_POOL_H
#define BTFENC_DEDUP_POOL_STR_POOL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/id_array.h"
#include "base/id_set.h"

/*
 * A moment in the making of the result: unit and step in it. Lower is earlier. The
 * result's own strings, which come behind all units, count as one more unit.
 */
typedef uint64_t str_place;

static inline str_place str_place_at(uint32_t unit, uint32_t step)
{
	return (uint64_t)unit << 32 | step;
}

/*
 * Added to the places in units that are read as one (docs/spec/encoding.md 3.2): the strings of their
 * functions come behind those of the types of all units, and the strings of their variables behind both.
 */
#define STR_PLACE_FUNCS (UINT64_C(1) << 61)
#define STR_PLACE_VARS (UINT64_C(1) << 62)
#define STR_PLACE_END (STR_PLACE_FUNCS | STR_PLACE_VARS)

/*
 * Added to the place of what stands in a split BTF over the result: such strings come behind
 * all others.
 */
#define STR_PLACE_APART (UINT64_C(1) << 63)

struct str_entry {
	const char *text; /* borrowed, terminated */
	uint32_t len;
	uint32_t offset;                /* in the section, once made */
	bool in_base;                   /* @offset is one in the base's strings */
	_Atomic uint64_t inv_first_use; /* complement of the lowest place; 0: never used */
};

static inline bool str_entry_is_used(const struct str_entry *e)
{
	return atomic_load_explicit(&e->inv_first_use, memory_order_relaxed) != 0;
}

/* The base has it at @offset. Of several offsets, libbpf knows the first. */
static inline void str_entry_set_in_base(struct str_entry *e, uint32_t offset)
{
	if (e->in_base)
		return;
	e->in_base = true;
	e->offset = offset;
}

struct str_pool {
	struct id_set set;
	struct id_array entries;
	_Atomic uint32_t end; /* one past the highest id */
	uint32_t looked_up;   /* ids below were looked for by string_index_find() */
	pthread_mutex_t copies_lock;
	struct arena copies; /* texts that stand in no file */
};

enum { STR_POOL_MAX = 1u << 29 };

void str_pool_init(struct str_pool *p);
void str_pool_release(struct str_pool *p);

/*
 * The id of @len bytes at @s, 0 for none. Borrows them: they must stay, with a zero
 * behind, as long as the pool. Any thread.
 */
uint32_t str_pool_add(struct str_pool *p, const char *s, size_t len);
/* The same for a text that will not stay: the pool keeps a copy. */
uint32_t str_pool_add_copy(struct str_pool *p, const char *s, size_t len);
/* The same without adding; 0 if it is not there. */
uint32_t str_pool_find(struct str_pool *p, const char *s, size_t len);

ALWAYS_INLINE struct str_entry *str_pool_at(const struct str_pool *p, uint32_t id)
{
	return id_array_at(&p->entries, id, sizeof(struct str_entry));
}

static inline const char *str_pool_text(const struct str_pool *p, uint32_t id)
{
	return id ? str_pool_at(p, id)->text : "";
}

/* The result uses string @id at @place. Any thread; the lowest place stays. */
ALWAYS_INLINE void str_pool_use(struct str_pool *p, uint32_t id, str_place place)
{
	if (!id)
		return;

	_Atomic uint64_t *inv_first_use = &str_pool_at(p, id)->inv_first_use;
	uint64_t old = atomic_load_explicit(inv_first_use, memory_order_relaxed);
	while (unlikely(old < ~place) &&
	       !atomic_compare_exchange_weak_explicit(inv_first_use, &old, ~place,
						      memory_order_relaxed, memory_order_relaxed))
		;
}

/* Is a string used that was not looked up in a base yet? */
bool str_pool_uses_new(const struct str_pool *p);

/*
 * Lay out the used strings in the order of their places, from offset @base + 1 on if
 * @base is 0 (the empty string is at 0), else from @base; then str_entry.offset is
 * set. *ret_text is the section, on the heap; from *ret_apart on it has the strings that only
 * STR_PLACE_APART uses. ERR_LIMIT over 4 GiB. One thread.
 */
MUST_CHECK struct err *str_pool_layout(struct str_pool *p, uint32_t base, char **ret_text,
				       size_t *ret_len, size_t *ret_apart);

#endif
