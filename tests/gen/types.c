/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - random types, made of those that are there
 *
 * What a type needs complete must have been made before; behind a pointer anything may stand,
 * so graphs of structs have cycles. Sizes are bounded, for a few nested arrays of arrays would
 * fill the memory.
 */
#include "tests/gen/model.h"

#include <string.h>

enum { MAX_SIZE = 16 << 10, MAX_DEPTH = 4 };

static const struct base {
	const char *name;
	unsigned bits; /* that a bit field of it has at most on every machine */
	enum type_class class;
} bases[] = {
	{ "void", 0, CLASS_VOID },
	{ "int", 32, CLASS_INT },
	{ "_Bool", 1, CLASS_INT },
	{ "char", 8, CLASS_INT },
	{ "signed char", 8, CLASS_INT },
	{ "unsigned char", 8, CLASS_INT },
	{ "short", 16, CLASS_INT },
	{ "unsigned short", 16, CLASS_INT },
	{ "unsigned int", 32, CLASS_INT },
	{ "long", 32, CLASS_INT },
	{ "unsigned long", 32, CLASS_INT },
	{ "long long", 64, CLASS_INT },
	{ "unsigned long long", 64, CLASS_INT },
	{ "__WCHAR_TYPE__", 16, CLASS_INT },
	{ "INT128", 0, CLASS_INT },
	{ "unsigned INT128", 0, CLASS_INT },
	{ "float", 0, CLASS_FLOAT },
	{ "double", 0, CLASS_FLOAT },
	{ "long double", 0, CLASS_FLOAT },
	/* not everybody can do these */
	{ "_Complex double", 0, CLASS_FLOAT },
	{ "_Atomic int", 0, CLASS_INT },
	{ "_Atomic(char *)", 0, CLASS_POINTER },
};

enum { BASE_COMPLEX = 19, BASE_ATOMIC };

const char *base_name(unsigned base)
{
	return bases[base].name;
}

enum type_class type_class(const struct type *t)
{
	switch (t->kind) {
	case TYPE_BASE:
		return bases[t->base].class;
	case TYPE_POINTER:
		return CLASS_POINTER;
	case TYPE_ARRAY:
		return CLASS_ARRAY;
	case TYPE_FUNCTION:
		return CLASS_FUNCTION;
	case TYPE_NAMED:
		break;
	}
	if (t->named->kind == NAMED_ENUM)
		return CLASS_INT;
	if (t->named->kind == NAMED_TYPEDEF && !t->named->vector)
		return type_class(t->named->type);
	return CLASS_MEMORY;
}

unsigned type_bits(const struct type *t)
{
	if (t->kind == TYPE_BASE)
		return bases[t->base].bits;
	if (t->kind != TYPE_NAMED)
		return 0;
	if (t->named->kind == NAMED_ENUM)
		return 8; /* packed ones have no more */
	if (t->named->kind == NAMED_TYPEDEF && !t->named->vector) {
		unsigned bits = type_bits(t->named->type);

		if (t->named->other) {
			unsigned other = type_bits(t->named->other->type);

			return other < bits ? other : bits;
		}
		return bits;
	}
	return 0;
}

uint64_t type_size(const struct type *t)
{
	switch (t->kind) {
	case TYPE_ARRAY:
		return type_size(t->to) * (t->len == FLEXIBLE ? 0 : t->len);
	case TYPE_NAMED:
		return t->named->size;
	default:
		return 32;
	}
}

struct type *type_base(struct prog *p, unsigned base)
{
	struct type *t = arena_alloc(&p->mem, sizeof(*t));

	*t = (struct type){ .kind = TYPE_BASE, .base = base };
	return t;
}

struct type *type_pointer(struct prog *p, const struct type *to)
{
	struct type *t = arena_alloc(&p->mem, sizeof(*t));

	*t = (struct type){ .kind = TYPE_POINTER, .to = to };
	return t;
}

static struct type *type_named(struct prog *p, struct named *n)
{
	struct type *t = arena_alloc(&p->mem, sizeof(*t));

	*t = (struct type){ .kind = TYPE_NAMED, .named = n };
	return t;
}

static struct type *random_base(struct prog *p, struct rnd *r)
{
	if (p->wishes.complex && rnd_one_in(r, 12))
		return type_base(p, BASE_COMPLEX);
	if (p->wishes.atomic && rnd_one_in(r, 12))
		return type_base(p, BASE_ATOMIC + rnd_below(r, 2));
	if (rnd_one_in(r, 4))
		return type_base(p, 1);
	return type_base(p, 1 + rnd_below(r, BASE_COMPLEX - 1));
}

/* Something before @before that objects can be of, or NULL. */
static struct type *random_named(struct prog *p, struct rnd *r, unsigned before)
{
	struct type *t;

	if (!before)
		return NULL;
	t = type_named(p, p->named[rnd_below(r, before)]);
	if (type_class(t) == CLASS_FUNCTION || type_class(t) == CLASS_VOID ||
	    type_size(t) > MAX_SIZE)
		return NULL;
	return t;
}

