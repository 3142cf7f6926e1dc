/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle_private.c - names that mean something of their own in a few units
 *
 * Two drivers may each have a "struct port". That concerns nobody else as long as nothing
 * that leads to one of them is ever compared with anything outside. So for a doubtful name
 * we let the few units that have an uncommon definition be judged, and ask:
 *
 *   - from which types of such a unit can one get to the uncommon definition? Declarations
 *     end the way, so this is asked in the unit, not in the pool;
 *   - does another unit have such a type, or one that libbpf would compare with it because
 *     it has the same name and shape?
 *
 * If not, nothing in the rest of the program meets the uncommon definition, and there the
 * name means the common one. If so, the name spreads: whatever leads to it has to be judged.
 *
 * One thing remains. With two definitions around, a declaration is bound only by comparing
 * graphs, no longer because the name is unique. Among the other units that happens as
 * soon as one type is compared that refers to the name directly, and meets the declaration
 * in one unit and the definition in another. Then the outcome is known, and is handed to
 * the rule (settle_bind); if no such type can be found, the name spreads, too.
 */
#include "base/hash.h"
#include "dedup/settle_internal.h"

#include <stdlib.h>

/* Names are bits of a word; more of them than it has spread. */
enum { MAX_NAMES = 64 };

/* With so few units that define a name, none of them need be the common one. */
enum { FEW_UNITS = 32 };

typedef uint64_t name_set;

struct private
{
	struct settling *s;
	/* by unit: names of which it has an uncommon definition, a declaration, the common one */
	name_set *uncommon, *declared, *common;
	/* by pool id: names whose uncommon definitions it leads to in some unit */
	name_set *leads;
	/* by doubtful name: its declaration of the common definition's kind, or any; 0 for none */
	uint32_t fwd[MAX_NAMES];
	uint32_t *fwd_of; /* by pool id: doubtful name plus 1 that it declares */
	/* what units have of types that define or declare a doubtful name, one unit behind the other */
	struct {
		uint32_t *items;
		size_t nr, cap;
	} met;
	size_t *met_from; /* by unit, and one more: where its begin */
	/* walking one unit: by pool id, the last that has it, and in which it was reached */
	uint32_t *in_unit, *reached;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} todo; /* reached, and its referrers not yet */
};

static name_set bit(size_t name)
{
	return (name_set)1 << name;
}

/* --- who has what ---------------------------------------------------------------- */

/* Is type @id a declaration of a name? Damaged BTF has some without. */
static bool is_declaration(const struct settling *s, uint32_t id)
{
	return settle_kind(s, id) == BTF_FWD && settle_rec(s, id)[BTF_REC_NAME];
}

/* Which doubtful name does each declaration declare? */
static void mark_declarations(struct private *p)
{
	const struct settling *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_declaration(s, id))
			continue;
		pool_ref name = settle_name(pool_ref_to(settle_rec(s, id), id));
		for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
			if (s->doubtful.items[n].name == name)
				p->fwd_of[id] = (uint32_t)n + 1;
		}
	}
}

/*
 * The types of all units are millions, and hardly any has to do with a doubtful name. So that not
 * each question needs a look at all of them, there is one look, at one byte for each.
 */
static void list_met(struct private *p)
{
	const struct settling *s = p->s;
	bool *marked = mem_zalloc(s->end, sizeof(*marked));

	for (uint32_t id = 1; id < s->end; id++)
		marked[id] = s->def_of[id] || p->fwd_of[id];
	p->met_from = mem_alloc((s->nr_units + 1) * sizeof(p->met_from[0]));
	for (size_t u = 0; u < s->nr_units; u++) {
		p->met_from[u] = p->met.nr;
		for (size_t i = 1; i < s->units[u].nr; i++) {
			if (unlikely(marked[s->units[u].types[i]]))
				vec_push(&p->met, s->units[u].types[i]);
		}
	}
	p->met_from[s->nr_units] = p->met.nr;
	free(marked);
}

static void count_units(const struct private *p)
{
	struct settling *s = p->s;

	for (size_t i = 0; i < p->met.nr; i++) {
		uint32_t def = s->def_of[p->met.items[i]];

		if (def)
			s->defs.items[def - 1].nr_units++;
	}
}

