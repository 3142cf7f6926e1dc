/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare.c - see btf_compare.h
 *
 * One refinement of the graph of both says whether they are equal. Two more say why not. In the
 * first of them each reference to a type with a name leads to the name alone, so that types of the
 * same class have the same body; a surplus type is compared with its namesakes on the
 * other side, those with the same body first (btf_compare_pairs.c). In the second, the two types of
 * a pair that was found to have changed are taken for one: what is the same then has changed
 * through them alone. The remaining types refer to one of several types of a name here, and to another
 * there.
 */
#include "btf/compare/btf_compare_internal.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "btf/compare/partition.h"

#include <stdlib.h>

void compare_release(struct compare *c)
{
	FREE_ALL(c->classes, c->same, c->fates, c->partners, c->body.stands_for, c->body.classes,
		 c->settled.stands_for, c->settled.classes);
}

enum btf_space btf_owner(const struct type_graph *g, uint32_t n, uint32_t *ret_name)
{
	const uint32_t *words = type_graph_words(g, n);
	enum btf_space space;

	if (!n)
		return BTF_SPACE_NONE;
	*ret_name = words[BTF_REC_NAME];
	space = btf_rec_space(words);
	switch (type_graph_ctype(g, n)) {
	case BTF_C_ENUM:
		if (*ret_name || !type_graph_vlen(g, n))
			break;
		*ret_name = type_graph_element(g, n, 0)[0];
		return BTF_SPACE_CONSTANTS;
	case BTF_C_NONE:
	case BTF_C_FORWARD:
	case BTF_C_TYPEDEF:
		return space;
	case BTF_C_VOID:
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_POINTER:
	case BTF_C_ARRAY:
	case BTF_C_STRUCT:
	case BTF_C_QUALIFIER:
	case BTF_C_FUNCTION:
		break;
	}
	return *ret_name ? space : BTF_SPACE_NONE;
}

/* Is the node compared, as one of the first or the second side? It may be both. */
static bool is_own(const struct compare *c, uint32_t n, bool second)
{
	const struct type_graph *g = c->g;

	if (!second)
		return n < g->end_a && n >= c->sides[0]->first;
	if (n < g->shared)
		return n >= c->sides[1]->first;
	return n >= g->end_a && n - g->shift >= c->sides[1]->first;
}

void compare_find_classes(struct compare *c)
{
	const struct partition_graph graph = type_graph_partition(c->g);

	c->classes = mem_alloc(graph.nr * sizeof(*c->classes));
	c->nr_classes = partition_refine(&graph, c->classes);
}

/* Node @n is one of its class, on one side. */
static void count_one(struct compare *c, uint32_t n, bool second)
{
	struct same_types *s = &c->same[c->classes[n]];
	uint32_t *own = second ? &s->own_b : &s->own_a, *base = second ? &s->base_b : &s->base_a;
	uint32_t *one = second ? &s->b : &s->a;

	if (is_own(c, n, second)) {
		if (!(*own)++)
			*one = n;
	} else {
		if (!(*base)++ && !*own)
			*one = n;
	}
}

static void count_classes(struct compare *c)
{
	const struct type_graph *g = c->g;

	c->same = mem_zalloc(c->nr_classes, sizeof(*c->same));
	for (uint32_t n = 1; n < g->nr; n++) {
		if (n < g->end_a)
			count_one(c, n, false);
		if (n < g->shared || n >= g->end_a)
			count_one(c, n, true);
	}
}

static void count_kinds(const struct btf_side *s, bool second, struct btf_kind_count *kinds)
{
	for (uint32_t id = s->first; id < btf_types_end(&s->view->types); id++) {
		const uint32_t *rec = btf_types_rec(&s->view->types, id);
		struct btf_kind_count *k = &kinds[btf_rec_kind(rec)];

		if (second)
			k->nr_b++;
		else
			k->nr_a++;
	}
}

static bool numbers_agree(const struct compare *c)
{
	for (uint32_t i = 0; i < c->nr_classes; i++) {
		if (c->same[i].own_a != c->same[i].own_b)
			return false;
	}
	return true;
}

/* The classes of the altered graph. */
static void refine_altered(const struct type_graph *g, struct altered *v)
{
	uint32_t nr = g->nr + v->nr_leaves, nr_edges = g->edge_start[g->nr];
	uint32_t *start = mem_alloc(((size_t)nr + 1) * sizeof(*start));
	uint32_t *edges = mem_alloc(nr_edges * sizeof(*edges));
	uint32_t *labels = mem_alloc((size_t)nr * sizeof(*labels));

	memcpy(start, g->edge_start, ((size_t)g->nr + 1) * sizeof(*start));
	memcpy(labels, g->labels, g->nr * sizeof(*labels));
	for (uint32_t i = 0; i < v->nr_leaves; i++) {
		start[g->nr + i + 1] = nr_edges;
		labels[g->nr + i] = g->nr_labels + i;
	}
	for (uint32_t e = 0; e < nr_edges; e++) {
		uint32_t leaf = v->stands_for[g->edges[e]];

		edges[e] = leaf ? g->nr + leaf - 1 : g->edges[e];
	}
	v->classes = mem_alloc((size_t)nr * sizeof(*v->classes));
	partition_refine(&(struct partition_graph){ .nr = nr,
						    .nr_labels = g->nr_labels + v->nr_leaves,
						    .edge_start = start,
						    .edges = edges,
						    .labels = labels },
			 v->classes);
	FREE_ALL(start, edges, labels);
}

