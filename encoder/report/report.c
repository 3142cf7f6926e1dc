/* SPDX-License-Identifier: GPL-2.0-only */
/* report.c - see report.h */
#include "encoder/report/report.h"

#include "base/cleanup.h"
#include "base/hash_table.h"
#include "base/text.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static void release_one(struct report *r)
{
	omissions_release(&r->omissions);
	asked_names_release(&r->also_asked);
	arena_release(&r->copies);
	FREE_ALL(r->texts, r->sections.items, r->func_names.items);
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
	one.func_names.items = r->func_names.items;
	one.func_names.nr = r->func_names.nr;
	return one;
}

static bool is_named(const struct symbol *s)
{
	return s->section && s->type != STT_FILE && s->type != STT_SECTION;
}

static struct report_location location_of(struct report *r, const struct object *obj,
					  const struct symbol *s)
{
	const char *section = "";

	if (obj->is_rel && s->section < obj->nr_sections)
		section = obj->sections[s->section].name;
	section = arena_strndup(&r->copies, section, strlen(section));
	return (struct report_location){ section, s->value, true };
}

/* Reports on names, by name and by the address of their symbols. */
struct askers {
	struct report *r;
	struct name_ids names;
	VEC(size_t) first;             /* by name: one more than the report */
	size_t *same;                  /* by report: another one for the same name, likewise */
	size_t longest;                /* of the names */
	const struct symbol **symbols; /* by report: the first one of the name */
	struct hash_table by_location; /* reports, plus 1, by @symbols */
};

static struct report *asker(const struct askers *a, size_t i)
{
	return i ? &a->r->also[i - 1] : a->r;
}

static void askers_release(struct askers *a)
{
	name_ids_release(&a->names);
	hash_table_release(&a->by_location);
	FREE_ALL(a->first.items, a->same, a->symbols);
}

static void askers_init(struct askers *a, struct report *r)
{
	size_t nr = r->nr_also + 1;

	*a = (struct askers){ .r = r };
	a->same = mem_zalloc(nr, sizeof(*a->same));
	a->symbols = mem_zalloc(nr, sizeof(*a->symbols));
	for (size_t i = 0; i < nr; i++) {
		const char *name = asker(a, i)->asked;
		uint32_t n = name_ids_add(&a->names, name);
		size_t len = strlen(name);

		if (n > a->first.nr)
			vec_push(&a->first, 0);
		a->same[i] = a->first.items[n - 1];
		a->first.items[n - 1] = i + 1;
		a->longest = len > a->longest ? len : a->longest;
	}
}

/* One more than the first report on @name; the others are in a->same. 0 for none. */
static size_t askers_of(const struct askers *a, const char *name)
{
	uint32_t n = name_ids_find(&a->names, name);

	return n && n <= a->first.nr ? a->first.items[n - 1] : 0;
}

static void keep_symbol(struct askers *a, size_t i, const struct object *obj,
			const struct symbol *s)
{
	struct report *r = asker(a, i);
	const char *dot = strchr(r->asked, '.');

	if (a->symbols[i])
		return;
	r->symbol.is_undefined |= !s->section;
	if (!is_named(s))
		return;
	a->symbols[i] = s;
	r->symbol.is_known = true;
	r->symbol.is_undefined = false;
	r->symbol.addr = s->value;
	if (obj->is_rel && s->section < obj->nr_sections)
		r->symbol.addr += obj->sections[s->section].debug_addr;
	r->symbol.is_code = s->section < obj->nr_sections &&
			    (obj->sections[s->section].flags & SHF_EXECINSTR);
	r->symbol.at = location_of(r, obj, s);
	if (dot && dot > r->asked)
		r->copy_of = arena_strndup(&r->copies, r->asked, (size_t)(dot - r->asked));
}

static void keep_copy(struct report *r, const struct object *obj, const struct symbol *s)
{
	if (r->nr_copies++ < REPORT_NAMES)
		r->copied[r->nr_copies - 1] = (struct report_copy){
			arena_strndup(&r->copies, s->name, strlen(s->name)), location_of(r, obj, s)
		};
}

