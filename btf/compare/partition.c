/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * partition.c - see partition.h
 *
 * Hopcroft's algorithm, in rounds. First, the nodes of each label form a class. When a class splits,
 * the largest piece keeps its number, and the other pieces get new numbers. The next round marks the
 * nodes that refer to a node with a new number, and splits their classes by which of their references
 * changed to which number. Nodes without a changed reference stay together.
 *
 * A node that gets a new number is in a class of at most half the size, so this happens log(nodes)
 * times to each node. A round costs as much as it changes.
 */
#include "btf/compare/partition.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/vec.h"

#include <stdlib.h>

/* The nodes of a class are [begin, end) of order; the first @nr_marked are marked in this round. */
struct cell {
	uint32_t begin, end, nr_marked;
};

/* Nodes of one class whose references changed in the same way. */
struct group {
	uint32_t first; /* one of them */
	uint32_t nr;
	uint32_t pos; /* in order: where the next one of them goes */
};

struct list {
	uint32_t *items;
	size_t nr, cap;
};

struct partition {
	const struct partition_graph *g;
	uint32_t *classes;          /* by node */
	uint32_t *order, *position; /* nodes by class; where each is there */
	uint32_t *in_start;         /* by node */
	struct in_edge *in;         /* edges by where they lead */
	struct cell *of;            /* by class */
	uint32_t nr_classes;
	struct list changed, next; /* nodes with a new number: since the last round, in this one */
	struct list marked, touched; /* in this round: nodes, and their classes */
	/*
	 * By node, if it is marked: its changes are [begin, end) of @changes, each the index of an edge and a
	 * number; its group.
	 */
	struct change_range {
		uint32_t begin, end;
	} * ranges;
	uint32_t *group_of;
	VEC(uint64_t) changes;
	VEC(struct group) groups;
	struct hash_table by_changes; /* indexes of @groups, plus one */
	struct list pieces, room;
};

static void partition_release(struct partition *r)
{
	FREE_ALL(r->order, r->position, r->in_start, r->in, r->of, r->changed.items, r->next.items,
		 r->marked.items, r->touched.items, r->ranges, r->group_of, r->changes.items,
		 r->groups.items);
	hash_table_release(&r->by_changes);
	free(r->pieces.items);
	free(r->room.items);
}

struct in_edge *partition_in_edges(const struct partition_graph *g, uint32_t **ret_start)
{
	uint32_t nr_edges = g->edge_start[g->nr];
	uint32_t *start = mem_zalloc((size_t)g->nr + 2, sizeof(*start));
	struct in_edge *in = mem_alloc(nr_edges * sizeof(*in));

	/* start[n + 2] counts, start[n + 1] is where the next one goes */
	for (uint32_t e = 0; e < nr_edges; e++)
		start[g->edges[e] + 2]++;
	for (uint32_t n = 0; n < g->nr; n++)
		start[n + 2] += start[n + 1];
	for (uint32_t n = 0; n < g->nr; n++) {
		for (uint32_t e = g->edge_start[n]; e < g->edge_start[n + 1]; e++)
			in[start[g->edges[e] + 1]++] = (struct in_edge){ n, e - g->edge_start[n] };
	}
	*ret_start = start;
	return in;
}

/* A class for each label, all of them new but the largest. */
static void classify_by_label(struct partition *r)
{
	const struct partition_graph *g = r->g;
	uint32_t largest = 0;

	for (uint32_t n = 0; n < g->nr; n++)
		r->of[g->labels[n]].end++;
	for (uint32_t c = 0, sum = 0; c < g->nr_labels; c++) {
		uint32_t nr = r->of[c].end;

		r->of[c] = (struct cell){ sum, sum + nr, 0 };
		sum += nr;
		if (nr > r->of[largest].end - r->of[largest].begin)
			largest = c;
	}
	for (uint32_t n = 0; n < g->nr; n++) {
		struct cell *c = &r->of[g->labels[n]];

		r->classes[n] = g->labels[n];
		r->position[n] = c->begin + c->nr_marked++;
		r->order[r->position[n]] = n;
		if (g->labels[n] != largest)
			vec_push(&r->changed, n);
	}
	for (uint32_t c = 0; c < g->nr_labels; c++)
		r->of[c].nr_marked = 0;
	r->nr_classes = g->nr_labels;
}

