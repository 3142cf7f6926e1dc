/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain_print.c - see outputs.h
 *
 *	vmlinux: 'foo'
 *	  in the generated BTF: STRUCT [12]
 *	  in the BTF of the file: FUNC [130]: int foo(int a)
 *	  func_inconsistent_prototype: left out: units do not agree on its prototype
 *	    ...
 */
#include "cmd/print/outputs.h"

#include "base/cleanup.h"
#include "cmd/options/option_table.h"
#include "cmd/print/explain_names.h"
#include "cmd/print/explain_omission.h"
#include "cmd/print/explain_search.h"
#include "cmd/print/json.h"
#include "encoder/unit/features.h"

#include <inttypes.h>
#include <string.h>

static void want_names(const struct explained_names *names, const struct report *report,
		       struct mentions *ret)
{
	for (size_t i = 0; i < names->items.nr; i++) {
		const struct explained_name *n = &names->items.items[i];
		const char *copy_of = report ? report_on(report, n->number).copy_of : NULL;

		mentions_want(ret, n->as.name);
		if (copy_of)
			mentions_want(ret, copy_of);
	}
}

static void mention_type(const struct search *s, uint32_t layer, uint32_t id, struct mentions *ret)
{
	const struct btf_view *v = s->layers[layer].btf;
	const uint32_t *rec = btf_types_rec(&v->types, id);
	enum btf_kind kind = btf_rec_kind(rec);
	const char *name = explain_name_at(v, rec[BTF_REC_NAME]);
	struct mention m = { .id = id, .element = MENTION_WHOLE, .layer = layer };

	if (kind == BTF_INT || kind == BTF_FLOAT)
		name = wanted_base_name(name);
	mentions_add(ret, name, m);
	for (m.element = 0; m.element < explain_nr_inside(rec); m.element++)
		mentions_add(ret, explain_inside_name(v, rec, m.element), m);
}

static void find_types(const struct search *s, struct mentions *ret)
{
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
				mentions_add(ret,
					     explain_name_at(v,
							     btf_types_rec(t, func)[BTF_REC_NAME]),
					     (struct mention){ .id = func });
		}
	}
}

