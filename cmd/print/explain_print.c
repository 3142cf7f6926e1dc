/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain_print.c - see outputs.h
 *
 *	vmlinux: 'foo'
 *	  in the generated BTF: STRUCT [12]
 *	  func_inconsistent_prototype: left out: units do not agree on its prototype
 *	    in a.c at 0xffffffff81000010 and 1 more unit
 *	    a.c at 0xffffffff81000010: int (int a)
 *	    b.c: int (int a, int b)
 */
#include "cmd/print/outputs.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "cmd/print/mentions.h"
#include "cmd/print/print_line.h"

#include <inttypes.h>
#include <string.h>

/* @before, the name, or "(@none)" if it is empty, and @after. */
static void put_name(struct text *out, const char *before, const char *name, const char *none,
		     const char *after)
{
	text_str(out, before);
	if (*name)
		text_escape_name(out, name);
	else
		text_printf(out, "(%s)", none);
	text_str(out, after);
}

static void put_address(struct text *out, const struct report_location *at)
{
	if (!at->known)
		return;
	text_str(out, " at ");
	if (*at->section)
		put_name(out, "", at->section, "", "+");
	text_printf(out, "0x%" PRIx64, at->addr);
}

static void put_location(struct text *out, const struct report *r, uint32_t unit, uint64_t addr)
{
	const struct report_location at = report_location(r, addr);

	put_name(out, "", report_text(r, unit), "no unit", "");
	put_address(out, &at);
}

static void put_units(struct text *out, uint32_t nr)
{
	if (nr > 1)
		text_printf(out, " and %u more unit%s", nr - 1, nr > 2 ? "s" : "");
}

static void put_proto(struct text *out, const struct report *r, const struct omission_proto *p)
{
	text_str(out, "    ");
	put_location(out, r, p->unit, p->addr);
	put_line(out, ": ", report_text(r, p->text));
}

static void put_number(struct text *out, const struct omission *o)
{
	enum omission_number number = omission_rules[o->rule].number;

	if (number == NUMBER_BIT || number == NUMBER_BYTES || number == NUMBER_COUNT)
		text_printf(out, " (%s%" PRIu64 "%s)", number == NUMBER_BIT ? "bit " : "",
			    o->number, number == NUMBER_BYTES ? " bytes" : "");
}

static const char *const results[] = {
	[RESULT_LEFT_OUT] = "left out",
	[RESULT_CHANGED] = "changed",
	[RESULT_LOST] = "lost",
	[RESULT_SEVERAL] = "", /* the reason is enough */
};

static void put_definition(struct text *out, const struct report *r,
			   const struct omission_definition *d)
{
	if (d->in_base)
		text_str(out, "    in the base");
	else
		put_name(out, "    in ", report_text(r, d->unit), "no unit", "");
	put_units(out, d->nr_units);
	if (d->bytes)
		text_printf(out, ", %u bytes", d->bytes);
	put_line(out, d->difference ? ": " : "", report_text(r, d->difference));
}

/* The units of a program that is read as one have no name (LTO). */
static void put_where(struct text *out, const struct report *r, const struct omission *o)
{
	const struct report_location at = report_location(r, omission_addr(o));

	if (*report_text(r, o->unit)) {
		text_str(out, "    in ");
		put_location(out, r, o->unit, omission_addr(o));
		put_units(out, o->nr_units);
		text_char(out, '\n');
	} else if (at.known) {
		text_str(out, "   ");
		put_address(out, &at);
		text_char(out, '\n');
	}
}

