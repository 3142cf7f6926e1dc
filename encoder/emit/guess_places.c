/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guess_places.c - see guess_places.h
 *
 * BTF of an object has the offset of each variable in its input section (docs/spec/dedup.md 7), or not even that
 * if gcc wrote it. For members without addresses, only the symbol table of the linked file shows where a
 * variable is:
 *
 * - A global variable is at the symbol of its name that is not local.
 * - A static variable is at a local symbol of its name that is not smaller than the variable. If there are
 *   several, the unit decides. The local symbols of an object follow a STT_FILE symbol; they are a group. An
 *   input section of a unit fits into a group if the group has a symbol for each static variable of the section,
 *   and value minus offset is the same for all, and for its global variables. All sections of a unit vote for the
 *   groups into which they fit. If two groups have as many votes, the name of the file decides, which gcc 14 writes. A
 *   unit gets a group that is better for it than the other groups, unless another unit has as many votes for
 *   that group. Then the other units vote for the groups that remain.
 * - All other variables are omitted, and a warning counts them: no address is better than a wrong one.
 *
 * Example: two sources are called a.c, and both have "static int debug" in .data.
 *
 *	unit 1	.data: debug +0			group 1	debug 0x40
 *	unit 2	.data: debug +0, name +8	group 2	debug 0x60, name 0x68
 *
 * Unit 1 fits into both groups, so it has no best group at first. Unit 2 fits into group 2 only, because
 * 0x68 - 8 == 0x60 - 0, and gets it. Then group 1 is the only one for unit 1.
 *
 * The rule cannot find a variable whose symbol was renamed or removed, or that the compiler split, and cannot
 * distinguish units whose variables are alike. It finds a wrong address if the linker discarded a variable, an
 * object without BTF has a local symbol of its name, and nothing else in the unit contradicts.
 */
#include "encoder/emit/guess_places.h"

#include "base/sort.h"

#include <elf.h>
#include <stdlib.h>

enum {
	NONE = UINT32_MAX,
	MAX_TRIES = 128, /* symbols of one name that are compared */
	MAX_ROUNDS = 16, /* of votes */
	MAX_NAME = 256,  /* of a file */
};

/* The variables with a name, by string id. */
struct named {
	uint32_t global; /* the symbol that is not local, plus 1; 0: none */
	uint32_t nr_vars;
	uint32_t nr_gone; /* of a section: variables without a symbol */
};

/* Local symbols. The key is name << 32 | group, the id is the index in symbols.all. */
struct range {
	const struct sort_key *items;
	size_t nr;
};

/* The symbols after a STT_FILE symbol. Group 0 has those before the first. */
struct group {
	const char *file;
	uint32_t unit;     /* to which it belongs, or NONE */
	uint32_t tried_by; /* in this round */
	uint32_t voter;    /* with the best score in this round; NONE if there are several */
	uint64_t score;
};

/* Variables that moved together: those of an input section, or a single one. */
struct home {
	uint32_t unit, name, nr;
	struct unit_var *vars;
};

struct guess {
	struct assembly *a;
	const struct object *obj;
	const struct symbols *syms;
	const bool *wanted, *apart; /* by section; apart may be NULL */
	uint64_t budget;            /* lookups of symbols that votes may still make */
	struct named *names;
	uint32_t *first_home, *group_of; /* by unit; first_home has one more */
	struct sort_key *locals;         /* as in struct range, sorted */
	struct group *groups;
	uint32_t nr_locals, nr_groups, nr_homes, tbss;
	struct home *homes;
	uint32_t nr_open, first_open; /* variables that no single symbol fits; name of the first */
	bool has_locals, has_gone;
};

static bool is_static(const struct unit_var *v)
{
	return v->linkage != BTF_LINK_GLOBAL;
}

/* The symbol of a global variable, NULL if it has none that is not local. */
static const struct symbol *global_of(const struct guess *g, const struct unit_var *v)
{
	uint32_t global = is_static(v) ? 0 : g->names[v->name].global;

	return global ? &g->syms->all[global - 1] : NULL;
}

/* The local symbols of this name in @group, or in all groups if it is NONE. */
static struct range locals_called(struct guess *g, uint32_t name, uint32_t group)
{
	uint64_t last = (uint64_t)name << 32 | group, first = group == NONE ? last - NONE : last;
	const struct sort_key *l = g->locals;

	g->budget -= g->budget > 0;
	size_t end = g->budget ? g->nr_locals : 0;
	size_t from = LOWER_BOUND(0, end, i, l[i].key < first);
	size_t to = LOWER_BOUND(from, end, i, l[i].key <= last);
	return (struct range){ l + from, to - from };
}

/* --- homes and groups --------------------------------------------------------------------- */

