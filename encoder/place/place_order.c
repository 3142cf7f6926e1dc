/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place_order.c - what the order of the input says of places
 *
 * A linker takes the sections of one name in the order of its input, so the homes of one name
 * ascend in it. Not if the script or an option sorts them (SORT_BY_ALIGNMENT, --sort-section);
 * but whether they do is seen in those that are known already. Known are, first of all, homes
 * with global variables, whose symbols are found by name alone.
 *
 * The variables of a member of gcc are homes of their own, and in no order among each other. Those of
 * one unit and section come before those of the next.
 *
 * The longest ascending part of what is known is believed. If that is nearly all, the few
 * others are mistakes: a weak definition that was overridden lies where the other one is.
 *
 * Groups ascend as well with lld. GNU ld puts the symbols of an object where the first of its
 * sections in the output is. With -r that is in order, but not with a script that puts .text.hot
 * or .text.unlikely before .text, for then the objects that have some come before all others.
 * One group that is known to be elsewhere is enough to believe nothing of groups: the next one
 * that is may be one that is looked for. To know that, it is enough that the file of a group is
 * that of one unit alone.
 */
#include "encoder/place/place_match.h"

#include "base/sort.h"

#include <stdlib.h>

/* The longest part of @seq that ascends; *ret_nr of them, in @seq itself. */
static size_t longest_ascending(const struct place_match *m, uint32_t *seq, size_t nr)
{
	size_t *ends = mem_alloc((nr + 1) * sizeof(ends[0])); /* by length - 1: its lowest end */
	size_t *before = mem_alloc((nr + 1) * sizeof(before[0]));
	size_t len = 0;

	for (size_t i = 0; i < nr; i++) {
		struct place_at start = m->home_states[seq[i]].start;
		size_t at = LOWER_BOUND(0, len, k,
					place_before(m->home_states[seq[ends[k]]].start, start));

		before[i] = at ? ends[at - 1] : 0;
		ends[at] = i;
		if (at == len)
			len++;
	}
	for (size_t i = len, at = len ? ends[len - 1] : 0; i-- > 0; at = before[at])
		ends[i] = at;
	for (size_t i = 0; i < len; i++)
		seq[i] = seq[ends[i]]; /* ends[i] >= i */
	free(ends);
	free(before);
	return len;
}

/* Most, for one that is wrong among many that are right is an overridden weak definition. */
static bool most(size_t part, size_t whole)
{
	return part * 8 >= whole * 7;
}

struct known_home {
	uint32_t unit, home;
	struct place_at start;
};

static int compare_known(const void *a, const void *b)
{
	const struct known_home *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	if (place_before(x->start, y->start))
		return -1;
	if (place_before(y->start, x->start))
		return 1;
	return (x->home > y->home) - (x->home < y->home);
}

/* Sort homes by unit, and those of one unit by place. */
static void sort_known(const struct place_match *m, uint32_t *seq, size_t nr)
{
	struct known_home *known = mem_alloc((nr + 1) * sizeof(known[0]));

	for (size_t i = 0; i < nr; i++)
		known[i] = (struct known_home){ m->homes[seq[i]].unit, seq[i],
						m->home_states[seq[i]].start };
	qsort(known, nr, sizeof(known[0]), compare_known);
	for (size_t i = 0; i < nr; i++)
		seq[i] = known[i].home;
	free(known);
}

/* Mark those of [@first, @end) that ascend, and forget what was said of the others. */
static size_t mark_ascending(struct place_match *m, size_t first, size_t end, size_t *ret_known)
{
	uint32_t *seq = mem_alloc((end - first) * sizeof(seq[0]));
	size_t nr = 0;

	for (size_t i = first; i < end; i++) {
		struct place_home_state *hs = &m->home_states[m->by_name[i]];

		hs->in_order = false;
		hs->from = (struct place_at){ 0 };
		hs->to = PLACE_END;
		if (hs->solved || hs->known)
			seq[nr++] = m->by_name[i];
	}
	sort_known(m, seq, nr);
	size_t len = longest_ascending(m, seq, nr);
	for (size_t i = 0; i < len; i++)
		m->home_states[seq[i]].in_order = true;
	free(seq);
	*ret_known = nr;
	return len;
}

bool place_same_unit(const struct place_match *m, size_t i, size_t k)
{
	return m->homes[m->by_name[i]].unit == m->homes[m->by_name[k]].unit;
}

/* Those without the name of a section may be in any. */
static bool has_name(const struct place_match *m, size_t i)
{
	return m->homes[m->by_name[i]].name != 0;
}

