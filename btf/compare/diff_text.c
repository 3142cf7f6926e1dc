/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_text.c - see diff_text.h */
#include "btf/compare/diff_text.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

/* Pointers, arrays and qualifiers that are told; inside of more, "..." is. */
enum { LINKS_MAX = 16 };

/* A name is cut there; the kernel's end at 512. */
enum { NAME_MAX_TOLD = 512 };

void diff_text_name(FILE *out, const char *name)
{
	size_t len = strnlen(name, NAME_MAX_TOLD);

	fwrite(name, 1, len, out);
	if (name[len])
		fputs("...", out);
}

static bool is_qualifier(uint32_t kind)
{
	return kind == BTF_CONST || kind == BTF_VOLATILE || kind == BTF_RESTRICT;
}

static const char *qualifier(uint32_t kind)
{
	return kind == BTF_CONST ? "const" : kind == BTF_VOLATILE ? "volatile" : "restrict";
}

static void named(FILE *out, const char *keyword, const char *name)
{
	fputs(keyword, out);
	diff_text_name(out, name);
}

/* What is no pointer, array or qualifier. */
static void print_base(FILE *out, const struct type_graph *g, uint32_t n, bool full)
{
	uint32_t name = 0, kind = type_graph_kind(g, n);
	enum btf_owner owner = btf_owner(g, n, &name);
	const char *text = g->names[name];

	switch (owner) {
	case OWNER_BASE:
		named(out, "", text);
		return;
	case OWNER_ENUM:
		named(out, "enum ", text);
		return;
	case OWNER_CONSTANTS:
		named(out, "enum { ", text);
		fputs(type_graph_vlen(g, n) > 1 ? ", ... }" : " }", out);
		return;
	case OWNER_STRUCT:
		named(out, "struct ", text);
		break;
	case OWNER_UNION:
		named(out, "union ", text);
		break;
	case OWNER_TYPEDEF:
		named(out, full ? "typedef " : "", text);
		return;
	case OWNER_FUNC:
		named(out, "func ", text);
		return;
	case OWNER_VAR:
		named(out, "var ", text);
		return;
	case OWNER_SECTION:
		named(out, "section ", text);
		return;
	case OWNER_NONE:
		break;
	}
	if (kind == BTF_FWD && full)
		fputs(" (a declaration)", out);
	if (owner != OWNER_NONE)
		return;
	switch (kind) {
	case BTF_UNKN:
		fputs("void", out);
		return;
	case BTF_STRUCT:
		fputs("struct {...}", out);
		return;
	case BTF_UNION:
		fputs("union {...}", out);
		return;
	case BTF_FUNC_PROTO:
		fputs("function", out);
		return;
	case BTF_DECL_TAG:
		named(out, "decl_tag ", text);
		return;
	default:
		fputs(btf_kind_layout(kind)->name, out);
	}
}

static bool is_link(uint32_t kind)
{
	return is_qualifier(kind) || kind == BTF_PTR || kind == BTF_ARRAY || kind == BTF_TYPE_TAG;
}

/* Print link @n behind the text of its target. @star: that text ends in a star. */
static void print_link(FILE *out, const struct type_graph *g, uint32_t n, bool star)
{
	uint32_t kind = type_graph_kind(g, n);

	switch (kind) {
	case BTF_PTR:
		fputs(star ? "*" : " *", out);
		return;
	case BTF_ARRAY:
		fprintf(out, "[%" PRIu32 "]", type_graph_words(g, n)[BTF_REC_WORDS + 2]);
		return;
	case BTF_TYPE_TAG:
		named(out, " type_tag(", type_graph_name(g, n));
		fputs(")", out);
		return;
	default:
		fprintf(out, "%s%s", star ? "" : " ", qualifier(kind));
	}
}

/* The outermost array of the arrays of arrays whose innermost is @links[@at]. */
static size_t outermost_array(const struct type_graph *g, const uint32_t *links, size_t at)
{
	while (at && type_graph_kind(g, links[at - 1]) == BTF_ARRAY)
		at--;
	return at;
}

