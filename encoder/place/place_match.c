/* SPDX-License-Identifier: GPL-2.0-only */
/* place_match.c - see place_match.h; what is done with it is in place_solve.c */
#include "encoder/place/place_match.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/sort.h"

#include <elf.h>
#include <stdlib.h>

/* Home by home a few places are tried, and no more: what is that common is told by order. */
enum { MAX_TRIES = 32 };

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_places(const void *a, const void *b)
{
	const struct place_sym *x = a, *y = b;

	if (x->section != y->section)
		return compare_u32(x->section, y->section);
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return compare_u32(x->symbol, y->symbol);
}

static int compare_keys(const void *a, const void *b)
{
	const struct place_key *x = a, *y = b;

	if (x->name != y->name)
		return compare_u32(x->name, y->name);
	if (x->file != y->file)
		return compare_u32(x->file, y->file);
	if (x->group != y->group)
		return compare_u32(x->group, y->group);
	return compare_u32(x->sym, y->sym);
}

size_t place_lower(const struct place_match *m, const struct place_keys *list, uint32_t name,
		   uint32_t file, uint32_t group, uint32_t sym)
{
	const struct place_key key = { name, file, group, sym };

	return LOWER_BOUND(m->name_start[name], m->name_start[name + 1], i,
			   compare_keys(&list->items[i], &key) < 0);
}

struct place_range place_range(const struct place_match *m, const struct place_keys *list,
			       uint32_t name, uint32_t file, uint32_t group)
{
	bool any_file = file == PLACE_NONE, any_group = group == PLACE_NONE;
	size_t first = place_lower(m, list, name, any_file ? 0 : file, any_group ? 0 : group, 0);
	size_t end = place_lower(m, list, name, file, group, PLACE_NONE);

	return (struct place_range){ list->items + first, end - first };
}

uint32_t place_lower_sym(const struct place_match *m, struct place_at at)
{
	const struct place_sym *s = m->syms.items;

	return (uint32_t)LOWER_BOUND(0, m->syms.nr, i,
				     place_before((struct place_at){ s[i].section, s[i].value },
						  at));
}

/* ---- making it ---- */

/* By string id: is it the name of a variable that is local in the file? */
static uint8_t *local_names(struct place_match *m, size_t nr_strings)
{
	uint8_t *is_local = mem_zalloc(nr_strings, 1);

	for (size_t i = 0; i < m->nr_homes; i++) {
		const struct place_home *h = &m->homes[i];
		const struct unit_var *v = place_vars(m, h);

		for (uint32_t k = 0; k < h->nr; k++) {
			bool global = v[k].linkage == BTF_LINK_GLOBAL;

			if (global && m->globals[v[k].symbol])
				continue;
			is_local[v[k].symbol] = 1;
			if (global)
				continue;
			m->unit_states[h->unit].nr_statics++;
			if (m->nr_statics[v[k].symbol] < 2)
				m->nr_statics[v[k].symbol]++;
		}
	}
	return is_local;
}

static void collect(struct place_match *m, struct str_pool *strings, struct name_ids *files)
{
	uint8_t *is_local = local_names(m, strings->end);
	uint32_t group = 0;

	vec_push(&m->groups, ((struct place_group){ 0, PLACE_NONE, 0 }));
	for (size_t i = 0; i < m->symtab->nr_all; i++) {
		const struct symbol *s = &m->symtab->all[i];

		if (s->bind != STB_LOCAL)
			continue;
		if (s->type == STT_FILE) {
			/* ld puts an empty one in front of the symbols that it has made local */
			uint32_t file = *s->name ? name_ids_add(files, s->name) : 0;

			group = (uint32_t)m->groups.nr;
			vec_push(&m->groups, ((struct place_group){ file, PLACE_NONE, 0 }));
			continue;
		}
		if (s->type != STT_OBJECT || s->section == SHN_UNDEF ||
		    s->section >= SYMBOL_RESERVED)
			continue;
		uint32_t name = str_pool_find(strings, s->name, strlen(s->name));
		if (!name || !is_local[name])
			continue;
		m->groups.items[group].nr_syms++;
		vec_push(&m->syms, ((struct place_sym){
					   .name = name,
					   .file = m->groups.items[group].file,
					   .group = group,
					   .section = s->section,
					   .symbol = (uint32_t)i,
					   .value = s->value,
					   .size = s->size,
				   }));
	}
	free(is_local);
}

