/* SPDX-License-Identifier: GPL-2.0-only */
/* report.c - see report.h */
#include "encoder/report/report.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static void forget(struct report *r)
{
	r->begun = false;
	r->similar = (struct nearest){ 0 };
	r->entries.nr = 0;
	omissions_release(&r->found);
	arena_reset(&r->texts);
}

struct omissions *report_begin(struct report *r, struct str_pool *strings)
{
	forget(r);
	r->begun = true;
	r->found.all = r->all;
	r->found.asked = r->asked ? str_pool_add_copy(strings, r->asked, strlen(r->asked)) : 0;
	return &r->found;
}

/* Texts of the pool, which does not live as long as the report. */
struct writing {
	struct report *r;
	const struct str_pool *strings;
	const struct object *obj;
	const char **texts; /* by string id: the copy, or NULL */
};

static const char *text(struct writing *w, uint32_t id)
{
	const struct str_entry *s;

	if (!id)
		return "";
	if (!w->texts[id]) {
		s = str_pool_at(w->strings, id);
		w->texts[id] = arena_strndup(&w->r->texts, s->text, s->len);
	}
	return w->texts[id];
}

/*
 * Addresses in a relocatable file are made up (object.h), so its locations are offsets in sections.
 * With several input files there is no location.
 */
static struct report_place place(struct writing *w, uint32_t unit, uint64_t addr)
{
	struct report_place at = { .unit = text(w, unit), .section = "" };

	if (!addr || !w->obj)
		return at;
	if (!w->obj->is_rel) {
		at.addr = addr;
		at.has_addr = true;
		return at;
	}
	for (size_t i = 1; i < w->obj->nr_sections; i++) {
		const struct object_section *s = &w->obj->sections[i];

		if (!(s->flags & SHF_ALLOC) || addr < s->debug_addr ||
		    addr - s->debug_addr >= s->size)
			continue;
		at.section = arena_strndup(&w->r->texts, s->name, strlen(s->name));
		at.addr = addr - s->debug_addr;
		at.has_addr = true;
		break;
	}
	return at;
}

static const struct report_clash *clash(struct writing *w, const struct omission *o)
{
	struct report_clash *c;

	if (!o->clash)
		return NULL;
	c = arena_alloc(&w->r->texts, sizeof(*c));
	c->how = &w->r->found.clashes.items[o->clash - 1];
	c->a = (struct report_proto){ text(w, c->how->a.text),
				      place(w, c->how->a.unit, c->how->a.addr) };
	c->b = (struct report_proto){ text(w, c->how->b.text),
				      place(w, c->how->b.unit, c->how->b.addr) };
	return c;
}

static const struct report_definition *definitions(struct writing *w, const struct omission *o)
{
	struct report_definition *ret;

	if (!o->nr_definitions)
		return NULL;
	ret = arena_alloc(&w->r->texts, o->nr_definitions * sizeof(*ret));
	for (size_t i = 0; i < o->nr_definitions; i++) {
		const struct omission_definition *d =
			&w->r->found.definitions.items[o->definitions + i];

		ret[i] = (struct report_definition){
			.unit = text(w, d->unit),
			.nr_units = d->nr_units,
			.in_base = d->in_base,
			.bytes = d->bytes,
			.difference = text(w, d->difference),
		};
	}
	return ret;
}

static void add(struct writing *w, const struct omission *o)
{
	bool is_address = omission_rules[o->rule].number == NUMBER_ADDRESS;

	vec_push(&w->r->entries, ((struct report_entry){
					 .rule = o->rule,
					 .name = text(w, o->name),
					 .part = text(w, o->part),
					 .keyword = o->keyword ? o->keyword : "",
					 .other_unit = text(w, o->other_unit),
					 .at = place(w, o->unit, is_address ? o->number : 0),
					 .nr_units = o->nr_units,
					 .number = is_address ? 0 : o->number,
					 .also = o->also,
					 .clash = clash(w, o),
					 .definitions = definitions(w, o),
					 .nr_definitions = o->nr_definitions,
				 }));
}

struct sorted {
	const struct omission *o;
	const char *name;
};

