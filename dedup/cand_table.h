/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cand_table.h - canonical types by signature, in the order libbpf visits them
 *
 * When several canonical types could take a newcomer, the first one visited wins, so
 * the order is part of the result. libbpf's comes from a chained hash table: a new
 * entry goes to the front of its chain, and whenever the table grows, moving the
 * entries over turns every chain around. When it grows depends on the number of
 * entries of all keys alone: before the n-th is added, for n = 1 and n = 3 * 2^k + 1.
 *
 * Here nothing is ever moved. A chain has two ends, growth changes which end is the
 * front, for all chains at once, and that is a single bit.
 *
 * Keys are 32 bits of the caller's hash and may collide: a walk can meet types of
 * other signatures, and the caller compares what it gets anyway.
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
	uint32_t counted; /* what libbpf's table would hold */
	uint32_t room;    /* and how many buckets it would have */
	unsigned int front;
};

/* @expect: about how many types will be added; only a hint. */
void cand_table_init(struct cand_table *t, size_t expect);
void cand_table_release(struct cand_table *t);

/*
 * Make an empty table one to which @nr types have been added, though none is to be found.
 * cand_table_front_after(): which end of all chains is then the front.
 */
void cand_table_skip(struct cand_table *t, uint32_t nr);
unsigned int cand_table_front_after(uint32_t nr);
/* Enter @id, one of those, at the given end of the chain of @key. */
void cand_table_place(struct cand_table *t, uint32_t key, uint32_t id, unsigned int end);

/* Enter @id at the front of the chain of @hash. */
void cand_table_add(struct cand_table *t, uint64_t hash, uint32_t id);
/*
 * Enter a type that counts already under a second hash, or count one that nobody is
 * to find. Together they are one cand_table_add().
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