static void choose_common(struct settling *s)
{
	uint32_t *total = mem_zalloc(s->doubtful.nr, sizeof(*total));
	uint32_t *most = mem_zalloc(s->doubtful.nr, sizeof(*most));

	for (size_t i = 0; i < s->defs.nr; i++) {
		const struct definition *d = &s->defs.items[i];
		struct doubtful *n = &s->doubtful.items[d->name];

		total[d->name] += d->nr_units;
		if (d->nr_units > most[d->name]) {
			most[d->name] = d->nr_units;
			n->common = d->id;
		}
	}
	for (size_t i = 0; i < s->doubtful.nr; i++) {
		struct doubtful *n = &s->doubtful.items[i];

		if (i >= MAX_NAMES || (n->crowded && total[i] > FEW_UNITS))
			n->spreads = true;
		else if (total[i] <= FEW_UNITS)
			n->common = 0;
	}
	free(total);
	free(most);
}

/* The declarations of doubtful names. */
static void find_declarations(struct private *p)
{
	const struct settling *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!p->fwd_of[id])
			continue;

		const struct doubtful *d = &s->doubtful.items[p->fwd_of[id] - 1];
		pool_ref r = pool_ref_to(settle_rec(s, id), id);
		/* a struct is not declared by "union foo;" */
		if (!d->common || pool_ref_to(settle_rec(s, d->common), d->common) == r)
			p->fwd[p->fwd_of[id] - 1] = id;
	}
}

static void find_units(struct private *p)
{
	struct settling *s = p->s;

	for (size_t u = 0; u < s->nr_units; u++) {
		const struct settle_unit *unit = &s->units[u];

		p->uncommon[u] = p->declared[u] = p->common[u] = 0;
		for (size_t i = p->met_from[u]; i < p->met_from[u + 1]; i++) {
			uint32_t id = p->met.items[i];
			uint32_t n = s->def_of[id] ? s->defs.items[s->def_of[id] - 1].name :
						     p->fwd_of[id] - 1;
			if (n >= MAX_NAMES)
				continue;
			if (p->fwd_of[id])
				p->declared[u] |= bit(n);
			else if (id == s->doubtful.items[n].common)
				p->common[u] |= bit(n);
			else
				p->uncommon[u] |= bit(n);
		}
		/* a crowded unit shows both, and is judged whatever they are */
		for (size_t i = 0; i < unit->nr_crowded; i++) {
			for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
				if (s->doubtful.items[n].name == unit->crowded[i])
					p->uncommon[u] |= bit(n);
			}
		}
	}
}

/* --- what leads there --------------------------------------------------------------- */

static bool is_uncommon(const struct settling *s, uint32_t id)
{
	uint32_t def = s->def_of[id];

	if (!def)
		return false;
	const struct doubtful *n = &s->doubtful.items[s->defs.items[def - 1].name];
	return !n->spreads && n->common != id;
}

/* A type of unit @u leads to @names as well. What it leads to in other units counts for all of them. */
static void add_leads(struct private *p, uint32_t stamp, uint32_t id, name_set names)
{
	name_set before = p->reached[id] == stamp ? p->leads[id] : 0;

	if (p->in_unit[id] != stamp || !(names & ~before))
		return;
	p->leads[id] |= names;
	p->reached[id] = stamp;
	vec_push(&p->todo, id);
}

/* From the uncommon definitions of unit @u to all that leads to them there. */
static void walk_unit(struct private *p, size_t u)
{
	const struct settling *s = p->s;
	const struct settle_unit *unit = &s->units[u];
	uint32_t stamp = (uint32_t)u + 1;

	for (size_t i = 1; i < unit->nr; i++)
		p->in_unit[unit->types[i]] = stamp;
	for (size_t i = p->met_from[u]; i < p->met_from[u + 1]; i++) {
		assert(p->met.items); /* or no unit would have any */

		uint32_t id = p->met.items[i];
		if (is_uncommon(s, id))
			add_leads(p, stamp, id, bit(s->defs.items[s->def_of[id] - 1].name));
	}
	while (p->todo.nr) {
		uint32_t id = p->todo.items[--p->todo.nr];
		size_t node = settle_node_of(s, id);

		settle_each_referrer(s, node, by) add_leads(p, stamp, by, p->leads[id]);
	}
}

