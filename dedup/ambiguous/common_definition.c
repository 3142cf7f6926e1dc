/* SPDX-License-Identifier: GPL-2.0-only */
/* common_definition.c - which definition of a name may be the common one? */
#include "dedup/ambiguous/private_names.h"

#include <stdlib.h>

/* With so few units that define a name, none of their definitions is taken for the common one at first. */
enum { FEW_UNITS = 32 };

/* So many others are tried as the common one; each is a look at all types. */
enum { MAX_TRIES = 4 };

/* Which ambiguous name does each declaration declare? */
static void mark_declarations(struct private_names *p)
{
	const struct resolver *s = p->s;

	for (uint32_t id = 1; id < s->end; id++) {
		if (!is_declaration(s, id))
			continue;
		pool_ref name = ref_name(pool_ref_to(resolver_rec(s, id), id));
		for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
			if (s->ambiguous.items[n].name == name)
				p->fwd_of[id] = (uint32_t)n + 1;
		}
	}
}

/*
 * The types of all units are millions, and hardly any has to do with a ambiguous name. So that not
 * each question needs a look at all of them, there is one look, at one byte for each.
 */
static void list_met(struct private_names *p)
{
	const struct resolver *s = p->s;
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

/* The ambiguous name that type @id, which list_met() has found, defines or declares. */
static uint32_t name_met(const struct private_names *p, uint32_t id)
{
	return p->s->def_of[id] ? definition_of(p->s, id)->name : p->fwd_of[id] - 1;
}

/*
 * Of which names can no definition be the common one? What an odd unit has may be equal to what another
 * one has, and the pool cannot tell: by that, too, a declaration is bound. A unit that has a name
 * twice may bind its declaration to either. And an enum without values becomes the first of its name.
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

/* Of the definitions of a name the one that most units have comes first, then the one that is first. */
static bool comes_before(const struct resolver *s, const struct definition *a,
			 const struct definition *b)
{
	if (a->nr_units != b->nr_units)
		return a->nr_units > b->nr_units;
	return pool_type_place(type_pool_at(s->types, a->id)) <
	       pool_type_place(type_pool_at(s->types, b->id));
}

/* The one that comes next behind @common, or first if that is 0; 0 if there is none. */
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

void private_list_met(struct private_names *p)
{
	mark_declarations(p);
	list_met(p);
	count_units(p);
	find_uncertain(p);
}

void private_choose_common(struct private_names *p)
{
	struct resolver *s = p->s;
	uint32_t *total = mem_zalloc(s->ambiguous.nr, sizeof(*total));

	for (size_t i = 0; i < s->defs.nr; i++) {
		const struct definition *d = &s->defs.items[i];
		uint32_t *common = &s->ambiguous.items[d->name].common;

		total[d->name] += d->nr_units;
		if (!*common || comes_before(s, d, definition_of(s, *common)))
			*common = d->id;
	}
	for (size_t i = 0; i < s->ambiguous.nr; i++) {
		struct ambiguous_name *n = &s->ambiguous.items[i];

		if (i >= MAX_NAMES || (p->uncertain & bit(i) && total[i] > FEW_UNITS))
			n->propagates = true;
		else if (total[i] <= FEW_UNITS)
			n->common = 0;
	}
	free(total);
}

bool private_try_another(const struct private_names *p, size_t name, unsigned int tries)
{
	struct ambiguous_name *n = &p->s->ambiguous.items[name];
	uint32_t next = 0;

	if (!(p->uncertain & bit(name)) && tries < MAX_TRIES)
		next = next_common(p->s, name, n->common);
	if (next)
		n->common = next;
	return next;
}

void private_find_units(struct private_names *p)
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
		/* a crowded unit shows both, and is needs_exact whatever they are */
		for (size_t i = 0; i < unit->nr_multiply_defined; i++) {
			for (size_t n = 0; n < s->ambiguous.nr && n < MAX_NAMES; n++) {
				if (s->ambiguous.items[n].name == unit->multiply_defined[i])
					p->uncommon[u] |= bit(n);
			}
		}
	}
}