/* Each name of each sort of owner is a leaf. */
void compare_find_bodies(struct compare *c)
{
	const struct type_graph *g = c->g;
	struct altered *v = &c->body;
	CLEANUP(mem_free) uint32_t *leaves = mem_zalloc(g->nr_names,
							BTF_NR_SPACES * sizeof(*leaves));

	v->stands_for = mem_zalloc(g->nr, sizeof(*v->stands_for));
	for (uint32_t n = 1; n < g->nr; n++) {
		uint32_t name = 0, *leaf;
		enum btf_space owner = btf_owner(g, n, &name);

		if (owner == BTF_SPACE_NONE)
			continue;
		leaf = &leaves[(size_t)name * BTF_NR_SPACES + owner];
		if (!*leaf)
			*leaf = ++v->nr_leaves;
		v->stands_for[n] = *leaf;
	}
	refine_altered(g, v);
}

/* Both types of a pair that has changed are one leaf. */
static void settle_changed(struct compare *c)
{
	const struct type_graph *g = c->g;
	struct altered *v = &c->settled;
	CLEANUP(mem_free) uint32_t *leaves = mem_zalloc(c->nr_classes, sizeof(*leaves));

	for (uint32_t i = 0; i < c->nr_classes; i++) {
		if (c->fates[i] == FATE_CHANGED && !leaves[i])
			leaves[i] = leaves[c->partners[i] - 1] = ++v->nr_leaves;
	}
	v->stands_for = mem_alloc(g->nr * sizeof(*v->stands_for));
	for (uint32_t n = 0; n < g->nr; n++)
		v->stands_for[n] = leaves[c->classes[n]];
	refine_altered(g, v);
}

/*
 * Pairs with the same body that are still different: because of other such pairs, or by themselves?
 */
static void judge_pairs(struct compare *c)
{
	CLEANUP(mem_free) uint32_t *visited = mem_zalloc(c->g->nr, sizeof(*visited));

	for (uint32_t i = 0; i < c->nr_classes; i++) {
		struct btf_difference d = { .sort = DIFFERENCE_ANOTHER, .a = c->same[i].a };

		if (c->fates[i] != FATE_THROUGH || !d.a || !c->partners[i])
			continue;
		d.b = c->same[c->partners[i] - 1].b;
		if (c->settled.classes[d.a] != c->settled.classes[d.b] &&
		    compare_find_another(c, visited, i + 1, &d))
			c->fates[i] = c->fates[c->partners[i] - 1] = FATE_ANOTHER;
		c->ret->steps.nr = c->ret->changes.nr = 0; /* differences are made later */
	}
}

/* Which nodes does anything lead to that is compared and has no equal? */
static uint8_t *find_reached(const struct compare *c)
{
	const struct type_graph *g = c->g;
	uint8_t *reached = mem_zalloc(g->nr, sizeof(*reached));
	CLEANUP(vec_release) VEC(uint32_t) stack = { 0 };

	for (uint32_t n = 1; n < g->nr; n++) {
		const struct same_types *s = &c->same[c->classes[n]];

		if (s->own_a != s->own_b && (is_own(c, n, false) || is_own(c, n, true))) {
			reached[n] = 1;
			vec_push(&stack, n);
		}
	}
	while (stack.nr) {
		uint32_t n = stack.items[--stack.nr];

		for (uint32_t e = g->edge_start[n]; e < g->edge_start[n + 1]; e++) {
			if (reached[g->edges[e]])
				continue;
			reached[g->edges[e]] = 1;
			vec_push(&stack, g->edges[e]);
		}
	}
	return reached;
}

static struct btf_kind_count *kind_count(struct compare *c, uint32_t n)
{
	return &c->ret->kinds[type_graph_kind(c->g, n)];
}

/* @s of the first side and @t of the second: one class, or the two of a pair with the same body. */
static void add_number(struct compare *c, const struct same_types *s, const struct same_types *t)
{
	struct btf_difference d = { .sort = DIFFERENCE_NUMBER, .nr_a = s->own_a, .nr_b = t->own_b };

	d.a = s->own_a ? s->a : 0;
	d.b = t->own_b ? t->b : 0;
	if (d.nr_a > d.nr_b) {
		kind_count(c, d.a)->only_a += d.nr_a - d.nr_b;
		c->ret->through_a -= d.nr_a - d.nr_b;
	} else {
		kind_count(c, d.b)->only_b += d.nr_b - d.nr_a;
		c->ret->through_b -= d.nr_b - d.nr_a;
	}
	vec_push(&c->ret->differences, d);
}

