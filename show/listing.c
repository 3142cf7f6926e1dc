/* SPDX-License-Identifier: GPL-2.0-only */
/* listing.c - see listing.h */
#include "show/listing.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/name_list.h"
#include "btf/print/decl_text.h"
#include "show/print_internal.h"
#include "show/reorganize.h"

#include <stdlib.h>

void listing_init(struct listing *l, const struct listing_opts *opts, struct text *text)
{
	*l = (struct listing){ .opts = opts, .text = text };
}

void listing_release(struct listing *l)
{
	seen_release(&l->seen);
	compile_order_release(&l->order);
	name_ids_release(&l->listed);
	sorted_release(&l->sorted);
}

/* --- one type ------------------------------------------------------------------------ */

static struct printer printer_for(struct listing *l, struct show_types *t)
{
	return (struct printer){
		.types = t,
		.text = l->text,
		.style = &l->opts->style,
		.limits = &l->limits,
	};
}

/* The typedef that is the name of @id; 0: none, or it has a name of its own. */
static uint32_t alias_of(const struct show_types *t, const struct typedefs *td, uint32_t id)
{
	return types_raw_name(t, id) || !td->first ? 0 : td->first[id];
}

/* The text and a writer have no types that nothing names, unless they are asked for. */
static bool is_hidden(const struct listing *l, const struct show_types *t,
		      const struct typedefs *td, uint32_t id)
{
	return !types_raw_name(t, id) && !alias_of(t, td, id) && !l->opts->nested_anonymous;
}

static struct err *put_text(struct listing *l, struct show_types *t, const struct typedefs *td,
			    uint32_t id)
{
	struct printer p = printer_for(l, t);
	uint32_t alias = alias_of(t, td, id);

	if (!l->opts->compilable || compile_order_prepare(&l->order, &p, id))
		TRY(print_type(&p, id, alias ? "typedef" : NULL,
			       alias ? types_name(t, alias) : NULL));
	text_char(l->text, '\n');
	return types_failed(t);
}

/* Of an enum, typedef or union there are none. */
static uint32_t count_holes(struct listing *l, struct show_types *t, uint32_t id)
{
	CLEANUP(layout_release) struct layout layout = { 0 };

	if (types_kind(t, id) != BTF_STRUCT)
		return 0;
	layout_find(t, id, l->opts->style.cacheline, &layout);
	return layout.gaps.nr_holes;
}

static uint32_t count_members(const struct show_types *t, uint32_t id)
{
	return types_kind(t, id) == BTF_TYPEDEF ? 0 : types_vlen(t, id);
}

static uint32_t own_size(const struct show_types *t, uint32_t id)
{
	return types_kind(t, id) == BTF_TYPEDEF ? 0 : types_rec(t, id)[BTF_REC_SIZE_TYPE];
}

/* A struct without a name has that of its typedef. */
static void put_savings(struct listing *l, struct show_types *t, const struct typedefs *td,
			uint32_t id)
{
	uint32_t size = own_size(t, id), alias = td->first ? td->first[id] : 0;
	uint32_t after = reorganized_size(t, id, l->opts->style.cacheline);
	const char *name = types_name(t, !types_name(t, id) && alias ? alias : id);
	char sep = l->opts->separator;

	text_printf(l->text, "%s%c%u%c%u%c%u\n", name ? name : "(null)", sep, size, sep, after, sep,
		    size - after);
}

static struct err *put_type(struct listing *l, struct show_types *t, const struct typedefs *td,
			    uint32_t id)
{
	struct printer p = printer_for(l, t);
	const char *name = types_name(t, id);
	char sep = l->opts->separator;

	if (l->writer) {
		l->writer->type(l, t, td, id);
		return types_failed(t);
	}
	if (l->opts->form == LISTING_TEXT)
		return put_text(l, t, td, id);
	if (l->opts->form == LISTING_SAVINGS) {
		put_savings(l, t, td, id);
		return types_failed(t);
	}
	print_limits_next(&l->limits, id, l->text);
	text_str(l->text, name ? name : "(null)");
	switch (l->opts->form) {
	case LISTING_SIZES:
		text_printf(l->text, "%c%u%c%u", sep, own_size(t, id), sep, count_holes(l, t, id));
		break;
	case LISTING_NAME_LENGTHS:
		name = types_raw_name(t, id);
		text_printf(l->text, "%c%zu", sep, name ? strlen(name) : 0);
		break;
	case LISTING_MEMBERS:
		text_printf(l->text, "%c%u", sep, count_members(t, id));
		break;
	case LISTING_NAMES:
	case LISTING_TEXT:
	case LISTING_TIMES:
	case LISTING_SAVINGS:
	case LISTING_METHODS:
		break;
	}
	text_char(l->text, '\n');
	/* names can be long and overlap */
	print_may_go_on(&p, 0);
	return types_failed(t);
}

