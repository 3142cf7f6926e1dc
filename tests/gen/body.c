/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * body.c - what a function does
 *
 * Nothing sensible: it adds up what it is given, hands objects to touch(), which nobody
 * defines, and calls other functions. Enough for compilers to inline, clone, split and drop.
 * Where a value is needed that nothing here is, it is read from a buffer.
 */
#include "tests/gen/model.h"

#include <string.h>

struct body {
	struct prog *p;
	unsigned u;
	const struct needs *needs;
	const struct func *f;
	const struct type *type;
	struct rnd r;
	FILE *out;
	unsigned nr_locals;
};

static const char *read_buffer(struct body *b, const struct type *t)
{
	return text(b->p, "*(%s)buffer", declare(b->p, b->u, type_pointer(b->p, t), ""));
}

/* An expression of type @t. */
static const char *value(struct body *b, const struct type *t)
{
	unsigned number = rnd_below(&b->r, 9);

	switch (type_class(t)) {
	case CLASS_INT:
	case CLASS_FLOAT:
		if (rnd_one_in(&b->r, 4))
			return text(b->p, "%u", number);
		return rnd_one_in(&b->r, 4) ? read_buffer(b, t) : text(b->p, "sum + %u", number);
	case CLASS_POINTER:
		return number < 3 ? "0" : "(void *)buffer";
	default:
		return read_buffer(b, t);
	}
}

/* A member of arithmetic type that every version of @n as this unit sees it has, or NULL. */
static const char *summand(struct body *b, struct named *n)
{
	const struct named *seen;

	if (n->inner || b->needs->of[n->index] != NEED_ALL)
		return NULL;
	seen = named_in(n, b->u);
	for (unsigned i = 0; i < seen->nr_members; i++) {
		const struct member *m = &seen->members[i];

		if (m->name && type_class(m->type) == CLASS_INT && !rnd_one_in(&b->r, 3))
			return m->name;
	}
	return NULL;
}

static bool is_struct(const struct type *t)
{
	return t->kind == TYPE_NAMED &&
	       (t->named->kind == NAMED_STRUCT || t->named->kind == NAMED_UNION);
}

static void use_parameter(struct body *b, unsigned i)
{
	const struct type *t = b->type->params[i];
	const char *name = b->f->params[i], *member = NULL;

	if (!name[0])
		return;
	switch (type_class(t)) {
	case CLASS_INT:
	case CLASS_FLOAT:
		fprintf(b->out, "\tsum += (long)%s;\n", name);
		break;
	case CLASS_POINTER:
		if (t->kind == TYPE_POINTER && is_struct(t->to))
			member = summand(b, t->to->named);
		if (member)
			fprintf(b->out, "\tsum += (long)%s->%s;\n", name, member);
		else
			fprintf(b->out, "\tsum += (long)%s;\n", name);
		break;
	case CLASS_MEMORY:
		if (is_struct(t))
			member = summand(b, t->named);
		if (member)
			fprintf(b->out, "\tsum += (long)%s.%s;\n", name, member);
		else
			fprintf(b->out, "\ttouch((void *)&%s);\n", name);
		break;
	default:
		break;
	}
}

static const char *call(struct body *b, const struct func *f)
{
	const struct type *t = func_type(f, b->u);
	char *s = text(b->p, "%s(", f->name);

	for (unsigned i = 0; i < t->nr_params; i++) {
		const char *arg = value(b, t->params[i]);
		enum type_class class = type_class(t->params[i]);

		if (f->constant == (int)i && (class == CLASS_INT || class == CLASS_POINTER))
			arg = class == CLASS_INT ? "1" : "0";
		s = text(b->p, "%s%s%s", s, i ? ", " : "", arg);
	}
	return text(b->p, "%s%s)", s, t->variadic ? ", 1, buffer" : "");
}

