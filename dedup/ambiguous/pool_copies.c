/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pool_copies.c - can the records of a needs_exact unit be taken from the pool?
 *
 * Compilers write a type twice in one unit, and the pool knows one: all that refers to either then
 * refers to the first. Copies are equal, and merge, so what is left to see is which of them they
 * merge into.
 *
 * Structs, unions, typedefs, enums and numbers are done by the rule in the order of the unit,
 * hence the first. What only refers is done when something that only refers asks for it, and that
 * may come before either, and mean the second (dedup_ref.c). Then the pool cannot tell.
 *
 * And copies may matter to a comparison after all (array_lookalikes.c).
 */
#include "base/arena.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

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

static bool only_refers(const uint32_t *rec)
{
	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_ARRAY:
	case BTF_FUNC_PROTO:
	case BTF_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

/*
 * What @rec refers to and has not been there yet was asked for first, and so was what that waits for
 * itself.
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
			if (only_refers(type_pool_at(c->types, r)->rec))
				vec_push(&c->waiting, r);
		}
		if (!c->waiting.nr)
			break;
		rec = type_pool_at(c->types, c->waiting.items[--c->waiting.nr])->rec;
	}
}

/* May the second of two copies of @id in unit @u merge into something else than the first? */
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
	/* most programs have no unit that is needs_exact */
	if (!c->of)
		c->of = mem_zalloc(atomic_load(&c->types->end), sizeof(c->of[0]));
	for (size_t i = 1; i < unit->nr; i++) {
		uint32_t id = unit->types[i];

		if (!id || !needs_exact_dedup(s, u, id))
			continue;

		const uint32_t *rec = type_pool_at(c->types, id)->rec;
		bool refers = only_refers(rec);
		if (c->of[id].there == mark &&
		    (which_matters(s, u, id) || (refers && c->of[id].asked == mark)))
			return false;
		c->of[id].there = mark;
		if (refers)
			ask(c, rec, mark);
	}
	return true;
}
