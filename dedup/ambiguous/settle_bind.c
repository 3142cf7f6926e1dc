/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle_bind.c - what does a declaration of a name with several definitions mean?
 *
 * With two definitions around, a declaration is bound only by comparing graphs, no longer
 * because the name is unique. Among the units that are not judged that happens as soon as one type is
 * compared that refers to the name directly, and meets the declaration in one unit and the
 * definition in another. Then the outcome is known, and is handed to the rule (settle_bind); if no
 * such type can be found, the name spreads, too.
 */
#include "dedup/ambiguous/settle_private.h"

#include <stdlib.h>

/* Names with a common definition mean that one. */
static void set_meanings(struct settling *s)
{
	for (size_t n = 0; n < s->doubtful.nr; n++) {
		uint32_t id = s->doubtful.items[n].common;

		if (id) {
			pool_ref r = pool_ref_to(settle_rec(s, id), id);

			*settle_meaning(s, r) = id;
		}
	}
}

/* The declarations of doubtful names that mean their common definition. */
static void find_declarations(struct private_names *p)
{
	const struct settling *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (p->fwd_of[id] && declares_common(s, &s->doubtful.items[p->fwd_of[id] - 1], id))
			p->fwd[p->fwd_of[id] - 1] = id;
	}
}

static size_t su_index(const struct settling *s, pool_ref r)
{
	return pool_ref_name(r) + (pool_ref_space(r) == POOL_UNION ? (size_t)s->nr_names : 0);
}

/*
 * By pool id: names that a type refers to, as what their common definition is, with nothing in between
 * that is compared by itself.
 */
static name_set *direct_names(const struct private_names *p)
{
	const struct settling *s = p->s;
	name_set *direct = mem_zalloc(s->end, sizeof(*direct));
	/* structs first, then unions */
	name_set *of_name = mem_zalloc(2 * (size_t)s->nr_names, sizeof(*of_name));

	for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
		uint32_t id = s->doubtful.items[n].common;
		pool_ref r = id ? pool_ref_to(settle_rec(s, id), id) : 0;

		if (id && pool_ref_space(r) != POOL_ENUM)
			of_name[su_index(s, r)] |= bit(n);
	}
	for (uint32_t id = 1; id < s->end; id++) {
		pool_ref r;

		each_ref(settle_rec(s, id), r)
		{
			if (!r || r == POOL_REF_INDEX)
				continue;
			if (!pool_ref_is_named(r))
				direct[id] |= kind_is_compared(settle_kind(s, r)) ? 0 : direct[r];
			else if (pool_ref_space(r) != POOL_ENUM)
				direct[id] |= of_name[su_index(s, r)];
		}
	}
	free(of_name);
	return direct;
}

/* Names whose declaration meets the common definition when some type is compared. */
static name_set bound_names(const struct private_names *p)
{
	const struct settling *s = p->s;
	name_set *direct = direct_names(p);
	name_set *with_decl = mem_zalloc(s->end, sizeof(*with_decl));
	name_set *with_def = mem_zalloc(s->end, sizeof(*with_def));
	bool *sure = mem_zalloc(s->end, sizeof(*sure));
	name_set bound = 0;

	/* only what is surely equal, whatever it leads to */
	for (uint32_t id = 1; id < s->end; id++)
		sure[id] = direct[id] && !s->unclear[id] && !p->leads[id] &&
			   kind_is_compared(settle_kind(s, id));
	for (size_t u = 0; u < s->nr_units; u++) {
		name_set decl = p->declared[u] & ~p->uncommon[u];
		name_set def = p->common[u] & ~p->uncommon[u];

		if (!(decl | def))
			continue;
		for (size_t i = 1; i < s->units[u].nr; i++) {
			uint32_t id = s->units[u].types[i];

			if (likely(!sure[id]))
				continue;
			with_decl[id] |= direct[id] & decl;
			with_def[id] |= direct[id] & def;
			bound |= with_decl[id] & with_def[id];
		}
	}
	free(direct);
	free(with_decl);
	free(with_def);
	free(sure);
	return bound;
}

/* Names that are bound to their common definition, after all that are not have spread. */
static name_set bound_or_spread(struct private_names *p)
{
	struct settling *s = p->s;
	name_set declared = 0, bound = 0;
	bool again;

	for (size_t u = 0; u < s->nr_units; u++)
		declared |= p->declared[u] & ~p->uncommon[u];
	do {
		again = false;
		settle_spread(s);
		bound = bound_names(p);
		for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
			struct doubtful *d = &s->doubtful.items[n];

			if (d->spreads || !d->common || (bound & bit(n)))
				continue;
			/* what was compared to find others bound may lead to this one */
			if (declared & bit(n))
				again = d->spreads = true;
		}
	} while (again);
	return bound;
}

static void bind_declarations(struct private_names *p)
{
	struct settling *s = p->s;
	name_set bound = bound_or_spread(p);

	for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
		const struct doubtful *d = &s->doubtful.items[n];

		if (!d->spreads && p->fwd[n] && d->common && (bound & bit(n)))
			vec_push(&s->ret->binds, ((struct settle_bind){ p->fwd[n], d->common }));
	}
}

/*
 * What leads to an uncommon definition may itself be several things by the rule, even if
 * all say the same. The units that are not judged do not have it, and where they declare it
 * the rule has to see the declaration.
 */
static void keep_declarations(struct private_names *p)
{
	struct settling *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_declaration(s, id))
			continue;
		pool_ref r = pool_ref_to(settle_rec(s, id), id);
		uint32_t *meaning = settle_meaning(s, r);

		if (p->fwd_of[id]) {
			const struct doubtful *d = &s->doubtful.items[p->fwd_of[id] - 1];

			if (!d->spreads && (!d->common || !declares_common(s, d, id)))
				*meaning = id;
		} else if (p->leads[*meaning]) {
			*meaning = id;
		}
	}
}

void private_bind(struct private_names *p)
{
	find_declarations(p);
	set_meanings(p->s);
	bind_declarations(p);
	keep_declarations(p);
}