static void list_homes(struct guess *g, const struct unit_btf *f)
{
	for (size_t i = 0; i < f->vars.nr; i++)
		g->names[f->vars.items[i].name].nr_vars++;
	for (size_t i = 0; i < f->homes.nr; i++) {
		const struct input_section *s = &f->homes.items[i];
		/* if the section is not known, each may be in another one */
		uint32_t step = s->name ? s->nr : 1;

		for (uint32_t k = 0; k < s->nr; k += step)
			g->homes[g->nr_homes++] = (struct home){ f->unit, s->name, step,
								 f->vars.items + s->first + k };
	}
}

static void add_symbol(struct guess *g, uint32_t i)
{
	const struct symbol *s = &g->syms->all[i];
	bool local = s->bind == STB_LOCAL;

	if (s->type == STT_FILE && local)
		g->groups[g->nr_groups++] = (struct group){ s->name, NONE, NONE, NONE, 0 };
	/* those that the linker adds, such as _DYNAMIC, have no size */
	g->has_locals |= local && s->size && (s->type == STT_OBJECT || s->type == STT_FUNC);
	if (s->section == SHN_UNDEF || s->section >= g->obj->nr_sections || s->type == STT_FUNC ||
	    s->type == STT_SECTION || s->type == STT_TLS || (local && s->type != STT_OBJECT))
		return;
	uint64_t name = str_pool_find(&g->a->strings, s->name, strlen(s->name));
	if (!name || !g->names[name].nr_vars)
		return;
	if (local)
		g->locals[g->nr_locals++] = (struct sort_key){ name << 32 | (g->nr_groups - 1), i };
	else
		g->names[name].global = i + 1;
}

/* Give a unit whose variables have addresses the group that has their symbols. */
static void take_group(struct guess *g, const struct unit_btf *f)
{
	for (size_t i = 0; i < f->vars.nr && !f->homes.nr; i++) {
		const struct unit_var *v = &f->vars.items[i];
		uint64_t addr = g->obj->is_rel ? 0 : g->obj->sections[v->section].addr;
		struct range r = locals_called(g, v->name, NONE);

		for (size_t k = 0; k < r.nr && k < MAX_TRIES; k++) {
			const struct symbol *s = &g->syms->all[r.items[k].id];

			if (s->section == v->section && s->value == addr + v->offset)
				g->groups[(uint32_t)r.items[k].key].unit = f->unit;
		}
	}
}

static void list_all(struct guess *g, size_t nr_units)
{
	const struct assembly_unit *units = g->a->units.items;
	size_t nr_vars = 0;

	for (size_t i = 0; i < nr_units; i++)
		nr_vars += units[i].btf.vars.nr;
	g->names = mem_zalloc(g->a->strings.end, sizeof(g->names[0]));
	g->homes = mem_zalloc(nr_vars + 1, sizeof(g->homes[0]));
	g->first_home = mem_zalloc(nr_units + 1, sizeof(g->first_home[0]));
	g->group_of = mem_zalloc(nr_units + 1, sizeof(g->group_of[0]));
	g->locals = mem_zalloc(g->syms->nr_all + 1, sizeof(g->locals[0]));
	g->groups = mem_zalloc(g->syms->nr_all + 1, sizeof(g->groups[0]));
	for (size_t i = 0; i < nr_units; i++) {
		list_homes(g, &units[i].btf);
		g->first_home[i + 1] = g->nr_homes;
		g->group_of[i] = NONE;
	}
	g->groups[g->nr_groups++] = (struct group){ "", NONE, NONE, NONE, 0 };
	for (uint32_t i = 0; i < g->syms->nr_all; i++)
		add_symbol(g, i);
	sort_by_key(g->locals, g->nr_locals);
	for (size_t i = 0; i < nr_units; i++)
		take_group(g, &units[i].btf);
	for (uint32_t i = 1; i < g->obj->nr_sections && !g->obj->is_rel; i++) {
		if (g->obj->sections[i].type == SHT_NOBITS && (g->obj->sections[i].flags & SHF_TLS))
			g->tbss = i;
	}
}

/* --- votes -------------------------------------------------------------------------------- */

/*
 * The symbols, in @group or in all groups, of the first static variable of @h that has some, but not more
 * than MAX_TRIES. *ret is the variable.
 */
static struct range first_symbols(struct guess *g, const struct home *h, uint32_t group,
				  const struct unit_var **ret)
{
	for (uint32_t i = 0; i < h->nr; i++) {
		struct range r = locals_called(g, h->vars[i].name, group);

		*ret = &h->vars[i];
		if (is_static(*ret) && r.nr && r.nr <= MAX_TRIES)
			return r;
	}
	return (struct range){ 0 };
}

