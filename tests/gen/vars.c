/* SPDX-License-Identifier: GPL-2.0-only */
/* vars.c - random variables: their types, sections and units */
#include "tests/gen/model.h"

/* The kernel refuses variables that overlap; more than one weak one of a name would. */
static const char *const sections[] = {
	NULL,
	NULL,
	NULL,
	NULL,
	".data..percpu",
	".data..percpu",
	".data..percpu",
	".data..read_mostly",
	".init.data",
	".data.other",
	"my_section",
};
static const char *const percpu_parts[] = { ".data..percpu..read_mostly",
					    ".data..percpu..shared_aligned" };

static unsigned one_unit(struct prog *p, struct rnd *r)
{
	return 1u << rnd_below(r, p->nr_units);
}

static unsigned some_units(struct prog *p, struct rnd *r)
{
	return rnd_below(r, 1u << p->nr_units);
}

static const char *var_name(struct prog *p, struct rnd *r)
{
	static const char *const prefixes[] = { "__UNIQUE_ID_", "__tpstrtab_", "__exitcall_" };
	unsigned index = p->nr_vars;

	if (rnd_one_in(r, 24))
		return text(p, "%sv%u", RND_PICK(r, prefixes), index);
	return text(p, "%s%u", rnd_one_in(r, 3) ? "value" : "v", index);
}

/* It goes to a section that cannot be written to, and so not to one that can be. */
static bool is_const(const struct type *t)
{
	while (t->kind == TYPE_ARRAY ||
	       (t->kind == TYPE_NAMED && t->named->kind == NAMED_TYPEDEF)) {
		if (t->quals & QUAL_CONST)
			return true;
		t = t->kind == TYPE_ARRAY ? t->to : t->named->type;
	}
	return t->quals & QUAL_CONST;
}

static void make_var(struct prog *p, struct rnd *r, struct var *v)
{
	static const enum var_kind kinds[] = { VAR_GLOBAL, VAR_GLOBAL, VAR_GLOBAL,
					       VAR_STATIC, VAR_STATIC, VAR_EXTERN };
	static const char *const attrs[] = { "", "", "", "", "HIDDEN", "WEAK", "__thread", "USED" };

	*v = (struct var){ .kind = RND_PICK(r, kinds) };
	v->name = var_name(p, r);
	v->type = type_object(p, r, p->nr_named);
	if (p->wishes.percpu_parts && rnd_one_in(r, 6))
		v->section = RND_PICK(r, percpu_parts);
	else
		v->section = RND_PICK(r, sections);
	v->attrs = RND_PICK(r, attrs);
	if (v->attrs[0] == '_' || v->attrs[0] == 'W')
		v->section = NULL;
	if (v->kind == VAR_STATIC && v->attrs[0] != '_')
		v->attrs = rnd_one_in(r, 2) ? "USED" : "";
	v->zeroed = rnd_one_in(r, 2);
	v->nr_tags = rnd_one_in(r, 8) ? 1 + rnd_below(r, 2) : 0;
	if (is_const(v->type))
		v->section = NULL;
	switch (v->kind) {
	case VAR_GLOBAL:
		v->defined_in = one_unit(p, r);
		if (v->attrs[0] == 'W' && p->wishes.overlap)
			v->defined_in |= some_units(p, r);
		v->declared_in = some_units(p, r);
		v->open = rnd_one_in(r, 4);
		break;
	case VAR_STATIC:
		v->defined_in = one_unit(p, r);
		if (rnd_one_in(r, 2))
			v->defined_in |= some_units(p, r);
		if (rnd_one_in(r, 3)) {
			v->other = type_object(p, r, p->nr_named);
			if (is_const(v->other))
				v->section = NULL;
			v->other_in = some_units(p, r);
		}
		break;
	case VAR_EXTERN:
		v->section = NULL;
		v->attrs = "";
		v->declared_in = one_unit(p, r);
		v->declared_in |= some_units(p, r);
		break;
	}
}

void make_vars(struct prog *p, struct rnd *r)
{
	unsigned nr = 1 + rnd_below(r, 8);

	if (rnd_one_in(r, 6))
		nr = 6 + rnd_below(r, MAX_VARS - 6);
	for (; p->nr_vars < nr; p->nr_vars++)
		make_var(p, r, &p->vars[p->nr_vars]);
}
