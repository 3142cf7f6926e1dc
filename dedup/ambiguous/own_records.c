/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_records.c - what matters of a type beside what it says
 *
 * libbpf's rule may take two types for equal that look alike but for what their arrays hold
 * (array_lookalikes.c).
 * Which arrays these are matters, and not only what they say: if two units have an array in common,
 * the one cannot stand in the place of the other twice. So each unit that is needs_exact says them
 * itself, and what leads to them.
 *
 * And if it says one twice, the pool, which has it once, cannot stand in for the unit
 * (pool_copies.c). That is so of what leads there as long as something else looks like it: what
 * does not is only ever compared with itself, and finds below it the arrays that it has itself.
 * It is so as well of all that leads to a name of which another unit has two: there
 * a pointer to each stands where it says one pointer twice, and whether the rule takes them for
 * the same depends on how many levels are behind them.
 */
#include "base/cleanup.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/*
 * Walk two types that look alike side by side, and mark the arrays of both that stand in one place
 * and are not the same. False if that takes too long.
 */
static bool mark_unlike_arrays(const struct resolver *s, struct pair first)
{
	struct pairs todo = { 0 };
	uint8_t *own = s->ret->own;
	size_t steps = 0;

	vec_push(&todo, first);
	while (todo.nr && ++steps < MAX_STEPS) {
		struct pair p = todo.items[--todo.nr];
		struct ref_iter ia = ref_iter_start(resolver_rec(s, p.a));
		struct ref_iter ib = ref_iter_start(resolver_rec(s, p.b));
		pool_ref ra, rb;

		if (resolver_kind(s, p.a) == BTF_ARRAY)
			own[p.a] = own[p.b] = OWN_COPIES;
		while (ref_iter_next(&ia, &ra) && ref_iter_next(&ib, &rb)) {
			if (ra != rb && ref_is_id(ra) && ref_is_id(rb) &&
			    s->relaxed[ra] == s->relaxed[rb])
				vec_push(&todo, ((struct pair){ ra, rb }));
		}
	}
	free(todo.items);
	return steps < MAX_STEPS;
}

/* Mark, by node, the arrays that differ between types that look alike. False if they are too many. */
static bool mark_arrays(struct resolver *s)
{
	CLEANUP(lookalikes_release) struct lookalikes l = { 0 };

	find_lookalikes(s, LOOK_NAMES, &l);
	/* what differs from the first of a group anywhere differs there from it */
	for (size_t first = 0, i = 1; i < l.nr; i++) {
		const struct pair p = { l.items[first].id, l.items[i].id };

		if (l.items[i].hash != l.items[first].hash) {
			first = i;
			continue;
		}
		s->ret->names_look_alike |= s->def_of[p.a] && s->def_of[p.b];
		if (!mark_unlike_arrays(s, p))
			return false;
	}
	return true;
}

/* By node: is it a name of which some unit has several? */
static bool *find_multiply_defined(const struct resolver *s)
{
	bool *ret = mem_zalloc(nr_nodes(s), sizeof(*ret));

	for (size_t i = 0; i < s->ambiguous.nr; i++)
		ret[ref_node(s, s->ambiguous.items[i].name)] |=
			s->ambiguous.items[i].multiply_defined;
	return ret;
}

/* By pool id: may another type look like it? */
static bool *find_alike(const struct resolver *s)
{
	CLEANUP(lookalikes_release) struct lookalikes l = { 0 };
	bool *ret = mem_zalloc(s->end, sizeof(*ret));

	find_lookalikes(s, LOOK_ALL, &l);
	for (size_t i = 0; i < l.nr; i++)
		ret[l.items[i].id] = true;
	return ret;
}

/* Of which types do copies matter? Records refer to older ones, so one walk will do. */
static void propagate_copies(struct resolver *s)
{
	bool *crowded = find_multiply_defined(s), *alike = find_alike(s);
	uint8_t *own = s->ret->own;
	pool_ref r;

	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (ref_is_id(r))
				own[id] |= own[r] &
					   (alike[id] ? OWN_COPIES | OWN_NAMES : OWN_NAMES);
			else if (pool_ref_is_named(r) && crowded[ref_node(s, r)])
				own[id] |= OWN_NAMES;
		}
	}
	free(crowded);
	free(alike);
}

/*
 * What leads to what is a unit's own is its own as well, and so are declarations of that. Else it
 * would lead to that of another unit, and one type would have two in its place.
 */
static void propagate_own(struct resolver *s)
{
	bool *has = mem_zalloc(nr_nodes(s), sizeof(*has));

	for (uint32_t id = 1; id < s->end; id++)
		has[type_node(s, id)] |= s->ret->own[id] != 0;
	mark_referrers(s, has);
	for (uint32_t id = 1; id < s->end; id++) {
		if (has[type_node(s, id)])
			s->ret->own[id] |= OWN_SAID;
	}
	free(has);
}

void find_own_records(struct resolver *s)
{
	s->ret->own = mem_zalloc(s->end, sizeof(s->ret->own[0]));
	if (mark_arrays(s)) {
		propagate_copies(s);
		propagate_own(s);
	} else {
		memset(s->ret->own, OWN_SAID | OWN_COPIES, s->end);
	}
}