/* Put @n among the first of its class. */
static void mark(struct partition *r, uint32_t n)
{
	struct cell *c = &r->of[r->classes[n]];
	uint32_t to = c->begin + c->nr_marked, other = r->order[to];

	r->order[r->position[n]] = other;
	r->position[other] = r->position[n];
	r->order[to] = n;
	r->position[n] = to;
	if (!c->nr_marked++)
		vec_push(&r->touched, r->classes[n]);
	vec_push(&r->marked, n);
}

/* Mark the nodes that refer to a node with a new number. A class of one node cannot split. */
static void mark_referrers(struct partition *r)
{
	for (size_t i = 0; i < r->changed.nr; i++) {
		uint32_t n = r->changed.items[i];

		for (uint32_t e = r->in_start[n]; e < r->in_start[n + 1]; e++) {
			uint32_t from = r->in[e].from;
			const struct cell *c = &r->of[r->classes[from]];

			if (c->end - c->begin == 1)
				continue;
			if (!r->ranges[from].end++)
				mark(r, from);
		}
	}
}

static int compare_changes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* For each marked node: list which of its references changed, and the new class. */
static void gather_changes(struct partition *r)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < r->marked.nr; i++) {
		struct change_range *range = &r->ranges[r->marked.items[i]];

		range->begin = sum;
		sum += range->end;
		range->end = range->begin;
	}
	r->changes.nr = 0;
	if (sum)
		vec_reserve(&r->changes, sum);
	for (size_t i = 0; i < r->changed.nr; i++) {
		uint32_t n = r->changed.items[i];

		for (uint32_t e = r->in_start[n]; e < r->in_start[n + 1]; e++) {
			const struct in_edge *in = &r->in[e];
			const struct cell *c = &r->of[r->classes[in->from]];

			if (c->end - c->begin > 1)
				r->changes.items[r->ranges[in->from].end++] = (uint64_t)in->index
										      << 32 |
									      r->classes[n];
		}
	}
	for (size_t i = 0; i < r->marked.nr; i++) {
		const struct change_range *range = &r->ranges[r->marked.items[i]];

		if (range->end - range->begin > 1)
			qsort(r->changes.items + range->begin, range->end - range->begin,
			      sizeof(r->changes.items[0]), compare_changes);
	}
}

static bool same_changes(const struct partition *r, uint32_t a, uint32_t b)
{
	const struct change_range *x = &r->ranges[a], *y = &r->ranges[b];
	size_t nr = x->end - x->begin;

	return r->classes[a] == r->classes[b] && nr == y->end - y->begin &&
	       !memcmp(r->changes.items + x->begin, r->changes.items + y->begin,
		       nr * sizeof(r->changes.items[0]));
}

static void group_marked(struct partition *r)
{
	hash_table_clear(&r->by_changes);
	r->groups.nr = 0;
	for (size_t i = 0; i < r->marked.nr; i++) {
		uint32_t n = r->marked.items[i];
		const struct change_range *range = &r->ranges[n];
		uint64_t h = hash_word(r->classes[n]);

		for (uint32_t k = range->begin; k < range->end; k++)
			h = hash_mix(h, r->changes.items[k]);

		uint32_t nr = HASH_FIND(&r->by_changes, h, g,
					same_changes(r, n, r->groups.items[g - 1].first));
		if (!nr) {
			vec_push(&r->groups, ((struct group){ .first = n }));
			nr = (uint32_t)r->groups.nr;
			hash_table_add(&r->by_changes, h, nr);
		}
		r->group_of[n] = nr - 1;
		r->groups.items[nr - 1].nr++;
	}
}

