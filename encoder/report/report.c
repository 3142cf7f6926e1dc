/* SPDX-License-Identifier: GPL-2.0-only */
/* report.c - see report.h */
#include "encoder/report/report.h"

#include "base/cleanup.h"
#include "base/text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static void release_one(struct report *r)
{
	omissions_release(&r->omissions);
	arena_release(&r->copies);
	FREE_ALL(r->texts, r->sections.items);
	*r = (struct report){
		.all = r->all, .asked = r->asked, .also = r->also, .nr_also = r->nr_also
	};
}

void report_release(struct report *r)
{
	for (size_t i = 0; i < r->nr_also; i++)
		release_one(&r->also[i]);
	release_one(r);
}

struct report report_on(const struct report *r, size_t i)
{
	struct report one = i ? r->also[i - 1] : *r;

	one.begun = r->begun;
	one.omissions = r->omissions;
	one.texts = r->texts;
	one.has_addrs = r->has_addrs;
	one.in_sections = r->in_sections;
	one.sections.items = r->sections.items;
	one.sections.nr = r->sections.nr;
	return one;
}

static bool is_named(const struct symbol *s)
{
	return s->section && s->type != STT_FILE && s->type != STT_SECTION;
}

static void find_same(struct report_symbol *found, const struct symbols *syms,
		      const struct symbol *as, struct arena *texts)
{
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (s->section != as->section || s->value != as->value ||
		    !strcmp(s->name, as->name) || (s->type != STT_FUNC && s->type != STT_OBJECT))
			continue;
		if (found->nr_same++ < REPORT_NAMES)
			found->same[found->nr_same - 1] = arena_strndup(texts, s->name,
									strlen(s->name));
	}
}

static struct report_place place_of(struct report *r, const struct object *obj,
				    const struct symbol *s)
{
	const char *section = "";

	if (obj->is_rel && s->section < obj->nr_sections)
		section = obj->sections[s->section].name;
	section = arena_strndup(&r->copies, section, strlen(section));
	return (struct report_place){ section, s->value, true };
}

static void find_copies(struct report *r, const struct object *obj, const struct symbols *syms)
{
	size_t len = strlen(r->asked);

	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (s->type != STT_FUNC || !s->section || strncmp(s->name, r->asked, len) != 0 ||
		    s->name[len] != '.')
			continue;
		if (r->nr_copies++ < REPORT_NAMES)
			r->copied[r->nr_copies - 1] = (struct report_copy){
				arena_strndup(&r->copies, s->name, strlen(s->name)),
				place_of(r, obj, s)
			};
	}
}

/* Does the file use a function or variable of the name that it does not define? */
static bool is_undefined(const struct report *r, const struct symbols *syms)
{
	for (size_t i = 1; i < syms->nr_all; i++) {
		if (!syms->all[i].section && !strcmp(syms->all[i].name, r->asked))
			return true;
	}
	return false;
}

static void find_symbol(struct report *r, const struct object *obj, const struct symbols *syms)
{
	const struct symbol *s = syms->all, *end = s + syms->nr_all;
	const char *dot = strchr(r->asked, '.');

	while (s < end && (!is_named(s) || strcmp(s->name, r->asked) != 0))
		s++;
	if (s == end) {
		r->symbol.is_undefined = is_undefined(r, syms);
		return;
	}
	r->symbol.is_known = true;
	r->symbol.addr = s->value;
	if (obj->is_rel && s->section < obj->nr_sections)
		r->symbol.addr += obj->sections[s->section].debug_addr;
	r->symbol.is_code = s->section < obj->nr_sections &&
			    (obj->sections[s->section].flags & SHF_EXECINSTR);
	r->symbol.at = place_of(r, obj, s);
	find_same(&r->symbol, syms, s, &r->copies);
	if (dot && dot > r->asked)
		r->copy_of = arena_strndup(&r->copies, r->asked, (size_t)(dot - r->asked));
}

static void find_symbols(struct report *r, const struct object *obj, const struct symbols *syms)
{
	find_symbol(r, obj, syms);
	find_copies(r, obj, syms);
}

