/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * private_names.c - ambiguous names that concern few units
 *
 * Two drivers may each define a "struct port". That concerns no other unit as long as libbpf never
 * compares a type that leads to one of the definitions with a type of a unit without it. So for an
 * ambiguous name, the units that have an uncommon definition emit all their records themselves,
 * and two questions remain:
 *
 *   - Which types of such a unit lead to the uncommon definition? Declarations end the way, and
 *     other units may have the definition where this one has a declaration. So the walk visits the
 *     types of one unit only (walk_unit()).
 *   - Does another unit have such a type, or one that libbpf compares with it because it has the
 *     same name and shape (met_in_units(), met_by_shape())?
 *
 * If there is none, the name is private: in the rest of the program it has its common definition.
 * If there is one, another definition may be the common one: if a header has one of two drivers'
 * definitions, the whole kernel leads to it, but only the other driver's units lead to the second.
 * If no definition works, the name propagates.
 *
 * The loop in find_propagating_names() repeats this, because a choice for one name changes which
 * types lead to others. In Debian's arm64 kernel 116 units need exact dedup. Without the choice of
 * another definition 1,842 units would need it.
 */
#include "base/cleanup.h"
#include "base/hash_table.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* Names are bits of a word. Names beyond that propagate. */
enum { MAX_NAMES = 64 };

typedef uint64_t name_set;

struct private_names {
	struct resolver *s;
	/* by unit: names of which it has an uncommon definition, or declares the common one */
	name_set *uncommon, *declared;
	/* by pool id: names to whose uncommon definitions the type leads in some unit */
	name_set *leads;
	uint32_t *fwd_of; /* by pool id: ambiguous name plus 1 that it declares */
	/* the types of all units that define or declare an ambiguous name, by unit */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} met;
	size_t *met_from;   /* by unit, and one more: the start of its types in @met */
	name_set uncertain; /* names of which no definition can be the common one */
	/* by pool id: 1 + the last unit in which walk_unit() found it, and reached it */
	uint32_t *in_unit, *reached;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} todo; /* reached; referrers not visited */
};

static inline name_set bit(size_t name)
{
	return (name_set)1 << name;
}

static inline const struct definition *definition_of(const struct resolver *s, uint32_t id)
{
	return &s->defs.items[s->def_of[id] - 1];
}

/* A FWD without a name, as in damaged BTF, declares nothing. */
static inline bool is_forward(const struct resolver *s, uint32_t id)
{
	return resolver_kind(s, id) == BTF_FWD && resolver_rec(s, id)[BTF_REC_NAME];
}

/* Can declaration @id mean the common definition of @d? "union foo;" does not declare a struct. */
static inline bool declares_common(const struct resolver *s, const struct ambiguous_name *d,
				   uint32_t id)
{
	return !d->common || pool_ref_to(resolver_rec(s, d->common), d->common) ==
				     pool_ref_to(resolver_rec(s, id), id);
}

/* --- which unit has which definition? ---------------------------------------------------- */

/* If at most so many units define a name, all its definitions are uncommon at first. */
enum { FEW_UNITS = 32 };

/* How many definitions to try as the common one. Each try visits all types. */
enum { MAX_TRIES = 4 };

/* Fill @fwd_of. */
static void mark_declarations(struct private_names *p)
{
	const struct resolver *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_forward(s, id))
			continue;
		pool_ref name = ref_name(pool_ref_to(resolver_rec(s, id), id));
		for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
			if (s->ambiguous.items[n].name == name)
				p->fwd_of[id] = (uint32_t)n + 1;
		}
	}
}

/* Fill @met, which later questions visit instead of the millions of types of all units. */
static void list_met(struct private_names *p)
{
	const struct resolver *s = p->s;
	bool *marked = mem_zalloc(s->end, sizeof(*marked));

	for (uint32_t id = 1; id < s->end; id++)
		marked[id] = s->def_of[id] || p->fwd_of[id];
	p->met_from = mem_alloc((s->nr_units + 1) * sizeof(p->met_from[0]));
	for (size_t u = 0; u < s->nr_units; u++) {
		p->met_from[u] = p->met.nr;
		id_list_each(s->units[u].types, t)
		{
			if (unlikely(marked[t.id]))
				vec_push(&p->met, t.id);
		}
	}
	p->met_from[s->nr_units] = p->met.nr;
	free(marked);
}