static void put_omission(struct text *out, const struct report *r, const struct omission *o)
{
	const struct omission_rule_def *rule = &omission_rules[o->rule];
	const char *part = report_text(r, o->part), *other_unit = report_text(r, o->other_unit);

	text_printf(out, "  %s: %s%s%s", rule->id, results[rule->result],
		    *results[rule->result] ? ": " : "", rule->why);
	if (*part)
		put_name(out, ": '", part, "", "'");
	if (*other_unit)
		put_name(out, " of ", other_unit, "", "");
	put_number(out, o);
	text_char(out, '\n');
	for (uint32_t i = 0; i < 32; i++) {
		if (o->also >> i & 1)
			text_printf(out, "    %s %s: %s\n",
				    omission_rules[i].result == rule->result ? "and by" :
									       "although",
				    omission_rules[i].id, omission_rules[i].why);
	}
	if (rule->subject != SUBJECT_UNIT)
		put_where(out, r, o);
	if (o->clash) {
		const struct omission_clash *c = &r->omissions.clashes.items[o->clash - 1];

		put_proto(out, r, &c->a);
		put_proto(out, r, &c->b);
	}
	for (size_t i = 0; i < o->nr_definitions; i++)
		put_definition(out, r, &r->omissions.definitions.items[o->definitions + i]);
}

/* --- one name ------------------------------------------------------------------------ */

/* One BTF of those that are searched, each over the one before. */
struct layer {
	const struct btf_view *btf;
	const char *what;
	bool has_ids; /* it is in a file, or will be */
};

enum { LAYERS_MAX = 4, MEMBERS_LISTED = 10 };

struct search {
	struct text *out;
	const struct options *opt;
	const struct wanted *as; /* the name with its keyword or parentheses */
	const char *name;
	struct layer layers[LAYERS_MAX];
	size_t nr_layers;
	bool any_sort;      /* ignore the keyword */
	bool is_defined[2]; /* there is a struct, or a union, of the name */
	bool is_symbol;     /* there is a function or a variable of the name */
	size_t nr;          /* types that were found */
	size_t nr_inside;   /* types with a member or an enumerator that was found */
	struct nearest similar;
	const struct mentions *types, *omissions, *sites; /* where the names occur */
	size_t *nr_missing;                               /* names without a result, so far */
};

static const char *const sorts[] = {
	[WANTED_ANY] = "function", [WANTED_STRUCT] = "struct",   [WANTED_UNION] = "union",
	[WANTED_ENUM] = "enum",    [WANTED_TYPEDEF] = "typedef",
};

static bool is_qualified(const struct wanted *as)
{
	return as->is_func || as->sort != WANTED_ANY;
}

static const char *name_at(const struct btf_view *v, uint32_t off)
{
	return btf_view_str(v, v->base, off);
}

/* A type, or a type that has an element, with the name of the search. */
typedef void visit(struct search *s, const struct layer *l, uint32_t id, const uint32_t *rec,
		   enum btf_kind kind);

static void each_type(struct search *s, bool inside, visit *fn)
{
	size_t nr;
	const struct mention *m = mentions_of(s->types, s->name, &nr);
	uint32_t last = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct layer *l = &s->layers[m[i].layer];
		const uint32_t *rec = btf_types_rec(&l->btf->types, m[i].id);

		if (inside == (m[i].element == MENTION_WHOLE) || m[i].id == last)
			continue;
		fn(s, l, m[i].id, rec, btf_rec_kind(rec));
		last = m[i].id;
	}
}

static void find_definition(struct search *s, const struct layer *l UNUSED, uint32_t id UNUSED,
			    const uint32_t *rec UNUSED, enum btf_kind kind)
{
	if (btf_kind_is_struct(kind))
		s->is_defined[kind == BTF_UNION] = true;
}

static void put_id(struct text *out, const struct layer *l, uint32_t id)
{
	if (l->has_ids)
		text_printf(out, " [%u]", id);
}

static void put_type(struct search *s, const struct layer *l, uint32_t id, const uint32_t *rec,
		     enum btf_kind kind)
{
	bool kflag = btf_rec_kflag(rec);

	s->is_symbol |= kind == BTF_FUNC || kind == BTF_VAR;
	if (!s->any_sort && !wanted_takes(s->as, kind, kflag))
		return;
	text_printf(s->out, "  in %s: %s", l->what, btf_kind_layout(kind)->name);
	put_id(s->out, l, id);
	text_printf(s->out, "%s\n",
		    kind == BTF_FWD && !s->is_defined[kflag] ? ", declared but not defined" : "");
	s->nr++;
}