/*
 * Can @v be at @addr, if its section fits into @group there? A definition that another one may override can be
 * elsewhere. A flexible array makes a symbol larger than the type.
 */
static bool fits_at(struct guess *g, const struct unit_var *v, uint32_t group, uint32_t section,
		    uint64_t addr, uint64_t *score)
{
	enum { LARGER = 3, EXACT = 4 };
	const struct symbol *s = global_of(g, v);
	struct range r = locals_called(g, v->name, is_static(v) ? group : NONE);

	if (s)
		return g->names[v->name].nr_vars > 1 || (s->section == section && s->value == addr);
	for (size_t i = 0; i < r.nr && i < MAX_TRIES; i++) {
		s = &g->syms->all[r.items[i].id];
		if (s->section != section || s->value != addr || s->size < v->size)
			continue;
		*score += s->size == v->size ? EXACT : LARGER;
		return true;
	}
	return false;
}

/*
 * Find where @h fits best into @group. Returns how well; 0 if it does not fit, or if it fits equally at several
 * places. The address of a variable is *ret_start plus its offset.
 */
static uint64_t fit_home(struct guess *g, const struct home *h, uint32_t group,
			 uint32_t *ret_section, uint64_t *ret_start)
{
	const struct unit_var *v;
	struct range r = first_symbols(g, h, group, &v);
	uint64_t best = 0;
	bool tied = false;

	for (size_t i = 0; i < r.nr; i++) {
		const struct symbol *s = &g->syms->all[r.items[i].id];
		uint64_t start = s->value - v->offset, score = 0;
		uint32_t k = 0;

		while (k < h->nr && fits_at(g, &h->vars[k], group, s->section,
					    start + h->vars[k].offset, &score))
			k++;
		if (k < h->nr || score < best)
			continue;
		tied = score == best;
		best = score;
		*ret_section = s->section;
		*ret_start = start;
	}
	return tied ? 0 : best;
}

static void vote(struct guess *g, uint32_t unit)
{
	const char *name = str_pool_text(&g->a->strings, g->a->units.items[unit].btf.name);
	const char *slash = strrchr(name, '/');
	struct group *best = NULL;
	uint64_t best_score = 0, start;
	uint32_t section, first = g->first_home[unit], end = g->first_home[unit + 1];

	for (uint32_t i = first; i < end; i++) {
		const struct unit_var *v;
		struct range r = first_symbols(g, &g->homes[i], NONE, &v);

		for (size_t k = 0; k < r.nr; k++) {
			uint32_t nr = (uint32_t)r.items[k].key;
			struct group *group = &g->groups[nr];
			uint64_t score = 0;

			if (!nr || group->unit != NONE || group->tried_by == unit)
				continue;
			group->tried_by = unit;
			for (uint32_t n = first; n < end; n++)
				score += fit_home(g, &g->homes[n], nr, &section, &start);
			/* only gcc up to 14 names the units of its members; 16 does not */
			score += score && !strncmp(group->file, slash ? slash + 1 : name, MAX_NAME);
			if (score >= best_score)
				best = score > best_score ? group : NULL;
			if (score > best_score)
				best_score = score;
		}
	}
	if (best && best_score >= best->score) {
		best->voter = best_score == best->score ? NONE : unit;
		best->score = best_score;
	}
}

/* Returns false if no unit got a group. */
static bool vote_all(struct guess *g, uint32_t nr_units)
{
	bool progress = false;

	for (uint32_t i = 0; i < nr_units; i++) {
		if (g->group_of[i] == NONE)
			vote(g, i);
	}
	for (uint32_t i = 0; i < g->nr_groups; i++) {
		struct group *group = &g->groups[i];

		if (group->voter != NONE) {
			group->unit = group->voter;
			g->group_of[group->voter] = i;
			progress = true;
		}
		*group = (struct group){ group->file, group->unit, NONE, NONE, 0 };
	}
	return progress;
}

/* --- variables ---------------------------------------------------------------------------- */

/*
 * Put @v at @addr by the rules of encoder/unit/unit_vars.c, or leave it dropped. In DWARF the first section
 * that has the address counts, and .tbss has the addresses of what follows it.
 */
static void put(const struct guess *g, struct unit_var *v, uint32_t section, uint64_t addr)
{
	const struct object_section *tbss = &g->obj->sections[g->tbss];
	const struct str_entry *name = str_pool_at(&g->a->strings, v->name);

	if (g->tbss && g->tbss < section && addr - tbss->addr < tbss->size)
		section = g->tbss;
	const struct object_section *s = &g->obj->sections[section];
	uint64_t offset = addr - (g->obj->is_rel ? 0 : s->addr);
	if ((s->type != SHT_PROGBITS && s->type != SHT_NOBITS) || !(s->flags & SHF_ALLOC) ||
	    !g->wanted[section] || offset >= s->size || offset > UINT32_MAX - v->size ||
	    (!offset && !object_symbols_have(&g->syms->objects, name->text, name->len, section)))
		return;
	v->section = section;
	v->offset = (uint32_t)offset;
	v->apart = g->apart && g->apart[section];
	v->dropped = false;
}