/* Is @s a copy of functions that are asked for: does its name continue theirs with a dot? */
static void find_copied(const struct askers *a, const struct object *obj, const struct symbol *s)
{
	const char *dot = s->type == STT_FUNC && s->section ? strchr(s->name, '.') : NULL;

	for (; dot && (size_t)(dot - s->name) <= a->longest; dot = strchr(dot + 1, '.')) {
		CLEANUP(mem_free_text) char *name = mem_printf("%.*s", (int)(dot - s->name),
							       s->name);

		for (size_t i = askers_of(a, name); i; i = a->same[i - 1])
			keep_copy(asker(a, i - 1), obj, s);
	}
}

static uint64_t hash_of_location(const struct symbol *s)
{
	return hash_words((const uint32_t[]){ s->section, (uint32_t)s->value,
					      (uint32_t)(s->value >> 32) },
			  3);
}

/* If @s is at the address of symbol @as, but has another name. */
static void keep_same(struct report *r, const struct symbol *as, const struct symbol *s)
{
	if (s->section != as->section || s->value != as->value || !strcmp(s->name, as->name))
		return;
	if (r->symbol.nr_same++ < REPORT_NAMES)
		r->symbol.same[r->symbol.nr_same - 1] = arena_strndup(&r->copies, s->name,
								      strlen(s->name));
}

