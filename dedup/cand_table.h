/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cand_table.h - canonical types by signature, in the order libbpf visits them
 *
 * If a new type is equal to several canonical types, libbpf merges it with the first one that it visits. So
 * the result depends on the order. libbpf has a hash table with chains: it adds a new entry at the front
 * of its chain, and when the table grows, moving the entries reverses every chain. It grows before entry
 * number n is added, for n = 1 and n = 3 * 2^k + 1, where n counts the entries of all keys.
 *
 * This table never moves entries. A chain has two ends, and a single bit for all chains selects the front.
 * Growth inverts this bit.
 *
 * Keys are 32 bits of the caller's hash and may collide. So a chain may have types of other signatures, and
 * the caller must compare the types.
 */
#ifndef BTFENC_DEDUP_CAND_TABLE_H
#define BTFENC_DEDUP_CAND_TABLE_H

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

struct cand_chain {
	uint32_t key;
	uint32_t end[2]; /* nodes; 0 in both: a free slot */
};

struct cand_node {
	uint32_t id;
	uint32_t next[2]; /* neighbour towards either end, 0 for none */
};

/* Owns its arrays. Prepare with cand_table_init(). */
struct cand_table {
	struct cand_chain *chains; /* open addressing */
	size_t mask, nr_chains;
	struct cand_node *nodes; /* 0 is not used */
	size_t nr_nodes, cap_nodes;
	uint32_t counted; /* the number of entries of libbpf's table */
	uint32_t room;    /* the number of its buckets */
	unsigned int front;
};

/* @expect: about how many types will be added; only a hint. */
void cand_table_init(struct cand_table *t, size_t expect);
void cand_table_release(struct cand_table *t);

/*
 * Count @nr types in an empty table without adding them. cand_table_front_after() returns the end of all
 * chains that is then the front.
 */
void cand_table_skip(struct cand_table *t, uint32_t nr);
unsigned int cand_table_front_after(uint32_t nr);
/* Add @id, one of these types, at end @end of the chain of @key. */
void cand_table_add_at(struct cand_table *t, uint32_t key, uint32_t id, unsigned int end);

/* Add @id at the front of the chain of @hash. */
void cand_table_add(struct cand_table *t, uint64_t hash, uint32_t id);
/*
 * cand_table_alias() adds a type under a second hash without counting it again. cand_table_count() counts a
 * type without adding it. Both together are one cand_table_add().
 */
void cand_table_alias(struct cand_table *t, uint64_t hash, uint32_t id);
void cand_table_count(struct cand_table *t);

ALWAYS_INLINE uint32_t cand_key(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* The front node of the chain of @hash, 0 if it is empty. */
ALWAYS_INLINE uint32_t cand_first(const struct cand_table *t, uint64_t hash)
{
	uint32_t key = cand_key(hash);

	for (size_t i = key & t->mask;; i = (i + 1) & t->mask) {
		const struct cand_chain *c = &t->chains[i];

		if (c->key == key || !c->end[0])
			return c->end[t->front];
	}
}

/* The node behind @node, 0 at the end. */
ALWAYS_INLINE uint32_t cand_next(const struct cand_table *t, uint32_t node)
{
	return t->nodes[node].next[!t->front];
}

ALWAYS_INLINE uint32_t cand_id(const struct cand_table *t, uint32_t node)
{
	return t->nodes[node].id;
}

/* Walk the ids of the chain of @hash; nothing may be added meanwhile. */
#define cand_each(t, hash, id)                             \
	for (uint32_t node_ = cand_first((t), (hash)), id; \
	     node_ && ((id) = cand_id((t), node_), 1); node_ = cand_next((t), node_))

#endif
