/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_copies.c - see btf_copies.h
 *
 * The two types are followed side by side, breadth first, as long as they differ: by what their bodies
 * are, which is a cause, or only by what they lead to. A type that is declared only is taken for
 * any definition of its name when types are deduplicated, so that is no cause if there is another.
 */
#include "btf/compare/btf_copies.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "btf/compare/btf_compare_internal.h"

#include <stdlib.h>

/*
 * In one question, and in all. A kernel has 100,000 types, and most of them can be reached from any;
 * but the pairs that differ are few. Ways of more than STEPS_MAX steps are not followed, because their text
 * would be repeated for each type on them.
 */
enum { PAIRS_MAX = 1 << 16, PAIRS_MAX_ALL = 1 << 24 };

/* Types at the same position, reached by reference @index of pair @from, @steps from the first. */
struct pair {
	uint32_t nodes[2];
	uint32_t from, index;
	uint32_t steps;
};

struct search {
	struct compare *c;
	struct pair *pairs; /* in the order in which they are reached */
	uint32_t nr, max;
	struct hash_table met; /* indexes of @pairs, plus one */
};

static void search_release(struct search *s)
{
	free(s->pairs);
	hash_table_release(&s->met);
}

struct err *btf_copies_open(const struct btf_view *v, struct btf_copies *ret)
{
	struct compare *c;

	TRY(type_graph_make(v, v, &ret->found.graph));
	c = mem_zalloc(1, sizeof(*c));
	c->g = &ret->found.graph;
	c->ret = &ret->found;
	compare_find_classes(c);
	compare_find_bodies(c);
	ret->inside = c;
	ret->left = PAIRS_MAX_ALL;
	return NULL;
}

void btf_copies_release(struct btf_copies *c)
{
	if (c->inside)
		compare_release(c->inside);
	free(c->inside);
	btf_comparison_release(&c->found);
	*c = (struct btf_copies){ 0 };
}

bool btf_copies_alike(const struct btf_copies *c, uint32_t a, uint32_t b)
{
	return c->inside->body.classes[a] == c->inside->body.classes[b];
}

static bool is_declaration(const struct type_graph *g, uint32_t n)
{
	return n && btf_rec_is_declaration(type_graph_words(g, n));
}

static void reach(struct search *s, uint32_t a, uint32_t b, uint32_t from, uint32_t index)
{
	uint64_t hash = hash_pair(a, b);
	uint32_t steps = s->nr ? s->pairs[from].steps + 1 : 0;

	if (s->nr == s->max || steps > STEPS_MAX || s->c->classes[a] == s->c->classes[b] ||
	    HASH_FIND(&s->met, hash, i,
		      s->pairs[i - 1].nodes[0] == a && s->pairs[i - 1].nodes[1] == b))
		return;
	s->pairs[s->nr++] = (struct pair){ { a, b }, from, index, steps };
	hash_table_add(&s->met, hash, s->nr);
}

/* The pair whose bodies differ, or UINT32_MAX. */
static uint32_t find_cause(struct search *s)
{
	const struct type_graph *g = s->c->g;
	uint32_t declared = UINT32_MAX;

	for (uint32_t i = 0; i < s->nr; i++) {
		uint32_t a = s->pairs[i].nodes[0], b = s->pairs[i].nodes[1];

		if (s->c->body.classes[a] == s->c->body.classes[b]) {
			for (uint32_t e = 0; e < type_graph_nr_edges(g, a); e++)
				reach(s, type_graph_edge(g, a, e), type_graph_edge(g, b, e), i, e);
		} else if (!is_declaration(g, a) && !is_declaration(g, b)) {
			return i;
		} else if (declared == UINT32_MAX) {
			declared = i;
		}
	}
	return declared;
}

/* Add the steps from the first pair to pair @to. */
static void add_way(struct search *s, uint32_t to)
{
	struct btf_comparison *found = s->c->ret;
	size_t nr = 0;

	for (uint32_t i = to; i; i = s->pairs[i].from)
		nr++;
	vec_reserve(&found->steps, nr);
	found->steps.nr += nr;
	for (uint32_t i = to; i; i = s->pairs[i].from) {
		const struct pair *from = &s->pairs[s->pairs[i].from];

		found->steps.items[--nr] = (struct btf_difference_step){ from->nodes[0],
									 from->nodes[1],
									 s->pairs[i].index };
	}
}

/* Report the first difference only, because the budget of the search is used up. */
static void add_begin(const struct compare *c, struct btf_difference *d)
{
	const struct type_graph *g = c->g;
	struct btf_change x = { .sort = CHANGE_ANOTHER, .at_a = d->a, .at_b = d->b };
	uint32_t e = 0;

	while (c->classes[type_graph_edge(g, d->a, e)] == c->classes[type_graph_edge(g, d->b, e)])
		e++;
	x.a = (struct btf_place){ .node = d->a, .index = btf_edge_element(g, d->a, e) };
	x.b = (struct btf_place){ .node = d->b, .index = btf_edge_element(g, d->b, e) };
	x.type_a = type_graph_edge(g, d->a, e);
	x.type_b = type_graph_edge(g, d->b, e);
	d->sort = DIFFERENCE_ANOTHER;
	d->change = c->ret->changes.nr;
	d->nr_changes = 1;
	vec_push(&c->ret->changes, x);
}

bool btf_copies_differ(struct btf_copies *c, uint32_t a, uint32_t b, struct btf_difference *ret)
{
	CLEANUP(search_release) struct search s = { .c = c->inside };
	struct btf_difference d = { .sort = DIFFERENCE_CHANGED, .a = a, .b = b };
	uint32_t cause;

	if (c->inside->classes[a] == c->inside->classes[b])
		return false;
	c->found.steps.nr = c->found.changes.nr = 0;
	c->inside->left = nameless_budget(c->inside->g);
	s.max = c->left < PAIRS_MAX ? (uint32_t)c->left + 1 : PAIRS_MAX;
	s.pairs = mem_alloc(s.max * sizeof(*s.pairs));
	reach(&s, a, b, 0, 0);
	cause = find_cause(&s);
	c->left -= s.nr - 1;
	if (cause == UINT32_MAX) {
		add_begin(c->inside, &d);
	} else {
		add_way(&s, cause);
		compare_list_changes(c->inside, s.pairs[cause].nodes[0], s.pairs[cause].nodes[1], 0,
				     &d);
	}
	*ret = d;
	return true;
}
