/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_compare_another.c - types that are the same by name only */
#include "btf/compare/btf_compare_internal.h"

#include "base/vec.h"
#include "btf/print/type_text.h"

static void add_step(struct compare *c, uint32_t a, uint32_t b, uint32_t index)
{
	vec_push(&c->ret->steps, ((struct btf_difference_step){ a, b, index }));
}

/* Two types of one name differ: does another difference of the comparison explain that? */
static bool is_explained(const struct compare *c, uint32_t a, uint32_t b)
{
	uint32_t x = c->classes[a], y = c->classes[b];

	if (c->partners[x] == y + 1)
		return true;
	return (c->fates[x] == FATE_NUMBER && !c->same[x].b) ||
	       (c->fates[y] == FATE_NUMBER && !c->same[y].a);
}

/* Add the last step from @bottom on that leads on from a record with parts, or from where the path began. */
static void add_another(struct compare *c, size_t bottom, uint32_t type_a, uint32_t type_b,
			struct btf_difference *d)
{
	const struct btf_difference_step *last = NULL;
	struct btf_change change = {
		.sort = CHANGE_ANOTHER, .step = bottom, .type_a = type_a, .type_b = type_b
	};

	do
		last = &c->ret->steps.items[--c->ret->steps.nr];
	while (type_text_is_link(type_graph_kind(c->g, last->a)) && c->ret->steps.nr > bottom);
	change.nr_steps = c->ret->steps.nr - bottom;
	change.at_a = change.a.node = last->a;
	change.at_b = change.b.node = last->b;
	change.a.index = change.b.index = btf_edge_element(c->g, last->b, last->index);
	d->change = c->ret->changes.nr;
	d->nr_changes = 1;
	vec_push(&c->ret->changes, change);
}

bool compare_find_another(struct compare *c, uint32_t *visited, uint32_t stamp,
			  struct btf_difference *d)
{
	const struct type_graph *g = c->g;
	size_t bottom = c->ret->steps.nr;

	add_step(c, d->a, d->b, 0);
	visited[d->a] = stamp;
	while (c->ret->steps.nr > bottom) {
		struct btf_difference_step *top = &c->ret->steps.items[c->ret->steps.nr - 1];
		uint32_t a, b;

		if (top->index == type_graph_nr_edges(g, top->a)) {
			c->ret->steps.nr--;
			if (c->ret->steps.nr > bottom)
				c->ret->steps.items[c->ret->steps.nr - 1].index++;
			continue;
		}
		a = type_graph_edge(g, top->a, top->index);
		b = type_graph_edge(g, top->b, top->index);
		if (altered_class(c, &c->settled, a) == altered_class(c, &c->settled, b) ||
		    visited[a] == stamp) {
			top->index++;
		} else if (!has_name(c, a) && c->ret->steps.nr - bottom < STEPS_MAX) {
			visited[a] = stamp;
			add_step(c, a, b, 0);
		} else if (has_name(c, a) && is_explained(c, a, b)) {
			top->index++;
		} else {
			add_another(c, bottom, a, b, d);
			return true;
		}
	}
	return false;
}
