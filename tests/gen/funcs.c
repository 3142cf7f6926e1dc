/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs.c - random functions: their prototypes, where they are defined and what is said of them
 *
 * Many are there to be optimized: static, with a parameter that nobody looks at or that is
 * always the same. Others share a name and not the prototype, as static functions may.
 */
#include "tests/gen/model.h"

static unsigned one_unit(struct prog *p, struct rnd *r)
{
	return 1u << rnd_below(r, p->nr_units);
}

static unsigned some_units(struct prog *p, struct rnd *r)
{
	return rnd_below(r, 1u << p->nr_units);
}

static unsigned most_units(struct prog *p, struct rnd *r)
{
	unsigned some = some_units(p, r);

	return some | some_units(p, r);
}

/* Names with a dot stand for what compilers make of functions; the last one sorts behind all. */
static const char *random_label(struct prog *p, struct rnd *r, const char *name)
{
	static const char *const formats[] = { "%s.part.7", "%s.other", "elsewhere_%s", "zz_%s" };

	return text(p, RND_PICK(r, formats), name);
}

static const char *random_attributes(struct rnd *r, enum func_kind kind)
{
	static const char *const usual[] = { "",
					     "",
					     "NOINLINE",
					     "NOINLINE",
					     "NOINLINE",
					     "NOINLINE NOCLONE",
					     "COLD",
					     "HOT",
					     "HIDDEN",
					     "NOINLINE USED",
					     "SECTION(\".text.other\")",
					     "NOINLINE SECTION(\".init.text\")" };

	if (kind == FUNC_INLINE)
		return rnd_one_in(r, 4) ? "ALWAYS_INLINE" : "";
	if (kind == FUNC_GNU_INLINE)
		return "";
	if (kind == FUNC_STATIC && rnd_one_in(r, 2))
		return "NOINLINE";
	return RND_PICK(r, usual);
}

static void place(struct prog *p, struct rnd *r, struct func *f)
{
	switch (f->kind) {
	case FUNC_GLOBAL:
		f->defined_in = one_unit(p, r);
		f->declared_in = some_units(p, r);
		break;
	case FUNC_STATIC:
		f->defined_in = one_unit(p, r);
		if (!rnd_one_in(r, 3))
			f->defined_in |= most_units(p, r);
		break;
	case FUNC_INLINE:
	case FUNC_GNU_INLINE:
		f->defined_in = one_unit(p, r);
		f->defined_in |= most_units(p, r);
		break;
	case FUNC_WEAK:
		f->defined_in = one_unit(p, r);
		f->defined_in |= some_units(p, r);
		f->declared_in = some_units(p, r);
		break;
	case FUNC_ALIAS:
		break;
	}
}

/* The prototype with one thing changed. */
static const struct type *other_type(struct prog *p, struct rnd *r, const struct type *t)
{
	struct type *o = arena_alloc(&p->mem, sizeof(*o));
	unsigned which = t->nr_params ? rnd_below(r, t->nr_params) : 0;

	*o = *t;
	if (rnd_one_in(r, 4))
		o->to = type_value(p, r, p->nr_named);
	else if (o->nr_params && rnd_one_in(r, 3))
		o->nr_params--;
	else if (o->nr_params)
		o->params[which] = type_passed(p, r);
	else
		o->params[o->nr_params++] = type_base(p, 1);
	o->variadic &= o->nr_params > 0;
	return o;
}

static void name_parameters(struct prog *p, struct rnd *r, struct func *f)
{
	static const char *const names[] = { "a", "b", "ctx", "skb", "len", "flags", "p", "data" };

	for (unsigned i = 0; i < MAX_PARAMS; i++) {
		unsigned number = i;

		f->params[i] = text(p, "%s%u", RND_PICK(r, names), number);
	}
	if (rnd_one_in(r, 40))
		f->params[rnd_below(r, MAX_PARAMS)] = "";
}

static void make_func(struct prog *p, struct rnd *r, struct func *f)
{
	static const enum func_kind kinds[] = { FUNC_GLOBAL, FUNC_GLOBAL,    FUNC_GLOBAL,
						FUNC_STATIC, FUNC_STATIC,    FUNC_STATIC,
						FUNC_STATIC, FUNC_INLINE,    FUNC_INLINE,
						FUNC_WEAK,   FUNC_GNU_INLINE };
	struct type *t = type_function(p, r, p->nr_named);

	*f = (struct func){ .kind = RND_PICK(r, kinds), .index = p->nr_funcs, .constant = -1 };
	f->name = text(p, "%s_f%u", rnd_one_in(r, 3) ? "a" : "k", f->index);
	t->old_style = !t->variadic && rnd_one_in(r, 25);
	f->type = t;
	name_parameters(p, r, f);
	place(p, r, f);
	f->attrs = random_attributes(r, f->kind);
	if (t->variadic && f->kind == FUNC_INLINE)
		f->attrs = ""; /* nobody can inline these */
	f->used = rnd_one_in(r, 2) ? rnd_below(r, 1u << MAX_PARAMS) : ~0u;
	if (t->nr_params && f->kind == FUNC_STATIC && rnd_one_in(r, 2))
		f->constant = (int)rnd_below(r, t->nr_params);
	if ((f->kind == FUNC_STATIC || f->kind == FUNC_WEAK) && !t->old_style && rnd_one_in(r, 3)) {
		f->other = other_type(p, r, t);
		f->other_in = some_units(p, r);
	}
	if (rnd_one_in(r, 12)) {
		f->renames = true;
		f->other_in = some_units(p, r);
	}
	f->never_returns = type_class(t->to) == CLASS_VOID && rnd_one_in(r, 12);
	if (f->kind == FUNC_GLOBAL && rnd_one_in(r, 30))
		f->label = random_label(p, r, f->name);
	f->nr_tags = rnd_one_in(r, 8) ? 1 + rnd_below(r, 2) : 0;
	f->param_tags = rnd_one_in(r, 8) ? rnd_below(r, 1u << MAX_PARAMS) : 0;
}

static void make_alias(struct prog *p, struct rnd *r, struct func *f)
{
	const struct func *target = &p->funcs[rnd_below(r, p->nr_funcs)];

	*f = (struct func){ .kind = FUNC_ALIAS, .index = p->nr_funcs, .constant = -1 };
	if (target->kind != FUNC_GLOBAL || target->label)
		return;
	f->name = text(p, "%s_alias", target->name);
	f->type = target->type;
	f->target = target;
	for (unsigned i = 0; i < MAX_PARAMS; i++)
		f->params[i] = "";
	f->defined_in = target->defined_in;
	f->attrs = rnd_one_in(r, 2) ? "WEAK" : "";
}

void make_funcs(struct prog *p, struct rnd *r)
{
	unsigned nr = 2 + rnd_below(r, 7);

	if (rnd_one_in(r, 6))
		nr = 6 + rnd_below(r, MAX_FUNCS - 8);
	for (; p->nr_funcs < nr; p->nr_funcs++)
		make_func(p, r, &p->funcs[p->nr_funcs]);
	if (rnd_one_in(r, 3)) {
		make_alias(p, r, &p->funcs[p->nr_funcs]);
		p->nr_funcs += p->funcs[p->nr_funcs].target != NULL;
	}
}