/* The number of members or enumerators of @rec. */
static uint32_t nr_inside(const uint32_t *rec)
{
	uint32_t kind = btf_rec_kind(rec);

	return btf_kind_is_struct(kind) || btf_kind_is_enum(kind) ? btf_rec_vlen(rec) : 0;
}

static const char *inside_name(const struct btf_view *v, const uint32_t *rec, uint32_t i)
{
	size_t words = btf_kind_layout(btf_rec_kind(rec))->elem;

	return name_at(v, rec[BTF_REC_WORDS + words * i]);
}

/* A member or an enumerator of @rec has the name. */
static void put_inside(struct search *s, const struct layer *l, uint32_t id, const uint32_t *rec,
		       enum btf_kind kind)
{
	bool is_enum = btf_kind_is_enum(kind);

	if (s->nr_inside++ >= MEMBERS_LISTED && !s->opt->encode.verbose)
		return;
	text_printf(s->out, "  in %s: %s of %s '", l->what, is_enum ? "an enumerator" : "a member",
		    btf_kind_layout(kind)->name);
	put_name(s->out, "", name_at(l->btf, rec[BTF_REC_NAME]), "anon", "'");
	put_id(s->out, l, id);
	text_char(s->out, '\n');
}

static void offer_all(struct search *s)
{
	for (const struct layer *l = s->layers; l < s->layers + s->nr_layers; l++) {
		const struct btf_types *t = &l->btf->types;

		for (uint32_t id = t->first; id < btf_types_end(t); id++) {
			const uint32_t *rec = btf_types_rec(t, id);

			nearest_offer_other(&s->similar, name_at(l->btf, rec[BTF_REC_NAME]));
			for (uint32_t i = 0; i < nr_inside(rec); i++)
				nearest_offer_other(&s->similar, inside_name(l->btf, rec, i));
		}
	}
}

/* Are the rule and the keyword of @o those of the name? */
static bool is_omission_asked(const struct search *s, const struct omission *o)
{
	if (s->any_sort || !is_qualified(s->as))
		return true;
	if (s->as->is_func)
		return omission_rules[o->rule].subject == SUBJECT_FUNC ||
		       !strcmp(o->keyword, "func");
	return !strcmp(o->keyword, sorts[s->as->sort]);
}

static size_t put_omissions(struct search *s, const struct report *found)
{
	size_t nr = 0, nr_mentions;
	const struct mention *m = mentions_of(s->omissions, s->name, &nr_mentions);

	for (size_t i = 0; i < nr_mentions; i++) {
		const struct omission *o = &found->omissions.items[m[i].id];
		enum omission_subject subject = omission_rules[o->rule].subject;
		bool is_part = m[i].element != MENTION_WHOLE;

		/* a function does not lack its variables */
		if (is_part && o->rule == OMIT_VAR_IN_FUNCTION)
			continue;
		s->is_symbol |= subject == SUBJECT_FUNC || subject == SUBJECT_VAR;
		if (!is_omission_asked(s, o))
			continue;
		if (is_part) {
			text_printf(s->out, "  of %s%s", o->keyword, *o->keyword ? " " : "");
			put_name(s->out, "'", report_text(found, o->name), "anon", "':\n");
		}
		put_omission(s->out, found, o);
		nr++;
	}
	return nr;
}

/* Print all that has the name; return whether there is any. @found: NULL without a report. */
static bool put_found(struct search *s, const struct report *found)
{
	each_type(s, false, put_type);
	/* members and enumerators have no keyword */
	if (s->any_sort || !is_qualified(s->as))
		each_type(s, true, put_inside);
	if (s->nr_inside > MEMBERS_LISTED && !s->opt->encode.verbose)
		text_printf(s->out, "  and a member or an enumerator of %zu more\n",
			    s->nr_inside - MEMBERS_LISTED);
	return s->nr + s->nr_inside + (found ? put_omissions(s, found) : 0) > 0;
}