static void find_omissions(const struct report *report, struct mentions *ret)
{
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

static struct layer *add_layer(struct search *s, const struct btf_view *btf, const char *what,
			       const char *word, bool has_ids)
{
	struct layer *l = &s->layers[s->nr_layers++];

	*l = (struct layer){ .btf = btf, .what = what, .word = word, .has_ids = has_ids };
	var_places_find(btf, &l->places);
	return l;
}

static void release_layers(struct search *s)
{
	for (size_t i = 0; i < s->nr_layers; i++)
		var_places_release(&s->layers[i].places);
}

static void put_path(struct text *out, const char *path, const char *after)
{
	text_escape_name(out, path);
	text_str(out, after);
}

/* Where the names occur. */
struct occurrences {
	struct mentions types, omissions, sites;
};

static void occurrences_release(struct occurrences *o)
{
	mentions_release(&o->types);
	mentions_release(&o->omissions);
	mentions_release(&o->sites);
}

/* @apart: BTF of sites that is no layer, or NULL. */
static void find_occurrences(const struct search *s, const struct explained_names *names,
			     const struct report *report, const struct btf_view *apart,
			     struct occurrences *ret)
{
	want_names(names, report, &ret->types);
	want_names(names, report, &ret->omissions);
	want_names(names, report, &ret->sites);
	find_types(s, &ret->types);
	find_omissions(report, &ret->omissions);
	for (size_t i = 0; i < s->nr_layers; i++)
		if (!s->layers[i].is_file)
			find_sites(s->layers[i].btf, &ret->sites);
	if (apart)
		find_sites(apart, &ret->sites);
	mentions_sort(&ret->sites);
}

static void put_list(struct text *body, const char *key, const struct text *items)
{
	json_open(body, key, '[');
	text_mem(body, items->items, items->nr);
	json_close(body, ']');
}

/* A name from a file that is not found is not printed (wanted_list.h). */
static void put_json_name(struct text *line, const struct wanted *as, bool is_found)
{
	CLEANUP(mem_free_text) char *asked = mem_printf("%s%s", as->asked, as->is_func ? "()" : "");

	if (as->location && !is_found) {
		json_text(line, "location", as->location);
		return;
	}
	json_text(line, "name", as->name);
	json_text(line, "asked", asked);
}

/* The line for the name of @s; the body of @s has the keys that the search has added. */
static void put_json(struct search *s, struct text *line, const char *path, bool is_found)
{
	json_open(line, NULL, '{');
	json_text(line, "file", path);
	put_json_name(line, s->as, is_found);
	json_bool(line, "found", is_found);
	if (explain_has_file_btf(s))
		json_bool(line, "in_file", s->in_file);
	put_list(line, "in", &s->in);
	put_list(line, "members", &s->of_members);
	put_list(line, "omissions", &s->of_omissions);
	text_str(line, s->out->nr ? "," : "");
	text_mem(line, s->out->items, s->out->nr);
	json_end_line(line);
	text_release(&s->in);
	text_release(&s->of_members);
	text_release(&s->of_omissions);
}

/* "PATH: 'NAME'". A name from a file that is not found is not printed (wanted_list.h). */
static void put_asked(struct text *out, const char *path, const struct wanted *as, bool is_found)
{
	text_color(out, COLOR_HEAD);
	put_path(out, path, ": ");
	if (as->location && !is_found)
		text_str(out, as->location);
	else
		explain_put_name(out, "'", as->asked, "", as->is_func ? "()'" : "'");
	text_color(out, COLOR_NONE);
	text_char(out, '\n');
}

/* Answer for each of the names with the layers of @s. @report: NULL without one. */
static void explain_names(const struct search *layers, const char *path,
			  const struct report *report, const struct btf_view *apart,
			  bool *found_names)
{
	CLEANUP(explained_names_release) struct explained_names names = { 0 };
	CLEANUP(occurrences_release) struct occurrences where = { 0 };
	const struct btf_view *views[LAYERS_MAX];
	size_t nr_missing = 0;

	for (size_t i = 0; i < layers->nr_layers; i++)
		views[i] = layers->layers[i].btf;
	explained_names_find(&layers->opt->explain_names, views, layers->nr_layers, report, &names);
	find_occurrences(layers, &names, report, apart, &where);
	for (size_t i = 0; i < names.items.nr; i++) {
		CLEANUP(text_release)
		struct text body = { .colored = layers->out->colored && !layers->json };
		const struct explained_name *n = &names.items.items[i];
		struct report found = report ? report_on(report, n->number) : (struct report){ 0 };
		struct search s = *layers;
		bool is_found;

		s.as = &n->as;
		s.types = &where.types;
		s.omissions = &where.omissions;
		s.sites = &where.sites;
		s.nr_missing = &nr_missing;
		s.out = &body;
		is_found = explain_search(&s, report ? &found : NULL);
		found_names[n->number] |= is_found;
		if (s.json) {
			put_json(&s, layers->out, path, is_found);
			continue;
		}
		put_asked(layers->out, path, &n->as, is_found);
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
		add_layer(s, btf, "the generated BTF", "generated", is_written);
	}
	if (made->vars) {
		TRY(btf_view_open((struct bytes){ made->vars, made->vars_len }, btf, vars));
		add_layer(s, vars, "the BTF of variables", "variables", is_written);
	}
	if (made->sites)
		TRY(btf_view_open((struct bytes){ made->sites, made->sites_len }, btf, sites));
	return NULL;
}

/* --- all of them --------------------------------------------------------------------- */

/* Of each rule. */
enum { NAMES_LISTED = 10 };

/* The line of a rule. Returns whether it applies. */
static bool put_rule(struct text *out, enum omission_rule rule, const struct report_counts *c)
{
	const struct omission_rule_def *def = &omission_rules[rule];
	const char *result = explain_results[def->result];

	if (!c->nr[rule])
		return false;
	text_printf(out, "%7" PRIu64 " ", c->nr[rule]);
	text_color(out, explain_color(rule));
	text_printf(out, "%s%s%s", result, *result ? " " : "", def->id);
	text_color(out, COLOR_NONE);
	text_printf(out, ": %s\n", def->why);
	return true;
}

/* The line behind those of the rules. */
static void put_sum(struct text *out, const struct report_counts *c)
{
	uint64_t losses = 0, funcs = 0, others = 0;

	for (int rule = 0; rule < NR_OMISSION_RULES; rule++) {
		const struct omission_rule_def *def = &omission_rules[rule];

		*(def->no_loss ? &others : &losses) += c->nr[rule];
		if (!def->no_loss && def->subject == SUBJECT_FUNC)
			funcs += c->nr[rule];
	}
	if (losses + others)
		text_printf(out,
			    "%7" PRIu64 " in all, losses: %" PRIu64 " (functions: %" PRIu64
			    "), no loss: %" PRIu64 "\n",
			    losses + others, losses, funcs, others);
}

/* Below the line of a rule, the first @most names. */
static void put_names(struct text *out, enum omission_rule rule, const struct report *found,
		      size_t most)
{
	const struct omission_rule_def *def = &omission_rules[rule];
	const char *between = "   ";
	size_t nr = 0;

	for (size_t i = 0; i < found->omissions.nr; i++) {
		const struct omission *o = &found->omissions.items[i];

		/* of many variables or sites there is only the number */
		if (o->rule != rule ||
		    (def->number == NUMBER_COUNT && def->subject != SUBJECT_UNIT && !o->name))
			continue;
		if (nr++ >= most)
			continue;
		text_str(out, between);
		explain_put_name(out, " ", report_text(found, o->name), "anon", "");
		if (def->subject == SUBJECT_MEMBER)
			explain_put_name(out, ".", report_text(found, o->part), "anon", "");
		between = ",";
	}
	if (nr > most)
		text_printf(out, ", and %zu more", nr - most);
	if (nr)
		text_char(out, '\n');
}

static void explain_all(struct text *out, const struct options *opt, const char *path,
			const struct report *found)
{
	const size_t most = opt->encode.verbose ? SIZE_MAX : NAMES_LISTED;
	struct report_counts counts = { 0 };

	report_count(found, opt->report_rules, &counts);
	text_color(out, COLOR_HEAD);
	put_path(out, path, found->omissions.nr ? ":" : ": nothing was left out");
	text_color(out, COLOR_NONE);
	text_char(out, '\n');
	for (int i = 0; i < NR_OMISSION_RULES; i++) {
		enum omission_rule rule = (enum omission_rule)i;

		if (put_rule(out, rule, &counts) && opt->report_rules & omission_rule_bit(rule))
			put_names(out, rule, found, most);
	}
	put_sum(out, &counts);
}

void explain_print_total(struct text *out, const struct report_counts *c)
{
	bool any = false;

	text_color(out, COLOR_HEAD);
	text_printf(out, "total of %zu files", c->nr_files);
	if (c->nr_failed)
		text_printf(out, ", of which %zu failed", c->nr_failed);
	text_color(out, COLOR_NONE);
	text_str(out, ":\n");
	for (int rule = 0; rule < NR_OMISSION_RULES; rule++)
		any |= put_rule(out, (enum omission_rule)rule, c);
	if (!any)
		text_str(out, "  nothing was left out\n");
	put_sum(out, c);
}

/*
 * The BTF that the file has beside the DWARF that is explained. An archive is none: it is explained itself, or has less. *ret
 * and *diags are to be released.
 */
static void add_file_btf(struct search *s, const struct file_ref *file, const struct btf_view *base,
			 struct btf_input *ret, struct diagnostics *diags)
{
	struct err *e;

	if (!s->opt->nothing_made || s->opt->from == ENCODE_FROM_BTF)
		return;
	e = btf_input_open_over(file, base, diags, ret);
	if (!e)
		add_layer(s, &ret->view, "the BTF of the file", "file", true)->is_file = true;
	err_free(e);
}

static bool names_features(const struct options *opt)
{
	for (size_t i = 0; i < opt->given.nr; i++) {
		const struct option_def *def = opt->given.items[i].def;

		if (def->group == GROUP_FEATURES ||
		    (def->group == GROUP_SWITCHES && def->use != USE_FUNCTIONS))
			return true;
	}
	return false;
}

/* An answer depends on the features. Without any, few users know them. */
static void put_features(struct text *out, const struct options *opt, const char *path)
{
	CLEANUP(mem_free_text) char *names = features_names_of(opt->encode.features);

	if (names_features(opt) || !opt->nothing_made || opt->quiet || opt->json)
		return;
	put_path(out, path, ": ");
	text_printf(out,
		    "this is for the features %s: '--btf_features' gives others, such as "
		    "'default' for a kernel\n",
		    names);
}

/* Several files without a base are one program, unless the others are the objects of the first. */
static char *files_name(const struct options *opt, const struct file_refs *files)
{
	const char *first = files->items[0].name;

	if (files->nr == 1 || opt->gather || opt->archive || opt->json)
		return mem_strdup(first);
	return mem_printf("%s and %zu more file%s", first, files->nr - 1, files->nr > 2 ? "s" : "");
}

struct err *explain_print(struct text *out, const struct options *opt,
			  const struct file_refs *files, const struct btf_input *base,
			  const struct encode_result *made, const struct report *found,
			  bool is_written, bool *found_names)
{
	CLEANUP(btf_input_release) struct btf_input in_file = { 0 };
	CLEANUP(diag_release) struct diagnostics dropped = { 0 };
	CLEANUP(mem_free_text) char *path = files_name(opt, files);
	struct btf_view views[4] = { 0 };
	struct search s = { .out = out, .opt = opt, .json = opt->json };
	struct err *e;

	if (!found->begun) {
		if (!s.json)
			put_path(out, path, ": there is no debug information\n");
		return NULL;
	}
	if (opt->explain_all)
		explain_all(out, opt, path, found);
	if (opt->explain_names.nr && base)
		add_layer(&s, &base->view, "the base", "base", true);
	e = opt->explain_names.nr ? add_made(&s, made, is_written, views) : NULL;
	if (!e && opt->explain_names.nr) {
		if (files->nr == 1)
			add_file_btf(&s, files->items, base ? &base->view : NULL, &in_file,
				     &dropped);
		explain_names(&s, path, found, made->sites ? &views[3] : NULL, found_names);
	}
	if (!e)
		put_features(out, opt, path);
	release_layers(&s);
	for (size_t i = ARRAY_SIZE(views); i-- > 0;)
		btf_view_release(&views[i]);
	return e;
}

void explain_print_btf(struct text *out, const struct options *opt, const char *path,
		       const struct btf_view *btf, bool *found_names)
{
	struct search s = { .out = out, .opt = opt, .json = opt->json };

	if (opt->explain_all)
		put_path(out, path,
			 ": there is no debug information, and BTF does not list what is "
			 "missing from it\n");
	if (btf->base)
		add_layer(&s, btf->base, "the base", "base", true);
	add_layer(&s, btf, "the BTF", "file", true);
	explain_names(&s, path, NULL, NULL, found_names);
	release_layers(&s);
}

void explain_json_begin(struct text *out, const struct options *opt, const struct file_refs *files)
{
	enum { EXPLAIN_VERSION = 1 };
	CLEANUP(mem_free_text) char *features = features_names_of(opt->encode.features);

	json_begin_first_line(out, "explain", EXPLAIN_VERSION, files);
	if (opt->base)
		json_text(out, "base", opt->base);
	json_text(out, "features", features);
	json_end_line(out);
}

void explain_json_end(struct text *out)
{
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
	json_end_line(out);
}
