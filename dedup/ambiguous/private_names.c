/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * private_names.c - names that mean something of their own in a few units
 *
 * Two drivers may each have a "struct port". That concerns nobody else as long as nothing
 * that leads to one of them is ever compared with anything outside. So for a ambiguous name
 * we let the few units that have an uncommon definition be needs_exact, and ask:
 *
 *   - from which types of such a unit can one get to the uncommon definition? Declarations
 *     end the way, so this is asked in the unit, not in the pool;
 *   - does another unit have such a type, or one that libbpf would compare with it because
 *     it has the same name and shape?
 *
 * If not, nothing in the rest of the program meets the uncommon definition, and there the
 * name means the common one. If so, perhaps another definition is the common one: of two drivers'
 * definitions one may be told by a header, so that all of the kernel leads to it, and no
 * unit but that driver's has the whole way. Else the name propagates: whatever leads to it has to be
 * needs_exact.
 *
 * One thing remains, what declarations mean: declared_names.c.
 */
#include "dedup/ambiguous/private_names.h"

#include "base/hash.h"

#include <stdlib.h>

/* --- what leads there --------------------------------------------------------------- */

static bool is_uncommon(const struct resolver *s, uint32_t id)
{
	uint32_t def = s->def_of[id];

	if (!def)
		return false;
	const struct ambiguous_name *n = &s->ambiguous.items[s->defs.items[def - 1].name];
	return !n->propagates && n->common != id;
}

/* A type of unit @u leads to @names as well. What it leads to in other units counts for all of them. */
static void add_leads(struct private_names *p, uint32_t stamp, uint32_t id, name_set names)
{
	name_set before = p->reached[id] == stamp ? p->leads[id] : 0;

	if (p->in_unit[id] != stamp || !(names & ~before))
		return;
	p->leads[id] |= names;
	p->reached[id] = stamp;
	vec_push(&p->todo, id);
}

/* From the uncommon definitions of unit @u to all that leads to them there. */
static void walk_unit(struct private_names *p, size_t u)
{
	const struct resolver *s = p->s;
	const struct resolve_unit *unit = &s->units[u];
	uint32_t stamp = (uint32_t)u + 1;

	for (size_t i = 1; i < unit->nr; i++)
		p->in_unit[unit->types[i]] = stamp;
	for (size_t i = p->met_from[u]; i < p->met_from[u + 1]; i++) {
		assert(p->met.items); /* or no unit would have any */

		uint32_t id = p->met.items[i];
		if (is_uncommon(s, id))
			add_leads(p, stamp, id, bit(definition_of(s, id)->name));
	}
	while (p->todo.nr) {
		uint32_t id = p->todo.items[--p->todo.nr];
		size_t node = type_node(s, id);

		each_referrer(s, node, by) add_leads(p, stamp, by, p->leads[id]);
	}
}

static void find_ways(struct private_names *p)
{
	memset(p->leads, 0, p->s->end * sizeof(p->leads[0]));
	memset(p->reached, 0, p->s->end * sizeof(p->reached[0]));
	memset(p->in_unit, 0, p->s->end * sizeof(p->in_unit[0]));
	find_referrers(p->s);
	for (size_t u = 0; u < p->s->nr_units; u++) {
		if (p->uncommon[u])
			walk_unit(p, u);
	}
}

/* --- is it met outside? -------------------------------------------------------------- */

/* What libbpf looks for candidates by. */
static uint64_t shape_hash(const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = hash_mix(rec[BTF_REC_NAME], rec[BTF_REC_INFO]);

	if (kind == BTF_TYPEDEF)
		return h | 1;
	h = hash_mix(h, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < vlen; i++)
		h = hash_mix(h, (uint64_t)rec[BTF_REC_WORDS + i * 3] << 32 |
					rec[BTF_REC_WORDS + i * 3 + 2]);
	return h | 1;
}

struct shape {
	uint64_t hash;     /* 0: free */
	name_set any, all; /* of the types that have it */
};

static struct shape *shape_at(struct shape *table, size_t mask, uint64_t hash)
{
	size_t i = hash >> 1 & mask;

	while (table[i].hash && table[i].hash != hash)
		i = (i + 1) & mask;
	return &table[i];
}

