/* SPDX-License-Identifier: GPL-2.0-only */
/* multiple_definitions.c - see report_definitions() in passes.h */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "btf/compare/btf_alike.h"
#include "btf/compare/btf_copies.h"
#include "btf/compare/diff_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A type by its name; those of the base have the lower ids. */
struct definition {
	uint32_t kind; /* BTF_ENUM for ENUM64, too */
	const char *name;
	uint32_t id;
	/* the first and the last unit that has it, and how many have it */
	uint32_t unit, last_unit, nr_units;
};

struct definitions {
	struct definition *items;
	size_t nr, cap;
};

/* --- which names --------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct definition *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_name_and_id(const void *a, const void *b)
{
	const struct definition *x = a, *y = b;
	int diff = by_name(x, y);

	return diff ? diff : (x->id > y->id) - (x->id < y->id);
}

static void sort(struct definitions *d)
{
	vec_sort(d, by_name_and_id);
}

/* Add the types of @v that are called @name and have a name in @like; NULL stands for any. */
static void add_types(const struct btf_view *v, const char *name, const struct definitions *like,
		      struct definitions *ret)
{
	for (uint32_t id = v->types.first; id < btf_types_end(&v->types); id++) {
		const uint32_t *rec = btf_types_rec(&v->types, id);
		struct definition d = { .kind = btf_defined_kind(rec), .id = id };

		if (d.kind == BTF_UNKN)
			continue;
		d.name = btf_view_str(v, v->base, rec[BTF_REC_NAME]);
		if ((!name || !strcmp(d.name, name)) &&
		    (!like || bsearch(&d, like->items, like->nr, sizeof(d), by_name)))
			vec_push(ret, d);
	}
}

/* The number of definitions with the name of number @i, from there on. */
static size_t namesakes(const struct definitions *d, size_t i)
{
	size_t nr = 1;

	while (i + nr < d->nr && !by_name(&d->items[i], &d->items[i + nr]))
		nr++;
	return nr;
}

/* How many of the @nr definitions at @d are in the base? They come first. */
static size_t count_base(const struct btf_view *v, const struct definition *d, size_t nr)
{
	size_t nr_base = 0;

	while (nr_base < nr && d[nr_base].id < v->types.first)
		nr_base++;
	return nr_base;
}

static bool alike_any(const struct btf_view *v, const struct definition *others, size_t nr,
		      const struct definition *d)
{
	for (size_t i = 0; i < nr; i++) {
		if (btf_alike_at_sight(v, others[i].id, d->id))
			return true;
	}
	return false;
}

/* Can the @nr definitions at @d, of one name, differ? */
static bool may_be_several(const struct btf_view *v, const struct definition *d, size_t nr)
{
	size_t nr_base = count_base(v, d, nr), from = nr_base ? nr_base : 1;

	if (d->kind != BTF_TYPEDEF)
		return nr > 1;
	for (size_t i = from; i < nr; i++) {
		if (!alike_any(v, d, from, &d[i]))
			return true;
	}
	return false;
}

static void keep_several(const struct btf_view *v, struct definitions *d)
{
	size_t left = 0;

	for (size_t i = 0, nr; i < d->nr; i += nr) {
		nr = namesakes(d, i);
		if (!may_be_several(v, &d->items[i], nr))
			continue;
		for (size_t k = 0; k < nr; k++)
			d->items[left++] = d->items[i + k];
	}
	d->nr = left;
}

/* By name, then by id. */
static void find_definitions(const struct program *p, const struct btf_view *v,
			     const struct omission_log *log, struct definitions *ret)
{
	CLEANUP(vec_release) struct definitions of_base = { 0 };

	/* one name that is asked for, or all */
	bool one = !log->list->all && !log->list->also;

	add_types(v, one ? str_pool_text(log->strings, log->list->asked) : NULL, NULL, ret);
	sort(ret);
	if (!ret->nr)
		return;
	for (const struct btf_view *below = v->base; below; below = below->base)
		add_types(below, NULL, ret, &of_base);
	for (size_t i = 0; i < of_base.nr; i++)
		vec_push(ret, of_base.items[i]);
	if (p->request->base)
		sort(ret);
	keep_several(v, ret);
}

/* --- which units define a type -------------------------------------------------------- */

static void add_definer(struct definition *d, uint32_t unit)
{
	if (!d->nr_units)
		d->unit = unit;
	else if (d->last_unit == unit)
		return;
	d->last_unit = unit;
	d->nr_units++;
}

static bool is_forward(const struct program *p, uint32_t id)
{
	return btf_rec_kind(type_pool_at(&p->types, id)->rec) == BTF_FWD;
}

