/* SPDX-License-Identifier: GPL-2.0-only */
/* cand_table.c - see cand_table.h */
#include "dedup/cand_table.h"

#include "base/arena.h"

#include <stdlib.h>

/* Slots for @nr chains at a load of two thirds at most. */
static size_t slots_for(size_t nr)
{
	size_t slots = 64;

	while (slots / 3 * 2 < nr)
		slots *= 2;
	return slots;
}

void cand_table_init(struct cand_table *t, size_t expect)
{
	size_t slots = slots_for(expect);

	*t = (struct cand_table){
		.chains = mem_zalloc(slots, sizeof(*t->chains)),
		.mask = slots - 1,
		.nr_nodes = 1,
	};
	t->nodes = mem_grow(NULL, &t->cap_nodes, expect + 1, sizeof(*t->nodes));
}

void cand_table_release(struct cand_table *t)
{
	free(t->chains);
	free(t->nodes);
	*t = (struct cand_table){ 0 };
}

/* The chain of @key, or the free slot where it belongs. */
static struct cand_chain *find_slot(const struct cand_table *t, uint32_t key)
{
	size_t i = key & t->mask;

	while (t->chains[i].end[0] && t->chains[i].key != key)
		i = (i + 1) & t->mask;
	return &t->chains[i];
}

static void grow_chains(struct cand_table *t)
{
	struct cand_chain *old = t->chains;
	size_t nr = t->mask + 1;

	t->chains = mem_zalloc(2 * nr, sizeof(*t->chains));
	t->mask = 2 * nr - 1;
	for (size_t i = 0; i < nr; i++) {
		if (old[i].end[0])
			*find_slot(t, old[i].key) = old[i];
	}
	free(old);
}

static uint32_t new_node(struct cand_table *t, uint32_t id)
{
	if (t->nr_nodes == UINT32_MAX)
		mem_die(); /* 48 GiB of nodes */
	t->nodes = mem_grow(t->nodes, &t->cap_nodes, t->nr_nodes + 1, sizeof(*t->nodes));
	t->nodes[t->nr_nodes] = (struct cand_node){ .id = id };
	return (uint32_t)t->nr_nodes++;
}

void cand_table_add_at(struct cand_table *t, uint32_t key, uint32_t id, unsigned int end)
{
	uint32_t node = new_node(t, id);
	struct cand_chain *c = find_slot(t, key);
	uint32_t last = c->end[end];

	if (!last) {
		*c = (struct cand_chain){ key, { node, node } };
		if (++t->nr_chains > t->mask / 3 * 2)
			grow_chains(t);
		return;
	}
	t->nodes[last].next[end] = node;
	t->nodes[node].next[!end] = last;
	c->end[end] = node;
}

void cand_table_alias(struct cand_table *t, uint64_t hash, uint32_t id)
{
	cand_table_add_at(t, cand_key(hash), id, t->front);
}

unsigned int cand_table_front_after(uint32_t nr)
{
	struct cand_table t = { 0 };

	cand_table_skip(&t, nr);
	return t.front;
}

/* The room doubles with each growth, and no type makes it grow twice. */
void cand_table_skip(struct cand_table *t, uint32_t nr)
{
	uint64_t buckets = (uint64_t)nr * 4 / 3;

	while (nr && buckets > t->room) {
		t->room = t->room ? 2 * t->room : 4;
		t->front = !t->front;
	}
	t->counted = nr;
}

void cand_table_count(struct cand_table *t)
{
	uint64_t buckets = ((uint64_t)t->counted + 1) * 4 / 3;

	if (t->room == 0 || buckets > t->room) {
		t->room = t->room ? 2 * t->room : 4;
		t->front = !t->front;
	}
	t->counted++;
}

void cand_table_add(struct cand_table *t, uint64_t hash, uint32_t id)
{
	/* first, because libbpf's table grows before it takes the new entry in */
	cand_table_count(t);
	cand_table_alias(t, hash, id);
}
