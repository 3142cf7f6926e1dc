/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_text.c - see diff_text.h */
#include "btf/compare/diff_text.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "btf/print/type_text.h"

#include <inttypes.h>

/* The kernel limits names to 512 bytes. */
enum { NAME_MAX_PRINTED = 512 };

void diff_text_name(struct text *out, const char *name)
{
	type_text_name(out, name, NAME_MAX_PRINTED);
}

static void describe(const void *types, uint32_t n, struct type_part *ret)
{
	const struct type_graph *g = types;
	enum btf_kind kind = type_graph_kind(g, n);
	uint32_t name = 0;
	enum btf_space owner = btf_owner(g, n, &name);

	*ret = (struct type_part){ .kind = kind, .name = g->names[name] };
	if (owner == BTF_SPACE_CONSTANTS) {
		ret->enumerator = ret->name;
		ret->name = "";
	}
	ret->is_union = owner == BTF_SPACE_UNION;
	ret->nr = kind == BTF_ARRAY ? type_graph_words(g, n)[BTF_REC_WORDS + 2] :
				      type_graph_vlen(g, n);
	if (type_text_is_link(kind) || kind == BTF_FUNC_PROTO)
		ret->target = type_graph_edge(g, n, 0);
}

static uint32_t param_of(const void *types, uint32_t n, uint32_t i)
{
	const struct type_graph *g = types;

	return type_graph_edge(g, n, type_graph_edges_before(g, n, i));
}

void diff_text_type(struct text *out, const struct type_graph *g, uint32_t n, bool full)
{
	const struct type_source source = {
		.types = g,
		.part = describe,
		.param = param_of,
		.name_max = NAME_MAX_PRINTED,
		.full = full,
	};

	type_text(out, &source, n);
}

char *diff_type_text(const struct type_graph *g, uint32_t n, bool full)
{
	struct text text = { 0 };

	diff_text_type(&text, g, n, full);
	return text_take(&text);
}

static void print_member(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	uint32_t name = type_graph_element(g, n, i)[0];

	if (name)
		diff_text_name(out, g->names[name]);
	else
		text_printf(out, "(%s at bit %u)",
			    type_graph_kind(g, type_graph_edge(g, n, i)) == BTF_UNION ? "union" :
											"struct",
			    btf_member_location(g, n, i).offset);
}

const char *diff_element_name(const struct type_graph *g, uint32_t n, uint32_t i)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));

	if (l->elem_name >= 0)
		return g->names[type_graph_element(g, n, i)[l->elem_name]];
	if (!l->elem_types)
		return "";
	return type_graph_name(g, type_graph_edge(g, n, type_graph_edges_before(g, n, i)));
}

void diff_text_element(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	const char *name = diff_element_name(g, n, i);

	text_printf(out, "%s %u", btf_kind_layout(type_graph_kind(g, n))->element, i + 1);
	if (*name) {
		text_str(out, " '");
		diff_text_name(out, name);
		text_str(out, "'");
	}
}

static void print_element(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	if (i != NO_ELEMENT && type_graph_ctype(g, n) == BTF_C_ENUM) {
		text_str(out, ": ");
		diff_text_name(out, diff_element_name(g, n, i));
	} else if (i != NO_ELEMENT) {
		text_str(out, ": ");
		diff_text_element(out, g, n, i);
	} else if (type_graph_ctype(g, n) == BTF_C_FUNCTION) {
		text_str(out, ": result");
	}
}

/* The text of the step from @n through its element @i; *arrow: a pointer leads to @n. */
static void print_step(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i,
		       bool *arrow)
{
	switch (type_graph_ctype(g, n)) {
	case BTF_C_POINTER:
		*arrow = true;
		return;
	case BTF_C_ARRAY:
		text_str(out, "[]");
		return;
	case BTF_C_STRUCT:
		if (i != NO_ELEMENT) {
			text_str(out, *arrow ? "->" : ".");
			print_member(out, g, n, i);
		}
		break;
	case BTF_C_NONE:
	case BTF_C_FUNCTION:
	case BTF_C_ENUM:
		print_element(out, g, n, i);
		break;
	case BTF_C_VOID:
	case BTF_C_INT:
	case BTF_C_FLOAT:
	case BTF_C_FORWARD:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
		return;
	}
	*arrow = false;
}

/* A path that leads through types with a name says which one it ends in. */
static void print_owner(struct text *out, const struct btf_comparison *c,
			const struct btf_difference *d, const struct btf_change *x)
{
	uint32_t name, at = x->at_b;

	for (size_t i = x->nr_steps; i && btf_owner(&c->graph, at, &name) == BTF_SPACE_NONE; i--)
		at = c->steps.items[x->step + i - 1].b;
	if (at == d->b || btf_owner(&c->graph, at, &name) == BTF_SPACE_NONE)
		return;
	text_str(out, " (in ");
	diff_text_type(out, &c->graph, at, true);
	text_char(out, ')');
}

