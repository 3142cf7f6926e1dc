/* SPDX-License-Identifier: GPL-2.0-only */
/* settle_names.c - who owns each name, and which names have several owners */
#include "dedup/ambiguous/settle_internal.h"

#include <stdlib.h>

/* By string id: 1 + index in doubtful names, of structs and unions, and of enums. */
struct owners {
	uint32_t *first[2]; /* the first definition */
	uint32_t *fwd_enum; /* the first enum without values */
	uint32_t *doubtful[2];
};

static unsigned int which(pool_ref name)
{
	return pool_ref_space(name) == POOL_ENUM;
}

static struct doubtful *doubt(struct settling *s, struct owners *o, pool_ref name)
{
	uint32_t *at = &o->doubtful[which(name)][pool_ref_name(name)];

	if (!*at) {
		vec_push(&s->doubtful, ((struct doubtful){ .name = name }));
		*at = (uint32_t)s->doubtful.nr;
	}
	return &s->doubtful.items[*at - 1];
}

static bool has_place(const struct settling *s, uint32_t id)
{
	return atomic_load_explicit(&type_pool_at(s->types, id)->unplaced, memory_order_relaxed);
}

/* Note what a named type means to its name. */
static void add_owner(struct settling *s, struct owners *o, uint32_t id)
{
	pool_ref r = pool_ref_to(settle_rec(s, id), id);
	uint32_t *meaning = settle_meaning(s, r);
	uint32_t *first = &o->first[which(r)][pool_ref_name(r)];

	if (settle_kind(s, id) == BTF_FWD) {
		if (!*meaning)
			*meaning = id;
		return;
	}
	if (settle_is_empty_enum(s, id)) {
		/* of two such, which may differ in size, each can become any enum */
		if (o->fwd_enum[pool_ref_name(r)])
			doubt(s, o, settle_name(r));
		o->fwd_enum[pool_ref_name(r)] = id;
		if (!*meaning)
			*meaning = id;
		return;
	}
	if (*first)
		doubt(s, o, settle_name(r));
	*first = id;
	*meaning = id;
}

void settle_find_owners(struct settling *s)
{
	struct owners o = { .fwd_enum = mem_zalloc(s->nr_names, sizeof(uint32_t)) };

	for (unsigned int i = 0; i < 2; i++) {
		o.first[i] = mem_zalloc(s->nr_names, sizeof(uint32_t));
		o.doubtful[i] = mem_zalloc(s->nr_names, sizeof(uint32_t));
	}
	for (uint32_t id = 1; id < s->end; id++) {
		if (pool_ref_is_named(pool_ref_to(settle_rec(s, id), id)) && has_place(s, id))
			add_owner(s, &o, id);
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 0; i < s->units[u].nr_crowded; i++)
			doubt(s, &o, s->units[u].crowded[i])->crowded = true;
	}
	for (size_t i = 0; s->other && i < s->other->nr; i++) {
		if (pool_ref_is_named(s->other->items[i]))
			doubt(s, &o, settle_name(s->other->items[i]))->spreads = true;
	}
	s->def_of = mem_zalloc(s->end, sizeof(s->def_of[0]));
	for (uint32_t id = 1; s->doubtful.nr && id < s->end; id++) {
		pool_ref r = pool_ref_to(settle_rec(s, id), id);

		if (!pool_ref_is_named(r) || !has_place(s, id) || settle_kind(s, id) == BTF_FWD)
			continue;
		uint32_t name = o.doubtful[which(r)][pool_ref_name(r)];
		if (!name)
			continue;
		vec_push(&s->defs, ((struct definition){ .id = id, .name = name - 1 }));
		s->def_of[id] = (uint32_t)s->defs.nr;
	}
	for (unsigned int i = 0; i < 2; i++) {
		free(o.first[i]);
		free(o.doubtful[i]);
	}
	free(o.fwd_enum);
}