static void count_names(struct place_match *m, size_t nr_strings)
{
	m->name_start = mem_zalloc(nr_strings + 1, sizeof(m->name_start[0]));
	for (size_t i = 0; i < m->syms.nr; i++)
		m->name_start[m->syms.items[i].name + 1]++;
	for (size_t i = 0; i < nr_strings; i++)
		m->name_start[i + 1] += m->name_start[i];
}

/* Most names have one symbol: names are counted, and only what is of one name is sorted. */
static void make_keys(const struct place_match *m, size_t nr_strings, bool file, bool group,
		      struct place_keys *ret)
{
	uint32_t *next = mem_dup(m->name_start, nr_strings * sizeof(next[0]));

	ret->items = mem_alloc(m->syms.nr * sizeof(ret->items[0]));
	for (size_t i = 0; i < m->syms.nr; i++) {
		const struct place_sym *s = &m->syms.items[i];

		ret->items[next[s->name]++] = (struct place_key){
			.name = s->name,
			.file = file ? s->file : 0,
			.group = group ? s->group : 0,
			.sym = (uint32_t)i,
		};
	}
	free(next);
	for (size_t i = 0, end; i < m->syms.nr; i = end) {
		end = m->name_start[ret->items[i].name + 1];
		if (end - i > 1)
			qsort(ret->items + i, end - i, sizeof(ret->items[0]), compare_keys);
	}
}

/* Units and groups whose file is nobody else's belong together. */
static void find_namesakes(struct place_match *m, size_t nr_files)
{
	struct pair {
		uint32_t nr_units, unit, nr_groups, group;
	} *pairs = mem_zalloc(nr_files + 1, sizeof(pairs[0]));

	for (uint32_t i = 0; i < m->nr_units; i++) {
		struct pair *p = &pairs[m->unit_states[i].file];

		m->unit_states[i].namesake = PLACE_NONE;
		p->nr_units++;
		p->unit = i;
	}
	for (uint32_t i = 0; i < m->groups.nr; i++) {
		struct pair *p = &pairs[m->groups.items[i].file];

		p->nr_groups++;
		p->group = i;
	}
	for (size_t i = 1; i <= nr_files; i++) {
		if (pairs[i].nr_units == 1 && pairs[i].nr_groups == 1)
			m->unit_states[pairs[i].unit].namesake = pairs[i].group;
	}
	free(pairs);
}

/* Has each static variable a symbol, as far as it can be counted? */
static bool is_scarce(const struct place_match *m)
{
	for (size_t i = 0; i < m->nr_homes; i++) {
		const struct unit_var *v = place_vars(m, &m->homes[i]);

		for (uint32_t k = 0; k < m->homes[i].nr; k++) {
			if (v[k].linkage != BTF_LINK_GLOBAL &&
			    place_range(m, &m->at_place, v[k].symbol, 0, 0).nr <
				    m->nr_statics[v[k].symbol])
				return true;
		}
	}
	return false;
}

struct home_key {
	uint32_t name, unit, home;
};

static int compare_homes(const void *a, const void *b)
{
	const struct home_key *x = a, *y = b;

	if (x->name != y->name)
		return compare_u32(x->name, y->name);
	if (x->unit != y->unit)
		return compare_u32(x->unit, y->unit);
	return compare_u32(x->home, y->home);
}

/* The numbers of strings depend on chance: a name counts by the first home that has it. */
static uint32_t *first_homes(const struct place_match *m, size_t nr_strings)
{
	uint32_t *first = mem_zalloc(nr_strings, sizeof(first[0]));

	for (size_t i = m->nr_homes; i-- > 0;)
		first[m->homes[i].name] = (uint32_t)i;
	return first;
}

/* By unit, and before that by name if @first is given. */
static uint32_t *sort_homes(const struct place_match *m, const uint32_t *first)
{
	struct home_key *keys = mem_alloc((m->nr_homes + 1) * sizeof(keys[0]));
	uint32_t *order = mem_alloc((m->nr_homes + 1) * sizeof(order[0]));

	for (size_t i = 0; i < m->nr_homes; i++)
		keys[i] = (struct home_key){
			.name = first ? first[m->homes[i].name] : 0,
			.unit = m->homes[i].unit,
			.home = (uint32_t)i,
		};
	qsort(keys, m->nr_homes, sizeof(keys[0]), compare_homes);
	for (size_t i = 0; i < m->nr_homes; i++)
		order[i] = keys[i].home;
	free(keys);
	return order;
}