/* Names of which something is compared with a type that does not lead to them. */
static name_set met_by_shape(const struct private_names *p)
{
	const struct resolver *s = p->s;
	size_t nr = 0, slots = 64;
	name_set met = 0;

	for (uint32_t id = 1; id < s->end; id++)
		nr += p->leads[id] != 0;
	while (slots < nr * 2)
		slots *= 2;

	struct shape *table = mem_zalloc(slots, sizeof(*table));
	for (uint32_t id = 1; id < s->end; id++) {
		if (!p->leads[id] || !kind_is_compared(resolver_kind(s, id)))
			continue;
		uint64_t hash = shape_hash(resolver_rec(s, id));
		struct shape *sh = shape_at(table, slots - 1, hash);

		if (!sh->hash)
			*sh = (struct shape){ hash, 0, ~(name_set)0 };
	}
	for (uint32_t id = 1; nr && id < s->end; id++) {
		if (!kind_is_compared(resolver_kind(s, id)))
			continue;
		struct shape *sh = shape_at(table, slots - 1, shape_hash(resolver_rec(s, id)));

		if (!sh->hash)
			continue;
		sh->any |= p->leads[id];
		sh->all &= p->leads[id];
		met |= sh->any & ~sh->all;
	}
	free(table);
	return met;
}

/* Names of which a unit without an uncommon definition has something that leads there. */
static name_set met_in_units(const struct private_names *p)
{
	const struct resolver *s = p->s;
	bool *compared = mem_zalloc(s->end, sizeof(*compared));
	name_set met = 0;

	for (uint32_t id = 1; id < s->end; id++)
		compared[id] = p->leads[id] && kind_is_compared(resolver_kind(s, id));
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = 1; i < s->units[u].nr; i++) {
			uint32_t id = s->units[u].types[i];

			if (unlikely(compared[id]))
				met |= p->leads[id] & ~p->uncommon[u];
		}
	}
	free(compared);
	return met;
}

/*
 * Names whose common definition leads to an uncommon one of some name. It is only in units that are
 * needs_exact then, or the other name would be met, and so are some of those that lead to it.
 */
static name_set met_in_common(const struct private_names *p)
{
	const struct resolver *s = p->s;
	name_set met = 0;

	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
		const struct ambiguous_name *d = &s->ambiguous.items[n];

		if (d->common && !d->propagates && p->leads[d->common])
			met |= bit(n);
	}
	return met;
}

/* ------------------------------------------------------------------------------------- */

/* Let names mean something else, or spread, until none is met outside. */
static void find_propagating_names(struct private_names *p)
{
	struct resolver *s = p->s;
	unsigned int tries[MAX_NAMES] = { 0 };
	name_set met, propagating = 0;

	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++)
		propagating |= s->ambiguous.items[n].propagates ? bit(n) : 0;
	do {
		private_find_units(p);
		for (size_t u = 0; u < s->nr_units; u++)
			p->uncommon[u] &= ~propagating;
		find_ways(p);
		met = met_by_shape(p) | met_in_units(p) | met_in_common(p);
		for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
			if (!(met & bit(n)) || private_try_another(p, n, tries[n]++))
				continue;
			s->ambiguous.items[n].propagates = true;
			propagating |= bit(n);
		}
	} while (met);
}

/* The rule shall see all that @u says. */
static void need_all_exact(struct resolved_unit *u)
{
	*u = (struct resolved_unit){ .needs_exact = true, .all_exact = true };
}

void find_private_names(struct resolver *s)
{
	struct private_names p = {
		.s = s,
		.uncommon = mem_zalloc(s->nr_units, sizeof(name_set)),
		.declared = mem_zalloc(s->nr_units, sizeof(name_set)),
		.leads = mem_zalloc(s->end, sizeof(name_set)),
		.fwd_of = mem_zalloc(s->end, sizeof(uint32_t)),
		.in_unit = mem_zalloc(s->end, sizeof(uint32_t)),
		.reached = mem_zalloc(s->end, sizeof(uint32_t)),
	};

	private_list_met(&p);
	private_choose_common(&p);
	find_propagating_names(&p);
	private_bind(&p);
	for (size_t u = 0; u < s->nr_units; u++) {
		if (p.uncommon[u])
			need_all_exact(&s->ret->units[u]);
	}
	FREE_ALL(p.leads, p.uncommon, p.declared, p.fwd_of, p.met.items, p.met_from, p.in_unit,
		 p.reached, p.todo.items);
}
