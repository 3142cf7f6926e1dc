/* SPDX-License-Identifier: GPL-2.0-only */
/* json_outputs.c - --btf_check, --btf_diff, --btf_stats and the frame of --inline_sites with --json, see outputs.h */
#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "btf/compare/diff_text.h"
#include "cmd/print/json.h"
#include "cmd/print/outputs.h"

#include <inttypes.h>

enum { LOOK_VERSION = 1 };

/* Begin a line. */
static void begin(struct text *out, const char *key, const char *value)
{
	json_open(out, NULL, '{');
	json_text(out, key, value);
}

void json_first(struct text *out, const char *schema, const struct options *opt,
		const struct file_refs *files)
{
	json_begin_first_line(out, schema, LOOK_VERSION, files);
	if (opt->base)
		json_text(out, "base", opt->base);
	if (opt->first_base && opt->action == ACTION_DIFF)
		json_text(out, "first_base", opt->first_base);
	if (opt->action == ACTION_CHECK)
		text_printf(out, ",\"linux\":\"%u.%u\"", opt->check_for >> 16,
			    opt->check_for & 0xffff);
	json_end_line(out);
}

/* --- --btf_check --------------------------------------------------------------------------- */

/* The name at @off, unless there is none or it is empty. */
static void put_name(struct text *out, const char *key, const struct btf_view *v, uint32_t off)
{
	const char *name = btf_check_str(v, off);

	if (name && *name)
		json_text(out, key, name);
}

static void put_element(struct text *out, const struct btf_view *v, const uint32_t *rec, uint32_t i)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	const uint32_t *e = rec + l->words + (size_t)i * l->elem;

	json_text(out, "element", l->element);
	json_number(out, "index", i);
	if (l->elem_name >= 0)
		put_name(out, "element_name", v, e[l->elem_name]);
}

void json_finding(struct text *out, const char *path, const char *section, const struct btf_view *v,
		  const struct btf_finding *f)
{
	CLEANUP(mem_free_text) char *text = btf_finding_text(f);
	bool readable = v && f->id && f->id < btf_types_end(&v->types);

	begin(out, "file", path);
	json_text(out, "result", btf_rule(f->rule)->warning ? "warning" : "error");
	json_text(out, "section", section);
	if (f->id)
		json_number(out, "type", f->id);
	if (readable) {
		const uint32_t *rec = btf_types_rec(&v->types, f->id);

		json_text(out, "kind", btf_rec_layout(rec)->name);
		put_name(out, "name", v, rec[BTF_REC_NAME]);
		if (f->element != UINT32_MAX)
			put_element(out, v, rec, f->element);
	} else {
		json_number(out, "offset", f->offset);
	}
	json_text(out, "function", f->function);
	json_text(out, "message", text);
	json_end_line(out);
}

void json_message(struct text *out, const char *path, const char *result, const char *message)
{
	begin(out, "file", path);
	json_text(out, "result", result);
	json_text(out, "message", message);
	json_end_line(out);
}

/* {"end":true: the last line, without its end */
static void begin_last_line(struct text *out)
{
	json_open(out, NULL, '{');
	json_bool(out, "end", true);
}

void json_check_end(struct text *out, const struct check_counts *c)
{
	begin_last_line(out);
	json_number(out, "errors", c->errors);
	json_number(out, "warnings", c->warnings);
	json_number(out, "failures", c->failed);
	json_end_line(out);
}

/* --- --inline_sites ------------------------------------------------------------------------ */

void json_sites_end(struct text *out, size_t nr)
{
	begin_last_line(out);
	json_number(out, "sites", nr);
	json_end_line(out);
}

/* --- --btf_diff ---------------------------------------------------------------------------- */

static void put_text(struct text *out, const char *key, struct text *value)
{
	json_text(out, key, text_string(value));
	value->nr = 0;
}

