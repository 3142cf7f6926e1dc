/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_place.c - see var_place.h
 *
 * In the debug information a global variable is where the symbol of its name is, and a static
 * one is so and so far into its section, wherever that went. The same is to come out here, from
 * the symbol table alone.
 *
 * So a global variable is where the symbol of its name is. That includes a weak definition that
 * was overridden: it comes to lie on the one that replaces it, and var_select.c keeps one of
 * the two, as with debug information.
 *
 * Static variables of one name are many, in a kernel 2,300 that share 700 names. But the local
 * symbols of an object stay together, behind a STT_FILE symbol, and the variables of one section
 * stay as far from one another as they were. Which of these groups of symbols is which unit's
 * is found in place_solve.c; then each static variable is at the symbol of its name in that
 * group. Where there is no proof, there is no place.
 *
 * Of an array or a struct that clang has taken apart, and of which the object's note says so, the
 * first part is that symbol.
 *
 * A symbol that has another name than its variable (of C++, or by asm("...")) is in the object's
 * note as well. Not done: objects whose symbols were renamed after they were encoded (objcopy
 * --prefix-symbols), for their BTF has the old names.
 */
#include "encoder/place/var_place.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "encoder/place/place_match.h"
#include "encoder/place/var_room.h"

#include <elf.h>
#include <stdlib.h>

/* The addresses of a section. */
struct span {
	uint64_t start, last;
	uint64_t last_so_far; /* the highest of this one and those before it */
	uint32_t section;
};

struct placing {
	const struct object *obj;
	const struct symbols *syms;
	struct str_pool *strings;
	const bool *wanted;
	const struct omission_log *log;
	/*
	 * By string id: index in syms.all + 1 of the symbol that is the global variable of
	 * this name.
	 */
	uint32_t *globals;
	uint8_t *nr_defs; /* by string id: how many units have such a variable, at most 2 */
	/* the sections that hold variables, by address; unused in a relocatable file */
	struct span *spans;
	size_t nr_spans;
	struct place_match match;
	uint32_t *discarded; /* by home: how many of its variables are nowhere */
};

static void placing_release(struct placing *p)
{
	FREE_ALL(p->globals, p->nr_defs, p->spans, p->discarded);
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
		const struct unit_var *v = place_vars(&p->match, &homes[i]);

		for (uint32_t k = 0; k < homes[i].nr; k++)
			if (v[k].linkage == BTF_LINK_GLOBAL && p->nr_defs[v[k].symbol] < 2)
				p->nr_defs[v[k].symbol]++;
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

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->section > y->section) - (x->section < y->section);
}

static void find_spans(struct placing *p)
{
	const struct object *obj = p->obj;
	uint64_t last = 0;

	p->spans = mem_alloc((obj->nr_sections + 1) * sizeof(p->spans[0]));
	for (size_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if (!section_holds_vars(s) || !s->size)
			continue;
		p->spans[p->nr_spans++] = (struct span){
			.start = s->addr,
			.last = s->size - 1 > UINT64_MAX - s->addr ? UINT64_MAX :
								     s->addr + s->size - 1,
			.section = (uint32_t)i,
		};
	}
	if (p->nr_spans)
		qsort(p->spans, p->nr_spans, sizeof(p->spans[0]), compare_spans);
	for (size_t i = 0; i < p->nr_spans; i++) {
		if (p->spans[i].last > last)
			last = p->spans[i].last;
		p->spans[i].last_so_far = last;
	}
}

/*
 * The section that an address is in, 0 for none. Of several the first, as it is with an address
 * in the debug information: .tbss has the addresses of what follows it.
 */
static uint32_t section_at(const struct placing *p, uint64_t addr)
{
	size_t behind = LOWER_BOUND(0, p->nr_spans, i, p->spans[i].start <= addr);
	uint32_t found = 0;

	while (behind-- > 0 && p->spans[behind].last_so_far >= addr) {
		const struct span *s = &p->spans[behind];

		if (s->last >= addr && (!found || s->section < found))
			found = s->section;
	}
	return found;
}

/* Put @v at @at, by the rules of unit_vars.c; or leave it dropped. */
static void put(const struct placing *p, struct unit_var *v, struct place_at at)
{
	const struct object *obj = p->obj;
	uint32_t section = at.section;
	uint64_t offset = at.value;

	if (obj->is_rel) {
		if (section >= obj->nr_sections || !section_holds_vars(&obj->sections[section]) ||
		    offset >= obj->sections[section].size)
			return;
	} else {
		section = section_at(p, at.value);
		if (!section)
			return;
		offset = at.value - obj->sections[section].addr;
	}
	if (p->wanted && !p->wanted[section])
		return;
	if (offset > UINT32_MAX - v->size)
		return;

	const struct str_entry *name = str_pool_at(p->strings, v->name);
	if (!offset && !symbols_have_object(p->syms, name->text, name->len, section))
		return;
	v->section = section;
	v->offset = (uint32_t)offset;
	v->dropped = false;
}

