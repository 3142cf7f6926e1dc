/* SPDX-License-Identifier: GPL-2.0-only */
/* name_owners.c - the definitions of each name, and which names have several */
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* By string id. [0] is for structs and unions, [1] for enums. */
struct owners {
	uint32_t *first[2];     /* the last definition that was found; 0: none */
	uint32_t *fwd_enum;     /* an enum declaration; 0: none */
	uint32_t *ambiguous[2]; /* 1 + index in resolver.ambiguous */
};

static unsigned int which(pool_ref name)
{
	return pool_ref_space(name) == POOL_ENUM;
}

static struct ambiguous_name *ambiguous_name(struct resolver *s, struct owners *o, pool_ref name)
{
	uint32_t *at = &o->ambiguous[which(name)][pool_ref_name(name)];

	if (!*at) {
		vec_push(&s->ambiguous, ((struct ambiguous_name){ .name = name }));
		*at = (uint32_t)s->ambiguous.nr;
	}
	return &s->ambiguous.items[*at - 1];
}

/* Type @id, which some unit has, defines or declares its name. */
static void add_owner(struct resolver *s, struct owners *o, uint32_t id)
{
	pool_ref r = pool_ref_to(resolver_rec(s, id), id);
	uint32_t *meaning = name_meaning(s, r);
	uint32_t *first = &o->first[which(r)][pool_ref_name(r)];

	if (resolver_kind(s, id) == BTF_FWD) {
		if (!*meaning)
			*meaning = id;
		return;
	}
	if (is_empty_enum(s, id)) {
		/* two declarations may differ in size, and each can map to any definition */
		if (o->fwd_enum[pool_ref_name(r)])
			ambiguous_name(s, o, ref_name(r));
		o->fwd_enum[pool_ref_name(r)] = id;
		if (!*meaning)
			*meaning = id;
		return;
	}
	if (*first)
		ambiguous_name(s, o, ref_name(r));
	*first = id;
	*meaning = id;
}

void find_name_owners(struct resolver *s)
{
	struct owners o = { .fwd_enum = mem_zalloc(s->nr_names, sizeof(uint32_t)) };

	for (unsigned int i = 0; i < 2; i++) {
		o.first[i] = mem_zalloc(s->nr_names, sizeof(uint32_t));
		o.ambiguous[i] = mem_zalloc(s->nr_names, sizeof(uint32_t));
	}
	for (uint32_t id = 1; id < s->end; id++) {
		if (pool_ref_is_named(pool_ref_to(resolver_rec(s, id), id)) &&
		    resolver_has_place(s, id))
			add_owner(s, &o, id);
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 0; i < s->units[u].nr_multiply_defined; i++)
			ambiguous_name(s, &o, s->units[u].multiply_defined[i])->multiply_defined =
				true;
	}
	for (size_t i = 0; s->base_conflicts && i < s->base_conflicts->nr; i++) {
		ambiguous_name(s, &o, ref_name(s->base_conflicts->items[i]))->propagates = true;
	}
	s->def_of = mem_zalloc(s->end, sizeof(s->def_of[0]));
	for (uint32_t id = 1; s->ambiguous.nr && id < s->end; id++) {
		pool_ref r = pool_ref_to(resolver_rec(s, id), id);

		if (!pool_ref_is_named(r) || !resolver_has_place(s, id) ||
		    resolver_kind(s, id) == BTF_FWD)
			continue;
		uint32_t name = o.ambiguous[which(r)][pool_ref_name(r)];
		if (!name)
			continue;
		vec_push(&s->defs, ((struct definition){ .id = id, .name = name - 1 }));
		s->def_of[id] = (uint32_t)s->defs.nr;
	}
	for (unsigned int i = 0; i < 2; i++) {
		free(o.first[i]);
		free(o.ambiguous[i]);
	}
	free(o.fwd_enum);
}
