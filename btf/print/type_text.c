/* SPDX-License-Identifier: GPL-2.0-only */
/* type_text.c - see type_text.h */
#include "btf/print/type_text.h"

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
		text_str(out, blank);
		text_mem(out, qualifier(p.kind), strlen(qualifier(p.kind)) - 1);
	}
}

static void put_chain(struct text *out, const struct type_source *src, struct chain *c,
		      uint32_t base)
{
	bool full = src->full && !c->nr;

	/* qualifiers of the base stand before it */
	while (c->nr && qualifier(c->kinds[c->nr - 1])) {
		text_str(out, qualifier(c->kinds[--c->nr]));
		c->kinds[c->nr] = 0;
	}
	put_base(out, src, base, full);
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
	size_t most = src->as_pahole ? TYPE_TEXT_PAHOLE_LINKS_MAX : TYPE_TEXT_LINKS_MAX;
	struct chain c;
	struct type_part p;

	for (c.nr = 0;; id = p.target) {
		src->part(src->types, id, &p);
		if (!type_text_is_link(p.kind) || c.nr == most)
			break;
		c.ids[c.nr] = id;
		c.kinds[c.nr++] = (uint8_t)p.kind;
	}
	c.kinds[c.nr] = 0;
	if (src->as_pahole)
		put_chain_as_pahole(out, src, &c, id);
	else
		put_chain(out, src, &c, id);
}
