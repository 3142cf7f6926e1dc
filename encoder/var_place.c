/* SPDX-License-Identifier: GPL-2.0-only */
/* var_place.c - see var_place.h */
#include "encoder/var_place.h"

#include "base/cleanup.h"
#include "encoder/place_match.h"

#include <elf.h>
#include <stdlib.h>

struct placing {
	const struct object *obj;
	const struct symbols *syms;
	struct str_pool *strings;
	const bool *wanted;
	struct notes *notes;
	/*
	 * By string id: index in syms.all + 1 of the symbol that is the global variable of
	 * this name.
	 */
	uint32_t *globals;
	uint8_t *nr_defs; /* by string id: how many units have such a variable, at most 2 */
	struct place_match match;
};

static void placing_release(struct placing *p)
{
	free(p->globals);
	free(p->nr_defs);
	place_match_release(&p->match);
}

static bool may_be_variable(const struct symbol *s)
{
	return s->section != SHN_UNDEF && s->type != STT_FUNC && s->type != STT_FILE &&
	       s->type != STT_SECTION && s->type != STT_TLS;
}

/*
 * There is one symbol for all global variables of a name, and it is not local, unless the
 * linker made it so because it is hidden.
 */
static void find_globals(struct placing *p, const struct place_home *homes, size_t nr_homes)
{
	size_t nr = p->strings->end;

	p->nr_defs = mem_zalloc(nr, 1);
	p->globals = mem_zalloc(nr, sizeof(p->globals[0]));
	for (size_t i = 0; i < nr_homes; i++) {
		const struct frag_var *v = place_vars(&p->match, &homes[i]);

		for (uint32_t k = 0; k < homes[i].nr; k++)
			if (v[k].linkage == BTF_LINK_GLOBAL && p->nr_defs[v[k].name] < 2)
				p->nr_defs[v[k].name]++;
	}
	for (size_t i = 0; i < p->syms->nr_all; i++) {
		const struct symbol *s = &p->syms->all[i];

		if (!may_be_variable(s) || s->bind == STB_LOCAL)
			continue;
		uint32_t name = str_pool_find(p->strings, s->name, strlen(s->name));
		if (name && p->nr_defs[name] && !p->globals[name])
			p->globals[name] = (uint32_t)i + 1;
	}
}

/* The section that DWARF's address would be found in (frag_vars.c), 0 for none. */
static uint32_t section_at(const struct object *obj, uint64_t value)
{
	for (size_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if (s->type != SHT_PROGBITS && s->type != SHT_NOBITS)
			continue;
		if (!(s->flags & SHF_ALLOC))
			continue;
		if (value >= s->addr && value - s->addr < s->size)
			return (uint32_t)i;
	}
	return 0;
}

/* Put @v at @value of @section. */
static void put(const struct placing *p, struct frag_var *v, uint32_t section, uint64_t value)
{
	const struct object *obj = p->obj;
	uint64_t offset = value;

	if (obj->is_rel) {
		if (section >= obj->nr_sections || value >= obj->sections[section].size)
			return;
	} else {
		section = section_at(obj, value);
		if (!section)
			return;
		offset = value - obj->sections[section].addr;
	}
	if (p->wanted && !p->wanted[section])
		return;
	if (offset > UINT32_MAX - v->size)
		return;
	v->section = section;
	v->offset = (uint32_t)offset;
	v->dropped = false;
}

static void place_var(struct placing *p, uint32_t home, struct frag_var *v)
{
	uint32_t unit = p->match.homes[home].unit;
	enum place_why why = PLACE_OK;
	struct place_at at = { 0 };

	if (v->linkage != BTF_LINK_GLOBAL) {
		why = place_static(&p->match, home, v, &at);
	} else if (!p->globals[v->name]) {
		why = place_hidden(&p->match, home, v, &at);
	} else {
		const struct symbol *s = &p->syms->all[p->globals[v->name] - 1];

		at = (struct place_at){ s->section, s->value };
	}

	v->dropped = true;
	if (why == PLACE_OK)
		put(p, v, at.section, at.value);
	else if (why == PLACE_AMBIGUOUS)
		notes_add(p->notes, NOTE_WARNING,
			  "unit '%s': variable '%s' left out: several symbols may be it",
			  str_pool_text(p->strings, p->match.units[unit].frag->name),
			  str_pool_text(p->strings, v->name));
}

void var_place(const struct place_unit *units, size_t nr_units, const struct place_home *homes,
	       size_t nr_homes, const struct object *obj, const struct symbols *syms,
	       struct str_pool *strings, const bool *wanted, struct notes *notes)
{
	CLEANUP(placing_release) struct placing p = {
		.obj = obj,
		.syms = syms,
		.strings = strings,
		.wanted = wanted,
		.notes = notes,
		.match = {
			.units = units,
			.nr_units = nr_units,
			.homes = homes,
			.nr_homes = nr_homes,
			.symtab = syms,
		},
	};

	find_globals(&p, homes, nr_homes);
	p.match.globals = p.globals;
	p.match.nr_defs = p.nr_defs;
	place_match_init(&p.match, strings);
	place_solve(&p.match);
	for (size_t i = 0; i < nr_homes; i++)
		for (uint32_t k = 0; k < homes[i].nr; k++)
			place_var(&p, (uint32_t)i,
				  &units[homes[i].unit].frag->vars.items[homes[i].first + k]);
}