/* The value of the key "what" for a change. */
static const char *const change_names[NR_CHANGE_SORTS] = {
	[CHANGE_KIND] = "kind",     [CHANGE_GONE] = "gone",       [CHANGE_TYPE] = "retyped",
	[CHANGE_INDEX] = "retyped", [CHANGE_ANOTHER] = "another", [CHANGE_NAME] = "renamed",
	[CHANGE_MOVED] = "moved",   [CHANGE_NEW] = "new",         [CHANGE_DATA] = "data",
	[CHANGE_FLAG] = "flag",     [CHANGE_TAGS] = "tags",       [CHANGE_SITES] = "sites",
	[CHANGE_ORDER] = "order",   [CHANGE_OTHER] = "other",     [CHANGE_SIZE] = "size",
};

/* The keys of one side, which has the element. */
struct side_keys {
	const char *offset, *width, *value;
};
static const struct side_keys keys_of_a = { "offset_a", "width_a", "value_a" };
static const struct side_keys keys_of_b = { "offset_b", "width_b", "value_b" };

static void put_value(struct text *out, const char *key, const struct type_graph *g,
		      const struct btf_place *p)
{
	uint64_t value = btf_enumerator_value(g, p->node, p->index);

	if (btf_rec_kflag(type_graph_words(g, p->node)))
		text_printf(out, ",\"%s\":%" PRId64, key, (int64_t)value);
	else
		json_number(out, key, value);
}

/* The width of @p as a bit field; 0: it is none. */
static uint32_t width_of(const struct type_graph *g, const struct btf_place *p)
{
	return p->index != NO_ELEMENT && type_graph_ctype(g, p->node) == BTF_C_STRUCT ?
		       btf_member_location(g, p->node, p->index).width :
		       0;
}

/* @width: also if it is 0. */
static void put_side(struct text *out, const struct side_keys *keys, const struct type_graph *g,
		     const struct btf_place *p, bool width)
{
	enum btf_ctype c = type_graph_ctype(g, p->node);

	if (c == BTF_C_STRUCT) {
		json_number(out, keys->offset, p->offset);
		if (width)
			json_number(out, keys->width, width_of(g, p));
	} else if (c == BTF_C_ENUM) {
		put_value(out, keys->value, g, p);
	} else if (type_graph_kind(g, p->node) == BTF_DATASEC) {
		json_number(out, keys->offset,
			    8 * (uint64_t)type_graph_element(g, p->node, p->index)[1]);
	}
}

static void put_type(struct text *out, const char *key, const struct type_graph *g, uint32_t n)
{
	CLEANUP(mem_free_text) char *type = diff_type_text(g, n, false);

	json_text(out, key, type);
}

static void put_element_type(struct text *out, const char *key, const struct type_graph *g,
			     const struct btf_place *p)
{
	enum btf_ctype c = type_graph_ctype(g, p->node);

	if (c == BTF_C_STRUCT || c == BTF_C_FUNCTION)
		put_type(out, key, g,
			 type_graph_edge(g, p->node,
					 type_graph_edges_before(g, p->node, p->index)));
}

/* The element that @x is about, if it is about one, and the values that both sides have. */
static void put_element_of(struct text *out, const struct type_graph *g, const struct btf_change *x)
{
	const struct btf_place *p = x->sort == CHANGE_GONE ? &x->a : &x->b;
	bool in_a = x->sort != CHANGE_NEW, in_b = x->sort != CHANGE_GONE, width;

	if (p->index != NO_ELEMENT) {
		json_text(out, "element", btf_kind_layout(type_graph_kind(g, p->node))->element);
		json_number(out, "index", p->index);
		json_text(out, "name", diff_element_name(g, p->node, p->index));
	} else if (x->sort == CHANGE_TYPE && type_graph_ctype(g, p->node) == BTF_C_FUNCTION) {
		json_text(out, "element", "result");
	}
	if (x->sort == CHANGE_TYPE || x->sort == CHANGE_INDEX || x->sort == CHANGE_ANOTHER) {
		put_type(out, "type_a", g, x->type_a);
		put_type(out, "type_b", g, x->type_b);
	} else if (x->sort == CHANGE_GONE) {
		put_element_type(out, "type_a", g, &x->a);
	} else if (x->sort == CHANGE_NEW) {
		put_element_type(out, "type_b", g, &x->b);
	} else if (x->sort == CHANGE_SIZE) {
		json_number(out, "size_a", type_graph_words(g, x->at_a)[BTF_REC_SIZE_TYPE]);
		json_number(out, "size_b", type_graph_words(g, x->at_b)[BTF_REC_SIZE_TYPE]);
	}
	if (p->index == NO_ELEMENT)
		return;
	width = (in_a && width_of(g, &x->a)) || (in_b && width_of(g, &x->b));
	if (in_a)
		put_side(out, &keys_of_a, g, &x->a, width);
	if (in_b)
		put_side(out, &keys_of_b, g, &x->b, width);
}

