/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ambiguous.c - see ambiguous.h
 *
 * Most programs have no name with two meanings, and most of those that have are done with
 * in private_names.c. What is left propagates: a type is tainted if it refers to one that is,
 * by id or by name, and a unit that has an tainted type is needs_exact.
 *
 * Only what is tainted, that is. A clear type leads to clear ones alone, so it is equal to
 * what others say by the same record, whatever it is compared with; and an tainted one leads to
 * what its own unit says, or to what all units say alike.
 */
#include "dedup/ambiguous/ambiguous.h"

#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

static bool has_tainted(const struct resolver *s, const struct resolve_unit *u)
{
	for (size_t i = 1; i < u->nr; i++) {
		if (s->tainted[u->types[i]])
			return true;
	}
	return false;
}

static bool anything_tainted(const struct resolver *s)
{
	for (size_t i = 0; i < s->ambiguous.nr; i++) {
		if (s->ambiguous.items[i].propagates)
			return true;
	}
	return memchr(s->tainted, 1, s->end);
}

/* Units that have a type which looks like one of the base (base_lookalikes.h) are needs_exact as a whole. */
static void find_units_like_base(const struct resolver *s)
{
	bool *alike = mem_zalloc(s->end, sizeof(*alike)), any = false;

	for (size_t i = 0; i < s->base_conflicts->nr; i++) {
		if (!pool_ref_is_named(s->base_conflicts->items[i]))
			any = alike[s->base_conflicts->items[i]] = true;
	}
	for (size_t u = 0; any && u < s->nr_units; u++) {
		for (size_t i = 1; i < s->units[u].nr; i++)
			s->ret->units[u].like_base |= alike[s->units[u].types[i]];
		s->ret->units[u].all_exact |= s->ret->units[u].like_base;
		s->ret->units[u].needs_exact |= s->ret->units[u].all_exact;
	}
	free(alike);
}

/* The first of the other units that has a type says it for all of them. */
static void place_in_others(struct resolver *s)
{
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 1; s->ret->units[u].all_exact && i < s->units[u].nr; i++) {
			if (s->units[u].types[i])
				pool_type_forget_first_use(type_pool_at(s->types,
									s->units[u].types[i]),
							   (uint32_t)u);
		}
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 1; !s->ret->units[u].all_exact && i < s->units[u].nr; i++) {
			struct pool_type *t = type_pool_at(s->types, s->units[u].types[i]);

			if (s->units[u].types[i] && !~pool_type_place(t))
				pool_type_place_at(t, (uint32_t)u, (uint32_t)i);
		}
	}
}

/*
 * Let units that are needs_exact as a whole share no types with others. They could, for what they have
 * in common is clear; but a graph that is partly of one and partly of the other can have two types
 * in the place of one that another unit, or the base, has: the rule does not take them for equal
 * before it knows that they are.
 */
static void keep_exact_units_apart(struct resolver *s)
{
	bool any = false;

	for (size_t u = 0; u < s->nr_units; u++)
		any |= s->ret->units[u].all_exact;
	if (!any)
		return;
	place_in_others(s);
	/* a definition that they alone have is for the others what these declare */
	for (uint32_t id = 1; id < s->end; id++) {
		pool_ref r = pool_ref_to(resolver_rec(s, id), id);

		if (!pool_ref_is_named(r) || !~pool_type_place(type_pool_at(s->types, id)))
			continue;
		uint32_t *meaning = name_meaning(s, r);
		if (!*meaning || !~pool_type_place(type_pool_at(s->types, *meaning)))
			*meaning = id;
	}
}

void ambiguous_resolve(const struct type_pool *types, const struct str_pool *strings,
		       const struct resolve_unit *units, size_t nr_units,
		       const struct pool_ref_list *base_conflicts, struct resolved_names *ret)
{
	struct resolver s = {
		.types = types,
		.strings = strings,
		.units = units,
		.nr_units = nr_units,
		.base_conflicts = base_conflicts,
		.ret = ret,
		.end = atomic_load(&types->end),
		.nr_names = atomic_load(&strings->end),
	};

	*ret = (struct resolved_names){
		.units = mem_zalloc(nr_units, sizeof(ret->units[0])),
		.tainted = mem_zalloc(s.end, sizeof(ret->tainted[0])),
	};
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		ret->named[i] = mem_zalloc(s.nr_names, sizeof(ret->named[i][0]));
	s.tainted = ret->tainted;

	find_name_owners(&s);
	taint_lookalikes(&s);
	if (s.ambiguous.nr)
		find_private_names(&s);
	if (anything_tainted(&s)) {
		propagate_taint(&s);
		for (size_t u = 0; u < nr_units; u++)
			ret->units[u].needs_exact |= has_tainted(&s, &units[u]);
	}
	if (base_conflicts)
		find_units_like_base(&s);
	for (size_t u = 0; u < nr_units; u++) {
		ret->units[u].needs_exact |= units[u].irregular;
		ret->units[u].all_exact |= units[u].irregular;
		ret->nr_need_exact += ret->units[u].needs_exact;
	}
	keep_exact_units_apart(&s);
	if (ret->nr_need_exact)
		find_own_records(&s);
	FREE_ALL(s.def_of, s.relaxed, s.referrers_from, s.referrers, s.ambiguous.items,
		 s.defs.items);
}

void resolved_names_release(struct resolved_names *s)
{
	FREE_ALL(s->units, s->tainted, s->own);
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		free(s->named[i]);
	*s = (struct resolved_names){ 0 };
}