/* The function or variable of a unit whose address is that of the symbol. NULL if none is known. */
static const struct omission *find_at(const struct report *found)
{
	for (size_t i = 0; found->symbol.addr && i < found->omissions.nr; i++) {
		const struct omission *o = &found->omissions.items[i];

		if (omission_addr(o) == found->symbol.addr)
			return o;
	}
	return NULL;
}

/* Why no unit has the symbol, if no other symbol has its address. */
static void put_origin(struct search *s, const struct report *found)
{
	const struct omission *o = find_at(found);

	if (o) {
		put_name(s->out, "    DWARF calls it '", report_text(found, o->name), "anon",
			 "' in ");
		put_name(s->out, "", report_text(found, o->unit), "no unit",
			 ": objcopy, __asm__() or C++ gave the symbol another name\n");
		return;
	}
	text_str(s->out, "    no other function or variable of its section has this address: "
			 "it comes from assembler code, a linker script, an object without "
			 "debug information or an excluded unit, or a tool such as objtool or "
			 "objcopy named it\n");
	if (!found->symbol.is_code)
		text_str(s->out,
			 "    BTF describes no variable that is thread-local or static in a "
			 "function\n");
}

/* Print a symbol of the name that is neither a function nor a variable of a unit; return whether there is one. */
static bool put_symbol(struct search *s, const struct report *found)
{
	const struct report_symbol *sym = &found->symbol;

	if (!sym->is_known || s->is_symbol || s->as->sort != WANTED_ANY)
		return false;
	text_str(s->out, "  in the symbol table");
	put_address(s->out, &sym->at);
	text_str(s->out,
		 ", but no unit that btfenc read has a function or global variable of this name\n");
	if (!sym->nr_same)
		put_origin(s, found);
	for (size_t i = 0; i < sym->nr_same && i < REPORT_NAMES; i++)
		put_name(s->out, i ? ", '" : "    the same address: '", sym->same[i], "", "'");
	if (sym->nr_same > REPORT_NAMES)
		text_printf(s->out, ", and %zu more", sym->nr_same - REPORT_NAMES);
	text_str(s->out, sym->nr_same ? "\n" : "");
	return true;
}

/* The copies and parts of the function of the name. */
static void put_copies(struct search *s, const struct report *found)
{
	if (!found->nr_copies || (is_qualified(s->as) && !s->as->is_func))
		return;
	text_str(s->out, "  in the symbol table, copies or parts of it: ");
	for (size_t i = 0; i < found->nr_copies && i < REPORT_NAMES; i++) {
		put_name(s->out, i ? ", '" : "'", found->copied[i].name, "", "'");
		put_address(s->out, &found->copied[i].at);
	}
	if (found->nr_copies > REPORT_NAMES)
		text_printf(s->out, ", and %zu more", found->nr_copies - REPORT_NAMES);
	text_char(s->out, '\n');
}

/* The name is the symbol of a variable in a function, such as gcc's "name.0" and clang's "function.name". */
static bool put_local(struct search *s, const struct report *found)
{
	const struct report_location *at = &found->symbol.at;
	size_t nr = 0;

	for (size_t i = 0; found->symbol.is_known && i < found->omissions.nr; i++) {
		const struct omission *o = &found->omissions.items[i];
		const struct report_location of = report_location(found, omission_addr(o));

		if (o->rule != OMIT_VAR_IN_FUNCTION || !of.known || of.addr != at->addr ||
		    strcmp(of.section, at->section) != 0 || !is_omission_asked(s, o))
			continue;
		put_name(s->out, "  of '", report_text(found, o->name), "anon", "':\n");
		put_omission(s->out, found, o);
		s->is_symbol = true;
		nr++;
	}
	return nr > 0;
}

/* The name is that of a copy or part of a function; print all that has the name of the function. */
static bool put_original(struct search *s, const struct report *found)
{
	size_t before = s->out->nr;

	put_name(s->out, "  the compiler derived this symbol from '", found->copy_of, "", "':\n");
	s->name = found->copy_of;
	if (put_found(s, found))
		return true;
	/* such as objtool's __pfx_foo.cold */
	s->out->nr = before;
	s->name = s->as->name;
	return false;
}