static void put_change(struct text *out, const struct btf_comparison *c,
		       const struct btf_difference *d, const struct btf_change *x)
{
	CLEANUP(text_release) struct text text = { 0 };

	diff_text_type(&text, &c->graph, d->b, true);
	put_text(out, "type", &text);
	json_text(out, "what", change_names[x->sort]);
	diff_text_path(&text, c, d, x);
	if (text.nr)
		put_text(out, "path", &text);
	put_element_of(out, &c->graph, x);
	diff_text_at(&text, c, d, x);
	put_text(out, "at", &text);
	diff_text_what(&text, &c->graph, d, x, &diff_words_changed);
	put_text(out, "change", &text);
}

static void end_difference(struct text *out, const struct btf_difference *d)
{
	json_number(out, "copies_a", d->nr_a);
	json_number(out, "copies_b", d->nr_b);
	json_end_line(out);
}

static void put_file(struct text *out, const char *file)
{
	if (file)
		json_text(out, "file", file);
}

/* A line for each change. */
static void put_difference(struct text *out, const struct btf_comparison *c,
			   const struct btf_difference *d, const char *file)
{
	CLEANUP(text_release) struct text text = { 0 };

	for (size_t i = 0; i < d->nr_changes; i++) {
		begin(out, "difference", d->nr_a || d->nr_b ? "changed" : "changed_in_base");
		put_file(out, file);
		put_change(out, c, d, &c->changes.items[d->change + i]);
		end_difference(out, d);
	}
	if (d->sort == DIFFERENCE_NUMBER) {
		begin(out, "difference", d->a && d->b ? "copies" : d->a ? "only_a" : "only_b");
		put_file(out, file);
		diff_text_type(&text, &c->graph, d->a ? d->a : d->b, true);
		put_text(out, "type", &text);
		end_difference(out, d);
	}
}

void json_diff_kinds(struct text *out, const struct btf_kind_count *kinds)
{
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		const struct btf_kind_count *k = &kinds[kind];

		if (!k->nr_a && !k->nr_b)
			continue;
		begin(out, "kind", btf_kind_layout(kind)->name);
		json_number(out, "a", k->nr_a);
		json_number(out, "b", k->nr_b);
		json_number(out, "only_a", k->only_a);
		json_number(out, "only_b", k->only_b);
		json_number(out, "changed", k->changed);
		json_end_line(out);
	}
}

void json_diff(struct text *out, const struct btf_comparison *c, const char *file)
{
	for (size_t i = 0; i < c->differences.nr; i++)
		put_difference(out, c, &c->differences.items[i], file);
}

void json_diff_file(struct text *out, const char *file, bool second)
{
	begin(out, "difference", second ? "file_only_b" : "file_only_a");
	put_file(out, file);
	json_end_line(out);
}

void json_diff_end(struct text *out, const struct diff_totals *t, bool trees)
{
	begin_last_line(out);
	json_bool(out, "equal", !t->found && !t->failed);
	json_number(out, "differences", t->differences);
	json_number(out, "through_a", t->through_a);
	json_number(out, "through_b", t->through_b);
	if (trees) {
		json_number(out, "files_equal", t->equal);
		json_number(out, "files_differ", t->differ);
		json_number(out, "files_only_a", t->only_a);
		json_number(out, "files_only_b", t->only_b);
		json_number(out, "failures", t->failed);
	}
	json_end_line(out);
}