/* --- all of them --------------------------------------------------------------------- */

static bool passes(struct listing *l, struct show_types *t, const struct typedefs *td, uint32_t id)
{
	return filter_passes(&l->opts->filter, t, td, l->opts->style.cacheline, id);
}

/* Does the listing have @id, which passes the filter? */
static bool is_listed(struct listing *l, struct show_types *t, const struct typedefs *td,
		      uint32_t id)
{
	if (types_name(t, id))
		return seen_first(&l->seen, t, id);
	return !(l->writer || l->opts->form == LISTING_TEXT) || !is_hidden(l, t, td, id);
}

/* The next type of the listing: is it one of those that --skip and --count select? */
static bool is_chosen(struct listing *l)
{
	size_t before = l->nr++;

	return before >= l->opts->skip &&
	       (!l->opts->count || before - l->opts->skip < l->opts->count);
}

/* @id passes the filter and has a name. */
static void add_sorted(struct listing *l, struct show_types *t, uint32_t id)
{
	l->sorted.members_first |= !seen_first(&l->seen, t, id) && types_vlen(t, id);
	sorted_add(&l->sorted, t, id);
}

static struct err *put_all(struct listing *l, struct show_types *t)
{
	CLEANUP(typedefs_release) struct typedefs td = { 0 };

	if (l->opts->filter.anonymous)
		typedefs_find(t, &td);
	for (uint32_t id = 1; id < t->end; id++) {
		if (!passes(l, t, &td, id))
			continue;
		if (l->opts->sort)
			add_sorted(l, t, id);
		else if (is_listed(l, t, &td, id) && l->opts->form != LISTING_TIMES && is_chosen(l))
			TRY(put_type(l, t, &td, id));
		TRY(text_flush(l->text, false));
	}
	return types_failed(t);
}

static void count_method(struct listing *l, struct show_types *t, const struct typedefs *td,
			 uint32_t param)
{
	uint32_t id = types_kind(t, param) == BTF_PTR ? types_rec(t, param)[BTF_REC_SIZE_TYPE] : 0;

	if (types_kind(t, id) == BTF_STRUCT && types_name(t, id) && passes(l, t, td, id))
		seen_first(&l->seen, t, id);
}

/* Count the parameters of functions that are pointers to structs. */
static struct err *count_methods(struct listing *l, struct show_types *t)
{
	const struct typedefs none = { 0 };

	for (uint32_t id = 1; id < t->end; id++) {
		uint32_t proto = types_rec(t, id)[BTF_REC_SIZE_TYPE];

		if (types_kind(t, id) != BTF_FUNC || types_kind(t, proto) != BTF_FUNC_PROTO)
			continue;
		for (uint32_t i = 0; i < types_vlen(t, proto); i++)
			count_method(l, t, &none, types_rec(t, proto)[BTF_REC_WORDS + 2 * i + 1]);
	}
	return types_failed(t);
}

static bool has_enumerator(const struct show_types *t, uint32_t id, const char *name)
{
	const uint32_t *rec = types_rec(t, id), *e = rec + BTF_REC_WORDS;

	for (uint32_t i = 0; i < types_vlen(t, id); i++, e += btf_rec_layout(rec)->elem) {
		const char *one = types_raw_str(t, e[0]);

		if (one && !strcmp(one, name))
			return true;
	}
	return false;
}

/* As pahole prints them: without a semicolon. */
static struct err *put_enums(struct listing *l, struct show_types *t)
{
	struct print_style style = l->opts->style;
	struct printer p = printer_for(l, t);

	style.no_semicolon = true;
	p.style = &style;
	for (uint32_t id = 1; id < t->end; id++) {
		if (!btf_kind_is_enum(types_kind(t, id)) ||
		    !has_enumerator(t, id, l->opts->enumerator))
			continue;
		l->found_enum = true;
		TRY(print_type(&p, id, NULL, NULL));
		text_char(l->text, '\n');
		TRY(text_flush(l->text, false));
	}
	return types_failed(t);
}

