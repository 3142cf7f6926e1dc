/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_search.c - see explain_search.h */
#include "cmd/print/explain_search.h"

#include "base/cleanup.h"
#include "base/color.h"
#include "btf/print/decl_text.h"
#include "cmd/print/explain_names.h"
#include "cmd/print/explain_omission.h"
#include "cmd/print/json.h"
#include "cmd/print/outputs.h"

#include <string.h>

static const char *const sorts[] = {
	[WANTED_ANY] = "function", [WANTED_STRUCT] = "struct",   [WANTED_UNION] = "union",
	[WANTED_ENUM] = "enum",    [WANTED_TYPEDEF] = "typedef",
};

static bool is_qualified(const struct wanted *as)
{
	return as->is_func || as->sort != WANTED_ANY;
}

const char *explain_name_at(const struct btf_view *v, uint32_t off)
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
	const struct layer *last_layer = NULL;
	uint32_t last = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct layer *l = &s->layers[m[i].layer];
		const uint32_t *rec = btf_types_rec(&l->btf->types, m[i].id);

		if (inside == (m[i].element == MENTION_WHOLE) ||
		    (m[i].id == last && l == last_layer))
			continue;
		fn(s, l, m[i].id, rec, btf_rec_kind(rec));
		last = m[i].id;
		last_layer = l;
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

/* Begin an object in the list @out: the BTF, and the kind and id of the type. */
static void json_type(struct text *out, const struct layer *l, uint32_t id, enum btf_kind kind)
{
	json_open(out, NULL, '{');
	json_text(out, "btf", l->word);
	json_text(out, "kind", btf_kind_layout(kind)->name);
	if (l->has_ids)
		json_number(out, "id", id);
}

/* The declaration of a function or variable, and the place of the variable. */
static void put_declaration(struct search *s, const struct layer *l, uint32_t id)
{
	CLEANUP(text_release) struct text text = { 0 };
	const struct var_place *at = var_places_of(&l->places, id);
	const char *section = at ? explain_name_at(l->btf,
						   btf_types_rec(&l->btf->types,
								 at->section)[BTF_REC_NAME]) :
				   "";

	decl_text_symbol(&text, l->btf, id);
	if (!s->json) {
		text_str(s->out, ": ");
		text_escape(s->out, text_string(&text));
		if (at)
			explain_put_name(s->out, " in ", section, "no section", "");
		return;
	}
	json_text(&s->in, "declaration", text_string(&text));
	if (!at)
		return;
	json_text(&s->in, "section", section);
	json_number(&s->in, "offset", at->offset);
	json_number(&s->in, "size", at->size);
}

static void put_type(struct search *s, const struct layer *l, uint32_t id, const uint32_t *rec,
		     enum btf_kind kind)
{
	bool kflag = btf_rec_kflag(rec);

	s->is_symbol |= kind == BTF_FUNC || kind == BTF_VAR;
	if (!s->any_sort && !wanted_takes(s->as, kind, kflag))
		return;
	s->in_file |= l->is_file;
	s->nr++;
	if (s->json) {
		json_type(&s->in, l, id, kind);
	} else {
		text_printf(s->out, "  in %s: ", l->what);
		text_color(s->out, COLOR_NEW);
		text_str(s->out, btf_kind_layout(kind)->name);
		put_id(s->out, l, id);
		text_color(s->out, COLOR_NONE);
	}
	if (kind == BTF_FUNC || kind == BTF_VAR)
		put_declaration(s, l, id);
	if (s->json)
		json_close(&s->in, '}');
	else
		text_printf(s->out, "%s\n",
			    kind == BTF_FWD && !s->is_defined[kflag] ?
				    ", declared but not defined" :
				    "");
}

/* The number of members or enumerators of @rec. */
uint32_t explain_nr_inside(const uint32_t *rec)
{
	uint32_t kind = btf_rec_kind(rec);

	return btf_kind_is_struct(kind) || btf_kind_is_enum(kind) ? btf_rec_vlen(rec) : 0;
}

const char *explain_inside_name(const struct btf_view *v, const uint32_t *rec, uint32_t i)
{
	size_t words = btf_rec_layout(rec)->elem;

	return explain_name_at(v, rec[BTF_REC_WORDS + words * i]);
}