/*
 * Put @v, a static variable whose home does not fit, or a global one that the linker made local. Without a group
 * of the unit, no other variable may have the name.
 */
static void put_alone(struct guess *g, const struct home *h, struct unit_var *v,
		      const struct omission_log *log)
{
	const struct unit_btf *f = &g->a->units.items[h->unit].btf;
	struct range r = locals_called(g, v->name, g->group_of[h->unit]);
	bool own = g->group_of[h->unit] != NONE && r.nr, wanted = false;
	const struct symbol *found = NULL;
	size_t nr = 0;

	if (!own && !is_static(v))
		r = locals_called(g, v->name, NONE);
	for (size_t i = 0; i < r.nr && i <= MAX_TRIES; i++) {
		const struct symbol *s = &g->syms->all[r.items[i].id];
		uint32_t owner = g->groups[(uint32_t)r.items[i].key].unit;

		if (s->size < v->size || (owner != NONE && owner != h->unit))
			continue;
		found = s;
		wanted |= g->wanted[s->section];
		nr++;
	}
	if (nr == 1 && (own || (g->names[v->name].nr_vars == 1 && (!is_static(v) || h->nr == 1)))) {
		put(g, v, found->section, found->value);
	} else if (wanted) {
		omission_report(log, (struct omission){ OMIT_VAR_SEVERAL_SYMBOLS, .name = v->name,
							.unit = f->name, .unit_number = f->unit,
							.nr_units = 1 });
		if (!g->nr_open++)
			g->first_open = v->name;
	}
	g->names[h->name].nr_gone += !nr;
	g->has_gone |= !nr;
}

static void place_home(struct guess *g, const struct home *h, const struct omission_log *log)
{
	uint32_t group = g->group_of[h->unit], section;
	uint64_t start;
	bool fits = group != NONE && fit_home(g, h, group, &section, &start);

	for (uint32_t i = 0; i < h->nr; i++) {
		struct unit_var *v = &h->vars[i];
		const struct symbol *global = global_of(g, v);

		v->dropped = true;
		if (global)
			put(g, v, global->section, global->value);
		else if (fits)
			put(g, v, section, start + v->offset);
		else
			put_alone(g, h, v, log);
	}
}

static void report(const struct guess *g, const struct omission_log *log)
{
	for (size_t i = 0; i < g->nr_homes; i++) {
		uint32_t name = g->homes[i].name, nr = g->names[name].nr_gone;

		g->names[name].nr_gone = 0;
		if (nr)
			omission_report(log, (struct omission){ OMIT_VARS_DISCARDED, .name = name,
								.number = nr });
	}
	if (g->has_gone && g->syms->nr_all && !g->has_locals)
		diag_add(
			log->diags, DIAG_WARNING,
			"'%s' has no local symbols: static variables that the linker kept are left out",
			g->obj->path);
	if (g->nr_open)
		diag_add(log->diags, DIAG_WARNING,
			 "'%s': %u variables left out, first '%s': no single symbol fits",
			 g->obj->path, g->nr_open, str_pool_text(&g->a->strings, g->first_open));
}

static int by_order(const void *a, const void *b)
{
	const struct unit_var *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

void assembly_place_vars(struct assembly *a, size_t nr_units, const bool *wanted, const bool *apart,
			 const struct omission_log *log)
{
	const struct func_file *file = &a->files.items[0];
	struct guess g = { a, file->obj, file->syms, wanted, apart, .budget = UINT64_MAX };

	list_all(&g, nr_units);
	g.budget = 1000000 + 100 * ((uint64_t)g.nr_locals + g.nr_homes);
	for (size_t i = 0, more = 1; i < MAX_ROUNDS && more; i++)
		more = vote_all(&g, (uint32_t)nr_units);
	g.budget = UINT64_MAX; /* from here on each home is compared with one group */
	for (size_t i = 0; i < g.nr_homes; i++)
		place_home(&g, &g.homes[i], log);
	report(&g, log);
	FREE_ALL(g.names, g.first_home, g.group_of, g.locals, g.groups, g.homes);
	for (size_t i = 0; i < nr_units; i++) {
		struct unit_btf *f = &a->units.items[i].btf;

		if (f->homes.nr && f->vars.nr)
			qsort(f->vars.items, f->vars.nr, sizeof(f->vars.items[0]), by_order);
	}
}
