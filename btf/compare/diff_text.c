/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_text.c - see diff_text.h */
#include "btf/compare/diff_text.h"

#include "base/arena.h"
#include "btf/print/type_text.h"

#include <inttypes.h>

/* The kernel limits names to 512 bytes. */
enum { NAME_MAX_PRINTED = 512 };

enum { NO_ELEMENT = UINT32_MAX };

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
	if (type_text_is_link(kind))
		ret->target = type_graph_edge(g, n, 0);
}

void diff_text_type(struct text *out, const struct type_graph *g, uint32_t n, bool full)
{
	const struct type_source source = {
		.types = g,
		.part = describe,
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
	const uint32_t *member = type_graph_element(g, n, i);
	bool packs = btf_rec_kflag(type_graph_words(g, n));

	if (member[0]) {
		diff_text_name(out, g->names[member[0]]);
		return;
	}
	text_printf(out, "(%s at bit %u)",
		    type_graph_kind(g, type_graph_edge(g, n, i)) == BTF_UNION ? "union" : "struct",
		    packs ? member[2] & 0xffffff : member[2]);
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

/* The element that reference @index of @n is in; NO_ELEMENT: it is before all of them. */
static uint32_t element_of(const struct type_graph *g, uint32_t n, uint32_t index)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));
	uint32_t before = btf_kind_types_before(l);

	return index < before ? NO_ELEMENT : (index - before) / l->elem_types;
}

static void print_element(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	if (i != NO_ELEMENT) {
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
		text_str(out, *arrow ? "->" : ".");
		print_member(out, g, n, i);
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
			const struct btf_difference *d)
{
	uint32_t name, at = d->at_b;

	for (size_t i = d->nr_steps; i && btf_owner(&c->graph, at, &name) == BTF_SPACE_NONE; i--)
		at = c->steps.items[d->step + i - 1].b;
	if (at == d->b)
		return;
	text_str(out, " (in ");
	diff_text_type(out, &c->graph, at, true);
	text_char(out, ')');
}

void diff_text_path(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d)
{
	const struct type_graph *g = &c->graph;
	bool arrow = false;

	diff_text_type(out, g, d->b, true);
	for (size_t i = 0; i < d->nr_steps; i++) {
		const struct btf_difference_step *s = &c->steps.items[d->step + i];

		print_step(out, g, s->b, element_of(g, s->b, s->index), &arrow);
	}
	if (d->what == WHAT_ELEMENT_DATA)
		print_step(out, g, d->at_b, d->index, &arrow);
	else if (d->what == WHAT_TYPE || d->what == WHAT_INDEX)
		print_step(out, g, d->at_b, element_of(g, d->at_b, d->index), &arrow);
	print_owner(out, c, d);
}