/* The ambiguous name that type @id of @met defines or declares. */
static uint32_t name_met(const struct private_names *p, uint32_t id)
{
	return p->s->def_of[id] ? definition_of(p->s, id)->name : p->fwd_of[id] - 1;
}

/*
 * Find names of which no definition can be the common one. The pool cannot tell what a type of an
 * irregular unit is equal to, so libbpf may bind declarations by it. In a unit that defines a name
 * several times, libbpf may bind a declaration to any definition. It maps an enum declaration to
 * the first definition.
 */
static void find_uncertain(struct private_names *p)
{
	const struct resolver *s = p->s;

	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++)
		p->uncertain |= s->ambiguous.items[n].multiply_defined ? bit(n) : 0;
	for (size_t i = 0; i < s->defs.nr; i++) {
		const struct definition *d = &s->defs.items[i];

		if (d->name < MAX_NAMES && is_empty_enum(s, d->id))
			p->uncertain |= bit(d->name);
	}
	for (size_t u = 0; u < s->nr_units; u++) {
		for (size_t i = p->met_from[u]; s->units[u].irregular && i < p->met_from[u + 1];
		     i++) {
			uint32_t n = name_met(p, p->met.items[i]);

			p->uncertain |= n < MAX_NAMES ? bit(n) : 0;
		}
	}
}

static void count_units(const struct private_names *p)
{
	struct resolver *s = p->s;

	for (size_t i = 0; i < p->met.nr; i++) {
		uint32_t def = s->def_of[p->met.items[i]];

		if (def)
			s->defs.items[def - 1].nr_units++;
	}
}

/* The order in which definitions are tried: most units first, then the first in the program. */
static bool comes_before(const struct resolver *s, const struct definition *a,
			 const struct definition *b)
{
	if (a->nr_units != b->nr_units)
		return a->nr_units > b->nr_units;
	return pool_type_place(type_pool_at(s->types, a->id)) <
	       pool_type_place(type_pool_at(s->types, b->id));
}

/* The definition to try after @common, or the first one if that is 0. 0: none is left. */
static uint32_t next_common(const struct resolver *s, size_t name, uint32_t common)
{
	const struct definition *last = common ? definition_of(s, common) : NULL;
	const struct definition *next = NULL;

	for (size_t i = 0; i < s->defs.nr; i++) {
		const struct definition *d = &s->defs.items[i];

		if (d->name == name && (!last || comes_before(s, last, d)) &&
		    (!next || comes_before(s, d, next)))
			next = d;
	}
	return next ? next->id : 0;
}

/* Fill all that does not depend on the choice of common definitions. */
static void list_met_types(struct private_names *p)
{
	mark_declarations(p);
	list_met(p);
	count_units(p);
	find_uncertain(p);
}

static void choose_common(struct private_names *p)
{
	struct resolver *s = p->s;

	for (size_t n = 0; n < s->ambiguous.nr; n++) {
		struct ambiguous_name *name = &s->ambiguous.items[n];
		uint32_t total = 0;

		for (size_t i = 0; n < MAX_NAMES && i < s->defs.nr; i++)
			total += s->defs.items[i].name == n ? s->defs.items[i].nr_units : 0;
		if (n >= MAX_NAMES || (p->uncertain & bit(n) && total > FEW_UNITS))
			name->propagates = true;
		else if (total > FEW_UNITS)
			name->common = next_common(s, n, 0);
	}
}

/*
 * An outside type meets an uncommon definition of @name: choose another common definition, for the
 * @tries-th time. False if none is left.
 */
static bool try_another(const struct private_names *p, size_t name, unsigned int tries)
{
	struct ambiguous_name *n = &p->s->ambiguous.items[name];
	uint32_t next = 0;

	if (!(p->uncertain & bit(name)) && tries < MAX_TRIES)
		next = next_common(p->s, name, n->common);
	if (next)
		n->common = next;
	return next;
}

/* Fill @uncommon and @declared for the present choice. */
static void find_units(struct private_names *p)
{
	struct resolver *s = p->s;

	for (size_t u = 0; u < s->nr_units; u++) {
		const struct resolve_unit *unit = &s->units[u];

		p->uncommon[u] = p->declared[u] = 0;
		for (size_t i = p->met_from[u]; i < p->met_from[u + 1]; i++) {
			uint32_t id = p->met.items[i];
			uint32_t n = name_met(p, id);
			if (n >= MAX_NAMES)
				continue;
			const struct ambiguous_name *d = &s->ambiguous.items[n];

			if (p->fwd_of[id])
				p->declared[u] |= declares_common(s, d, id) ? bit(n) : 0;
			else if (id != d->common)
				p->uncommon[u] |= bit(n);
		}
		/* one of several definitions in a unit is uncommon */
		for (size_t i = 0; i < unit->nr_multiply_defined; i++) {
			for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
				if (s->ambiguous.items[n].name == unit->multiply_defined[i])
					p->uncommon[u] |= bit(n);
			}
		}
	}
}