static void find_definers(const struct program *p, struct definitions *d)
{
	uint32_t first = p->out.first, end = btf_types_end(&p->out);
	/* by id: the index, plus 1 */
	CLEANUP(mem_free) uint32_t *index = mem_zalloc(end - first, sizeof(*index));

	for (size_t i = 0; i < d->nr; i++) {
		if (d->items[i].id >= first)
			index[d->items[i].id - first] = (uint32_t)i + 1;
	}
	for (uint32_t i = 0; i < p->units.nr; i++) {
		const struct program_unit *u = &p->units.items[i];

		for (unit_tid t = 1; t < u->btf.types.nr; t++) {
			uint32_t id = u->btf.types.items[t];
			uint32_t rec = u->ids && u->ids[t] ? u->ids[t] : p->final[id];

			rec = rec ? p->ids[rec] : 0;
			if (rec >= first && index[rec - first] && id && !is_forward(p, id))
				add_definer(&d->items[index[rec - first] - 1], i);
		}
	}
}

/* --- reporting ------------------------------------------------------------------------- */

struct definition_report {
	struct program *p;
	const struct omission_log *log;
	const struct btf_view *view;
	struct btf_copies copies;
};

static void release_report(struct definition_report *t)
{
	btf_copies_release(&t->copies);
}

/* A string that describes where @id differs from @from; 0 if it does not differ. */
static uint32_t difference(struct definition_report *t, uint32_t from, uint32_t id)
{
	CLEANUP(text_release) struct text text = { 0 };
	struct btf_difference d;

	if (from == id || !btf_copies_differ(&t->copies, from, id, &d))
		return 0;
	diff_text_line(&text, &t->copies.found, &d, &t->copies.found.changes.items[d.change],
		       &diff_words_copies);
	return str_pool_add_copy(&t->p->strings, text.items, text.nr);
}

/* Returns whether @d differs from @from. */
static bool add_definition(struct definition_report *t, const struct definition *d, uint32_t from)
{
	struct omission_definition o = {
		.nr_units = d->nr_units,
		.difference = difference(t, from, d->id),
		.in_base = d->id < t->p->out.first,
	};

	if (d->kind != BTF_TYPEDEF)
		o.bytes = btf_types_rec(&t->view->types, d->id)[BTF_REC_SIZE_TYPE];
	if (d->nr_units)
		o.unit = t->p->units.items[d->unit].btf.name;
	vec_push(&t->log->list->definitions, o);
	return o.difference;
}

/* The definition that @d is compared with: one of the base that is alike, or else the first. */
static uint32_t counterpart(const struct definition_report *t, const struct definition *of_base,
			    size_t nr_base, const struct definition *d)
{
	for (size_t i = 0; i < nr_base; i++) {
		if (btf_copies_alike(&t->copies, of_base[i].id, d->id))
			return of_base[i].id;
	}
	return of_base[0].id;
}

static const char *keyword(uint32_t kind)
{
	return kind == BTF_STRUCT ? "struct" :
	       kind == BTF_UNION  ? "union" :
	       kind == BTF_ENUM   ? "enum" :
				    "typedef";
}

/* Report the @nr definitions at @d, which have one name. */
static void report_name(struct definition_report *t, const struct definition *d, size_t nr)
{
	struct omissions *list = t->log->list;
	struct omission o = {
		.rule = OMIT_TYPE_SEVERAL_DEFINITIONS,
		.name = str_pool_add_copy(&t->p->strings, d->name, strlen(d->name)),
		.keyword = keyword(d->kind),
		.definitions = list->definitions.nr,
	};
	bool alike = d->kind == BTF_TYPEDEF, same = true;
	size_t nr_base = count_base(t->view, d, nr);

	for (size_t i = nr_base; i < nr; i++)
		alike &= btf_copies_alike(&t->copies, counterpart(t, d, nr_base, &d[i]), d[i].id);
	if (alike)
		return;
	if (nr_base) /* one is enough */
		add_definition(t, &d[0], d[0].id);
	for (size_t i = nr_base; i < nr; i++)
		same &= !add_definition(t, &d[i], counterpart(t, d, nr_base, &d[i]));
	if (nr_base)
		o.rule = same ? OMIT_TYPE_REPEATS_BASE : OMIT_TYPE_DIFFERS_FROM_BASE;
	o.nr_definitions = list->definitions.nr - o.definitions;
	omission_report(t->log, o);
}

struct err *report_definitions(struct program *p)
{
	CLEANUP(vec_release) struct definitions d = { 0 };
	const struct btf_view view = result_view(p);
	const struct omission_log log = program_log(p, p->diags);
	CLEANUP(release_report)
	struct definition_report t = { .p = p, .log = &log, .view = &view };

	if (!p->omissions)
		return NULL;
	find_definitions(p, &view, &log, &d);
	if (!d.nr)
		return NULL;
	find_definers(p, &d);
	TRY(btf_copies_open(&view, &t.copies));
	for (size_t i = 0, nr; i < d.nr; i += nr) {
		nr = namesakes(&d, i);
		report_name(&t, &d.items[i], nr);
	}
	return NULL;
}