/* A member or an enumerator of @rec has the name. */
static void put_inside(struct search *s, const struct layer *l, uint32_t id, const uint32_t *rec,
		       enum btf_kind kind)
{
	bool is_enum = btf_kind_is_enum(kind);

	if (l->is_file) {
		s->in_file = true;
		return;
	}
	if (s->nr_inside++ >= MEMBERS_LISTED && !s->opt->encode.verbose)
		return;
	if (s->json) {
		json_type(&s->of_members, l, id, kind);
		json_text(&s->of_members, "of", explain_name_at(l->btf, rec[BTF_REC_NAME]));
		json_close(&s->of_members, '}');
		return;
	}
	text_printf(s->out, "  in %s: %s of %s '", l->what, is_enum ? "an enumerator" : "a member",
		    btf_kind_layout(kind)->name);
	explain_put_name(s->out, "", explain_name_at(l->btf, rec[BTF_REC_NAME]), "anon", "'");
	put_id(s->out, l, id);
	text_char(s->out, '\n');
}

static void offer_all(struct search *s)
{
	for (const struct layer *l = s->layers; l < s->layers + s->nr_layers; l++) {
		const struct btf_types *t = &l->btf->types;

		for (uint32_t id = t->first; id < btf_types_end(t); id++) {
			const uint32_t *rec = btf_types_rec(t, id);

			nearest_offer_other(&s->similar,
					    explain_name_at(l->btf, rec[BTF_REC_NAME]));
			for (uint32_t i = 0; i < explain_nr_inside(rec); i++)
				nearest_offer_other(&s->similar,
						    explain_inside_name(l->btf, rec, i));
		}
	}
}

static bool is_omission_asked(const struct search *s, const struct omission *o)
{
	return s->any_sort || explain_is_asked(s->as, o);
}