static void suggest(struct search *s, const struct report *found)
{
	if (found && found->symbol.is_undefined) {
		text_str(s->out,
			 "  the symbol table has it as undefined: ask the file that defines it\n");
		return;
	}
	if ((*s->nr_missing)++ >= NEAREST_WORDS_MAX)
		return;
	s->similar = nearest_to(s->name);
	for (size_t i = 0; found && i < found->func_names.nr; i++)
		nearest_offer_other(&s->similar, found->func_names.items[i]);
	offer_all(s);
	if (s->similar.name)
		put_name(s->out, "  did you mean '", s->similar.name, "", "'?\n");
}

/* Where the function of the name is inlined. Such code has no symbol, so probes of a symbol miss it. */
static bool put_sites(struct search *s, const struct report *found)
{
	size_t nr;

	mentions_of(s->sites, s->name, &nr);
	if (!nr || (is_qualified(s->as) && !s->as->is_func))
		return false;
	text_printf(s->out, "  inlined at %zu site%s, %s", nr, nr > 1 ? "s" : "",
		    found && found->func_names.nr && !found->symbol.is_known && !found->nr_copies ?
			    "and no symbol has its name, so that a probe needs their addresses" :
			    "which a probe of the function does not trace");
	put_name(s->out, ": '--inline_sites=", s->name, "", "' lists them\n");
	return true;
}

#define NO_REASON "; the reason is only in DWARF or in a BTF archive"

static bool search_name(struct search *s, const struct report *found)
{
	bool is_found;

	s->name = s->as->name;
	each_type(s, false, find_definition);
	is_found = put_found(s, found);
	if (!is_found && found)
		is_found = put_local(s, found);
	if (!is_found && found && found->copy_of)
		is_found = put_original(s, found);
	is_found |= found && put_symbol(s, found);
	is_found |= put_sites(s, found);
	if (found)
		put_copies(s, found);
	if (is_found)
		return true;
	if (is_qualified(s->as)) {
		text_printf(s->out, "  no %s of this name is in the %s\n", sorts[s->as->sort],
			    found ? "input" : "BTF" NO_REASON);
		s->any_sort = true;
		if (put_found(s, found))
			return false;
	} else {
		text_str(
			s->out,
			found ? "  nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count)\n" :
				"  nothing in the BTF has this name" NO_REASON "\n");
	}
	suggest(s, found);
	return false;
}

static void want_names(const struct search *s, const struct report *report, struct mentions *ret)
{
	const struct wanted_list *names = &s->opt->explain_names;

	for (size_t i = 0; i < names->nr; i++) {
		const char *copy_of = report ? report_on(report, i).copy_of : NULL;

		mentions_want(ret, names->items[i].name);
		if (copy_of)
			mentions_want(ret, copy_of);
	}
}

static void mention_type(const struct search *s, uint32_t layer, uint32_t id, struct mentions *ret)
{
	const struct btf_view *v = s->layers[layer].btf;
	const uint32_t *rec = btf_types_rec(&v->types, id);
	enum btf_kind kind = btf_rec_kind(rec);
	const char *name = name_at(v, rec[BTF_REC_NAME]);
	struct mention m = { .id = id, .element = MENTION_WHOLE, .layer = layer };

	if (kind == BTF_INT || kind == BTF_FLOAT)
		name = wanted_base_name(name);
	mentions_add(ret, name, m);
	for (m.element = 0; m.element < nr_inside(rec); m.element++)
		mentions_add(ret, inside_name(v, rec, m.element), m);
}

static void find_types(const struct search *s, const struct report *report, struct mentions *ret)
{
	want_names(s, report, ret);
	for (uint32_t i = 0; i < s->nr_layers; i++) {
		const struct btf_types *t = &s->layers[i].btf->types;

		for (uint32_t id = t->first; id < btf_types_end(t); id++)
			mention_type(s, i, id, ret);
	}
	mentions_sort(ret);
}