static int by_subject(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	enum omission_subject of_x = omission_rules[x->o->rule].subject;
	enum omission_subject of_y = omission_rules[y->o->rule].subject;
	int diff;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	diff = strcmp(x->name, y->name);
	if (diff)
		return diff;
	if (x->o->rule != y->o->rule)
		return x->o->rule < y->o->rule ? -1 : 1;
	return (x->o > y->o) - (x->o < y->o); /* of one array */
}

static void find_similar(struct writing *w, uint32_t func_names_end)
{
	struct report *r = w->r;
	const char *name;

	if (!r->asked)
		return;
	r->similar = nearest_to(r->asked);
	for (uint32_t id = 1; id < func_names_end; id++)
		nearest_offer(&r->similar, str_pool_text(w->strings, id));
	name = r->similar.name;
	if (name)
		r->similar.name = arena_strndup(&r->texts, name, strlen(name));
}

void report_end(struct report *r, const struct str_pool *strings, uint32_t func_names_end,
		const struct object *obj)
{
	struct writing w = { .r = r, .strings = strings, .obj = obj };
	struct sorted *sorted = mem_alloc(r->found.nr * sizeof(*sorted) + 1);

	w.texts = mem_zalloc(atomic_load(&strings->end) + (size_t)1, sizeof(*w.texts));
	for (size_t i = 0; i < r->found.nr; i++)
		sorted[i] = (struct sorted){ &r->found.items[i],
					     str_pool_text(strings, r->found.items[i].name) };
	if (r->found.nr)
		qsort(sorted, r->found.nr, sizeof(*sorted), by_subject);
	for (size_t i = 0; i < r->found.nr; i++)
		add(&w, sorted[i].o);
	find_similar(&w, func_names_end);
	free(sorted);
	free(w.texts);
}

/* A kfunc is mostly lost because a rule omits or changes its function. NULL if none does. */
static const struct report_entry *cause(const struct report *r, const struct report_entry *lost)
{
	for (size_t i = 0; lost->rule == OMIT_KFUNC_LOST && i < r->entries.nr; i++) {
		const struct report_entry *e = &r->entries.items[i];

		if (omission_rules[e->rule].subject == SUBJECT_FUNC && !strcmp(e->name, lost->name))
			return e;
	}
	return NULL;
}

/* "function 'f' of unit 'a.c'" */
static void put_subject(struct text *out, const struct report_entry *e, const char *unit)
{
	static const char *const subjects[] = {
		[SUBJECT_FUNC] = "function", [SUBJECT_VAR] = "variable", [SUBJECT_TYPE] = "type",
		[SUBJECT_MEMBER] = "type",   [SUBJECT_UNIT] = "unit",    [SUBJECT_ID] = "type",
	};
	const char *subject = subjects[omission_rules[e->rule].subject];

	if (*e->keyword)
		subject = strcmp(e->keyword, "func") ? e->keyword : subjects[SUBJECT_FUNC];
	text_printf(out, "%s '%s'", subject, *e->name ? e->name : "(anon)");
	if (*e->part)
		text_printf(out, ", '%s'", e->part);
	if (*unit && omission_rules[e->rule].subject != SUBJECT_UNIT)
		text_printf(out, " of unit '%s'", unit);
}

struct err *report_check(const struct report *r, const char *path, uint64_t rules)
{
	const struct report_entry *first = NULL;
	size_t others = 0;

	for (size_t i = 0; i < r->entries.nr; i++) {
		const struct report_entry *e = &r->entries.items[i];

		if (!(rules & omission_rule_bit(e->rule)))
			continue;
		others += first != NULL;
		if (!first)
			first = e;
	}
	if (!first)
		return NULL;

	CLEANUP(text_release) struct text what = { 0 };
	const struct report_entry *why = cause(r, first);

	put_subject(&what, first, why ? why->at.unit : first->at.unit);
	text_printf(&what, ": %s", omission_rules[first->rule].why);
	if (why)
		text_printf(&what, ": %s: %s", omission_rules[why->rule].id,
			    omission_rules[why->rule].why);
	if (others)
		text_printf(&what, " (and %zu more, see '--btf_report')", others);
	return err_new(ERR_FORMAT, "'%s': %s: %s", path, omission_rules[first->rule].id,
		       text_string(&what));
}

void report_release(struct report *r)
{
	free(r->entries.items);
	omissions_release(&r->found);
	arena_release(&r->texts);
}
