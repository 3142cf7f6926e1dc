/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * propagate.c - what leads to a type or a name?
 *
 * Records say what they refer to, and here it is asked from the other end: so there is a list of who
 * refers to each, and a walk that meets each type once, whatever the order of a chain.
 */
#include "base/vec.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

static bool is_node(pool_ref r)
{
	return r && r != POOL_REF_INDEX;
}

void find_referrers(struct resolver *s)
{
	if (s->referrers_from)
		return;

	size_t nr = nr_nodes(s);
	uint32_t *from = mem_zalloc(nr + 2, sizeof(*from));
	pool_ref r;

	/* each list is counted where the one behind the next begins, and moves on as it is filled */
	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (is_node(r))
				from[ref_node(s, r) + 2]++;
		}
	}
	for (size_t i = 2; i < nr + 2; i++)
		from[i] += from[i - 1];
	s->referrers = mem_alloc(from[nr + 1] * sizeof(s->referrers[0]) + 1);
	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (is_node(r))
				s->referrers[from[ref_node(s, r) + 1]++] = id;
		}
	}
	s->referrers_from = from;
}

struct nodes {
	size_t *items;
	size_t nr, cap;
};

static void reach(struct nodes *todo, bool *has, size_t node)
{
	if (has[node])
		return;
	has[node] = true;
	vec_push(todo, node);
}

void mark_referrers(struct resolver *s, bool *has)
{
	struct nodes todo = { 0 };

	find_referrers(s);
	for (size_t node = 1; node < nr_nodes(s); node++) {
		if (has[node])
			vec_push(&todo, node);
	}
	while (todo.nr) {
		size_t node = todo.items[--todo.nr];

		each_referrer(s, node, id)
		{
			reach(&todo, has, type_node(s, id));
		}
	}
	free(todo.items);
}

void propagate_taint(struct resolver *s)
{
	bool *has = mem_zalloc(nr_nodes(s), sizeof(*has));

	for (size_t i = 0; i < s->ambiguous.nr; i++) {
		if (s->ambiguous.items[i].propagates)
			has[ref_node(s, s->ambiguous.items[i].name)] = true;
	}
	for (uint32_t id = 1; id < s->end; id++) {
		if (s->tainted[id])
			has[type_node(s, id)] = true;
	}
	mark_referrers(s, has);
	for (uint32_t id = 1; id < s->end; id++)
		s->tainted[id] |= has[type_node(s, id)];
	free(has);
}