/*
 * clang puts constants whose address does not matter into sections that the linker merges. They
 * are known by their names, for BTF does not tell more.
 */
static bool is_merged(const char *name)
{
	static const char *const prefixes[] = { ".rodata.cst", ".rodata.str" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	}
	return false;
}

void place_find_rarest(struct place_match *m, uint32_t unit)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	const struct place_keys *list = u->file ? &m->in_file_group : &m->in_group;

	for (uint32_t i = 0; i < u->nr_homes; i++) {
		uint32_t home = m->by_unit[u->first_home + i];
		struct place_home_state *hs = &m->home_states[home];
		const struct unit_var *v = place_vars(m, &m->homes[home]);

		hs->rarest = PLACE_NONE;
		hs->nr_rarest = 0;
		for (uint32_t k = 0; k < m->homes[home].nr; k++) {
			if (v[k].linkage == BTF_LINK_GLOBAL)
				continue;
			uint32_t nr =
				(uint32_t)place_range(m, list, v[k].symbol, u->file, PLACE_NONE).nr;
			if (nr && (hs->rarest == PLACE_NONE || nr < hs->nr_rarest)) {
				hs->rarest = k;
				hs->nr_rarest = nr;
			}
		}
	}
}

void place_match_init(struct place_match *m, struct str_pool *strings)
{
	CLEANUP(name_ids_release) struct name_ids files = { 0 };
	uint32_t *first = first_homes(m, strings->end);

	m->unit_states = mem_zalloc(m->nr_units + 1, sizeof(m->unit_states[0]));
	m->home_states = mem_zalloc(m->nr_homes + 1, sizeof(m->home_states[0]));
	m->nr_statics = mem_zalloc(strings->end, 1);
	m->by_unit = sort_homes(m, NULL);
	m->by_name = sort_homes(m, first);
	free(first);
	collect(m, strings, &files);
	for (size_t i = 0; i < m->nr_units; i++) {
		m->unit_states[i].file = m->units[i].file ?
						 name_ids_find(&files, m->units[i].file) :
						 0;
		m->unit_states[i].group = PLACE_NONE;
		m->unit_states[i].to = PLACE_NONE;
		m->budget += m->unit_states[i].nr_statics;
	}
	find_namesakes(m, files.names.nr);
	for (size_t i = m->nr_homes; i-- > 0;) {
		struct place_unit_state *u = &m->unit_states[m->homes[m->by_unit[i]].unit];

		u->first_home = (uint32_t)i;
		u->nr_homes++;
	}

	if (m->syms.nr)
		qsort(m->syms.items, m->syms.nr, sizeof(m->syms.items[0]), compare_places);
	count_names(m, strings->end);
	make_keys(m, strings->end, false, true, &m->in_group);
	make_keys(m, strings->end, true, true, &m->in_file_group);
	make_keys(m, strings->end, false, false, &m->at_place);
	make_keys(m, strings->end, true, false, &m->in_file);
	m->scarce = is_scarce(m);
	m->budget = 1000000 + 100 * (m->budget + m->syms.nr);
	for (size_t i = 0; i < m->nr_homes; i++) {
		m->home_states[i].to = PLACE_END;
		m->home_states[i].merged = is_merged(str_pool_text(strings, m->homes[i].name));
	}
	for (uint32_t i = 0; i < m->nr_units; i++)
		place_find_rarest(m, i);
}

void place_match_release(struct place_match *m)
{
	FREE_ALL(m->name_start, m->nr_statics, m->syms.items, m->groups.items, m->in_group.items,
		 m->in_file_group.items, m->at_place.items, m->in_file.items, m->unit_states,
		 m->home_states, m->by_unit, m->by_name);
}

/* ---- asking it ---- */

/*
 * Can a symbol of @size be @v? An array without a length at the end of a type makes it longer, of
 * which members by others do not tell; nor that clang has made it a byte.
 */
static bool size_fits(const struct unit_var *v, uint64_t size)
{
	return v->symbol_size ? size == v->symbol_size : size >= v->size;
}