static void find_ways(struct private *p)
{
	memset(p->leads, 0, p->s->end * sizeof(p->leads[0]));
	memset(p->reached, 0, p->s->end * sizeof(p->reached[0]));
	memset(p->in_unit, 0, p->s->end * sizeof(p->in_unit[0]));
	settle_find_referrers(p->s);
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
static name_set met_by_shape(const struct private *p)
{
	const struct settling *s = p->s;
	size_t nr = 0, slots = 64;
	name_set met = 0;

	for (uint32_t id = 1; id < s->end; id++)
		nr += p->leads[id] != 0;
	while (slots < nr * 2)
		slots *= 2;

	struct shape *table = mem_zalloc(slots, sizeof(*table));
	for (uint32_t id = 1; id < s->end; id++) {
		if (!p->leads[id] || !kind_is_compared(settle_kind(s, id)))
			continue;
		uint64_t hash = shape_hash(settle_rec(s, id));
		struct shape *sh = shape_at(table, slots - 1, hash);

		if (!sh->hash)
			*sh = (struct shape){ hash, 0, ~(name_set)0 };
	}
	for (uint32_t id = 1; nr && id < s->end; id++) {
		if (!kind_is_compared(settle_kind(s, id)))
			continue;
		struct shape *sh = shape_at(table, slots - 1, shape_hash(settle_rec(s, id)));

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
static name_set met_in_units(const struct private *p)
{
	const struct settling *s = p->s;
	bool *compared = mem_zalloc(s->end, sizeof(*compared));
	name_set met = 0;

	for (uint32_t id = 1; id < s->end; id++)
		compared[id] = p->leads[id] && kind_is_compared(settle_kind(s, id));
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

/* --- declarations ---------------------------------------------------------------------- */

/* By pool id: names that a type refers to with nothing in between that is compared by itself. */
static name_set *direct_names(const struct private *p)
{
	const struct settling *s = p->s;
	name_set *direct = mem_zalloc(s->end, sizeof(*direct));
	name_set *of_name = mem_zalloc(s->nr_names, sizeof(*of_name));

	for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
		const struct doubtful *d = &s->doubtful.items[n];

		if (d->common && pool_ref_space(d->name) != POOL_ENUM)
			of_name[pool_ref_name(d->name)] |= bit(n);
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
				direct[id] |= of_name[pool_ref_name(r)];
		}
	}
	free(of_name);
	return direct;
}

/* Names whose declaration meets the common definition when some type is compared. */
static name_set bound_names(const struct private *p)
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

/*
 * Is @name only declared outside of the units that are judged? So it is if nothing is common
 * there, or if the common definition leads to an uncommon one: a unit with such would be
 * judged, or the other name would spread.
 */
static bool only_declared(const struct private *p, const struct doubtful *d)
{
	return !d->common || p->leads[d->common];
}

/* Names that are bound to their common definition, after all that are not have spread. */
static name_set bound_or_spread(struct private *p)
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

			if (d->spreads || only_declared(p, d) || (bound & bit(n)))
				continue;
			/* what was compared to find others bound may lead to this one */
			if (declared & bit(n))
				again = d->spreads = true;
		}
	} while (again);
	return bound;
}

static void bind_declarations(struct private *p)
{
	struct settling *s = p->s;
	name_set bound = bound_or_spread(p);

	for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
		const struct doubtful *d = &s->doubtful.items[n];

		if (!d->spreads && p->fwd[n] && !only_declared(p, d) && (bound & bit(n)))
			vec_push(&s->ret->binds, ((struct settle_bind){ p->fwd[n], d->common }));
	}
}

/*
 * What leads to an uncommon definition may itself be several things by the rule, even if
 * all say the same. The units that are not judged do not have it, and where they declare it
 * the rule has to see the declaration.
 */
