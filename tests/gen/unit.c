/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit.c - one translation unit as text
 *
 * Everything is declared before it is used and defined after: attributes stand at the
 * declarations, where all compilers take them.
 */
#include "tests/gen/model.h"

static const char prelude[] = "#ifdef __has_attribute\n"
			      "#if __has_attribute(btf_type_tag)\n"
			      "#define TTAG(x) __attribute__((btf_type_tag(x)))\n"
			      "#endif\n"
			      "#if __has_attribute(btf_decl_tag)\n"
			      "#define DTAG(x) __attribute__((btf_decl_tag(x)))\n"
			      "#endif\n"
			      "#endif\n"
			      "#ifndef TTAG\n"
			      "#define TTAG(x)\n"
			      "#endif\n"
			      "#ifndef DTAG\n"
			      "#define DTAG(x)\n"
			      "#endif\n"
			      "#ifdef __SIZEOF_INT128__\n"
			      "#define INT128 __int128\n"
			      "#else\n"
			      "#define INT128 long long\n"
			      "#endif\n"
			      "#ifdef __clang__\n"
			      "#define NOCLONE\n"
			      "#else\n"
			      "#define NOCLONE __attribute__((noclone))\n"
			      "#endif\n"
			      "#define NOINLINE __attribute__((noinline))\n"
			      "#define ALWAYS_INLINE __attribute__((always_inline))\n"
			      "#define GNU_INLINE __attribute__((gnu_inline))\n"
			      "#define COLD __attribute__((cold))\n"
			      "#define HOT __attribute__((hot))\n"
			      "#define USED __attribute__((used))\n"
			      "#define WEAK __attribute__((weak))\n"
			      "#define HIDDEN __attribute__((visibility(\"hidden\")))\n"
			      "#define SECTION(x) __attribute__((section(x)))\n"
			      "void touch(void *);\n"
			      "__attribute__((cold, noreturn)) void fatal(void *);\n"
			      "extern char buffer[];\n\n";

static bool has(unsigned mask, unsigned u)
{
	return mask >> u & 1;
}

static void print_types(struct prog *p, unsigned u, const struct needs *needs, FILE *f)
{
	for (unsigned i = 0; i < p->nr_named; i++) {
		const struct named *n = p->named[i];

		if (needs->of[i] != NEED_NOT && n->kind == NAMED_STRUCT)
			fprintf(f, "struct %s;\n", n->name);
		if (needs->of[i] != NEED_NOT && n->kind == NAMED_UNION)
			fprintf(f, "union %s;\n", n->name);
	}
	for (unsigned i = 0; i < p->nr_named; i++) {
		struct named *n = p->named[i];

		if (needs->of[i] == NEED_ALL ||
		    (needs->of[i] == NEED_NAME && n->kind == NAMED_TYPEDEF))
			print_named(p, u, n, f);
	}
	fprintf(f, "\n");
}

static const char *storage(const struct func *f, bool defined)
{
	switch (f->kind) {
	case FUNC_STATIC:
		return "static ";
	case FUNC_INLINE:
		return "static inline ";
	case FUNC_GNU_INLINE:
		return "extern inline GNU_INLINE ";
	case FUNC_WEAK:
		return defined ? "WEAK " : "";
	default:
		return "";
	}
}

/* Names and types of the parameters, or the names alone. */
static char *parameters(struct prog *p, unsigned u, const struct func *f, const struct type *t)
{
	char *s = text(p, "%s", "");

	for (unsigned i = 0; i < t->nr_params; i++) {
		const char *name = f->params[i];

		if (t->old_style)
			s = text(p, "%s%s%s", s, i ? ", " : "", name[0] ? name : "none");
		else
			s = text(p, "%s%s%s%s", s, i ? ", " : "", declare(p, u, t->params[i], name),
				 has(f->param_tags, i) ? tags(p, name, 1) : "");
	}
	if (!t->nr_params)
		return text(p, "%s", t->old_style ? "" : "void");
	return text(p, "%s%s", s, t->variadic ? ", ..." : "");
}

