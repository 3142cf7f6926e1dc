/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pool_copies.c - can the records of a unit that needs exact dedup be taken from the pool?
 *
 * Reading a unit again is expensive: it doubles the time and the memory for amdgpu.ko. The pool has
 * the unit's records, so usually nothing needs to be read again. But compilers emit a type twice in one unit,
 * and the pool has it once: everything that refers to one of the copies refers to the first. The
 * copies are equal and libbpf merges them, so the question is which copy libbpf keeps, and whether
 * it compares the copies with others on the way.
 *
 *  - libbpf visits structs, typedefs, enums and numbers in the order of their ids, so the first copy
 *    stays. It visits types that only refer, such as pointers, when another of them needs their id
 *    (docs/spec/dedup.md 3.10). If that happens before the first copy, the second may stay, and the
 *    pool does not tell.
 *  - A copy that can be confused with another type (array_lookalikes.c) may merge into that type.
 *    find_own_records() finds the types for which this matters: those that lead to an array in
 *    the place of a different one, as long as another type has the same relaxed hash, and those
 *    that lead to a name that some unit defines several times.
 *
 * These types must also be own records in each unit that needs exact dedup, with all that leads to
 * them: if two units shared an array, libbpf would find it equal without comparing it.
 */
#include "base/cleanup.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* --- for which types do copies matter? ---------------------------------------------------- */

/*
 * Walk two types with equal relaxed hashes in step, and mark the different arrays that meet. False
 * if the walk is too long.
 */
static bool mark_unlike_arrays(const struct resolver *s, struct pair first)
{
	struct pairs todo = { 0 };
	uint8_t *own = s->ret->own;
	size_t steps = 0;

	vec_push(&todo, first);
	while (todo.nr && ++steps < MAX_STEPS) {
		struct pair p = todo.items[--todo.nr];
		struct btf_refs ia = btf_rec_refs(resolver_rec(s, p.a));
		struct btf_refs ib = btf_rec_refs(resolver_rec(s, p.b));
		pool_ref ra, rb;

		if (resolver_kind(s, p.a) == BTF_ARRAY)
			own[p.a] = own[p.b] = OWN_COPIES;
		while (pool_refs_next(&ia, &ra) && pool_refs_next(&ib, &rb)) {
			if (ra != rb && ref_is_id(ra) && ref_is_id(rb) &&
			    s->relaxed[ra] == s->relaxed[rb])
				vec_push(&todo, ((struct pair){ ra, rb }));
		}
	}
	free(todo.items);
	return steps < MAX_STEPS;
}

/* Mark arrays that differ between lookalikes. False if there are too many. */
static bool mark_arrays(struct resolver *s)
{
	CLEANUP(lookalikes_release) struct lookalikes l = { 0 };

	find_lookalikes(s, LOOK_NAMES, &l);
	/* a place in which two types of a group differ is one in which one of them differs from the first */
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

/* By node: is it a name that some unit defines several times? */
static bool *find_multiply_defined(const struct resolver *s)
{
	bool *ret = mem_zalloc(nr_nodes(s), sizeof(*ret));

	for (size_t i = 0; i < s->ambiguous.nr; i++)
		ret[ref_node(s, s->ambiguous.items[i].name)] |=
			s->ambiguous.items[i].multiply_defined;
	return ret;
}

/* By pool id: may another type have the same relaxed hash? */
static bool *find_alike(const struct resolver *s)
{
	CLEANUP(lookalikes_release) struct lookalikes l = { 0 };
	bool *ret = mem_zalloc(s->end, sizeof(*ret));

	find_lookalikes(s, LOOK_ALL, &l);
	for (size_t i = 0; i < l.nr; i++)
		ret[l.items[i].id] = true;
	return ret;
}

/* Extend OWN_COPIES and OWN_NAMES to types that lead there. Records refer to lower ids. */
static void propagate_copies(struct resolver *s)
{
	bool *multiple = find_multiply_defined(s), *alike = find_alike(s);
	uint8_t *own = s->ret->own;
	pool_ref r;

	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (ref_is_id(r))
				own[id] |= own[r] &
					   (alike[id] ? OWN_COPIES | OWN_NAMES : OWN_NAMES);
			else if (pool_ref_is_named(r) && multiple[ref_node(s, r)])
				own[id] |= OWN_NAMES;
		}
	}
	free(multiple);
	free(alike);
}

/*
 * Add all that leads to own records, and declarations of it. Otherwise such a type would lead to a
 * record of another unit, and one type would meet two.
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

/* --- which units have copies that matter? ------------------------------------------------- */

void pool_copies_init(struct pool_copies *c, const struct type_pool *types,
		      const struct resolved_names *s)
{
	*c = (struct pool_copies){ .types = types, .resolved = s };
}

void pool_copies_release(struct pool_copies *c)
{
	free(c->of);
	free(c->waiting.items);
}

/*
 * Types that @rec refers to and that the unit did not have yet are visited by libbpf now, with all
 * that they refer to.
 */
static void ask(struct pool_copies *c, const uint32_t *rec, uint32_t mark)
{
	for (;;) {
		pool_ref r;

		each_ref(rec, r)
		{
			if (!ref_is_id(r) || c->of[r].there == mark || c->of[r].asked == mark)
				continue;
			c->of[r].asked = mark;
			if (dedup_in_ref_pass(
				    btf_info_kind(type_pool_at(c->types, r)->rec[BTF_REC_INFO])))
				vec_push(&c->waiting, r);
		}
		if (!c->waiting.nr)
			break;
		rec = type_pool_at(c->types, c->waiting.items[--c->waiting.nr])->rec;
	}
}

/* May the second of two copies of @id in unit @u merge into another type than the first? */
static bool which_matters(const struct resolved_names *s, size_t u, uint32_t id)
{
	return s->tainted[id] || (s->own[id] & (OWN_COPIES | OWN_NAMES)) ||
	       (s->units[u].all_exact && s->names_look_alike) || s->units[u].like_base;
}

bool pool_copies_suffice(struct pool_copies *c, size_t u, const struct resolve_unit *unit)
{
	const struct resolved_names *s = c->resolved;
	uint32_t mark = (uint32_t)u + 1;

	if (unit->irregular || unit->nr_multiply_defined)
		return false;
	if (!c->of)
		c->of = mem_zalloc(atomic_load(&c->types->end), sizeof(c->of[0]));
	id_list_each(unit->types, t)
	{
		uint32_t id = t.id;

		if (!id || !needs_exact_dedup(s, u, id))
			continue;

		const uint32_t *rec = type_pool_at(c->types, id)->rec;
		bool refers = dedup_in_ref_pass(btf_info_kind(rec[BTF_REC_INFO]));
		if (c->of[id].there == mark &&
		    (which_matters(s, u, id) || (refers && c->of[id].asked == mark)))
			return false;
		c->of[id].there = mark;
		if (refers)
			ask(c, rec, mark);
	}
	return true;
}