/* The string id of the name that DWARF has for r->asked; 0 for none. */
static uint32_t asked_id(const struct report *r, struct str_pool *strings)
{
	const char *name = r->copy_of ? r->copy_of : r->asked;

	return name ? str_pool_add_copy(strings, name, strlen(name)) : 0;
}

struct omissions *report_begin(struct report *r, struct str_pool *strings, const struct object *obj,
			       const struct symbols *syms)
{
	struct asked_name *also;

	report_release(r);
	r->begun = true;
	if (r->asked && syms)
		find_symbols(r, obj, syms);
	for (size_t i = 0; i < r->nr_also && syms; i++)
		find_symbols(&r->also[i], obj, syms);
	also = arena_alloc(&r->copies, r->nr_also * sizeof(*also));
	for (size_t i = 0; i < r->nr_also; i++)
		also[i] = (struct asked_name){ asked_id(&r->also[i], strings),
					       r->also[i].symbol.addr };
	r->omissions.all = r->all;
	r->omissions.asked = asked_id(r, strings);
	r->omissions.asked_addr = r->symbol.addr;
	r->omissions.also = also;
	r->omissions.nr_also = r->nr_also;
	return &r->omissions;
}

static void keep_text(struct report *r, const struct str_pool *strings, uint32_t id)
{
	const struct str_entry *s;

	if (!id || r->texts[id])
		return;
	s = str_pool_at(strings, id);
	r->texts[id] = arena_strndup(&r->copies, s->text, s->len);
}

static void keep_texts(struct report *r, const struct str_pool *strings)
{
	const struct omissions *all = &r->omissions;

	r->texts = mem_zalloc(atomic_load(&strings->end) + (size_t)1, sizeof(*r->texts));
	for (size_t i = 0; i < all->nr; i++) {
		const struct omission *o = &all->items[i];

		keep_text(r, strings, o->name);
		keep_text(r, strings, o->part);
		keep_text(r, strings, o->unit);
		keep_text(r, strings, o->other_unit);
	}
	for (size_t i = 0; i < all->clashes.nr; i++) {
		const struct omission_clash *c = &all->clashes.items[i];

		keep_text(r, strings, c->a.text);
		keep_text(r, strings, c->a.unit);
		keep_text(r, strings, c->b.text);
		keep_text(r, strings, c->b.unit);
	}
	for (size_t i = 0; i < all->definitions.nr; i++) {
		keep_text(r, strings, all->definitions.items[i].unit);
		keep_text(r, strings, all->definitions.items[i].difference);
	}
}

/* Addresses in a relocatable file are made up (object.h), so its locations are offsets in sections. */
static void keep_sections(struct report *r, const struct object *obj)
{
	r->has_addrs = obj != NULL;
	r->in_sections = obj && obj->is_rel;
	for (size_t i = 1; r->in_sections && i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if (s->flags & SHF_ALLOC)
			vec_push(&r->sections,
				 ((struct report_section){
					 arena_strndup(&r->copies, s->name, strlen(s->name)),
					 s->debug_addr, s->size }));
	}
}

struct report_place report_place(const struct report *r, uint64_t addr)
{
	if (!addr || !r->has_addrs)
		return (struct report_place){ 0 };
	if (!r->in_sections)
		return (struct report_place){ "", addr, true };
	for (size_t i = 0; i < r->sections.nr; i++) {
		const struct report_section *s = &r->sections.items[i];

		if (addr >= s->addr && addr - s->addr < s->size)
			return (struct report_place){ s->name, addr - s->addr, true };
	}
	return (struct report_place){ 0 };
}

struct sorted {
	struct omission o;
	const char *name;
	size_t nr; /* in the order of the input */
};

static int by_subject(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	enum omission_subject of_x = omission_rules[x->o.rule].subject;
	enum omission_subject of_y = omission_rules[y->o.rule].subject;
	int diff;

	if (of_x != of_y)
		return of_x < of_y ? -1 : 1;
	diff = strcmp(x->name, y->name);
	if (diff)
		return diff;
	if (x->o.rule != y->o.rule)
		return x->o.rule < y->o.rule ? -1 : 1;
	return (x->nr > y->nr) - (x->nr < y->nr);
}