static void print_declaration(struct prog *p, unsigned u, const struct func *f, FILE *out)
{
	const struct type *t = func_type(f, u);
	bool defined = has(f->defined_in, u);
	const char *list = t->old_style ? "" : parameters(p, u, f, t);

	fprintf(out, "%s%s%s%s", f->never_returns ? "__attribute__((noreturn)) " : "",
		storage(f, defined), f->attrs, f->attrs[0] ? " " : "");
	fprintf(out, "%s", declare(p, u, t->to, text(p, "%s(%s)", f->name, list)));
	if (f->label)
		fprintf(out, " __asm__(\"%s\")", f->label);
	if (f->target)
		fprintf(out, " __attribute__((alias(\"%s\")))", f->target->name);
	fprintf(out, "%s;\n", tags(p, f->name, f->nr_tags));
}

static void print_definition(struct prog *p, unsigned u, const struct needs *needs,
			     const struct func *f, FILE *out)
{
	const struct type *t = func_type(f, u);
	const char *list = parameters(p, u, f, t);

	fprintf(out, "%s%s\n", storage(f, true),
		declare(p, u, t->to, text(p, "%s(%s)", f->name, list)));
	for (unsigned i = 0; t->old_style && i < t->nr_params; i++)
		fprintf(out, "%s;\n",
			declare(p, u, t->params[i], f->params[i][0] ? f->params[i] : "none"));
	print_body(p, u, needs, f, out);
}

static char *var_text(struct prog *p, unsigned u, const struct var *v, const struct type *t)
{
	return text(p, "%s%s%s", v->attrs, v->attrs[0] ? " " : "", declare(p, u, t, v->name));
}

static void print_variable(struct prog *p, unsigned u, const struct var *v, FILE *out)
{
	const struct type *t = var_type(v, u);
	enum type_class class = type_class(t);

	if (has(v->declared_in, u)) {
		struct type open = *t;

		if (v->open && t->kind == TYPE_ARRAY)
			open.len = FLEXIBLE;
		fprintf(out, "extern %s;\n", var_text(p, u, v, &open));
	}
	if (!has(v->defined_in, u))
		return;
	fprintf(out, "%s%s", v->kind == VAR_STATIC ? "static " : "", var_text(p, u, v, t));
	if (v->section)
		fprintf(out, " SECTION(\"%s\")", v->section);
	fprintf(out, "%s", tags(p, v->name, v->nr_tags));
	if (!v->zeroed && (class == CLASS_INT || class == CLASS_FLOAT))
		fprintf(out, " = 1");
	else if (!v->zeroed && class == CLASS_POINTER)
		fprintf(out, " = (void *)buffer");
	fprintf(out, ";\n");
}

/* A variable that points to @n, so that compilers describe it. */
static void print_pointer(struct prog *p, unsigned u, struct named *n, FILE *out)
{
	struct type t = { .kind = TYPE_NAMED, .named = n };
	struct type pointer = { .kind = TYPE_POINTER, .to = &t };

	fprintf(out, "%s;\n", declare(p, u, &pointer, text(p, "to%u_%u", u, n->index)));
}

void print_unit(struct prog *p, unsigned u, FILE *out)
{
	struct needs needs;

	need_unit(p, u, &needs);
	fprintf(out, "/* unit %u of seed %llu */\n%s", u, (unsigned long long)p->seed, prelude);
	print_types(p, u, &needs, out);
	for (unsigned i = 0; i < p->nr_funcs; i++)
		if (has(p->funcs[i].defined_in | p->funcs[i].declared_in, u))
			print_declaration(p, u, &p->funcs[i], out);
	for (unsigned i = 0; i < p->nr_vars; i++)
		print_variable(p, u, &p->vars[i], out);
	for (unsigned i = 0; i < p->nr_named; i++)
		if (has(p->named[i]->pointed_in, u))
			print_pointer(p, u, p->named[i], out);
	fprintf(out, "\n");
	for (unsigned i = 0; i < p->nr_funcs; i++)
		if (has(p->funcs[i].defined_in, u) && p->funcs[i].kind != FUNC_ALIAS)
			print_definition(p, u, &needs, &p->funcs[i], out);
	print_entry(p, u, &needs, out);
	if (u == 0)
		print_kfuncs(p, out);
}