static struct err *put_sorted(struct listing *l)
{
	const struct typedefs none = { 0 };

	TRY(sorted_finish(&l->sorted, l->size));
	l->limits = print_limits_for(l->size, l->text);
	for (size_t i = 0; i < l->sorted.nr; i++) {
		struct sorted_type *s = &l->sorted.items[i];

		if (!is_chosen(l))
			continue;
		l->file = s->types->file;
		TRY(err_at(put_type(l, s->types, &none, s->id), "'%s'", s->types->file));
		TRY(text_flush(l->text, false));
	}
	return NULL;
}

struct err *listing_end(struct listing *l)
{
	bool at_end = l->opts->form == LISTING_TIMES || l->opts->form == LISTING_METHODS;

	TRY(put_sorted(l));
	for (size_t i = 0; at_end && i < l->seen.nr; i++) {
		const struct seen_struct *s = &l->seen.items[i];

		if (!is_chosen(l))
			continue;
		text_printf(l->text, "%s%c%u\n", types_name(s->types, s->id), l->opts->separator,
			    s->times);
		TRY(text_flush(l->text, false));
	}
	return text_flush(l->text, true);
}

/* --- those with a name --------------------------------------------------------------- */

/* Sets of kinds. */
enum {
	KINDS_DEFINED = 1 << BTF_STRUCT | 1 << BTF_UNION | 1 << BTF_ENUM | 1 << BTF_ENUM64 |
			1 << BTF_TYPEDEF,
	KINDS_BASE = 1 << BTF_INT | 1 << BTF_FLOAT,
	KINDS_DECLARED = 1 << BTF_FWD,
	KINDS_SYMBOLS = 1 << BTF_FUNC | 1 << BTF_VAR,
	KIND_VOID = 1 << BTF_UNKN,
};

uint32_t listing_kinds(const struct listing_opts *opts)
{
	return opts->reorganize ? 1 << BTF_STRUCT : KINDS_DEFINED;
}

/* Is @id, which has the name of @w, what @w asks for? If not, note the kind that it has. */
static bool answers(const struct show_types *t, uint32_t id, uint32_t kinds, struct wanted *w)
{
	enum btf_kind kind = types_kind(t, id);
	bool kflag = id && btf_rec_kflag(types_rec(t, id));

	if (btf_kind_in(kind, kinds) && wanted_takes(w, kind, kflag))
		return true;
	if (!w->found && !w->is_pattern && w->other == BTF_UNKN)
		w->other = kind;
	return false;
}

/* A type that answers one of the wanted names. */
struct match {
	size_t wanted;
	uint32_t id;
};

/* By @wanted, then by @id. */
struct matches {
	struct match *items;
	size_t nr, cap;
};

static int by_wanted(const void *a, const void *b)
{
	const struct match *x = a, *y = b;

	if (x->wanted != y->wanted)
		return x->wanted < y->wanted ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* A search for types by name. */
struct search {
	const struct show_types *t;
	struct wanted *wanted;
	uint32_t kinds;
	bool *done; /* @wanted is no pattern, and has its type */
	struct matches *matches;
};

/* If @id, which has the name of @wanted[i] or matches it, answers it, note that. */
static void offer_type(const struct search *s, uint32_t id, size_t i)
{
	if (s->done[i] || !answers(s->t, id, s->kinds, &s->wanted[i]))
		return;
	s->done[i] = !s->wanted[i].is_pattern;
	vec_push(s->matches, ((struct match){ i, id }));
}

/* The name of @id for a search; NULL if it has none. */
static const char *sought_name(const struct show_types *t, uint32_t id)
{
	/* void has no record */
	const char *name = id ? types_raw_name(t, id) : "void";

	return name && btf_kind_in(types_kind(t, id), KINDS_BASE) ? wanted_base_name(name) : name;
}

/* "main.S" is the type that has this name, as in Go, rather than member S of the type "main". */
static void prefer_types(const struct show_types *t, struct wanted *wanted, size_t nr,
			 uint32_t kinds)
{
	CLEANUP(name_list_release) struct name_list names = { 0 };
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		name_list_add(&names, wanted[i].path ? wanted[i].whole : "");
		any |= wanted[i].path != NULL;
	}
	for (uint32_t id = 1; any && id < t->end; id++) {
		const char *name = btf_kind_in(types_kind(t, id), kinds) ? types_raw_name(t, id) :
									   NULL;

		for (uint32_t i = name && *name ? name_list_first(&names, name) : 0; i;
		     i = name_list_next(&names, name, i)) {
			wanted[i - 1].name = wanted[i - 1].whole;
			wanted[i - 1].path = NULL;
		}
	}
}