static void keep_declarations(struct private *p)
{
	struct settling *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_declaration(s, id))
			continue;
		pool_ref r = pool_ref_to(settle_rec(s, id), id);
		uint32_t *meaning = settle_meaning(s, r);

		if (p->fwd_of[id]) {
			const struct doubtful *d = &s->doubtful.items[p->fwd_of[id] - 1];

			if (!d->spreads && only_declared(p, d))
				*meaning = id;
		} else if (p->leads[*meaning]) {
			*meaning = id;
		}
	}
}

/* ------------------------------------------------------------------------------------- */

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

/* Drop names that are met outside until none is. */
static void drop_names_that_spread(struct private *p)
{
	struct settling *s = p->s;
	name_set met, spreading = 0;

	for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++)
		spreading |= s->doubtful.items[n].spreads ? bit(n) : 0;
	do {
		for (size_t u = 0; u < s->nr_units; u++)
			p->uncommon[u] &= ~spreading;
		find_ways(p);
		met = met_by_shape(p) | met_in_units(p);
		for (size_t n = 0; n < s->doubtful.nr && n < MAX_NAMES; n++) {
			if (met & bit(n))
				s->doubtful.items[n].spreads = true;
		}
		spreading |= met;
	} while (met);
}

/* The rule shall see all that @u says. */
static void judge_all(struct settled_unit *u)
{
	*u = (struct settled_unit){ .judged = true, .whole = true };
}

/*
 * A pointer to a doubtful name is one type in the pool, and the first unit that has it may
 * be one in which it leads to an uncommon definition. For all others it must be the one
 * of a unit in which it does not; that unit is judged, too, so that it says the type itself.
 */
static void move_shared_types(struct private *p)
{
	struct settling *s = p->s;
	bool *led = mem_zalloc(s->end, sizeof(*led)), any = false;

	for (uint32_t id = 1; id < s->end; id++) {
		struct pool_type *t = type_pool_at(s->types, id);
		uint64_t place = pool_type_place(t);

		led[id] = p->leads[id] != 0;
		if (!p->leads[id] || kind_is_compared(settle_kind(s, id)) || !~place)
			continue;
		if (p->leads[id] & p->uncommon[pool_place_unit(place)]) {
			atomic_store_explicit(&t->unplaced, 0, memory_order_relaxed);
			any = true;
		}
	}
	for (size_t u = 0; any && u < s->nr_units; u++) {
		for (size_t i = 1; i < s->units[u].nr; i++) {
			uint32_t id = s->units[u].types[i];

			if (likely(!led[id]) || (p->leads[id] & p->uncommon[u]))
				continue;
			struct pool_type *t = type_pool_at(s->types, id);
			if (!~pool_type_place(t)) {
				pool_type_place_at(t, (uint32_t)u, (uint32_t)i);
				judge_all(&s->ret->units[u]);
			}
		}
	}
	free(led);
}

void settle_private_names(struct settling *s)
{
	struct private p = {
		.s = s,
		.uncommon = mem_zalloc(s->nr_units, sizeof(name_set)),
		.declared = mem_zalloc(s->nr_units, sizeof(name_set)),
		.common = mem_zalloc(s->nr_units, sizeof(name_set)),
		.leads = mem_zalloc(s->end, sizeof(name_set)),
		.fwd_of = mem_zalloc(s->end, sizeof(uint32_t)),
		.in_unit = mem_zalloc(s->end, sizeof(uint32_t)),
		.reached = mem_zalloc(s->end, sizeof(uint32_t)),
	};

	mark_declarations(&p);
	list_met(&p);
	count_units(&p);
	choose_common(s);
	find_declarations(&p);
	find_units(&p);
	drop_names_that_spread(&p);
	set_meanings(s);
	bind_declarations(&p);
	keep_declarations(&p);
	for (size_t u = 0; u < s->nr_units; u++) {
		if (p.uncommon[u])
			judge_all(&s->ret->units[u]);
	}
	move_shared_types(&p);
	free(p.leads);
	free(p.uncommon);
	free(p.declared);
	free(p.common);
	free(p.fwd_of);
	free(p.met.items);
	free(p.met_from);
	free(p.in_unit);
	free(p.reached);
	free(p.todo.items);
}