/* --- --btf_stats --------------------------------------------------------------------------- */

/* Begin an object with the bytes @b. */
static void open_bytes(struct text *out, const char *key, const struct btf_bytes *b)
{
	json_open(out, key, '{');
	json_number(out, "types", b->nr);
	json_number(out, "bytes", b->records);
	json_number(out, "string_bytes", b->strings);
}

static void put_bytes(struct text *out, const char *key, const struct btf_bytes *b)
{
	open_bytes(out, key, b);
	json_close(out, '}');
}

static void put_sites(struct text *out, const struct btf_site_count *s)
{
	if (!s->nr)
		return;
	json_open(out, "inline_sites", '{');
	json_number(out, "sites", s->nr);
	json_number(out, "all_places", s->all);
	json_number(out, "some_places", s->some);
	json_number(out, "no_places", s->none);
	json_number(out, "no_parameters", s->without_params);
	json_close(out, '}');
}

static size_t listed(size_t nr, bool all)
{
	return all || nr < STATS_LISTED ? nr : STATS_LISTED;
}

static void put_consumers(struct text *out, const char *key, const struct btf_stats *s,
			  const struct btf_consumer *items, size_t nr)
{
	json_open(out, key, '[');
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(mem_free_text) char *text = diff_type_text(&s->graph, items[i].id, true);

		open_bytes(out, NULL, &items[i].bytes);
		json_text(out, "type", text);
		json_close(out, '}');
	}
	json_close(out, ']');
}

static void put_prefixes(struct text *out, const struct btf_stats *s, size_t nr)
{
	json_open(out, "prefixes", '[');
	for (size_t i = 0; i < nr; i++) {
		const struct btf_prefix *p = &s->prefixes.items[i];
		CLEANUP(mem_free_text) char *text = mem_printf("%.*s", (int)p->len, p->name);

		open_bytes(out, NULL, &p->bytes);
		json_text(out, "prefix", text);
		json_close(out, '}');
	}
	json_close(out, ']');
}

/* The numbers of @s. */
static void put_stats(struct text *out, const struct btf_stats *s)
{
	json_number(out, "bytes", s->bytes);
	json_number(out, "header_bytes", btf_stats_header(s));
	json_number(out, "type_bytes", s->sum.records);
	json_number(out, "string_bytes", s->strings);
	json_open(out, "kinds", '{');
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		if (s->kinds[kind].nr)
			put_bytes(out, btf_kind_layout(kind)->name, &s->kinds[kind]);
	}
	json_close(out, '}');
	put_bytes(out, "total", &s->sum);
	put_sites(out, &s->sites);
	json_number(out, "unused_string_bytes", s->unused);
	json_number(out, "repeated_string_bytes", s->repeated);
	put_bytes(out, "copies", &s->copies);
	put_bytes(out, "copies_of_base", &s->copies_of_base);
}

void json_stats(struct text *out, const char *path, const char *section, const struct btf_stats *s,
		bool all)
{
	begin(out, "file", path);
	json_text(out, "section", section);
	put_stats(out, s);
	put_consumers(out, "largest", s, s->consumers.items, listed(s->consumers.nr, all));
	put_prefixes(out, s, listed(s->prefixes.nr, all));
	put_consumers(out, "copied", s, s->copied.items, listed(s->copied.nr, all));
	json_end_line(out);
}

void json_stats_end(struct text *out, const struct stats_sum *s, bool all)
{
	begin_last_line(out);
	json_number(out, "files", s->files.nr + s->nr_failed);
	json_number(out, "failures", s->nr_failed);
	put_stats(out, &s->all);
	json_open(out, "largest_files", '[');
	for (size_t i = 0; i < listed(s->files.nr, all); i++) {
		const struct stats_file *f = &s->files.items[i];

		json_open(out, NULL, '{');
		json_text(out, "file", f->path);
		json_number(out, "types", f->types);
		json_number(out, "bytes", f->bytes);
		json_close(out, '}');
	}
	json_close(out, ']');
	json_end_line(out);
}