/*
 * Find the first type of @kinds for each of @wanted, and of patterns all types. The function visits each type once, whatever
 * @nr is.
 */
static void find_names(const struct show_types *t, struct wanted *wanted, size_t nr, uint32_t kinds,
		       struct matches *ret)
{
	CLEANUP(name_list_release) struct name_list names = { 0 };
	CLEANUP(mem_free) bool *done = mem_zalloc(nr, sizeof(*done));
	const struct search s = { t, wanted, kinds, done, ret };

	for (size_t i = 0; i < nr; i++)
		name_list_add(&names, wanted[i].path && (kinds & KINDS_SYMBOLS) ? wanted[i].whole :
										  wanted[i].name);
	for (uint32_t id = btf_kind_in(BTF_UNKN, kinds) ? 0 : 1; id < t->end; id++) {
		const char *name = sought_name(t, id);

		for (uint32_t i = name ? name_list_first(&names, name) : 0; i;
		     i = name_list_next(&names, name, i))
			offer_type(&s, id, i - 1);
	}
	vec_sort(ret, by_wanted);
}

void listing_offer(const struct show_types *t, enum listing_what what, struct nearest *n)
{
	const uint32_t kinds = what == SHOW_SYMBOLS ? KINDS_SYMBOLS :
			       what == SHOW_NAMED   ? KINDS_DEFINED :
						      KINDS_DEFINED | KINDS_BASE;

	for (uint32_t id = 1; id < t->end; id++) {
		if (btf_kind_in(types_kind(t, id), kinds) && types_raw_name(t, id))
			nearest_offer(n, types_raw_name(t, id));
	}
}

/* @ctx: that of put_wanted() */
typedef struct err *put_found(struct listing *l, struct show_types *t, const void *ctx,
			      struct wanted *w, uint32_t id);

/* Is @id to be listed for @w? A name is not listed for a pattern if it was listed before. */
static bool is_due(const struct listing *l, const struct show_types *t, const struct wanted *w,
		   uint32_t id)
{
	return w->is_pattern ? !name_ids_find(&l->listed, sought_name(t, id)) : !w->found;
}

/* Call @put for those of @wanted that @t has, in their order. */
static struct err *put_wanted(struct listing *l, struct show_types *t, struct wanted *wanted,
			      size_t nr, uint32_t kinds, put_found *put, const void *ctx)
{
	CLEANUP(vec_release) struct matches found = { 0 };

	prefer_types(t, wanted, nr, kinds & ~(uint32_t)KINDS_SYMBOLS);
	find_names(t, wanted, nr, kinds, &found);
	for (size_t i = 0; i < found.nr; i++) {
		struct wanted *w = &wanted[found.items[i].wanted];
		uint32_t id = found.items[i].id;

		bool due = is_due(l, t, w, id);

		w->found = true;
		if (!due)
			continue;
		name_ids_add(&l->listed, sought_name(t, id));
		TRY(put(l, t, ctx, w, id));
		TRY(text_flush(l->text, false));
	}
	return NULL;
}

/* --- a member by its path ------------------------------------------------------------ */

/* NOLINTBEGIN(misc-no-recursion): no deeper than TYPES_CHAIN_MAX */

/* Find the member @name of @m->id, also in members without a name, which C looks through. */
static bool find_member(struct printer *p, const char *name, size_t len, struct listing_member *m)
{
	struct show_types *t = p->types;
	const uint32_t *rec = types_rec(t, m->id);
	bool found = false;

	if (p->depth >= TYPES_CHAIN_MAX || !print_may_go_on(p, types_vlen(t, m->id)))
		return false;
	for (m->index = 0; m->index < types_vlen(t, m->id); m->index++) {
		const char *own = types_raw_str(t, types_member(rec, m->index).name);

		if (own && !strncmp(own, name, len) && !own[len])
			return true;
	}
	p->depth++;
	for (uint32_t i = 0; i < types_vlen(t, m->id) && !found; i++) {
		const struct types_member member = types_member(rec, i);
		struct listing_member inner = *m;

		inner.id = types_bare(t, member.type);
		inner.offset += member.bit_offset / 8;
		if (types_raw_str(t, member.name) || !btf_kind_is_struct(types_kind(t, inner.id)))
			continue;
		found = find_member(p, name, len, &inner);
		if (found)
			*m = inner;
	}
	p->depth--;
	return found;
}