/* --- what leads to an uncommon definition? ----------------------------------------------- */

static bool is_uncommon(const struct resolver *s, uint32_t id)
{
	uint32_t def = s->def_of[id];

	if (!def)
		return false;
	const struct ambiguous_name *n = &s->ambiguous.items[s->defs.items[def - 1].name];
	return !n->propagates && n->common != id;
}

/* Type @id leads to @names in the unit of @stamp. @leads is the union over all units. */
static void add_leads(struct private_names *p, uint32_t stamp, uint32_t id, name_set names)
{
	name_set before = p->reached[id] == stamp ? p->leads[id] : 0;

	if (p->in_unit[id] != stamp || !(names & ~before))
		return;
	p->leads[id] |= names;
	p->reached[id] = stamp;
	vec_push(&p->todo, id);
}

/* Visit all types of unit @u that lead to its uncommon definitions. */
static void walk_unit(struct private_names *p, size_t u)
{
	const struct resolver *s = p->s;
	const struct resolve_unit *unit = &s->units[u];
	uint32_t stamp = (uint32_t)u + 1;

	id_list_each(unit->types, t) p->in_unit[t.id] = stamp;
	for (size_t i = p->met_from[u]; i < p->met_from[u + 1]; i++) {
		assert(p->met.items); /* for clang-tidy: the range is not empty */

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

/* --- does another unit meet it? ----------------------------------------------------------- */

/* Equal for types of one shape. */
static uint64_t shape_hash(const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = hash_pair(rec[BTF_REC_NAME], rec[BTF_REC_INFO]);

	if (btf_info_kind(rec[BTF_REC_INFO]) == BTF_TYPEDEF)
		return h;
	h = hash_mix(h, rec[BTF_REC_SIZE_TYPE]);
	for (uint32_t i = 0; i < vlen; i++)
		h = hash_mix(h, (uint64_t)rec[BTF_REC_WORDS + i * 3] << 32 |
					rec[BTF_REC_WORDS + i * 3 + 2]);
	return h;
}

/* Does libbpf compare the two, because they differ at most in what they refer to (docs/spec/dedup.md 3.6)? */
static bool same_shape(const uint32_t *a, const uint32_t *b)
{
	if (btf_info_kind(a[BTF_REC_INFO]) == BTF_TYPEDEF)
		return a[BTF_REC_NAME] == b[BTF_REC_NAME] && a[BTF_REC_INFO] == b[BTF_REC_INFO];
	return dedup_shallow_struct(a, b);
}

struct shape {
	const uint32_t *rec; /* of a type that has it */
	name_set any, all;   /* of the types that have it */
};

/* The shapes of types that lead to an uncommon definition. Owns both. */
struct shapes {
	VEC(struct shape) list;
	struct hash_table by_shape; /* index in @list, plus 1 */
};

static void shapes_release(struct shapes *s)
{
	free(s->list.items);
	hash_table_release(&s->by_shape);
}

static struct shape *shape_of(const struct shapes *s, const uint32_t *rec, uint64_t hash)
{
	uint32_t nr = HASH_FIND(&s->by_shape, hash, i, same_shape(s->list.items[i - 1].rec, rec));

	return nr ? &s->list.items[nr - 1] : NULL;
}

static void list_shapes(const struct private_names *p, struct shapes *ret)
{
	const struct resolver *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		const uint32_t *rec = resolver_rec(s, id);

		if (!p->leads[id] || !kind_is_compared(resolver_kind(s, id)))
			continue;
		uint64_t hash = shape_hash(rec);
		if (shape_of(ret, rec, hash))
			continue;
		vec_push(&ret->list, ((struct shape){ rec, 0, ~(name_set)0 }));
		hash_table_add(&ret->by_shape, hash, (uint32_t)ret->list.nr);
	}
}

/* Names for which a type that leads there has the shape of one that does not. */
static name_set met_by_shape(const struct private_names *p)
{
	CLEANUP(shapes_release) struct shapes shapes = { 0 };
	const struct resolver *s = p->s;
	name_set met = 0;

	list_shapes(p, &shapes);
	for (uint32_t id = 1; shapes.list.nr && id < s->end; id++) {
		const uint32_t *rec = resolver_rec(s, id);

		if (!kind_is_compared(resolver_kind(s, id)))
			continue;
		struct shape *sh = shape_of(&shapes, rec, shape_hash(rec));
		if (!sh)
			continue;
		sh->any |= p->leads[id];
		sh->all &= p->leads[id];
		met |= sh->any & ~sh->all;
	}
	return met;
}

/* Names for which a unit without the uncommon definition has a type that leads there. */
static name_set met_in_units(const struct private_names *p)
{
	const struct resolver *s = p->s;
	bool *compared = mem_zalloc(s->end, sizeof(*compared));
	name_set met = 0;

	for (uint32_t id = 1; id < s->end; id++)
		compared[id] = p->leads[id] && kind_is_compared(resolver_kind(s, id));
	for (size_t u = 0; u < s->nr_units; u++) {
		id_list_each(s->units[u].types, t)
		{
			if (unlikely(compared[t.id]))
				met |= p->leads[t.id] & ~p->uncommon[u];
		}
	}
	free(compared);
	return met;
}

/*
 * Names whose common definition leads to an uncommon definition of a name. Then only units that
 * need exact dedup have it, but other units share types that lead to it.
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

/* --- what do declarations mean? ----------------------------------------------------------- */

static void set_meanings(struct resolver *s)
{
	for (size_t n = 0; n < s->ambiguous.nr; n++) {
		uint32_t id = s->ambiguous.items[n].common;

		if (id) {
			pool_ref r = pool_ref_to(resolver_rec(s, id), id);

			*name_meaning(s, r) = id;
		}
	}
}

/*
 * libbpf binds a declaration of a name with several definitions only by comparing graphs
 * (docs/spec/dedup.md 3.8). So a name that has a common definition, and that a unit outside only
 * declares, propagates.
 */
static void propagate_declared(const struct private_names *p)
{
	struct resolver *s = p->s;
	name_set declared = 0;

	for (size_t u = 0; u < s->nr_units; u++)
		declared |= p->declared[u] & ~p->uncommon[u];
	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
		struct ambiguous_name *d = &s->ambiguous.items[n];

		d->propagates |= d->common && (declared & bit(n));
	}
}