static void call_func(struct body *b, const struct func *f)
{
	enum type_class class;

	if (!((f->defined_in | f->declared_in) >> b->u & 1))
		return;
	/* what is inlined into itself is not compiled */
	if ((f->kind == FUNC_INLINE || f->kind == FUNC_GNU_INLINE) && f->index >= b->f->index)
		return;
	class = type_class(func_type(f, b->u)->to);
	/* clang cannot compute with an atomic result */
	if (class == CLASS_INT && !b->p->wishes.atomic)
		fprintf(b->out, "\tsum += %s;\n", call(b, f));
	else
		fprintf(b->out, "\t%s;\n", call(b, f));
}

static void call_something(struct body *b)
{
	call_func(b, &b->p->funcs[rnd_below(&b->r, b->p->nr_funcs)]);
}

static void use_variable(struct body *b)
{
	const struct var *v = &b->p->vars[rnd_below(&b->r, b->p->nr_vars)];

	if ((v->defined_in | v->declared_in) >> b->u & 1)
		fprintf(b->out, "\ttouch((void *)&%s);\n", v->name);
}

static bool whole_here(struct body *b, const struct type *t)
{
	while (t->kind == TYPE_ARRAY)
		t = t->to;
	if (t->kind != TYPE_NAMED)
		return t->kind != TYPE_POINTER;
	return !t->named->inner && b->needs->of[t->named->index] == NEED_ALL &&
	       type_class(t) != CLASS_FUNCTION && type_class(t) != CLASS_VOID;
}

static const struct type *local_type(struct body *b)
{
	const struct func *f = &b->p->funcs[rnd_below(&b->r, b->p->nr_funcs)];
	unsigned which = rnd_below(&b->r, MAX_PARAMS);

	if (which < f->type->nr_params && whole_here(b, f->type->params[which]))
		return f->type->params[which];
	return type_base(b->p, 1 + rnd_below(&b->r, 12));
}

static void local(struct body *b)
{
	static const char *const storage[] = { "", "", "", "static ", "static __thread " };
	const char *name = text(b->p, "l%u", b->nr_locals++);
	const char *kind = RND_PICK(&b->r, storage);
	const struct type *t = local_type(b);

	/* what is inline and extern may not have data of its own */
	if (b->f->kind == FUNC_GNU_INLINE)
		kind = "";
	fprintf(b->out, "\t{\n\t\t%s%s;\n\t\ttouch((void *)&%s);\n\t}\n", kind,
		declare(b->p, b->u, t, name), name);
}

static void local_struct(struct body *b)
{
	unsigned n = b->nr_locals++, shape = rnd_below(&b->r, 3);
	const char *member = shape == 0 ? "int x" : shape == 1 ? "long y : 5" : "void *z[2]";

	fprintf(b->out, "\t{\n\t\tstruct inside%u { %s; struct inside%u *next; } l%u;\n", shape,
		member, shape, n);
	fprintf(b->out, "\t\ttouch((void *)&l%u);\n\t}\n", n);
}

/* A type of the name of one outside, which is hidden from here on. */
static void local_shadow(struct body *b)
{
	const struct named *n = b->p->named[rnd_below(&b->r, b->p->nr_named)];
	unsigned number = b->nr_locals++;
	const char *word = n->kind == NAMED_UNION ? "union" : "struct";

	if (n->kind != NAMED_STRUCT && n->kind != NAMED_UNION)
		return;
	fprintf(b->out, "\t{\n\t\t%s %s { char shadow; %s %s *self; } l%u;\n", word, n->name, word,
		n->name, number);
	fprintf(b->out, "\t\ttouch((void *)&l%u);\n\t}\n", number);
}

static void local_names(struct body *b)
{
	unsigned n = b->nr_locals++;

	if (rnd_one_in(&b->r, 2))
		fprintf(b->out, "\t{\n\t\tenum inside { INSIDE = 3 } l%u = INSIDE;\n", n);
	else
		fprintf(b->out, "\t{\n\t\ttypedef struct { short q; } inside;\n\t\tinside l%u;\n",
			n);
	fprintf(b->out, "\t\ttouch((void *)&l%u);\n\t}\n", n);
}