static void qualify(struct rnd *r, struct type *t)
{
	if (rnd_one_in(r, 6))
		t->quals |= QUAL_CONST;
	if (rnd_one_in(r, 14))
		t->quals |= QUAL_VOLATILE;
	if (t->kind == TYPE_POINTER && t->to->kind != TYPE_FUNCTION && rnd_one_in(r, 14) &&
	    type_class(t->to) != CLASS_FUNCTION)
		t->quals |= QUAL_RESTRICT;
}

static const struct type *random_value(struct prog *p, struct rnd *r, unsigned before,
				       unsigned depth);

/* Anything: what is not there yet is declared only. */
static const struct type *random_pointee(struct prog *p, struct rnd *r, unsigned before,
					 unsigned depth)
{
	struct named *n;
	struct type *t;

	switch (rnd_below(r, 8)) {
	case 0:
		t = type_base(p, 0);
		break;
	case 1:
		return depth ? type_function(p, r, before) : type_base(p, 3);
	case 2:
		return random_value(p, r, before, depth ? depth - 1 : 0);
	case 3:
		t = random_base(p, r);
		break;
	default:
		if (!p->nr_named)
			return type_base(p, 3);
		n = p->named[rnd_below(r, p->nr_named)];
		/* only structs and unions can be named before they are there */
		if (n->index >= before && n->kind != NAMED_STRUCT && n->kind != NAMED_UNION)
			return type_base(p, 0);
		t = type_named(p, n);
		break;
	}
	if (type_class(t) != CLASS_FUNCTION && type_class(t) != CLASS_ARRAY)
		qualify(r, t);
	return t;
}

static const struct type *random_pointer(struct prog *p, struct rnd *r, unsigned before,
					 unsigned depth)
{
	struct type *t = type_pointer(p, random_pointee(p, r, before, depth));

	if (t->to->kind != TYPE_FUNCTION && t->to->kind != TYPE_ARRAY && rnd_one_in(r, 5))
		t->tag = 1 + rnd_below(r, 4);
	qualify(r, t);
	return t;
}

static const struct type *random_value(struct prog *p, struct rnd *r, unsigned before,
				       unsigned depth)
{
	unsigned what = rnd_below(r, 10);
	struct type *t = NULL;

	if (what < 3 && depth)
		return random_pointer(p, r, before, depth - 1);
	if (what < 6)
		t = random_named(p, r, before);
	if (!t || type_class(t) == CLASS_ARRAY)
		t = random_base(p, r);
	qualify(r, t);
	return t;
}

const struct type *type_value(struct prog *p, struct rnd *r, unsigned before)
{
	return random_value(p, r, before, MAX_DEPTH);
}

const struct type *type_object(struct prog *p, struct rnd *r, unsigned before)
{
	const struct type *of = NULL;
	unsigned dimensions = 0;

	if (rnd_one_in(r, 8))
		of = random_named(p, r, before); /* of arrays, too */
	if (!of)
		of = type_value(p, r, before);
	if (rnd_one_in(r, 4))
		dimensions = 1 + rnd_below(r, 3);
	while (dimensions--) {
		struct type *t = arena_alloc(&p->mem, sizeof(*t));

		*t = (struct type){ .kind = TYPE_ARRAY, .to = of };
		t->len = rnd_one_in(r, 12) ? 0 : 1 + rnd_below(r, 7);
		if (type_size(t) > MAX_SIZE)
			break;
		of = t;
	}
	return of;
}

/*
 * pahole 1.31 takes a struct for packed from the moment it has seen it off its alignment
 * (tests/diff/known.txt, packed-by-others): a function gets a pointer to such a one.
 */
static const struct type *passed(struct prog *p, const struct type *t)
{
	bool displaced = t->kind == TYPE_NAMED && t->named->kind == NAMED_STRUCT &&
			 t->named->displaced;

	return displaced ? type_pointer(p, t) : t;
}

const struct type *type_passed(struct prog *p, struct rnd *r)
{
	return passed(p, type_value(p, r, p->nr_named));
}

struct type *type_function(struct prog *p, struct rnd *r, unsigned before)
{
	struct type *t = arena_alloc(&p->mem, sizeof(*t));
	unsigned nr = rnd_below(r, 4);

	if (rnd_one_in(r, 4))
		nr = rnd_below(r, MAX_PARAMS);
	*t = (struct type){ .kind = TYPE_FUNCTION, .nr_params = nr };
	t->to = rnd_one_in(r, 3) ? type_base(p, 0) : random_value(p, r, before, 2);
	for (unsigned i = 0; i < nr; i++)
		t->params[i] = passed(p, random_value(p, r, before, 2));
	/* where they arrive on the stack */
	if (nr > 5 && rnd_one_in(r, 2)) {
		const struct type *last = random_named(p, r, before);

		if (last && type_class(last) != CLASS_ARRAY)
			t->params[nr - 1] = passed(p, last);
	}
	t->variadic = nr && rnd_one_in(r, 12);
	return t;
}