/* Offer the names that find_member() compares. */
static void offer_members(struct printer *p, uint32_t id, struct nearest *n)
{
	struct show_types *t = p->types;
	const uint32_t *rec = types_rec(t, id);

	if (p->depth >= TYPES_CHAIN_MAX || !print_may_go_on(p, types_vlen(t, id)))
		return;
	p->depth++;
	for (uint32_t i = 0; i < types_vlen(t, id); i++) {
		const struct types_member member = types_member(rec, i);
		const char *name = types_raw_str(t, member.name);
		uint32_t inner = types_bare(t, member.type);

		if (name)
			nearest_offer(n, name);
		else if (btf_kind_is_struct(types_kind(t, inner)))
			offer_members(p, inner, n);
	}
	p->depth--;
}

/* NOLINTEND(misc-no-recursion) */

/* The member of @id that is most similar to the first one of @path; NULL if none is. */
static const char *similar_member(struct printer *p, const char *path, size_t len, uint32_t id)
{
	CLEANUP(mem_free_text) char *name = mem_printf("%.*s", (int)len, path);
	struct nearest n = nearest_to(name);

	offer_members(p, id, &n);
	return n.name;
}

/* If there is no such member, let @w know why. */
static bool find_path(struct printer *p, struct wanted *w, struct listing_member *m)
{
	for (const char *path = w->path;; path++) {
		size_t len = strcspn(path, ".");
		enum btf_kind kind = types_kind(p->types, m->id);
		struct types_member member;

		w->leads_through = kind == BTF_PTR && path != w->path;
		w->similar = NULL;
		if (!btf_kind_is_struct(kind))
			return false;
		if (!find_member(p, path, len, m)) {
			w->similar = similar_member(p, path, len, m->id);
			return false;
		}
		path += len;
		if (!*path)
			return true;
		member = types_member(types_rec(p->types, m->id), m->index);
		m->offset += member.bit_offset / 8;
		m->id = types_bare(p->types, member.type);
	}
}

static void put_member_text(struct listing *l, struct printer *p, const struct listing_member *m)
{
	CLEANUP(layout_release) struct layout layout = { 0 };
	uint64_t no_boundaries = UINT64_MAX;
	const struct frame f = {
		.type_width = PRINT_TYPE_WIDTH,
		.name_width = PRINT_NAME_WIDTH,
		.base = m->offset,
		.cacheline = &no_boundaries,
		.relative = p->style->relative,
		.last = true,
	};

	layout_find(p->types, m->id, p->style->cacheline, &layout);
	if (m->index < layout.nr)
		print_member(p, &layout.items[m->index], false, &f);
	text_char(l->text, '\n');
}

static struct err *put_member(struct listing *l, struct show_types *t, struct wanted *w,
			      uint32_t id)
{
	struct printer p = printer_for(l, t);
	struct listing_member m = { .outer = id, .id = types_bare(t, id) };

	print_limits_next(&l->limits, id, l->text);
	w->found = find_path(&p, w, &m);
	w->lacks_member = !w->found;
	if (w->found && l->writer)
		l->writer->member(l, t, w, &m);
	else if (w->found)
		put_member_text(l, &p, &m);
	return types_failed(t);
}

/* --- definitions, functions and variables -------------------------------------------- */

/* The name of the unit that defines @id, which many types share. */
static struct err *put_unit(struct listing *l, struct show_types *t, uint32_t id)
{
	struct printer p = printer_for(l, t);
	const char *unit = types_decl(t, id).unit;

	print_limits_next(&l->limits, id, l->text);
	text_escape(l->text, unit ? unit : "(null)");
	text_char(l->text, '\n');
	print_may_go_on(&p, 0);
	return types_failed(t);
}

static struct err *put_named(struct listing *l, struct show_types *t, const void *ctx UNUSED,
			     struct wanted *w, uint32_t id)
{
	const struct typedefs none = { 0 };

