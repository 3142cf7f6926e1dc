/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle.c - see settle.h
 *
 * Most programs have no name with two meanings, and most of those that have are done with
 * in settle_private.c. What is left spreads: a type is unclear if it refers to one that is,
 * by id or by name, and a unit that has an unclear type is judged.
 *
 * Only what is unclear, that is. A clear type leads to clear ones alone, so it is equal to
 * what others say by the same record, whatever it is compared with; and an unclear one leads to
 * what its own unit says, or to what all units say alike.
 */
#include "dedup/ambiguous/settle.h"

#include "dedup/ambiguous/settle_internal.h"

#include <stdlib.h>

static bool has_unclear(const struct settling *s, const struct settle_unit *u)
{
	for (size_t i = 1; i < u->nr; i++) {
		if (s->unclear[u->types[i]])
			return true;
	}
	return false;
}

static bool anything_unclear(const struct settling *s)
{
	for (size_t i = 0; i < s->doubtful.nr; i++) {
		if (s->doubtful.items[i].spreads)
			return true;
	}
	return memchr(s->unclear, 1, s->end);
}

/* Units that have a type which looks like one of the base (base_alike.h) are judged as a whole. */
static void judge_alike(const struct settling *s)
{
	bool *alike = mem_zalloc(s->end, sizeof(*alike)), any = false;

	for (size_t i = 0; i < s->other->nr; i++) {
		if (!pool_ref_is_named(s->other->items[i]))
			any = alike[s->other->items[i]] = true;
	}
	for (size_t u = 0; any && u < s->nr_units; u++) {
		for (size_t i = 1; i < s->units[u].nr; i++)
			s->ret->units[u].alike |= alike[s->units[u].types[i]];
		s->ret->units[u].whole |= s->ret->units[u].alike;
		s->ret->units[u].judged |= s->ret->units[u].whole;
	}
	free(alike);
}

/* The first of the other units that has a type says it for all of them. */
static void place_in_others(struct settling *s)
{
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 1; s->ret->units[u].whole && i < s->units[u].nr; i++) {
			if (s->units[u].types[i])
				pool_type_unplace(type_pool_at(s->types, s->units[u].types[i]),
						  (uint32_t)u);
		}
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 1; !s->ret->units[u].whole && i < s->units[u].nr; i++) {
			struct pool_type *t = type_pool_at(s->types, s->units[u].types[i]);

			if (s->units[u].types[i] && !~pool_type_place(t))
				pool_type_place_at(t, (uint32_t)u, (uint32_t)i);
		}
	}
}

/*
 * Let units that are judged as a whole share no types with others. They could, for what they have
 * in common is clear; but a graph that is partly of one and partly of the other can have two types
 * in the place of one that another unit, or the base, has: the rule does not take them for equal
 * before it knows that they are.
 */
static void keep_whole_apart(struct settling *s)
{
	bool any = false;

	for (size_t u = 0; u < s->nr_units; u++)
		any |= s->ret->units[u].whole;
	if (!any)
		return;
	place_in_others(s);
	/* a definition that they alone have is for the others what these declare */
	for (uint32_t id = 1; id < s->end; id++) {
		pool_ref r = pool_ref_to(settle_rec(s, id), id);

		if (!pool_ref_is_named(r) || !~pool_type_place(type_pool_at(s->types, id)))
			continue;
		uint32_t *meaning = settle_meaning(s, r);
		if (!*meaning || !~pool_type_place(type_pool_at(s->types, *meaning)))
			*meaning = id;
	}
}

void settle(const struct type_pool *types, const struct str_pool *strings,
	    const struct settle_unit *units, size_t nr_units, const struct pool_ref_list *other,
	    struct settled *ret)
{
	struct settling s = {
		.types = types,
		.strings = strings,
		.units = units,
		.nr_units = nr_units,
		.other = other,
		.ret = ret,
		.end = atomic_load(&types->end),
		.nr_names = atomic_load(&strings->end),
	};

	*ret = (struct settled){
		.units = mem_zalloc(nr_units, sizeof(ret->units[0])),
		.unclear = mem_zalloc(s.end, sizeof(ret->unclear[0])),
	};
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		ret->named[i] = mem_zalloc(s.nr_names, sizeof(ret->named[i][0]));
	s.unclear = ret->unclear;

	settle_find_owners(&s);
	settle_mark_odd(&s);
	if (s.doubtful.nr)
		settle_private_names(&s);
	if (anything_unclear(&s)) {
		settle_spread(&s);
		for (size_t u = 0; u < nr_units; u++)
			ret->units[u].judged |= has_unclear(&s, &units[u]);
	}
	if (other)
		judge_alike(&s);
	for (size_t u = 0; u < nr_units; u++) {
		ret->units[u].judged |= units[u].odd;
		ret->units[u].whole |= units[u].odd;
		ret->nr_judged += ret->units[u].judged;
	}
	keep_whole_apart(&s);
	if (ret->nr_judged)
		settle_find_own(&s);
	free(s.def_of);
	free(s.loose);
	free(s.referrers_from);
	free(s.referrers);
	free(s.doubtful.items);
	free(s.defs.items);
}

void settled_release(struct settled *s)
{
	free(s->units);
	free(s->unclear);
	free(s->own);
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		free(s->named[i]);
	*s = (struct settled){ 0 };
}
