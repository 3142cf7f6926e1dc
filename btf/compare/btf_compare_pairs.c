/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare_pairs.c - what on one side belongs to what on the other, and what is a cause
 *
 * The remaining types of a name are paired if they have the same body, then the same record, then the
 * same kind, then only the same name; each time in the order of ids.
 */
#include "btf/compare/btf_compare_internal.h"

#include "base/cleanup.h"
#include "base/vec.h"

#include <stdlib.h>

/* A class that the other side does not have. */
struct candidate {
	uint32_t name;  /* what it goes by: a leaf of the bodies */
	uint32_t alike; /* what is asked to be the same in this round */
	uint32_t node, class;
	bool second;
};

struct candidates {
	struct candidate *items;
	size_t nr, cap;
};

enum round { ROUND_BODY, ROUND_LABEL, ROUND_KIND, ROUND_NAME, NR_ROUNDS };

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	if (x->alike != y->alike)
		return x->alike < y->alike ? -1 : 1;
	if (x->second != y->second)
		return x->second ? 1 : -1;
	return (x->node > y->node) - (x->node < y->node);
}

static uint32_t alike_in(const struct compare *c, enum round round, uint32_t n)
{
	switch (round) {
	case ROUND_BODY:
		return c->body.classes[n];
	case ROUND_LABEL:
		return c->g->labels[n];
	case ROUND_KIND:
		return type_graph_kind(c->g, n);
	case ROUND_NAME:
	case NR_ROUNDS:
		break;
	}
	return 0;
}

static void join(struct compare *c, enum round round, const struct candidate *a,
		 const struct candidate *b)
{
	enum fate fate = round == ROUND_BODY ? FATE_THROUGH : FATE_CHANGED;

	c->partners[a->class] = b->class + 1;
	c->partners[b->class] = a->class + 1;
	c->fates[a->class] = c->fates[b->class] = fate;
}

/* Of the candidates that are alike, those of the first side come before those of the second. */
static void join_run(struct compare *c, enum round round, const struct candidate *run, size_t nr)
{
	size_t nr_a = 0;

	while (nr_a < nr && !run[nr_a].second)
		nr_a++;
	for (size_t i = 0; i < nr_a && nr_a + i < nr; i++)
		join(c, round, &run[i], &run[nr_a + i]);
}

static void join_alike(struct compare *c, enum round round, struct candidates *v)
{
	size_t left = 0;

	for (size_t i = 0; i < v->nr; i++)
		v->items[i].alike = alike_in(c, round, v->items[i].node);
	vec_sort(v, compare_candidates);
	for (size_t i = 0, nr; i < v->nr; i += nr) {
		const struct candidate *run = &v->items[i];

		for (nr = 1; i + nr < v->nr; nr++) {
			if (run[nr].name != run->name || run[nr].alike != run->alike)
				break;
		}
		join_run(c, round, run, nr);
	}
	for (size_t i = 0; i < v->nr; i++) {
		if (!c->partners[v->items[i].class])
			v->items[left++] = v->items[i];
	}
	v->nr = left;
}

void compare_pair(struct compare *c)
{
	struct candidates v = { 0 };

	for (uint32_t i = 0; i < c->nr_classes; i++) {
		const struct same_types *s = &c->same[i];
		uint32_t n = s->a ? s->a : s->b;

		if (s->own_a == s->own_b && s->base_a == s->base_b)
			continue;
		c->fates[i] = has_name(c, n) ? FATE_NUMBER : FATE_NAMELESS;
		if (has_name(c, n) && (!s->a || !s->b))
			vec_push(&v, ((struct candidate){ .name = c->body.stands_for[n],
							  .node = n,
							  .class = i,
							  .second = !s->a }));
	}
	for (enum round round = ROUND_BODY; round < NR_ROUNDS; round++)
		join_alike(c, round, &v);
	free(v.items);
}

/* --- types without a name --------------------------------------------------------------- */

/* Has the class changed because of what it refers to, and nothing else? */
static void settle_nameless(struct compare *c)
{
	/* how many more of a settled class are on the first side */
	CLEANUP(mem_free) int64_t *more = mem_zalloc((size_t)c->g->nr + c->settled.nr_leaves,
						     sizeof(*more));

	for (uint32_t i = 0; i < c->nr_classes; i++) {
		const struct same_types *s = &c->same[i];

		if (c->fates[i] == FATE_NAMELESS)
			more[c->settled.classes[s->a ? s->a : s->b]] += (int64_t)s->own_a -
									s->own_b;
	}
	for (uint32_t i = 0; i < c->nr_classes; i++) {
		const struct same_types *s = &c->same[i];

		if (c->fates[i] == FATE_NAMELESS && !more[c->settled.classes[s->a ? s->a : s->b]])
			c->fates[i] = FATE_THROUGH;
	}
}