	if (l->opts->defined_in)
		return put_unit(l, t, id);
	if (w->path)
		return put_member(l, t, w, id);
	TRY(put_type(l, t, &none, id));
	if (!l->writer)
		text_char(l->text, '\n');
	return NULL;
}

static struct err *put_reorganized(struct listing *l, struct show_types *t, const void *ctx UNUSED,
				   struct wanted *w UNUSED, uint32_t id)
{
	struct printer p = printer_for(l, t);

	return print_reorganized(&p, id,
				 l->opts->reorg_steps ? PRINT_STEPS :
				 l->opts->counts      ? PRINT_MOVES :
							PRINT_NO_MOVES);
}

/* "int open_it(struct file *file);", "int tick;" and the place of the variable in a comment */
static struct err *put_symbol(struct listing *l, struct show_types *t, const void *ctx,
			      struct wanted *w UNUSED, uint32_t id)
{
	CLEANUP(text_release) struct text text = { 0 };
	const struct var_place *at = var_places_of(ctx, id);

	if (l->writer) {
		l->writer->symbol(l, t, id, at);
		return NULL;
	}
	decl_text_symbol(&text, t->view, id);
	text_escape(l->text, text_string(&text));
	text_char(l->text, ';');
	if (at && !l->opts->style.quiet) {
		const char *section = types_name(t, at->section);

		text_printf(l->text, " /* section %s, offset ", section ? section : "");
		text_number(l->text, at->offset, 0, l->opts->style.hex);
		text_str(l->text, ", size ");
		text_number(l->text, at->size, 0, l->opts->style.hex);
		text_str(l->text, " */");
	}
	text_char(l->text, '\n');
	return NULL;
}

static struct err *put_symbols(struct listing *l, struct show_types *t, struct wanted *wanted,
			       size_t nr)
{
	CLEANUP(var_places_release) struct var_places places = { 0 };

	var_places_find(t->view, &places);
	return put_wanted(l, t, wanted, nr, KINDS_SYMBOLS, put_symbol, &places);
}

/* --- what has something to do with a type -------------------------------------------- */

/* Member @member of @id is of type @type, or a pointer to it. */
struct use {
	uint32_t type, id, member;
};

/* The members of the structs and unions that pass the filter, by @type, then in their order. */
struct uses {
	struct use *items;
	size_t nr, cap;
};

static int by_use(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->member > y->member) - (x->member < y->member);
}

static void add_uses(const struct show_types *t, uint32_t id, bool pointers, struct uses *ret)
{
	const uint32_t *rec = types_rec(t, id);

	for (uint32_t i = 0; i < types_vlen(t, id); i++) {
		uint32_t type = types_member(rec, i).type;

		if (!pointers)
			vec_push(ret, ((struct use){ type, id, i }));
		else if (types_kind(t, type) == BTF_PTR)
			vec_push(ret,
				 ((struct use){ types_rec(t, type)[BTF_REC_SIZE_TYPE], id, i }));
	}
}

static void find_uses(struct listing *l, struct show_types *t, bool pointers, struct uses *ret)
{
	const struct typedefs none = { 0 };

	for (uint32_t id = 1; id < t->end; id++) {
		if (passes(l, t, &none, id) && types_name(t, id))
			add_uses(t, id, pointers, ret);
	}
	vec_sort(ret, by_use);
}