/* The symbol for @v in @group, or in any, at @at; NULL if there is none. */
static const struct place_sym *symbol_at(const struct place_match *m, const struct unit_var *v,
					 uint32_t group, struct place_at at)
{
	const struct place_keys *list = group == PLACE_NONE ? &m->at_place : &m->in_group;
	uint32_t g = group == PLACE_NONE ? 0 : group;
	uint32_t sym = place_lower_sym(m, at);

	for (size_t i = place_lower(m, list, v->symbol, 0, g, sym); i < m->syms.nr; i++) {
		const struct place_key *k = &list->items[i];
		const struct place_sym *s = &m->syms.items[k->sym];

		if (k->name != v->symbol || k->group != g || s->section != at.section ||
		    s->value != at.value)
			break;
		if (size_fits(v, s->size))
			return s;
	}
	return NULL;
}

static void spend(struct place_match *m, uint64_t n)
{
	m->budget -= n < m->budget ? n : m->budget;
}

bool place_home_fits(struct place_match *m, uint32_t home, uint32_t group, struct place_at start)
{
	const struct place_home *h = &m->homes[home];
	const struct place_home_state *hs = &m->home_states[home];
	const struct unit_var *v = place_vars(m, h);

	spend(m, h->nr);
	if (place_before(start, hs->from) || !place_before(start, hs->to))
		return false;
	for (uint32_t i = 0; i < h->nr; i++) {
		const struct place_at at = { start.section, start.value + v[i].offset };

		if (v[i].linkage == BTF_LINK_GLOBAL)
			continue;
		if (!symbol_at(m, &v[i], group, at) &&
		    place_range(m, &m->at_place, v[i].symbol, 0, 0).nr)
			return false;
	}
	return true;
}

/* The static variable of @h with the fewest symbols in @group, but at least one. */
static const struct unit_var *rarest_in_group(const struct place_match *m,
					      const struct place_home *h, uint32_t group,
					      struct place_range *ret)
{
	const struct unit_var *v = place_vars(m, h), *best = NULL;

	for (uint32_t i = 0; i < h->nr; i++) {
		if (v[i].linkage == BTF_LINK_GLOBAL)
			continue;
		struct place_range r = place_range(m, &m->in_group, v[i].symbol, 0, group);
		if (r.nr && (!best || r.nr < ret->nr)) {
			best = &v[i];
			*ret = r;
			if (r.nr == 1)
				break;
		}
	}
	return best;
}

static void count_statics(const struct place_match *m, const struct place_home *h, uint32_t group,
			  struct place_at start, struct place_fit *fit)
{
	const struct unit_var *v = place_vars(m, h);

	for (uint32_t i = 0; i < h->nr; i++) {
		if (v[i].linkage == BTF_LINK_GLOBAL)
			continue;
		const struct place_at at = { start.section, start.value + v[i].offset };
		const struct place_sym *s = symbol_at(m, &v[i], group, at);

		if (!s)
			continue; /* renamed */
		fit->statics++;
		fit->longer += !v[i].symbol_size && s->size != v[i].size;
		fit->unique |= m->nr_statics[v[i].symbol] == 1 &&
			       place_range(m, &m->at_place, v[i].symbol, 0, 0).nr == 1;
	}
}

/* Are the symbols of @home as long as their types, if it starts at @start? */
static bool home_exact(const struct place_match *m, uint32_t home, uint32_t group,
		       struct place_at start)
{
	const struct place_home *h = &m->homes[home];
	struct place_fit fit = { 0 };

	count_statics(m, h, group, start, &fit);
	return !fit.longer;
}

size_t place_home_in_group(struct place_match *m, uint32_t home, uint32_t group,
			   struct place_at *ret_start)
{
	struct place_range r = { 0 };
	const struct unit_var *v = rarest_in_group(m, &m->homes[home], group, &r);
	size_t found = 0, exact = 0;

	for (size_t i = 0; v && i < r.nr && i < MAX_TRIES; i++) {
		const struct place_sym *s = &m->syms.items[r.items[i].sym];
		const struct place_at start = { s->section, s->value - v->offset };

		if (!place_home_fits(m, home, group, start))
			continue;
		/* an array without a length at the end of a type is rare */
		bool is_exact = home_exact(m, home, group, start);
		if (is_exact || !exact)
			*ret_start = start;
		found++;
		exact += is_exact;
	}
	return exact ? exact : found;
}

static uint32_t globals_at(const struct place_match *m, const struct place_home *h,
			   struct place_at start)
{
	const struct unit_var *v = place_vars(m, h);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < h->nr; i++) {
		if (v[i].linkage != BTF_LINK_GLOBAL || !m->globals[v[i].symbol] ||
		    m->nr_defs[v[i].symbol] > 1)
			continue;
		const struct symbol *s = &m->symtab->all[m->globals[v[i].symbol] - 1];
		nr += s->section == start.section && s->value == start.value + v[i].offset;
	}
	return nr;
}