/* The sites in @v, each by the name of its function. */
static void find_sites(const struct btf_view *v, struct mentions *ret)
{
	const struct btf_types *t = &v->types;

	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		const uint32_t *rec = btf_types_rec(t, id), *site = rec + BTF_REC_WORDS;

		if (btf_rec_kind(rec) != BTF_LOCSEC)
			continue;
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++, site += BTF_SITE_WORDS) {
			const uint32_t func = site[BTF_SITE_FUNC];

			if (func)
				mentions_add(ret, name_at(v, btf_types_rec(t, func)[BTF_REC_NAME]),
					     (struct mention){ .id = func });
		}
	}
}

static void find_omissions(const struct search *s, const struct report *report,
			   struct mentions *ret)
{
	want_names(s, report, ret);
	for (uint32_t i = 0; report && i < report->omissions.nr; i++) {
		const struct omission *o = &report->omissions.items[i];
		struct mention m = { .id = i, .element = MENTION_WHOLE };

		mentions_add(ret, report_text(report, o->name), m);
		m.element = 0;
		if (strcmp(report_text(report, o->name), report_text(report, o->part)) != 0)
			mentions_add(ret, report_text(report, o->part), m);
	}
	mentions_sort(ret);
}

static void add_layer(struct search *s, const struct btf_view *btf, const char *what, bool has_ids)
{
	s->layers[s->nr_layers++] = (struct layer){ btf, what, has_ids };
}

static void put_path(struct text *out, const char *path, const char *after)
{
	text_escape_name(out, path);
	text_str(out, after);
}

/*
 * Answer for each of the names with the layers of @s. @report: NULL without one. @apart: BTF of sites that is no layer, or
 * NULL. A name from a file that is not found is
 * not printed (wanted_list.h).
 */
static void explain_names(const struct search *layers, const char *path,
			  const struct report *report, const struct btf_view *apart,
			  bool *found_names)
{
	const struct wanted_list *names = &layers->opt->explain_names;
	CLEANUP(mentions_release) struct mentions types = { 0 };
	CLEANUP(mentions_release) struct mentions omissions = { 0 };
	CLEANUP(mentions_release) struct mentions sites = { 0 };
	size_t nr_missing = 0;

	find_types(layers, report, &types);
	find_omissions(layers, report, &omissions);
	want_names(layers, report, &sites);
	for (size_t i = 0; i < layers->nr_layers; i++)
		find_sites(layers->layers[i].btf, &sites);
	if (apart)
		find_sites(apart, &sites);
	mentions_sort(&sites);
	for (size_t i = 0; i < names->nr; i++) {
		CLEANUP(text_release) struct text body = { 0 };
		const struct wanted *as = &names->items[i];
		struct search s = *layers;
		struct report found = report ? report_on(report, i) : (struct report){ 0 };
		bool is_found;

		s.as = as;
		s.types = &types;
		s.omissions = &omissions;
		s.sites = &sites;
		s.nr_missing = &nr_missing;
		s.out = &body;
		is_found = search_name(&s, report ? &found : NULL);
		found_names[i] |= is_found;
		put_path(layers->out, path, ": ");
		if (as->location && !is_found) {
			text_printf(layers->out, "%s\n", as->location);
		} else {
			put_name(layers->out, "'", as->asked, "", "");
			text_str(layers->out, as->is_func ? "()'\n" : "'\n");
		}
		text_mem(layers->out, body.items, body.nr);
	}
}

static struct err *add_made(struct search *s, const struct encode_result *made, bool is_written,
			    struct btf_view views[4])
{
	struct btf_view *below = &views[0], *btf = &views[1], *vars = &views[2], *sites = &views[3];
	const struct btf_view *over = s->nr_layers ? s->layers[0].btf : NULL;