/* The index of the first use of @type or of a type after it. */
static size_t first_use(const struct uses *u, uint32_t type)
{
	size_t low = 0, high = u->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (u->items[middle].type < type)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* How many of the uses from number @i on are in one struct and of one type? */
static size_t uses_together(const struct uses *u, size_t i)
{
	size_t nr = 1;

	while (i + nr < u->nr && u->items[i + nr].type == u->items[i].type &&
	       u->items[i + nr].id == u->items[i].id)
		nr++;
	return nr;
}

static uint32_t count_members_of(const struct show_types *t, uint32_t id, uint32_t type)
{
	const uint32_t *rec = types_rec(t, id);
	uint32_t nr = 0;

	for (uint32_t i = 0; i < types_vlen(t, id); i++)
		nr += types_member(rec, i).type == type;
	return nr;
}

static void put_container(struct listing *l, struct printer *p, uint32_t id, uint32_t type,
			  uint32_t nr);

/* NOLINTBEGIN(misc-no-recursion): no deeper than TYPES_CHAIN_MAX */

/* The structs inside of @id, which is printed, that have a member of type @type. */
static void put_inner(struct listing *l, struct printer *p, uint32_t id, uint32_t type)
{
	struct show_types *t = p->types;

	p->depth++;
	for (uint32_t i = 0; i < types_vlen(t, id); i++) {
		uint32_t inner = types_member(types_rec(t, id), i).type;

		if (p->depth < TYPES_CHAIN_MAX && btf_kind_is_struct(types_kind(t, inner)) &&
		    print_may_go_on(p, types_vlen(t, inner)))
			put_container(l, p, inner, type, count_members_of(t, inner, type));
	}
	p->depth--;
}

/* @id, inside of p->depth containers, which has @nr members of type @type. */
static void put_container(struct listing *l, struct printer *p, uint32_t id, uint32_t type,
			  uint32_t nr)
{
	const char *name = types_name(p->types, id);

	if (!nr)
		return;
	text_spaces(l->text, 2 * (size_t)p->depth);
	text_str(l->text, name ? name : "(null)");
	if (l->opts->counts)
		text_printf(l->text, ": %u", nr);
	text_char(l->text, '\n');
	if (l->opts->recursive)
		put_inner(l, p, id, type);
}

/* NOLINTEND(misc-no-recursion) */

static struct err *put_containers(struct listing *l, struct show_types *t, const void *ctx,
				  struct wanted *w UNUSED, uint32_t type)
{
	const struct uses *u = ctx;
	size_t nr;

	for (size_t i = first_use(u, type); i < u->nr && u->items[i].type == type; i += nr) {
		struct printer p = printer_for(l, t);
		uint32_t id = u->items[i].id;

		nr = uses_together(u, i);
		print_limits_next(&l->limits, id, l->text);
		if (!print_may_go_on(&p, 0))
			break;
		if (seen_first(&l->seen, t, id))
			put_container(l, &p, id, type, (uint32_t)nr);
		TRY(text_flush(l->text, false));
	}
	return types_failed(t);
}

static struct err *put_pointers(struct listing *l, struct show_types *t, const void *ctx,
				struct wanted *w UNUSED, uint32_t type)
{
	const struct uses *u = ctx;
	size_t nr;

	for (size_t i = first_use(u, type); i < u->nr && u->items[i].type == type; i += nr) {
		uint32_t id = u->items[i].id;
		const uint32_t *rec = types_rec(t, id);

		nr = uses_together(u, i);
		/* a struct can point to several of the types */
		if (!seen_first_or_again(&l->seen, t, id))
			continue;
		for (size_t k = i; k < i + nr; k++) {
			const char *name = types_str(t, types_member(rec, u->items[k].member).name);

			text_printf(l->text, "%s: %s\n", types_name(t, id), name ? name : "(null)");
		}
		TRY(text_flush(l->text, false));
	}
	return types_failed(t);
}

static struct err *put_users(struct listing *l, struct show_types *t, bool pointers,
			     struct wanted *wanted, size_t nr)
{
	CLEANUP(vec_release) struct uses u = { 0 };
	uint32_t kinds = KINDS_DEFINED | KINDS_BASE;

	find_uses(l, t, pointers, &u);
	if (!pointers)
		return put_wanted(l, t, wanted, nr, kinds, put_containers, &u);
	return put_wanted(l, t, wanted, nr, kinds | KINDS_DECLARED | KIND_VOID, put_pointers, &u);
}

struct err *listing_put(struct listing *l, struct show_types *t, enum listing_what what,
			struct wanted *wanted, size_t nr)
{
	size_t size = t->view->size + (t->view->base ? t->view->base->size : 0);

	l->size += size;
	l->limits = print_limits_for(size, l->text);
	switch (what) {
	case SHOW_NAMED:
		return put_wanted(l, t, wanted, nr, listing_kinds(l->opts),
				  l->opts->reorganize ? put_reorganized : put_named, NULL);
	case SHOW_SYMBOLS:
		return put_symbols(l, t, wanted, nr);
	case SHOW_CONTAINERS:
	case SHOW_POINTERS:
		return put_users(l, t, what == SHOW_POINTERS, wanted, nr);
	case SHOW_ENUMS:
		return put_enums(l, t);
	case SHOW_ALL:
		break;
	}
	return l->opts->form == LISTING_METHODS ? count_methods(l, t) : put_all(l, t);
}