/* @is_part: a part of @o has the name, or is what it names */
static void put_omission(struct search *s, const struct report *found, const struct omission *o,
			 const char *keyword, bool is_part)
{
	if (s->json) {
		report_json_omission(&s->of_omissions, found, o);
		return;
	}
	if (is_part) {
		text_printf(s->out, "  of %s%s", keyword, *keyword ? " " : "");
		explain_put_name(s->out, "'", report_text(found, o->name), "anon", "':\n");
	}
	explain_put_omission(s->out, found, o);
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
		put_omission(s, found, o, o->keyword, is_part);
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
	if (s->nr_inside > MEMBERS_LISTED && !s->opt->encode.verbose && s->json)
		json_number(s->out, "more_members", s->nr_inside - MEMBERS_LISTED);
	else if (s->nr_inside > MEMBERS_LISTED && !s->opt->encode.verbose)
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
		explain_put_name(s->out, "    DWARF calls it '", report_text(found, o->name),
				 "anon", "' in ");
		explain_put_name(s->out, "", report_text(found, o->unit), "no unit",
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

static void json_symbol(struct search *s, const struct report *found)
{
	const struct report_symbol *sym = &found->symbol;
	const struct omission *o = sym->nr_same ? NULL : find_at(found);

	json_open(s->out, "symbol", '{');
	report_json_location(s->out, &sym->at);
	json_open(s->out, "same_address", '[');
	for (size_t i = 0; i < sym->nr_same && i < REPORT_NAMES; i++)
		json_text(s->out, NULL, sym->same[i]);
	json_close(s->out, ']');
	if (o)
		json_text(s->out, "dwarf_name", report_text(found, o->name));
	json_close(s->out, '}');
}

/* Print a symbol of the name that is neither a function nor a variable of a unit; return whether there is one. */
static bool put_symbol(struct search *s, const struct report *found)
{
	const struct report_symbol *sym = &found->symbol;

	if (!sym->is_known || s->is_symbol || s->as->sort != WANTED_ANY)
		return false;
	if (s->json) {
		json_symbol(s, found);
		return true;
	}
	text_str(s->out, "  in the symbol table");
	explain_put_address(s->out, &sym->at);
	text_str(s->out,
		 ", but no unit that btfenc read has a function or global variable of this name\n");
	if (!sym->nr_same)
		put_origin(s, found);
	for (size_t i = 0; i < sym->nr_same && i < REPORT_NAMES; i++)
		explain_put_name(s->out, i ? ", '" : "    the same address: '", sym->same[i], "",
				 "'");
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
	if (s->json) {
		json_number(s->out, "nr_copies", found->nr_copies);
		json_open(s->out, "copies", '[');
		for (size_t i = 0; i < found->nr_copies && i < REPORT_NAMES; i++)
			json_text(s->out, NULL, found->copied[i].name);
		json_close(s->out, ']');
		return;
	}
	text_str(s->out, "  in the symbol table, copies or parts of it: ");
	for (size_t i = 0; i < found->nr_copies && i < REPORT_NAMES; i++) {
		explain_put_name(s->out, i ? ", '" : "'", found->copied[i].name, "", "'");
		explain_put_address(s->out, &found->copied[i].at);
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
		put_omission(s, found, o, "", true);
		s->is_symbol = true;
		nr++;
	}
	return nr > 0;
}

/* The name is that of a copy or part of a function; print all that has the name of the function. */
static bool put_original(struct search *s, const struct report *found)
{
	size_t before = s->out->nr;

	if (s->json)
		json_text(s->out, "derived_from", found->copy_of);
	else
		explain_put_name(s->out, "  the compiler derived this symbol from '",
				 found->copy_of, "", "':\n");
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
	if (found && found->symbol.is_undefined && s->json) {
		json_bool(s->out, "undefined", true);
		return;
	}
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
	for (size_t i = 0; found && i < found->omissions.nr; i++)
		nearest_offer_other(&s->similar,
				    report_text(found, found->omissions.items[i].name));
	offer_all(s);
	if (s->similar.name && s->json)
		json_text(s->out, "similar", s->similar.name);
	else if (s->similar.name)
		explain_put_name(s->out, "  did you mean '", s->similar.name, "", "'?\n");
}

/* Is the function of the name left out because no symbol has its name, nor is a copy of it? */
static bool lacks_symbol(const struct search *s, const struct report *found)
{
	size_t nr;
	const struct mention *m = mentions_of(s->omissions, s->name, &nr);

	for (size_t i = 0; i < nr; i++) {
		if (m[i].element == MENTION_WHOLE &&
		    found->omissions.items[m[i].id].rule == OMIT_FUNC_NO_SYMBOL)
			return true;
	}
	return false;
}

/* Where the function of the name is inlined. Such code has no symbol, so probes of a symbol miss it. */
static bool put_sites(struct search *s, const struct report *found)
{
	size_t nr;

	mentions_of(s->sites, s->name, &nr);
	if (!nr || (is_qualified(s->as) && !s->as->is_func))
		return false;
	if (s->json) {
		json_number(s->out, "inline_sites", nr);
		return true;
	}
	text_printf(s->out, "  inlined at %zu site%s, %s", nr, nr > 1 ? "s" : "",
		    found && lacks_symbol(s, found) ?
			    "and no symbol has its name, so that a probe needs their addresses" :
			    "which a probe of the function does not trace");
	explain_put_name(s->out, ": '--inline_sites=", s->name, "", "' lists them\n");
	return true;
}

#define NO_REASON "; the reason is only in DWARF or in a BTF archive"

/* The file may have been encoded by another encoder, or with other features. */
bool explain_has_file_btf(const struct search *s)
{
	for (size_t i = 0; i < s->nr_layers; i++) {
		if (s->layers[i].is_file)
			return true;
	}
	return false;
}

static void put_nothing(struct search *s, const struct report *found)
{
	if (s->json)
		return;
	if (s->as->is_pattern)
		text_str(s->out, "  no name matches\n");
	else if (is_qualified(s->as))
		text_printf(s->out, "  no %s of this name is in the %s\n", sorts[s->as->sort],
			    found ? "input" : "BTF" NO_REASON);
	else
		text_str(
			s->out,
			found ? "  nothing in the input that BTF describes has this name (parameters, declarations and variables without an address do not count)\n" :
				"  nothing in the BTF has this name" NO_REASON "\n");
}

bool explain_search(struct search *s, const struct report *found)
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
	if (is_found) {
		if (explain_has_file_btf(s) && !s->in_file && !s->json) {
			text_str(s->out, "  ");
			text_color(s->out, COLOR_GONE);
			text_str(s->out, "not in the BTF of the file");
			text_color(s->out, COLOR_NONE);
			text_char(s->out, '\n');
		}
		return true;
	}
	put_nothing(s, found);
	if (s->as->is_pattern)
		return false;
	if (is_qualified(s->as)) {
		s->any_sort = true;
		if (put_found(s, found))
			return false;
	}
	suggest(s, found);
	return false;
}