/* Find for each name its symbol, its copies, and other symbols at its address. */
static void find_symbols(struct report *r, const struct object *obj, const struct symbols *syms)
{
	CLEANUP(askers_release) struct askers a = { 0 };

	askers_init(&a, r);
	for (size_t n = 0; n < syms->nr_all; n++) {
		for (size_t i = askers_of(&a, syms->all[n].name); i; i = a.same[i - 1])
			keep_symbol(&a, i - 1, obj, &syms->all[n]);
		find_copied(&a, obj, &syms->all[n]);
	}
	for (uint32_t i = 0; i <= r->nr_also; i++) {
		if (a.symbols[i])
			hash_table_add(&a.by_location, hash_of_location(a.symbols[i]), i + 1);
	}
	for (const struct symbol *s = syms->all; s < syms->all + syms->nr_all; s++) {
		if (s->type == STT_FUNC || s->type == STT_OBJECT)
			HASH_FIND(&a.by_location, hash_of_location(s), i,
				  (keep_same(asker(&a, i - 1), a.symbols[i - 1], s), false));
	}
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
	report_release(r);
	r->begun = true;
	if (r->asked && syms)
		find_symbols(r, obj, syms);
	r->omissions.all = r->all;
	r->omissions.asked = asked_id(r, strings);
	r->omissions.asked_addr = r->symbol.addr;
	for (size_t i = 0; i < r->nr_also; i++)
		asked_names_add(&r->also_asked, asked_id(&r->also[i], strings),
				r->also[i].symbol.addr);
	r->omissions.also = r->nr_also ? &r->also_asked : NULL;
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

	r->texts = mem_zalloc(atomic_load(&strings->end), sizeof(*r->texts));
	for (size_t i = 0; i < all->nr; i++) {
		const struct omission *o = &all->items[i];

		keep_text(r, strings, o->name);
		keep_text(r, strings, o->part);
		keep_text(r, strings, o->unit);
		keep_text(r, strings, o->other_unit);
		keep_text(r, strings, o->proto);
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

static int by_address(const void *a, const void *b)
{
	const struct report_section *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Addresses in a relocatable file are made up (object.h), so its locations are offsets in sections. */
static void keep_sections(struct report *r, const struct object *obj)
{
	uint64_t end = 0;

	r->has_addrs = obj != NULL;
	r->in_sections = obj && obj->is_rel;
	for (size_t i = 1; r->in_sections && i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];

		if ((s->flags & SHF_ALLOC) && s->size)
			vec_push(&r->sections,
				 ((struct report_section){
					 arena_strndup(&r->copies, s->name, strlen(s->name)), i,
					 s->debug_addr, s->size, 0 }));
	}
	vec_sort(&r->sections, by_address);
	for (size_t i = 0; i < r->sections.nr; i++) {
		struct report_section *s = &r->sections.items[i];

		end = s->addr + s->size > end ? s->addr + s->size : end;
		s->end = end;
	}
}

/*
 * The first section of the file that @addr lies in. A section may have an address in the middle of others
 * (object.h), so the search ends where no section reaches @addr, which is at once if they do not overlap.
 */
static const struct report_section *section_at(const struct report *r, uint64_t addr)
{
	const struct report_section *all = r->sections.items, *found = NULL;
	size_t low = 0, high = r->sections.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	while (low-- > 0 && all[low].end > addr) {
		if (addr - all[low].addr < all[low].size &&
		    (!found || all[low].index < found->index))
			found = &all[low];
	}
	return found;
}

struct report_location report_location(const struct report *r, uint64_t addr)
{
	const struct report_section *s;

	if (!addr || !r->has_addrs)
		return (struct report_location){ 0 };
	if (!r->in_sections)
		return (struct report_location){ "", addr, true };
	s = section_at(r, addr);
	return s ? (struct report_location){ s->name, addr - s->addr, true } :
		   (struct report_location){ 0 };
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
	CLEANUP(mem_free) struct sorted *sorted = mem_alloc(all->nr * sizeof(*sorted));

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

static void keep_func_names(struct report *r, const struct str_pool *strings, uint32_t end)
{
	for (uint32_t id = 1; id < end; id++) {
		const char *name = str_pool_text(strings, id);

		vec_push(&r->func_names, arena_strndup(&r->copies, name, strlen(name)));
	}
}

void report_end(struct report *r, const struct str_pool *strings, uint32_t func_names_end,
		const struct object *obj)
{
	keep_texts(r, strings);
	keep_sections(r, obj);
	sort(r);
	if (r->asked)
		keep_func_names(r, strings, func_names_end);
}

void report_count(const struct report *r, uint64_t rules, struct report_counts *to)
{
	for (size_t i = 0; i < r->omissions.nr; i++) {
		const struct omission *o = &r->omissions.items[i];
		const struct omission_rule_def *def = &omission_rules[o->rule];
		bool many = def->number == NUMBER_COUNT &&
			    (def->subject == SUBJECT_VAR || def->subject == SUBJECT_SITE);

		to->nr[o->rule] += many ? o->number : 1;
		to->nr_listed += (rules & omission_rule_bit(o->rule)) != 0;
	}
	to->nr_files++;
}

void report_counts_add(struct report_counts *to, const struct report_counts *from)
{
	for (int i = 0; i < NR_OMISSION_RULES; i++)
		to->nr[i] += from->nr[i];
	to->nr_listed += from->nr_listed;
	to->nr_files += from->nr_files;
	to->nr_failed += from->nr_failed;
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
		[SUBJECT_FUNC] = "function",  [SUBJECT_VAR] = "variable", [SUBJECT_SITE] = "site",
		[SUBJECT_TYPE] = "type",      [SUBJECT_MEMBER] = "type",  [SUBJECT_UNIT] = "unit",
		[SUBJECT_ARCHIVE] = "member", [SUBJECT_ID] = "type",
	};
	const char *subject = subjects[omission_rules[o->rule].subject];
	const char *name = report_text(r, o->name), *part = report_text(r, o->part);

	if (*o->keyword)
		subject = strcmp(o->keyword, "func") ? o->keyword : subjects[SUBJECT_FUNC];
	/* the place of a member without a name begins with the file in quotes */
	if (*name == '\'' && omission_rules[o->rule].subject == SUBJECT_ARCHIVE)
		text_str(out, name);
	else
		text_printf(out, "%s '%s'", subject, *name ? name : "(anon)");
	if (*part)
		text_printf(out, ", '%s'", part);
	if (*unit && omission_rules[o->rule].subject != SUBJECT_UNIT)
		text_printf(out, " of unit '%s'", unit);
}

/* Archives: the first rules are causes, and the facts that a damaged one lacks a consequence, for example. */
static bool is_cause(const struct omission *o, const struct omission *of)
{
	return omission_rules[o->rule].subject == SUBJECT_ARCHIVE &&
	       omission_rules[of->rule].subject == SUBJECT_ARCHIVE && o->rule < of->rule;
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
		if (!first || is_cause(o, first))
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