/* Behind the name of the type. */
static void print_path(struct text *out, const struct btf_comparison *c,
		       const struct btf_difference *d, const struct btf_change *x)
{
	const struct type_graph *g = &c->graph;
	const struct btf_place *p = x->sort == CHANGE_GONE ? &x->a : &x->b;
	bool arrow = false;

	for (size_t i = 0; i < x->nr_steps; i++) {
		const struct btf_difference_step *s = &c->steps.items[x->step + i];

		print_step(out, g, s->b, btf_edge_element(g, s->b, s->index), &arrow);
	}
	if (x->sort == CHANGE_NAME)
		text_printf(out, ": parameter %u", p->index + 1);
	else if (p->index != NO_ELEMENT || x->sort == CHANGE_TYPE)
		print_step(out, g, p->node, p->index, &arrow);
	print_owner(out, c, d, x);
}

void diff_text_at(struct text *out, const struct btf_comparison *c, const struct btf_difference *d,
		  const struct btf_change *x)
{
	diff_text_type(out, &c->graph, d->b, true);
	print_path(out, c, d, x);
}

void diff_text_path(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d, const struct btf_change *x)
{
	static const char *const separators[] = { ".", "->", ": " };
	CLEANUP(text_release) struct text path = { 0 };
	const char *p;

	print_path(&path, c, d, x);
	p = text_string(&path);
	for (size_t i = 0; i < ARRAY_SIZE(separators); i++) {
		if (starts_with(p, separators[i])) {
			text_str(out, p + strlen(separators[i]));
			return;
		}
	}
	text_str(out, p);
}

/* --- lines ------------------------------------------------------------------------------- */

/* The change of @d that is the size of record @at_b; NULL if there is none. */
static const struct btf_change *size_of(const struct btf_comparison *c,
					const struct btf_difference *d, uint32_t at_b)
{
	for (size_t i = d->nr_changes; i > 0; i--) {
		const struct btf_change *x = &c->changes.items[d->change + i - 1];

		if (x->sort == CHANGE_SIZE && x->at_b == at_b)
			return x;
	}
	return NULL;
}

void diff_text_line(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d, const struct btf_change *x,
		    const struct diff_words *words)
{
	const struct btf_change *size = size_of(c, d, x->at_b);

	diff_text_at(out, c, d, x);
	text_str(out, ": ");
	diff_text_what(out, &c->graph, d, x, words);
	if (size && size != x) {
		text_str(out, "; ");
		diff_text_what(out, &c->graph, d, size, words);
	}
}

/* By how much has the element moved? False if it has another width, too. */
static bool distance(const struct type_graph *g, const struct btf_change *x, int64_t *ret)
{
	const struct btf_place *a = &x->a, *b = &x->b;
	enum btf_ctype ctype = type_graph_ctype(g, b->node);

	*ret = 0;
	if (ctype == BTF_C_ENUM)
		*ret = (int64_t)(btf_enumerator_value(g, b->node, b->index) -
				 btf_enumerator_value(g, a->node, a->index));
	if (ctype != BTF_C_STRUCT)
		return true;
	*ret = (int64_t)b->offset - a->offset;
	return btf_member_location(g, a->node, a->index).width ==
	       btf_member_location(g, b->node, b->index).width;
}

size_t diff_moved_together(const struct type_graph *g, const struct btf_change *x, size_t nr)
{
	enum { FEWEST = 3 };
	int64_t first, other;
	size_t n = 1;

	if (x->sort != CHANGE_MOVED || !distance(g, x, &first))
		return 1;
	while (n < nr && x[n].sort == CHANGE_MOVED && x[n].at_b == x->at_b &&
	       x[n].step == x->step && distance(g, &x[n], &other) && other == first)
		n++;
	return n < FEWEST ? 1 : n;
}

static void print_distance(struct text *out, const struct type_graph *g, const struct btf_change *x)
{
	int64_t by = 0;

	distance(g, x, &by);
	if (type_graph_ctype(g, x->b.node) == BTF_C_ENUM)
		text_printf(out, " moved by %" PRId64, by);
	else if (by % 8)
		text_printf(out, " moved by %" PRId64 " bits", by);
	else
		text_printf(out, " moved by %" PRId64 " bytes", by / 8);
}

void diff_text_moved(struct text *out, const struct btf_comparison *c,
		     const struct btf_difference *d, const struct btf_change *x, size_t nr)
{
	const struct type_graph *g = &c->graph;
	enum btf_ctype ctype = type_graph_ctype(g, x->b.node);
	const char *what = btf_kind_layout(type_graph_kind(g, x->b.node))->element;
	const struct btf_place *last = &x[nr - 1].b;

	if (ctype != BTF_C_STRUCT && ctype != BTF_C_ENUM) {
		text_printf(out, "%zu %ss moved", nr, what);
		return;
	}
	diff_text_path(out, c, d, x);
	text_str(out, " to ");
	diff_text_name(out, diff_element_name(g, last->node, last->index));
	text_printf(out, ": %zu %ss", nr, what);
	print_distance(out, g, x);
}