struct place_fit place_unit_fits(struct place_match *m, uint32_t unit, uint32_t group)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	struct place_fit fit = { 0 };

	for (uint32_t i = 0; i < u->nr_homes; i++) {
		uint32_t home = m->by_unit[u->first_home + i];
		const struct place_home *h = &m->homes[home];
		struct place_range r = { 0 };
		struct place_at start;

		if (!rarest_in_group(m, h, group, &r))
			continue; /* discarded, or without statics */
		size_t nr = place_home_in_group(m, home, group, &start);
		if (nr) {
			count_statics(m, h, group, start, &fit);
			fit.globals += nr == 1 ? globals_at(m, h, start) : 0;
		} else if (m->home_states[home].merged) {
			fit.statics++;
		} else {
			return (struct place_fit){ 0 };
		}
	}
	uint32_t nr_syms = m->groups.items[group].nr_syms;
	fit.others = nr_syms > fit.statics ? nr_syms - fit.statics : 0;
	return fit;
}

static enum place_why only_one(const struct place_match *m, struct place_range r,
			       struct place_at *ret)
{
	if (r.nr != 1)
		return r.nr ? PLACE_AMBIGUOUS : PLACE_DISCARDED;
	*ret = (struct place_at){ m->syms.items[r.items[0].sym].section,
				  m->syms.items[r.items[0].sym].value };
	return PLACE_OK;
}

/* A variable whose symbol was renamed or removed is where its home says, if that is known. */
static bool by_home(const struct place_match *m, uint32_t home, const struct unit_var *v,
		    struct place_at *ret)
{
	const struct place_home_state *hs = &m->home_states[home];

	if (!hs->solved && !(hs->known && hs->in_order))
		return false;
	*ret = (struct place_at){ hs->start.section, hs->start.value + v->offset };
	return true;
}

enum place_why place_hidden(const struct place_match *m, uint32_t home, const struct unit_var *v,
			    struct place_at *ret)
{
	uint32_t group = m->unit_states[m->homes[home].unit].group;
	struct place_range r = { 0 };

	if (group != PLACE_NONE)
		r = place_range(m, &m->in_group, v->symbol, 0, group); /* lld */
	if (!r.nr)
		r = place_range(m, &m->in_file, v->symbol, 0, 0); /* GNU ld */
	if (!r.nr)
		r = place_range(m, &m->at_place, v->symbol, 0, 0);
	if (!r.nr && by_home(m, home, v, ret))
		return PLACE_OK;
	return only_one(m, r, ret);
}

/* Could an object that is not known yet have a symbol for @v? */
static bool may_be_somewhere(const struct place_match *m, uint32_t unit, const struct unit_var *v)
{
	const struct place_unit_state *u = &m->unit_states[unit];
	struct place_range r = place_range(m, u->file ? &m->in_file : &m->at_place, v->symbol,
					   u->file, 0);

	for (size_t i = 0; i < r.nr && i < MAX_TRIES; i++) {
		uint32_t g = m->syms.items[r.items[i].sym].group;

		if (u->loose || m->groups.items[g].unit == PLACE_NONE)
			return true;
	}
	return r.nr > MAX_TRIES;
}

enum place_why place_static(struct place_match *m, uint32_t home, const struct unit_var *v,
			    struct place_at *ret)
{
	const struct place_home *h = &m->homes[home];
	const struct place_home_state *hs = &m->home_states[home];
	uint32_t group = m->unit_states[h->unit].group;

	if (hs->solved) {
		*ret = (struct place_at){ hs->start.section, hs->start.value + v->offset };
		return PLACE_OK;
	}
	struct place_range all = place_range(m, &m->at_place, v->symbol, 0, 0);

	if (!all.nr && by_home(m, home, v, ret))
		return PLACE_OK;
	if (group != PLACE_NONE)
		return only_one(m, place_range(m, &m->in_group, v->symbol, 0, group), ret);
	if (m->unit_states[h->unit].loose && hs->merged && m->nr_statics[v->symbol] == 1)
		return only_one(m, all, ret);
	return may_be_somewhere(m, h->unit, v) ? PLACE_AMBIGUOUS : PLACE_DISCARDED;
}