/* The class is of the first side. */
static void add_pair(struct compare *c, uint32_t class, uint32_t *visited)
{
	const struct same_types *s = &c->same[class], *t = &c->same[c->partners[class] - 1];
	struct btf_difference d = { .a = s->a, .b = t->b, .nr_a = s->own_a, .nr_b = t->own_b };

	if (c->fates[class] == FATE_CHANGED) {
		d.sort = DIFFERENCE_CHANGED;
		compare_list_changes(c, d.a, d.b, c->ret->steps.nr, &d);
	} else {
		d.sort = DIFFERENCE_ANOTHER;
		compare_find_another(c, visited, class + 1, &d); /* it was found before */
	}
	kind_count(c, d.a)->changed += s->own_a > t->own_b ? s->own_a : t->own_b;
	c->ret->through_a -= s->own_a;
	c->ret->through_b -= t->own_b;
	vec_push(&c->ret->differences, d);
}

static void add_differences(struct compare *c)
{
	uint8_t *reached = find_reached(c);
	CLEANUP(mem_free) uint32_t *visited = mem_zalloc(c->g->nr, sizeof(*visited));

	for (uint32_t i = 0; i < c->nr_classes; i++) {
		const struct same_types *s = &c->same[i];

		c->ret->through_a += s->own_a > s->own_b ? s->own_a - s->own_b : 0;
		c->ret->through_b += s->own_b > s->own_a ? s->own_b - s->own_a : 0;
	}
	for (uint32_t i = 0; i < c->nr_classes; i++) {
		const struct same_types *s = &c->same[i];
		const struct same_types *t = c->partners[i] ? &c->same[c->partners[i] - 1] : s;

		if (c->fates[i] == FATE_NUMBER && s->own_a != s->own_b)
			add_number(c, s, s);
		else if (!c->partners[i] || !s->a)
			continue;
		else if (c->fates[i] == FATE_THROUGH && s->own_a != t->own_b)
			add_number(c, s, t);
		else if ((c->fates[i] == FATE_CHANGED || c->fates[i] == FATE_ANOTHER) &&
			 (reached[s->a] || reached[t->b]))
			add_pair(c, i, visited);
	}
	free(reached);
}

/* A difference and what it is sorted by. */
struct sorted {
	enum btf_space owner;
	const char *name;
	struct btf_difference d;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	int names;

	if (x->owner != y->owner) /* what has no name goes last */
		return x->owner - 1U < y->owner - 1U ? -1 : 1;
	names = strcmp(x->name, y->name);
	if (names)
		return names;
	if (x->d.sort != y->d.sort)
		return x->d.sort < y->d.sort ? -1 : 1;
	if (x->d.a != y->d.a)
		return x->d.a < y->d.a ? -1 : 1;
	return (x->d.b > y->d.b) - (x->d.b < y->d.b);
}

static void sort_differences(struct compare *c)
{
	size_t nr = c->ret->differences.nr;
	struct btf_difference *items = c->ret->differences.items;
	CLEANUP(mem_free) struct sorted *sorted = mem_alloc(nr * sizeof(*sorted));

	for (size_t i = 0; i < nr; i++) {
		uint32_t name = 0, n = items[i].a ? items[i].a : items[i].b;
		enum btf_space owner = btf_owner(c->g, n, &name);

		sorted[i] = (struct sorted){ owner, c->g->names[name], items[i] };
	}
	if (nr)
		qsort(sorted, nr, sizeof(*sorted), compare_sorted);
	for (size_t i = 0; i < nr; i++)
		items[i] = sorted[i].d;
}

struct err *btf_compare(const struct btf_side *a, const struct btf_side *b, bool reasons,
			struct btf_comparison *ret)
{
	CLEANUP(compare_release) struct compare c = { .sides = { a, b },
						      .g = &ret->graph,
						      .ret = ret };

	count_kinds(a, false, ret->kinds);
	count_kinds(b, true, ret->kinds);
	TRY(type_graph_make(a->view, b->view, &ret->graph));
	c.left = nameless_budget(c.g);
	compare_find_classes(&c);
	count_classes(&c);
	ret->equal = numbers_agree(&c);
	if (ret->equal || !reasons)
		return NULL;

	c.fates = mem_zalloc(c.nr_classes, sizeof(*c.fates));
	c.partners = mem_zalloc(c.nr_classes, sizeof(*c.partners));
	compare_find_bodies(&c);
	compare_pair(&c);
	settle_changed(&c);
	judge_pairs(&c);
	compare_nameless(&c);
	add_differences(&c);
	sort_differences(&c);
	return NULL;
}

void btf_comparison_release(struct btf_comparison *c)
{
	type_graph_release(&c->graph);
	FREE_ALL(c->differences.items, c->changes.items, c->steps.items);
	*c = (struct btf_comparison){ 0 };
}
