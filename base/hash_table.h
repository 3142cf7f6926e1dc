/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hash_table.h - find numbers by a hash and a comparison
 *
 * The table holds 32-bit numbers: indexes of an array of the caller, plus one, or ids from 1 on.
 * The caller gives the hash, and an expression that compares a number with what it looks for:
 *
 *	VEC(struct thing) things;
 *	struct hash_table index;
 *
 *	uint32_t n = HASH_FIND(&index, hash, i, things.items[i - 1].key == key);
 *	if (!n) {
 *		vec_push(&things, ((struct thing){ .key = key }));
 *		n = (uint32_t)things.nr;
 *		hash_table_add(&index, hash, n);
 *	}
 *
 * Open addressing with linear probing. A slot keeps 32 bits of the hash, which determine the slot and
 * are compared before the expression is evaluated, so that growth needs nothing of the caller.
 */
#ifndef BTFENC_BASE_HASH_TABLE_H
#define BTFENC_BASE_HASH_TABLE_H

#include "base/hash.h"
#include "base/vec.h"

/* Zeroed is empty. Readers may share it. */
struct hash_table {
	uint64_t *slots; /* upper half: hash; lower half: number; 0: empty */
	size_t mask;     /* number of slots - 1, a power of two; at least half of them are empty */
	size_t nr;       /* numbers in the table */
};

/* Make room for @nr more numbers. This moves the slots. */
void hash_table_reserve(struct hash_table *t, size_t nr);
/* Add @number, which is not 0, without comparing it with those that have the same @hash. */
void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t number);
/*
 * Remove all numbers. Takes time in proportion to how many there were: a table that was large
 * before, and has only few now, gives its memory back.
 */
void hash_table_clear(struct hash_table *t);
void hash_table_release(struct hash_table *t);

/* Numbers for strings, from 1 on. Borrows the strings. Zeroed is empty. */
struct name_ids {
	VEC(const char *) names; /* by number - 1 */
	struct hash_table by_text;
};

/* The number of @name, which gets the next one if it has none. */
uint32_t name_ids_add(struct name_ids *n, const char *name);
/* The number of @name, or 0. */
uint32_t name_ids_find(const struct name_ids *n, const char *name);
void name_ids_release(struct name_ids *n);

/* The first slot to probe for @hash, for a prefetch; @t is not empty. */
ALWAYS_INLINE uint64_t *hash_table_first_slot(const struct hash_table *t, uint64_t hash)
{
	return &t->slots[(uint32_t)hash & t->mask];
}

/* Let @slot, which HASH_SLOT() found for @hash, hold @number. */
ALWAYS_INLINE void hash_table_set(struct hash_table *t, uint64_t *slot, uint64_t hash,
				  uint32_t number)
{
	t->nr += !*slot;
	*slot = hash << 32 | number;
}

/*
 * A pointer to the slot with the lower 32 bits of @hash whose number @i makes the expression @same
 * true; else to the empty slot where that belongs. hash_table_reserve() was called before.
 */
#define HASH_SLOT(t, hash, i, same)                                          \
	__extension__({                                                      \
		const struct hash_table *table_ = (t);                       \
		uint32_t hash_ = (uint32_t)(hash);                           \
		size_t at_ = hash_ & table_->mask;                           \
		for (; table_->slots[at_]; at_ = (at_ + 1) & table_->mask) { \
			UNUSED uint32_t i = (uint32_t)table_->slots[at_];    \
			if (table_->slots[at_] >> 32 == hash_ && (same))     \
				break;                                       \
		}                                                            \
		&table_->slots[at_];                                         \
	})

/* The number that HASH_SLOT() finds, or 0. */
#define HASH_FIND(t, hash, i, same) ((t)->slots ? (uint32_t)*HASH_SLOT(t, hash, i, same) : 0)

#endif