struct stack {
	uint32_t *items;
	size_t nr, cap;
};

/* Types without a name that @n refers to. */
static void push_nameless(const struct compare *c, uint32_t n, uint8_t *seen, struct stack *stack)
{
	const struct type_graph *g = c->g;

	for (uint32_t e = g->edge_start[n]; e < g->edge_start[n + 1]; e++) {
		uint32_t to = g->edges[e];

		if (seen[to] || has_name(c, to))
			continue;
		seen[to] = 1;
		vec_push(stack, to);
	}
}

/* A part of a named type that differs needs no explanation. */
static void explain_by_owners(struct compare *c)
{
	const struct type_graph *g = c->g;
	CLEANUP(mem_free) uint8_t *seen = mem_zalloc(g->nr, sizeof(*seen));
	CLEANUP(vec_release) struct stack stack = { 0 };

	for (uint32_t n = 1; n < g->nr; n++) {
		if (c->fates[c->classes[n]] != FATE_EQUAL && has_name(c, n))
			push_nameless(c, n, seen, &stack);
	}
	while (stack.nr) {
		uint32_t n = stack.items[--stack.nr];

		if (c->fates[c->classes[n]] == FATE_NAMELESS)
			c->fates[c->classes[n]] = FATE_THROUGH;
		push_nameless(c, n, seen, &stack);
	}
}

/* Is it there on one side only, and told of? */
static bool is_alone(const struct compare *c, uint32_t n)
{
	const struct same_types *s = &c->same[c->classes[n]];

	return has_name(c, n) && c->fates[c->classes[n]] == FATE_NUMBER && (!s->a || !s->b);
}

/*
 * Where a type is not there, neither is what leads to it: a pointer that nothing else uses, say.
 */
static void explain_by_absence(struct compare *c)
{
	const struct type_graph *g = c->g;
	const struct partition_graph graph = type_graph_partition(g);
	CLEANUP(mem_free) uint32_t *start = NULL;
	CLEANUP(mem_free) struct in_edge *in = partition_in_edges(&graph, &start);
	CLEANUP(mem_free) uint8_t *seen = mem_zalloc(g->nr, sizeof(*seen));
	CLEANUP(vec_release) VEC(uint32_t) stack = { 0 };

	for (uint32_t n = 1; n < g->nr; n++) {
		if (is_alone(c, n))
			vec_push(&stack, n);
	}
	while (stack.nr) {
		uint32_t n = stack.items[--stack.nr];

		for (uint32_t i = start[n]; i < start[n + 1]; i++) {
			uint32_t from = in[i].from;

			if (seen[from] || has_name(c, from))
				continue;
			seen[from] = 1;
			vec_push(&stack, from);
			if (c->fates[c->classes[from]] == FATE_NAMELESS)
				c->fates[c->classes[from]] = FATE_THROUGH;
		}
	}
}

/* A DECL_TAG is a part of what it is on. */
static bool is_attached_tag(const struct compare *c, uint32_t n)
{
	return type_graph_kind(c->g, n) == BTF_DECL_TAG &&
	       type_graph_tag_is_attached(c->g, n, type_graph_edge(c->g, n, 0));
}

/* Of the others, those that no other of them refers to; in a cycle, all. */
static void choose_causes(struct compare *c)
{
	const struct type_graph *g = c->g;
	CLEANUP(mem_free) uint8_t *inner = mem_zalloc(c->nr_classes, sizeof(*inner));
	bool any = false;

	for (uint32_t n = 1; n < g->nr; n++) {
		uint32_t class = c->classes[n];

		if (c->fates[class] == FATE_NAMELESS && is_attached_tag(c, n))
			c->fates[class] = FATE_THROUGH;
		if (c->fates[class] != FATE_NAMELESS)
			continue;
		for (uint32_t e = g->edge_start[n]; e < g->edge_start[n + 1]; e++)
			inner[c->classes[g->edges[e]]] |= c->classes[g->edges[e]] != class;
	}
	for (uint32_t i = 0; i < c->nr_classes; i++)
		any |= c->fates[i] == FATE_NAMELESS && !inner[i];
	for (uint32_t i = 0; i < c->nr_classes; i++) {
		if (c->fates[i] == FATE_NAMELESS)
			c->fates[i] = inner[i] && any ? FATE_THROUGH : FATE_NUMBER;
	}
}

void compare_nameless(struct compare *c)
{
	settle_nameless(c);
	explain_by_owners(c);
	explain_by_absence(c);
	choose_causes(c);
}