static void statement(struct body *b)
{
	unsigned number = rnd_below(&b->r, 50);

	switch (rnd_below(&b->r, 12)) {
	case 0:
	case 1:
	case 2:
	case 3:
		call_something(b);
		break;
	case 4:
		use_variable(b);
		break;
	case 5:
		local(b);
		break;
	case 6:
		if (number < 30)
			local_struct(b);
		else if (number < 40)
			local_shadow(b);
		else
			local_names(b);
		break;
	case 7:
		fprintf(b->out, "\tif (sum > %u)\n\t\tgoto out;\n", number);
		break;
	case 8:
		fprintf(b->out, "\tfor (int i = 0; i < %u; i++)\n\t\ttouch(&sum);\n", number);
		break;
	case 9: /* goes to a part of its own */
		fprintf(b->out, "\tif (__builtin_expect(sum == %u, 0)) {\n\t\tfatal(&sum);\n\t}\n",
			number);
		break;
	case 10:
		fprintf(b->out, "\t{\n\t\tchar room[(sum & 15) + 1];\n\t\ttouch(room);\n\t}\n");
		break;
	default:
		fprintf(b->out, "\tsum *= %u;\n", number + 3);
		break;
	}
}

static void use_arguments(struct body *b)
{
	const struct type *t = b->type;

	for (unsigned i = 0; i < t->nr_params; i++)
		if (b->f->used >> i & 1)
			use_parameter(b, i);
	if (t->variadic && b->f->params[t->nr_params - 1][0]) {
		fprintf(b->out, "\t__builtin_va_list list;\n\t__builtin_va_start(list, %s);\n",
			b->f->params[t->nr_params - 1]);
		fprintf(b->out,
			"\tsum += __builtin_va_arg(list, int);\n\t__builtin_va_end(list);\n");
	}
}

/* Something that calls what else nobody might, the same for every program. */
void print_entry(struct prog *p, unsigned u, const struct needs *needs, FILE *out)
{
	static const struct func entry = { .kind = FUNC_GLOBAL, .index = MAX_FUNCS };
	struct body b = { .p = p, .u = u, .needs = needs, .f = &entry, .out = out };

	b.r = rnd_part(p->seed, 100 + u);
	fprintf(out, "long entry%u(long sum)\n{\n", u);
	for (unsigned i = 0; i < p->nr_funcs; i++) {
		unsigned calls = rnd_below(&b.r, 4);

		while (calls-- > 1)
			call_func(&b, &p->funcs[i]);
	}
	fprintf(out, "\treturn sum;\n}\n");
}

void print_body(struct prog *p, unsigned u, const struct needs *needs, const struct func *f,
		FILE *out)
{
	bool shared = f->kind == FUNC_INLINE || f->kind == FUNC_GNU_INLINE;
	struct body b = { .p = p, .u = u, .needs = needs, .f = f, .type = func_type(f, u) };
	unsigned nr;

	/* what is in a header is the same wherever it can be */
	b.r = rnd_part(p->seed, 1000 + f->index * 10 + (shared ? 9 : u));
	b.out = out;
	fprintf(out, "{\n\tlong sum = 0;\n");
	/* early leave, and the rest can be another function */
	if (rnd_one_in(&b.r, 4) && b.type->nr_params && f->params[0][0] &&
	    type_class(b.type->params[0]) != CLASS_MEMORY)
		fprintf(out, "\tif (!%s)\n\t\tgoto out;\n", f->params[0]);
	use_arguments(&b);
	nr = rnd_below(&b.r, shared ? 3 : 8);
	if (rnd_one_in(&b.r, 4))
		nr = 0;
	for (unsigned i = 0; i < nr; i++)
		statement(&b);
	fprintf(out, "out:\n");
	if (f->never_returns)
		fprintf(out, "\tfor (;;)\n\t\ttouch(&sum);\n");
	else if (type_class(b.type->to) == CLASS_VOID)
		fprintf(out, "\ttouch(&sum);\n");
	else
		fprintf(out, "\treturn %s;\n", value(&b, b.type->to));
	fprintf(out, "}\n\n");
}