/* Could @v, which nobody knows the place of, be in a section that is wanted? */
static bool may_be_wanted(const struct placing *p, const struct unit_var *v)
{
	struct place_range r = place_range(&p->match, &p->match.at_place, v->symbol, 0, 0);

	if (!p->wanted)
		return true;
	for (size_t i = 0; i < r.nr; i++) {
		uint32_t section = p->match.syms.items[r.items[i].sym].section;

		if (section < p->obj->nr_sections && p->wanted[section])
			return true;
		/* they are sorted by section: on to the next one */
		while (i + 1 < r.nr && p->match.syms.items[r.items[i + 1].sym].section == section)
			i++;
	}
	return false;
}

static void place_var(struct placing *p, uint32_t home, struct unit_var *v)
{
	uint32_t unit = p->match.homes[home].unit;
	enum place_why why = PLACE_OK;
	struct place_at at = { 0 };

	if (v->linkage != BTF_LINK_GLOBAL) {
		why = place_static(&p->match, home, v, &at);
	} else if (!p->globals[v->symbol]) {
		why = place_hidden(&p->match, home, v, &at);
	} else {
		const struct symbol *s = &p->syms->all[p->globals[v->symbol] - 1];

		at = (struct place_at){ s->section, s->value };
	}

	v->dropped = true;
	if (why == PLACE_OK)
		put(p, v, at);
	else if (why == PLACE_DISCARDED)
		p->discarded[home]++;
	else if (may_be_wanted(p, v))
		omission_report(p->log,
				(struct omission){ OMIT_VAR_SEVERAL_SYMBOLS, .name = v->name,
						   .unit = p->match.units[unit].btf->name,
						   .unit_number = p->match.units[unit].btf->unit,
						   .nr_units = 1 });
}

/* What the linker has left out is told once per section name. */
static void report_discarded(const struct placing *p)
{
	const struct place_match *m = &p->match;

	for (size_t i = 0, end; i < m->nr_homes; i = end) {
		uint32_t name = m->homes[m->by_name[i]].name;
		uint64_t nr = 0;

		for (end = i; end < m->nr_homes && m->homes[m->by_name[end]].name == name; end++)
			nr += p->discarded[m->by_name[end]];
		if (nr)
			omission_report(p->log, (struct omission){ OMIT_VARS_DISCARDED,
								   .name = name, .number = nr });
	}
}

/* Not so after ld -x or strip -x. Those that the linker adds, such as _DYNAMIC, have no size. */
static bool has_local_symbols(const struct symbols *syms)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (s->bind == STB_LOCAL && s->size &&
		    (s->type == STT_OBJECT || s->type == STT_FUNC))
			return true;
	}
	return false;
}

/* Can a variable that no symbol names be in a section that is wanted? */
static bool may_lack_symbol(const struct placing *p)
{
	CLEANUP(var_room_release) struct var_room room = { 0 };

	var_room_measure(p->obj, p->syms, p->strings, p->wanted, &room);
	for (size_t i = 0; i < p->match.nr_homes; i++) {
		const struct place_home *h = &p->match.homes[i];
		const struct unit_var *v = place_vars(&p->match, h);

		for (uint32_t k = 0; p->discarded[i] && k < h->nr; k++) {
			/* a hidden variable is a local symbol, too */
			bool named = v[k].linkage == BTF_LINK_GLOBAL && p->globals[v[k].symbol];

			if (v[k].dropped && !named &&
			    var_room_for(&room, p->strings, str_pool_text(p->strings, h->name),
					 v[k].size))
				return true;
		}
	}
	return false;
}

static void report_no_locals(const struct placing *p)
{
	if (p->syms->nr_all && !has_local_symbols(p->syms) && may_lack_symbol(p))
		diag_add(
			p->log->diags, DIAG_WARNING,
			"'%s' has no local symbols: static variables that the linker kept are left out",
			p->obj->path);
}

void var_place(const struct place_unit *units, size_t nr_units, const struct place_home *homes,
	       size_t nr_homes, const struct object *obj, const struct symbols *syms,
	       struct str_pool *strings, const bool *wanted, const struct omission_log *log)
{
	CLEANUP(placing_release) struct placing p = {
		.obj = obj,
		.syms = syms,
		.strings = strings,
		.wanted = wanted,
		.log = log,
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
	find_spans(&p);
	p.discarded = mem_zalloc(nr_homes, sizeof(p.discarded[0]));
	for (size_t i = 0; i < nr_homes; i++)
		for (uint32_t k = 0; k < homes[i].nr; k++)
			place_var(&p, (uint32_t)i,
				  &units[homes[i].unit].btf->vars.items[homes[i].first + k]);
	report_discarded(&p);
	report_no_locals(&p);
}
