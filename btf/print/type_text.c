/* SPDX-License-Identifier: GPL-2.0-only */
/* type_text.c - see type_text.h */
#include "btf/print/type_text.h"

#include "base/cleanup.h"

void type_text_name(struct text *out, const char *name, size_t max)
{
	size_t len = max ? strnlen(name, max) : strlen(name);

	text_mem(out, name, len);
	if (name[len])
		text_str(out, "...");
}

/* NULL if @kind is none, or a type tag. */
static const char *qualifier(enum btf_kind kind)
{
	const struct btf_kind_layout *l = btf_kind_layout(kind);

	return l->ctype == BTF_C_QUALIFIER && *l->keyword ? l->keyword : NULL;
}

bool type_text_is_link(enum btf_kind kind)
{
	enum btf_ctype c = btf_ctype(kind);

	return c == BTF_C_POINTER || c == BTF_C_ARRAY || c == BTF_C_QUALIFIER;
}

const char *type_text_keyword(enum btf_kind kind, bool is_union)
{
	enum btf_ctype c = btf_ctype(kind);

	if (c == BTF_C_FORWARD && is_union)
		kind = BTF_UNION;
	return c == BTF_C_QUALIFIER ? "" : btf_kind_layout(kind)->keyword;
}

static void put_base(struct text *out, const struct type_source *src, uint32_t id, bool full)
{
	struct type_part p;

	src->part(src->types, id, &p);
	if (src->base) {
		src->base(out, src->ctx, id);
	} else if (type_text_is_link(p.kind)) {
		text_str(out, "...");
	} else if (p.enumerator) {
		text_str(out, "enum { ");
		type_text_name(out, p.enumerator, src->name_max);
		text_str(out, p.nr > 1 ? ", ... }" : " }");
	} else if (*p.name || p.kind == BTF_FWD) {
		text_str(out, full && p.kind == BTF_TYPEDEF ?
				      "typedef " :
				      type_text_keyword(p.kind, p.is_union));
		type_text_name(out, p.name, src->name_max);
		text_str(out, full && p.kind == BTF_FWD ? " (a declaration)" : "");
	} else if (p.kind == BTF_UNKN || p.kind == BTF_FUNC_PROTO) {
		text_str(out, p.kind == BTF_UNKN ? "void" : "function");
	} else if (*type_text_keyword(p.kind, false)) {
		text_printf(out, "%s{...}", type_text_keyword(p.kind, false));
	} else {
		text_str(out, btf_kind_layout(p.kind)->name);
	}
}

/* The chain, outermost type first, without its base. */
struct chain {
	uint32_t ids[TYPE_TEXT_PAHOLE_LINKS_MAX];
	uint8_t kinds[TYPE_TEXT_PAHOLE_LINKS_MAX + 1]; /* 0 behind the last */
	size_t nr;
};

static void put_link(struct text *out, const struct type_source *src, const struct chain *c,
		     size_t i)
{
	const char *blank = c->kinds[i + 1] == BTF_PTR ? "" : " ";
	struct type_part p;

	src->part(src->types, c->ids[i], &p);
	if (p.kind == BTF_PTR) {
		text_printf(out, "%s*", blank);
	} else if (p.kind == BTF_ARRAY) {
		text_printf(out, "[%u]", p.nr);
	} else if (p.kind == BTF_TYPE_TAG) {
		text_str(out, " type_tag(");
		type_text_name(out, p.name, src->name_max);
		text_char(out, ')');
	} else {
		const char *text = qualifier(p.kind);

		assert(text);
		text_str(out, blank);
		text_mem(out, text, strlen(text) - 1);
	}
}

static void put_links(struct text *out, const struct type_source *src, const struct chain *c)
{
	for (size_t i = c->nr; i--;) {
		size_t first = i;

		/* C writes the length of the outermost array first */
		while (c->kinds[i] == BTF_ARRAY && first && c->kinds[first - 1] == BTF_ARRAY)
			first--;
		for (size_t j = first; j <= i; j++)
			put_link(out, src, c, j);
		i = first;
	}
}

static void put_chain(struct text *out, const struct type_source *src, struct chain *c,
		      uint32_t base, bool full)
{
	/* qualifiers of the base stand before it */
	while (c->nr && qualifier(c->kinds[c->nr - 1])) {
		text_str(out, qualifier(c->kinds[--c->nr]));
		c->kinds[c->nr] = 0;
	}
	put_base(out, src, base, full && !c->nr);
	put_links(out, src, c);
}