/* Bring the marked nodes of class @c into the order of their groups, which become its pieces. */
static void order_by_group(struct partition *r, const struct cell *c)
{
	uint32_t pos = c->begin;

	r->pieces.nr = 0;
	r->room.nr = 0;
	vec_reserve(&r->room, c->nr_marked);
	memcpy(r->room.items, r->order + c->begin, c->nr_marked * sizeof(*r->order));
	for (uint32_t i = 0; i < c->nr_marked; i++) {
		uint32_t n = r->room.items[i];
		struct group *g = &r->groups.items[r->group_of[n]];

		if (n == g->first) {
			vec_push(&r->pieces, r->group_of[n]);
			g->pos = pos;
			pos += g->nr;
		}
	}
	for (uint32_t i = 0; i < c->nr_marked; i++) {
		uint32_t n = r->room.items[i], to = r->groups.items[r->group_of[n]].pos++;

		r->order[to] = n;
		r->position[n] = to;
	}
}

/* Give the nodes [begin, end) of order a new class. */
static void cut_off(struct partition *r, uint32_t begin, uint32_t end)
{
	r->of[r->nr_classes] = (struct cell){ begin, end, 0 };
	for (uint32_t i = begin; i < end; i++) {
		r->classes[r->order[i]] = r->nr_classes;
		vec_push(&r->next, r->order[i]);
	}
	r->nr_classes++;
}

/* Split class @nr into its groups and the nodes that are not marked. */
static void split(struct partition *r, uint32_t nr)
{
	struct cell c = r->of[nr];
	uint32_t rest = c.begin + c.nr_marked, begin = c.begin, largest;

	order_by_group(r, &c);
	largest = c.end - rest;
	for (size_t i = 0; i < r->pieces.nr; i++) {
		const struct group *g = &r->groups.items[r->pieces.items[i]];

		largest = g->nr > largest ? g->nr : largest;
	}

	/* the first of the largest pieces keeps the number; the unmarked nodes come first */
	bool kept = c.end - rest == largest;
	struct cell stays = { rest, c.end, 0 };
	for (size_t i = 0; i < r->pieces.nr; i++) {
		uint32_t end = begin + r->groups.items[r->pieces.items[i]].nr;

		if (!kept && end - begin == largest) {
			stays = (struct cell){ begin, end, 0 };
			kept = true;
		} else {
			cut_off(r, begin, end);
		}
		begin = end;
	}
	if (stays.begin != rest && rest < c.end)
		cut_off(r, rest, c.end);
	r->of[nr] = stays;
}

static void run_round(struct partition *r)
{
	r->marked.nr = r->touched.nr = r->next.nr = 0;
	mark_referrers(r);
	gather_changes(r);
	group_marked(r);
	for (size_t i = 0; i < r->touched.nr; i++)
		split(r, r->touched.items[i]);
	for (size_t i = 0; i < r->marked.nr; i++)
		r->ranges[r->marked.items[i]] = (struct change_range){ 0 };

	struct list t = r->changed;
	r->changed = r->next;
	r->next = t;
}

uint32_t partition_refine(const struct partition_graph *g, uint32_t *ret_classes)
{
	CLEANUP(partition_release) struct partition r = {
		.g = g,
		.classes = ret_classes,
		.order = mem_alloc(g->nr * sizeof(uint32_t)),
		.position = mem_alloc(g->nr * sizeof(uint32_t)),
		.of = mem_zalloc((size_t)g->nr + g->nr_labels, sizeof(struct cell)),
		.ranges = mem_zalloc(g->nr, sizeof(struct change_range)),
		.group_of = mem_alloc(g->nr * sizeof(uint32_t)),
	};

	r.in = partition_in_edges(g, &r.in_start);
	classify_by_label(&r);
	while (r.changed.nr)
		run_round(&r);
	return r.nr_classes;
}