static void sort(struct report *r)
{
	struct omissions *all = &r->omissions;
	CLEANUP(mem_free) struct sorted *sorted = mem_alloc(all->nr * sizeof(*sorted) + 1);

	for (size_t i = 0; i < all->nr; i++) {
		struct omission *o = &all->items[i];

		if (!o->keyword)
			o->keyword = "";
		sorted[i] = (struct sorted){ *o, report_text(r, o->name), i };
	}
	if (all->nr)
		qsort(sorted, all->nr, sizeof(*sorted), by_subject);
	for (size_t i = 0; i < all->nr; i++)
		all->items[i] = sorted[i].o;
}

static void find_similar(struct report *r, const struct str_pool *strings, uint32_t func_names_end)
{
	const char *name;

	if (!r->asked)
		return;
	r->similar = nearest_to(r->asked);
	for (uint32_t id = 1; id < func_names_end; id++)
		nearest_offer_other(&r->similar, str_pool_text(strings, id));
	name = r->similar.name;
	if (name)
		r->similar.name = arena_strndup(&r->copies, name, strlen(name));
}

void report_end(struct report *r, const struct str_pool *strings, uint32_t func_names_end,
		const struct object *obj)
{
	keep_texts(r, strings);
	keep_sections(r, obj);
	sort(r);
	find_similar(r, strings, func_names_end);
	for (size_t i = 0; i < r->nr_also; i++)
		find_similar(&r->also[i], strings, func_names_end);
}

/* A kfunc is mostly lost because a rule omits or changes its function. NULL if none does. */
static const struct omission *cause(const struct report *r, const struct omission *lost)
{
	for (size_t i = 0; lost->rule == OMIT_KFUNC_LOST && i < r->omissions.nr; i++) {
		const struct omission *o = &r->omissions.items[i];

		if (omission_rules[o->rule].subject == SUBJECT_FUNC && o->name == lost->name)
			return o;
	}
	return NULL;
}

/* "function 'f' of unit 'a.c'" */
static void put_subject(struct text *out, const struct report *r, const struct omission *o,
			const char *unit)
{
	static const char *const subjects[] = {
		[SUBJECT_FUNC] = "function", [SUBJECT_VAR] = "variable", [SUBJECT_TYPE] = "type",
		[SUBJECT_MEMBER] = "type",   [SUBJECT_UNIT] = "unit",    [SUBJECT_ID] = "type",
	};
	const char *subject = subjects[omission_rules[o->rule].subject];
	const char *name = report_text(r, o->name), *part = report_text(r, o->part);

	if (*o->keyword)
		subject = strcmp(o->keyword, "func") ? o->keyword : subjects[SUBJECT_FUNC];
	text_printf(out, "%s '%s'", subject, *name ? name : "(anon)");
	if (*part)
		text_printf(out, ", '%s'", part);
	if (*unit && omission_rules[o->rule].subject != SUBJECT_UNIT)
		text_printf(out, " of unit '%s'", unit);
}

struct err *report_check(const struct report *r, const char *path, uint64_t rules)
{
	const struct omission *first = NULL;
	size_t others = 0;

	for (size_t i = 0; i < r->omissions.nr; i++) {
		const struct omission *o = &r->omissions.items[i];

		if (!(rules & omission_rule_bit(o->rule)))
			continue;
		others += first != NULL;
		if (!first)
			first = o;
	}
	if (!first)
		return NULL;

	CLEANUP(text_release) struct text what = { 0 };
	const struct omission *why = cause(r, first);

	put_subject(&what, r, first, report_text(r, why ? why->unit : first->unit));
	text_printf(&what, ": %s", omission_rules[first->rule].why);
	if (why)
		text_printf(&what, ": %s: %s", omission_rules[why->rule].id,
			    omission_rules[why->rule].why);
	if (others)
		text_printf(&what, " (and %zu more, see '--btf_report')", others);
	return err_new(ERR_FORMAT, "'%s': %s: %s", path, omission_rules[first->rule].id,
		       text_string(&what));
}