void diff_text_type(FILE *out, const struct type_graph *g, uint32_t n, bool full)
{
	uint32_t links[LINKS_MAX], whole = n;
	size_t nr = 0;

	for (; is_link(type_graph_kind(g, n)) && nr < LINKS_MAX; n = type_graph_edge(g, n, 0))
		links[nr++] = n;
	/* qualifiers of what is innermost go before it */
	for (; nr && is_qualifier(type_graph_kind(g, links[nr - 1])); nr--)
		fprintf(out, "%s ", qualifier(type_graph_kind(g, links[nr - 1])));
	if (is_link(type_graph_kind(g, n)))
		fputs("...", out);
	else
		print_base(out, g, n, full && n == whole);
	for (size_t i = nr; i--;) {
		if (type_graph_kind(g, links[i]) != BTF_ARRAY) {
			print_link(out, g, links[i],
				   i + 1 < nr && type_graph_kind(g, links[i + 1]) == BTF_PTR);
			continue;
		}
		/* C writes the length of the outermost array first */
		size_t first = outermost_array(g, links, i);

		for (size_t j = first; j <= i; j++)
			print_link(out, g, links[j], false);
		i = first;
	}
}

char *diff_type_text(const struct type_graph *g, uint32_t n, bool full)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		mem_die();
	diff_text_type(f, g, n, full);
	if (fclose(f))
		mem_die();
	return text;
}

static void print_member(FILE *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	const uint32_t *member = type_graph_element(g, n, i);
	bool packs = btf_info_kflag(type_graph_words(g, n)[BTF_REC_INFO]);

	if (member[0]) {
		diff_text_name(out, g->names[member[0]]);
		return;
	}
	fprintf(out, "(%s at bit %" PRIu32 ")",
		type_graph_kind(g, type_graph_edge(g, n, i)) == BTF_UNION ? "union" : "struct",
		packs ? member[2] & 0xffffff : member[2]);
}

void diff_text_element(FILE *out, const struct type_graph *g, uint32_t n, uint32_t i)
{
	const char *what = "member", *name;

	switch (type_graph_kind(g, n)) {
	case BTF_FUNC_PROTO:
		what = "parameter";
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
		what = "enumerator";
		break;
	case BTF_DATASEC:
		what = "variable";
		break;
	default:
		break;
	}
	if (type_graph_kind(g, n) == BTF_DATASEC)
		name = type_graph_name(g, type_graph_edge(g, n, i));
	else
		name = g->names[type_graph_element(g, n, i)[0]];
	fprintf(out, "%s %" PRIu32, what, i + 1);
	if (*name) {
		fputs(" '", out);
		diff_text_name(out, name);
		fputs("'", out);
	}
}

/* What reference @index of @n is; *arrow: it is reached by a pointer. */
static void print_step(FILE *out, const struct type_graph *g, uint32_t n, uint32_t index,
		       bool *arrow)
{
	switch (type_graph_kind(g, n)) {
	case BTF_PTR:
		*arrow = true;
		return;
	case BTF_ARRAY:
		fputs("[]", out);
		return;
	case BTF_STRUCT:
	case BTF_UNION:
		fputs(*arrow ? "->" : ".", out);
		print_member(out, g, n, index);
		break;
	case BTF_FUNC_PROTO:
		fputs(": ", out);
		if (index)
			diff_text_element(out, g, n, index - 1);
		else
			fputs("result", out);
		break;
	case BTF_ENUM:
	case BTF_ENUM64:
	case BTF_DATASEC:
		fputs(": ", out);
		diff_text_element(out, g, n, index);
		break;
	default:
		return;
	}
	*arrow = false;
}

/* A path that leads through types with a name says which one it ends in. */
static void print_owner(FILE *out, const struct btf_comparison *c, const struct btf_difference *d)
{
	uint32_t name, at = d->at_b;

	for (size_t i = d->nr_steps; i && btf_owner(&c->graph, at, &name) == OWNER_NONE; i--)
		at = c->steps.items[d->step + i - 1].b;
	if (at == d->b)
		return;
	fputs(" (in ", out);
	diff_text_type(out, &c->graph, at, true);
	putc(')', out);
}

void diff_text_path(FILE *out, const struct btf_comparison *c, const struct btf_difference *d)
{
	const struct type_graph *g = &c->graph;
	bool arrow = false;

	diff_text_type(out, g, d->b, true);
	for (size_t i = 0; i < d->nr_steps; i++) {
		const struct btf_difference_step *s = &c->steps.items[d->step + i];

		print_step(out, g, s->b, s->index, &arrow);
	}
	if (d->what == WHAT_TYPE || d->what == WHAT_INDEX || d->what == WHAT_ELEMENT_DATA)
		print_step(out, g, d->at_b, d->index, &arrow);
	print_owner(out, c, d);
}