bool place_order_run(struct place_match *m, size_t first, size_t end)
{
	enum { MANY = 8 }; /* that ascend do not do so by chance */
	struct place_at from = { 0 }, to = PLACE_END;
	size_t nr, len = mark_ascending(m, first, end, &nr);

	if (!has_name(m, first) || !most(len, nr) ||
	    (nr < MANY && !most(m->nr_in_order, m->nr_known)))
		return false;
	/* the homes before those of @i's unit end at @from; @beyond counts that unit, too */
	struct place_at beyond = from;
	for (size_t i = first; i < end; i++) {
		struct place_home_state *hs = &m->home_states[m->by_name[i]];

		if (i == first || !place_same_unit(m, i - 1, i))
			from = beyond;
		hs->from = hs->in_order ? hs->start : from;
		if (place_before(beyond, hs->from))
			beyond = hs->from;
	}
	beyond = to;
	for (size_t i = end; i-- > first;) {
		struct place_home_state *hs = &m->home_states[m->by_name[i]];

		if (i + 1 == end || !place_same_unit(m, i, i + 1))
			to = beyond;
		hs->to = to;
		if (hs->in_order) {
			hs->to = hs->start;
			hs->to.value++;
			if (place_before(hs->start, beyond))
				beyond = hs->start;
		}
	}
	return true;
}

size_t place_end_of_run(const struct place_match *m, size_t first)
{
	uint32_t name = m->homes[m->by_name[first]].name;
	size_t end = first;

	while (end < m->nr_homes && m->homes[m->by_name[end]].name == name)
		end++;
	return end;
}

void place_order_homes(struct place_match *m)
{
	m->nr_known = m->nr_in_order = 0;
	for (size_t i = 0, end; i < m->nr_homes; i = end) {
		size_t known;

		end = place_end_of_run(m, i);
		size_t len = mark_ascending(m, i, end, &known);
		if (known < 2 || !has_name(m, i))
			continue;
		m->nr_known += known;
		m->nr_in_order += len;
	}
	for (size_t i = 0, end; i < m->nr_homes; i = end) {
		end = place_end_of_run(m, i);
		place_order_run(m, i, end);
	}
}

/* Where its global variables say that @home is, those that no other unit has. */
static bool globals_say(const struct place_match *m, const struct place_home *h,
			struct place_at *ret)
{
	const struct unit_var *v = place_vars(m, h);
	bool any = false;

	for (uint32_t i = 0; i < h->nr; i++) {
		if (v[i].linkage != BTF_LINK_GLOBAL || !m->globals[v[i].symbol] ||
		    m->nr_defs[v[i].symbol] > 1)
			continue;
		const struct symbol *s = &m->symtab->all[m->globals[v[i].symbol] - 1];
		const struct place_at start = { s->section, s->value - v[i].offset };

		if (s->section >= SYMBOL_RESERVED)
			continue;
		if (any && (ret->section != start.section || ret->value != start.value))
			return false;
		*ret = start;
		any = true;
	}
	return any;
}

void place_find_known(struct place_match *m)
{
	for (uint32_t i = 0; i < m->nr_homes; i++) {
		struct place_home_state *hs = &m->home_states[i];

		hs->known = !hs->merged && globals_say(m, &m->homes[i], &hs->start) &&
			    place_home_fits(m, i, PLACE_NONE, hs->start);
	}
}

bool place_groups_ascend(const struct place_match *m)
{
	enum { ENOUGH = 4 };
	uint32_t last = 0, nr = 0;

	for (uint32_t i = 0; i < m->nr_units; i++) {
		const struct place_unit_state *u = &m->unit_states[i];
		bool known = u->group != PLACE_NONE;
		uint32_t g = known ? u->group : u->namesake;

		if (g == PLACE_NONE)
			continue;
		if (g < last)
			return false;
		last = g;
		nr += known;
	}
	return nr >= ENOUGH;
}

void place_order_groups(struct place_match *m)
{
	bool ascend = place_groups_ascend(m);
	uint32_t from = 0, to = PLACE_NONE;

	for (uint32_t i = 0; i < m->nr_units; i++) {
		struct place_unit_state *u = &m->unit_states[i];

		u->from = from;
		if (ascend && u->group != PLACE_NONE)
			from = u->group + 1;
	}
	for (uint32_t i = (uint32_t)m->nr_units; i-- > 0;) {
		struct place_unit_state *u = &m->unit_states[i];

		u->to = to;
		if (ascend && u->group != PLACE_NONE)
			to = u->group;
	}
}