/* @id and what it leads to; returns the base. */
static uint32_t read_chain(const struct type_source *src, uint32_t id, size_t most, struct chain *c,
			   struct type_part *ret_base)
{
	for (c->nr = 0;; id = ret_base->target) {
		src->part(src->types, id, ret_base);
		if (!type_text_is_link(ret_base->kind) || c->nr == most)
			break;
		c->ids[c->nr] = id;
		c->kinds[c->nr++] = (uint8_t)ret_base->kind;
	}
	c->kinds[c->nr] = 0;
	return id;
}

/* Limits of one text. */
struct budget {
	unsigned int depth; /* of functions around this type */
	size_t params;      /* so many bytes of parameters may follow */
};

/* NOLINTBEGIN(misc-no-recursion): no deeper than TYPE_TEXT_DEPTH_MAX */

static void put_type(struct text *out, const struct type_source *src, uint32_t id,
		     struct budget *left, const char *declared);

static void put_params(struct text *out, const struct type_source *src, uint32_t id, uint32_t nr,
		       struct budget *left)
{
	text_char(out, '(');
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t type = src->param(src->types, id, i);
		size_t start = out->nr, len;

		text_str(out, i ? ", " : "");
		if (!left->params || (!type && i + 1 == nr)) {
			text_str(out, "...");
			break;
		}
		put_type(out, src, type, left, NULL);
		len = out->nr - start;
		left->params -= len < left->params ? len : left->params;
	}
	text_str(out, nr ? ")" : "void)");
}

/* The function @id, @p, to which the chain @c leads, and around that the type of its result. */
static void put_function(struct text *out, const struct type_source *src, const struct chain *c,
			 uint32_t id, const struct type_part *p, struct budget *left,
			 const char *declared)
{
	CLEANUP(text_release) struct text links = { 0 }, inner = { 0 };

	put_links(&links, src, c);
	if (c->nr || declared)
		text_printf(&inner, "(%s%s)",
			    text_string(&links) + starts_with(text_string(&links), " "),
			    declared ? declared : "");
	left->depth++;
	put_params(&inner, src, id, p->nr, left);
	put_type(out, src, p->target, left, text_string(&inner));
	left->depth--;
}

/* @declared: what has this type, behind it; NULL: nothing. */
static void put_type(struct text *out, const struct type_source *src, uint32_t id,
		     struct budget *left, const char *declared)
{
	struct chain c;
	struct type_part p = { 0 };

	id = read_chain(src, id, TYPE_TEXT_LINKS_MAX, &c, &p);
	if (p.kind == BTF_FUNC_PROTO && src->param && left->depth < TYPE_TEXT_DEPTH_MAX) {
		put_function(out, src, &c, id, &p, left, declared);
		return;
	}
	put_chain(out, src, &c, id, src->full && !left->depth);
	if (declared)
		text_printf(out, "%s%s", out->items[out->nr - 1] == '*' ? "" : " ", declared);
}

/* NOLINTEND(misc-no-recursion) */

/* In a pointer to a const pointer, "const" goes between the stars. */
static bool is_between_stars(const struct chain *c, size_t i)
{
	return i && i < c->nr && c->kinds[i] == BTF_CONST && c->kinds[i - 1] == BTF_PTR &&
	       c->kinds[i + 1] == BTF_PTR;
}

static void put_chain_as_pahole(struct text *out, const struct type_source *src,
				const struct chain *c, uint32_t base)
{
	for (size_t i = 0; i < c->nr; i++) {
		if ((c->kinds[i] == BTF_CONST || c->kinds[i] == BTF_VOLATILE) &&
		    !is_between_stars(c, i))
			text_str(out, qualifier(c->kinds[i]));
	}
	put_base(out, src, base, false);
	for (size_t i = c->nr; i--;) {
		if (c->kinds[i] == BTF_PTR)
			text_str(out, is_between_stars(c, i + 1) ? " const *" : " *");
		else if (c->kinds[i] == BTF_RESTRICT)
			text_str(out, " restrict ");
		else if (qualifier(c->kinds[i]) && !is_between_stars(c, i))
			text_char(out, ' ');
	}
}

void type_text(struct text *out, const struct type_source *src, uint32_t id)
{
	struct budget left = { .params = TYPE_TEXT_PARAMS_MAX };
	struct chain c;
	struct type_part p = { 0 };

	if (!src->as_pahole) {
		put_type(out, src, id, &left, NULL);
		return;
	}
	id = read_chain(src, id, TYPE_TEXT_PAHOLE_LINKS_MAX, &c, &p);
	put_chain_as_pahole(out, src, &c, id);
}
