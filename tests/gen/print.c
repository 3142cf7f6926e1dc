/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.c - types as C writes them
 *
 * A declarator is built from the inside: the name first, then what is around it. declare()
 * wraps "*" and "[3]" around what it was given and goes on with the type that these lead to.
 */
#include "tests/gen/model.h"

#include <stdarg.h>
#include <stdlib.h>

char *text(struct prog *p, const char *format, ...)
{
	char *whole = NULL, *s;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&whole, format, args);
	va_end(args);
	if (len < 0)
		mem_die();
	s = arena_strndup(&p->mem, whole, (size_t)len);
	free(whole);
	return s;
}

static const char *quals(unsigned q)
{
	static const char *const names[] = {
		"",          "const ",          "volatile ",          "const volatile ",
		"restrict ", "const restrict ", "volatile restrict ", "const volatile restrict ",
	};

	return names[q];
}

/* @nr btf_decl_tags that say what of @what they are. */
char *tags(struct prog *p, const char *what, unsigned nr)
{
	char *s = text(p, "%s", "");

	for (unsigned i = 0; i < nr; i++)
		s = text(p, "%s DTAG(\"%s%u\")", s, what, i);
	return s;
}

static char *attributes(struct prog *p, bool packed, unsigned align)
{
	char *s = text(p, "%s", packed ? " __attribute__((packed))" : "");

	if (align)
		s = text(p, "%s __attribute__((aligned(%u)))", s, align);
	return s;
}

static char *member_text(struct prog *p, unsigned u, const struct member *m)
{
	const char *name = m->name ? m->name : "";

	if (m->is_bits)
		name = text(p, "%s : %u", name, m->bits);
	return text(p, "%s%s%s", declare(p, u, m->type, name), attributes(p, m->packed, m->align),
		    m->name ? tags(p, m->name, m->nr_tags) : "");
}

static const char *const words[] = { "struct", "union", "enum", "" };

/* The definition of a struct, union or enum without the semicolon. */
static char *body(struct prog *p, unsigned u, const struct named *n)
{
	char *s = text(p, "%s%s%s {", words[n->kind], n->name ? " " : "", n->name ? n->name : "");

	for (unsigned i = 0; i < n->nr_members; i++)
		s = text(p, "%s %s;", s, member_text(p, u, &n->members[i]));
	for (unsigned i = 0; i < n->nr_values; i++) {
		const struct enumerator *e = &n->values[i];

		s = text(p, "%s %s%s%s,", s, e->name, e->value ? " = " : "",
			 e->value ? e->value : "");
	}
	return text(p, "%s }%s%s", s, attributes(p, n->packed, n->align),
		    n->name ? tags(p, n->name, n->nr_tags) : "");
}

static char *spelled(struct prog *p, unsigned u, const struct named *n)
{
	if (n->inner)
		return body(p, u, n);
	if (n->kind == NAMED_TYPEDEF)
		return text(p, "%s", n->name);
	return text(p, "%s %s", words[n->kind], n->name);
}

static char *parameters(struct prog *p, unsigned u, const struct type *t)
{
	char *s = text(p, "%s", "");

	for (unsigned i = 0; i < t->nr_params; i++)
		s = text(p, "%s%s%s", s, i ? ", " : "", declare(p, u, t->params[i], ""));
	if (!t->nr_params)
		return text(p, "%s", t->old_style ? "" : "void");
	return text(p, "%s%s", s, t->variadic ? ", ..." : "");
}

static bool binds_tighter(const struct type *t)
{
	return t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION;
}

char *declare(struct prog *p, unsigned u, const struct type *t, const char *inner)
{
	const char *space = inner[0] ? " " : "";

	switch (t->kind) {
	case TYPE_BASE:
		return text(p, "%s%s%s%s", quals(t->quals), base_name(t->base), space, inner);
	case TYPE_NAMED:
		return text(p, "%s%s%s%s", quals(t->quals), spelled(p, u, t->named), space, inner);
	case TYPE_ARRAY:
		if (t->len == FLEXIBLE)
			return declare(p, u, t->to, text(p, "%s[]", inner));
		return declare(p, u, t->to, text(p, "%s[%u]", inner, t->len));
	case TYPE_FUNCTION:
		return declare(p, u, t->to, text(p, "%s(%s)", inner, parameters(p, u, t)));
	case TYPE_POINTER:
		break;
	}
	inner = text(p, "*%s%s", quals(t->quals), inner);
	if (t->tag)
		inner = text(p, "TTAG(\"t%u\") %s", t->tag, inner);
	if (binds_tighter(t->to))
		inner = text(p, "(%s)", inner);
	return declare(p, u, t->to, inner);
}

/* The definition of @n as unit @u has it. */
void print_named(struct prog *p, unsigned u, struct named *n, FILE *f)
{
	n = named_in(n, u);
	if (n->kind == NAMED_TYPEDEF) {
		fprintf(f, "typedef %s", declare(p, u, n->type, n->name));
		if (n->vector)
			fprintf(f, " __attribute__((vector_size(%u)))", n->vector);
		fprintf(f, "%s;\n", tags(p, n->name, n->nr_tags));
		return;
	}
	fprintf(f, "%s;\n", body(p, u, n));
}