/*
 * In shared records, a name without a common definition means its declaration. So does the name of
 * a struct that leads to an uncommon definition: only units that need exact dedup define it.
 */
static void keep_declarations(struct private_names *p)
{
	struct resolver *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_forward(s, id))
			continue;
		pool_ref r = pool_ref_to(resolver_rec(s, id), id);
		uint32_t *meaning = name_meaning(s, r);

		if (p->fwd_of[id]) {
			const struct ambiguous_name *d = &s->ambiguous.items[p->fwd_of[id] - 1];

			if (!d->propagates && (!d->common || !declares_common(s, d, id)))
				*meaning = id;
		} else if (p->leads[*meaning]) {
			*meaning = id;
		}
	}
}

static void resolve_declarations(struct private_names *p)
{
	set_meanings(p->s);
	propagate_declared(p);
	keep_declarations(p);
}

/* ------------------------------------------------------------------------------------------ */

/* Choose other common definitions, or let names propagate, until no type meets an uncommon one. */
static void find_propagating_names(struct private_names *p)
{
	struct resolver *s = p->s;
	unsigned int tries[MAX_NAMES] = { 0 };
	name_set met, propagating = 0;

	for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++)
		propagating |= s->ambiguous.items[n].propagates ? bit(n) : 0;
	do {
		find_units(p);
		for (size_t u = 0; u < s->nr_units; u++)
			p->uncommon[u] &= ~propagating;
		find_ways(p);
		met = met_by_shape(p) | met_in_units(p) | met_in_common(p);
		for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
			if (!(met & bit(n)) || try_another(p, n, tries[n]++))
				continue;
			s->ambiguous.items[n].propagates = true;
			propagating |= bit(n);
		}
	} while (met);
}

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

	list_met_types(&p);
	choose_common(&p);
	find_propagating_names(&p);
	resolve_declarations(&p);
	for (size_t u = 0; u < s->nr_units; u++) {
		if (p.uncommon[u])
			need_all_exact(&s->ret->units[u]);
	}
	FREE_ALL(p.leads, p.uncommon, p.declared, p.fwd_of, p.met.items, p.met_from, p.in_unit,
		 p.reached, p.todo.items);
}
