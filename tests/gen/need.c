/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * need.c - which types a unit sees, and whether whole or by their name
 *
 * What is behind a pointer is seen whole in the units that its mask says, so that one unit has
 * a graph of types and another one a few ends of it.
 */
#include "tests/gen/model.h"

struct walk {
	unsigned unit;
	struct needs *needs;
};

static void need_type(struct walk *w, const struct type *t, enum need need);

static void need_parts(struct walk *w, const struct named *n, enum need need)
{
	for (unsigned i = 0; i < n->nr_members; i++)
		need_type(w, n->members[i].type, NEED_ALL);
	if (n->kind == NAMED_TYPEDEF)
		need_type(w, n->type, need);
}

static void need_named(struct walk *w, struct named *n, enum need need)
{
	enum need *has = &w->needs->of[n->index];

	if (n->inner) {
		need_parts(w, n, need);
		return;
	}
	/* an enum is never without its values, and a vector has elements */
	if (n->kind == NAMED_ENUM || n->vector || (n->complete_in >> w->unit & 1))
		need = NEED_ALL;
	if (*has >= need)
		return;
	*has = need;
	/* the name of a typedef brings that of its type */
	if (need == NEED_ALL || n->kind == NAMED_TYPEDEF)
		need_parts(w, named_in(n, w->unit), need);
}

static void need_type(struct walk *w, const struct type *t, enum need need)
{
	switch (t->kind) {
	case TYPE_BASE:
		break;
	case TYPE_NAMED:
		need_named(w, t->named, need);
		break;
	case TYPE_POINTER:
		need_type(w, t->to, NEED_NAME);
		break;
	case TYPE_ARRAY:
		need_type(w, t->to, NEED_ALL);
		break;
	case TYPE_FUNCTION:
		/* the kernel wants to know the size of all that is passed */
		need_type(w, t->to, NEED_ALL);
		for (unsigned i = 0; i < t->nr_params; i++)
			need_type(w, t->params[i], NEED_ALL);
		break;
	}
}

void need_unit(const struct prog *p, unsigned u, struct needs *ret)
{
	struct walk w = { u, ret };

	*ret = (struct needs){ 0 };
	for (unsigned i = 0; i < p->nr_named; i++)
		if (p->named[i]->pointed_in >> u & 1)
			need_named(&w, p->named[i], NEED_NAME);
	for (unsigned i = 0; i < p->nr_funcs; i++) {
		const struct func *f = &p->funcs[i];

		if ((f->defined_in | f->declared_in) >> u & 1)
			need_type(&w, func_type(f, u), NEED_ALL);
	}
	for (unsigned i = 0; i < p->nr_vars; i++) {
		const struct var *v = &p->vars[i];

		if ((v->defined_in | v->declared_in) >> u & 1)
			need_type(&w, var_type(v, u), NEED_ALL);
	}
}
