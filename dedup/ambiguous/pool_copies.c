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
 *  - libbpf may merge copies of a tainted type, and of a type that leads to a name which some unit
 *    defines several times, into different types (find_copies_that_matter()).
 */
#include "base/cleanup.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* --- for which types do copies matter? ---------------------------------------------------- */

/* By node: is it a name that some unit defines several times? */
static bool *find_multiply_defined(const struct resolver *s)
{
	bool *ret = mem_zalloc(nr_nodes(s), sizeof(*ret));

	for (size_t i = 0; i < s->ambiguous.nr; i++)
		ret[ref_node(s, s->ambiguous.items[i].name)] |=
			s->ambiguous.items[i].multiply_defined;
	return ret;
}

void find_copies_that_matter(struct resolver *s)
{
	CLEANUP(mem_free) bool *multiple = find_multiply_defined(s);
	bool *matter = mem_dup(s->tainted, s->end * sizeof(*matter));
	pool_ref r;

	/* a record refers to lower ids, which are decided before it */
	for (uint32_t id = 1; id < s->end; id++) {
		each_ref(resolver_rec(s, id), r)
		{
			if (ref_is_id(r))
				matter[id] |= matter[r];
			else if (pool_ref_is_named(r))
				matter[id] |= multiple[ref_node(s, r)];
		}
	}
	s->ret->copies_matter = matter;
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
		    (s->copies_matter[id] || (refers && c->of[id].asked == mark)))
			return false;
		c->of[id].there = mark;
		if (refers)
			ask(c, rec, mark);
	}
	return true;
}