	if (made->base) {
		TRY(btf_view_open((struct bytes){ made->base, made->base_len }, NULL, below));
		over = below;
	}
	if (made->btf) {
		TRY(btf_view_open((struct bytes){ made->btf, made->btf_len }, over, btf));
		/* the file may have none, or another */
		add_layer(s, btf, "the generated BTF", is_written);
	}
	if (made->vars) {
		TRY(btf_view_open((struct bytes){ made->vars, made->vars_len }, btf, vars));
		add_layer(s, vars, "the BTF of variables", is_written);
	}
	if (made->sites)
		TRY(btf_view_open((struct bytes){ made->sites, made->sites_len }, btf, sites));
	return NULL;
}

/* --- all of them --------------------------------------------------------------------- */

/* Of each rule. */
enum { NAMES_LISTED = 10 };

/* An omission by such a rule has the number of its variables or sites. */
static uint64_t sum_of_counts(const struct report *found, enum omission_rule rule)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < found->omissions.nr; i++) {
		if (found->omissions.items[i].rule == rule)
			sum += found->omissions.items[i].number;
	}
	return sum;
}

static void explain_rule(struct text *out, enum omission_rule rule, const struct report *found,
			 bool all)
{
	const struct omission_rule_def *def = &omission_rules[rule];
	bool counted = def->number == NUMBER_COUNT &&
		       (def->subject == SUBJECT_VAR || def->subject == SUBJECT_SITE);
	const char *between = "   ";
	size_t nr = 0, listed = 0;

	for (size_t i = 0; i < found->omissions.nr; i++)
		nr += found->omissions.items[i].rule == rule;
	if (!nr)
		return;
	text_printf(out, "%7" PRIu64 " %s%s%s: %s\n", counted ? sum_of_counts(found, rule) : nr,
		    results[def->result], *results[def->result] ? " " : "", def->id, def->why);
	for (size_t i = 0; i < found->omissions.nr; i++) {
		const struct omission *o = &found->omissions.items[i];

		if (o->rule != rule || (counted && !o->name))
			continue;
		if (listed++ == NAMES_LISTED && !all) {
			text_printf(out, ", and %zu more", nr - NAMES_LISTED);
			break;
		}
		text_str(out, between);
		put_name(out, " ", report_text(found, o->name), "anon", "");
		if (def->subject == SUBJECT_MEMBER)
			put_name(out, ".", report_text(found, o->part), "anon", "");
		between = ",";
	}
	if (listed)
		text_char(out, '\n');
}

static void explain_all(struct text *out, const char *path, const struct report *found, bool all)
{
	put_path(out, path, found->omissions.nr ? ":\n" : ": nothing was left out\n");
	for (int rule = 0; rule < NR_OMISSION_RULES; rule++)
		explain_rule(out, (enum omission_rule)rule, found, all);
}

struct err *explain_print(struct text *out, const struct options *opt, const char *path,
			  const struct btf_input *base, const struct encode_result *made,
			  const struct report *found, bool is_written, bool *found_names)
{
	struct btf_view views[4] = { 0 };
	struct search s = { .out = out, .opt = opt };
	struct err *e;

	if (!found->begun) {
		put_path(out, path, ": there is no debug information\n");
		return NULL;
	}
	if (opt->explain_all)
		explain_all(out, path, found, opt->encode.verbose);
	if (!opt->explain_names.nr)
		return NULL;
	if (base)
		add_layer(&s, &base->view, "the base", true);
	e = add_made(&s, made, is_written, views);
	if (!e)
		explain_names(&s, path, found, made->sites ? &views[3] : NULL, found_names);
	for (size_t i = ARRAY_SIZE(views); i-- > 0;)
		btf_view_release(&views[i]);
	return e;
}

void explain_print_btf(struct text *out, const struct options *opt, const char *path,
		       const struct btf_view *btf, bool *found_names)
{
	struct search s = { .out = out, .opt = opt };

	if (opt->explain_all)
		put_path(out, path,
			 ": there is no debug information, and BTF does not list what is "
			 "missing from it\n");
	if (btf->base)
		add_layer(&s, btf->base, "the base", true);
	add_layer(&s, btf, "the BTF", true);
	explain_names(&s, path, NULL, NULL, found_names);
}
