/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * named.c - random structs, unions, enums and typedefs, some of them in two versions
 *
 * A second version is the first with one thing changed, since that is what is hard to tell
 * apart. All of them are there before the first gets its members, so that pointers can lead
 * anywhere.
 */
#include "tests/gen/model.h"

#include <string.h>

enum { MAX_MEMBERS = 40, MAX_VALUES = 6, MAX_DEPTH = 3 };

/* Names that many structs have. */
static const char *const usual_names[] = { "next", "prev", "list", "len", "flags", "ops", "priv" };

static const char *const usual_values[] = {
	"0",
	"1",
	"-1",
	"5",
	"-128",
	"0x7f",
	"0xff",
	"0x7fffffff",
	"0x80000000",
	"0xffffffff",
	"(-0x7fffffff - 1)",
};

/* These make a 64-bit enum; signs are not to be mixed beyond what one type can hold. */
static const char *const wide_values[] = { "0x100000000", "0x7fffffffffffffff", "0x123456789ab" };
static const char *const top_values[] = { "0xffffffffffffffff", "0x8000000000000000" };

static struct named *new_named(struct prog *p, enum named_kind kind, const char *name)
{
	struct named *n = arena_alloc(&p->mem, sizeof(*n));

	*n = (struct named){ .kind = kind, .name = name, .index = p->nr_named };
	return n;
}

static unsigned some_units(struct prog *p, struct rnd *r)
{
	return rnd_below(r, 1u << p->nr_units);
}

static unsigned few_tags(struct rnd *r)
{
	return rnd_one_in(r, 10) ? 1 + rnd_below(r, 2) : 0;
}

static unsigned some_alignment(struct rnd *r)
{
	return rnd_one_in(r, 14) ? 1u << rnd_below(r, 6) : 0;
}

static void fill_enum(struct prog *p, struct rnd *r, struct named *n, const char *prefix)
{
	unsigned kind = rnd_below(r, 8);

	n->nr_values = 1 + rnd_below(r, MAX_VALUES);
	n->values = arena_alloc(&p->mem, n->nr_values * sizeof(*n->values));
	n->packed = kind == 7;
	n->size = 8;
	for (unsigned i = 0; i < n->nr_values; i++) {
		struct enumerator *e = &n->values[i];
		unsigned small = rnd_below(r, 6);

		*e = (struct enumerator){ text(p, "%s_V%u", prefix, i), NULL };
		if (n->packed)
			e->value = rnd_one_in(r, 2) ? usual_values[small] : NULL;
		else if (kind == 0 && i == 0)
			e->value = RND_PICK(r, wide_values);
		else if (kind == 1)
			e->value = i ? NULL : "-0x100000000";
		else if (kind == 2)
			e->value = i ? NULL : RND_PICK(r, top_values);
		else if (kind != 0 && (i == 0 || n->values[i - 1].value || rnd_one_in(r, 2)))
			e->value = RND_PICK(r, usual_values);
	}
	/* what follows the largest of a type has no number */
	if (kind == 0 || kind == 2 || kind > 3)
		for (unsigned i = 1; i < n->nr_values && !n->packed; i++)
			if (!n->values[i].value)
				n->values[i].value = text(p, "%u", i);
}

static void fill_members(struct prog *p, struct rnd *r, struct named *n, const char *prefix,
			 unsigned depth);

/* A struct, union or enum that is defined in the member which uses it. */
static const struct type *inner_type(struct prog *p, struct rnd *r, unsigned before,
				     const char *prefix, unsigned depth, bool *named_ret)
{
	enum named_kind kind = rnd_below(r, 5) / 2; /* enums are one of five */
	bool named = kind != NAMED_ENUM && rnd_one_in(r, 3);
	struct named *n = new_named(p, kind, NULL);
	struct type *t = arena_alloc(&p->mem, sizeof(*t));

	n->index = before;
	n->inner = true;
	if (named && rnd_one_in(r, 3))
		n->name = text(p, "in%u", p->nr_inner++);
	if (kind == NAMED_ENUM)
		fill_enum(p, r, n, text(p, "I%u", p->nr_inner++));
	else
		fill_members(p, r, n, prefix, depth - 1);
	*t = (struct type){ .kind = TYPE_NAMED, .named = n };
	*named_ret = named || kind == NAMED_ENUM;
	return t;
}

static void fill_bits(struct prog *p, struct rnd *r, struct member *m)
{
	unsigned bits = type_bits(m->type);

	if (m->type->kind == TYPE_BASE && m->type->quals)
		m->type = type_base(p, m->type->base);
	if (!bits) {
		m->type = type_base(p, 1 + rnd_below(r, 12));
		bits = type_bits(m->type);
	}
	m->is_bits = true;
	m->align = 0;
	if (rnd_one_in(r, 10)) { /* the next one begins a new unit */
		m->bits = 0;
		m->name = NULL;
		m->nr_tags = 0;
		return;
	}
	m->bits = 1 + rnd_below(r, bits);
	if (rnd_one_in(r, 8))
		m->bits = bits;
	if (rnd_one_in(r, 12)) {
		m->name = NULL;
		m->nr_tags = 0;
	}
}

static void displace(const struct type *t)
{
	while (t->kind == TYPE_ARRAY || (t->kind == TYPE_NAMED && t->named->kind == NAMED_TYPEDEF))
		t = t->kind == TYPE_ARRAY ? t->to : t->named->type;
	if (t->kind == TYPE_NAMED)
		t->named->displaced = true;
}

static void fill_members(struct prog *p, struct rnd *r, struct named *n, const char *prefix,
			 unsigned depth)
{
	unsigned before = n->index;
	unsigned nr = rnd_below(r, 7);
	bool bits = rnd_one_in(r, 3);

	if (rnd_one_in(r, 20))
		nr = rnd_below(r, MAX_MEMBERS);
	n->members = arena_alloc(&p->mem, (nr + 1) * sizeof(*n->members));
	n->nr_members = nr;
	n->size = 64;
	for (unsigned i = 0; i < nr; i++) {
		struct member *m = &n->members[i];
		bool named = true;

		*m = (struct member){ .name = text(p, "%s_%u", prefix, i) };
		if (!depth || rnd_one_in(r, 8))
			m->type = type_object(p, r, before);
		else if (rnd_one_in(r, 6))
			m->type = inner_type(p, r, before, m->name, depth, &named);
		else
			m->type = type_object(p, r, before);
		m->nr_tags = few_tags(r);
		m->align = some_alignment(r);
		m->packed = rnd_one_in(r, 24);
		if (!named) {
			m->name = NULL;
			m->packed = false;
			m->nr_tags = 0;
		} else if (bits && rnd_one_in(r, 2)) {
			fill_bits(p, r, m);
		}
		n->size += type_size(m->type) + 64;
	}
	/* one usual name at most, for they must differ */
	if (nr && depth == MAX_DEPTH && rnd_one_in(r, 3)) {
		struct member *m = &n->members[rnd_below(r, nr)];
		const char *name = RND_PICK(r, usual_names);

		if (m->name)
			m->name = name;
	}
	if (nr > 1 && n->kind == NAMED_STRUCT && rnd_one_in(r, 8)) {
		struct member *m = &n->members[nr - 1];
		struct type *t = arena_alloc(&p->mem, sizeof(*t));

		*t = (struct type){ .kind = TYPE_ARRAY, .len = FLEXIBLE };
		t->to = type_value(p, r, before);
		*m = (struct member){ .name = text(p, "%s_flex", prefix), .type = t };
		n->members[0].name = text(p, "%s_0", prefix);
		if (n->members[0].is_bits || n->members[0].type->kind != TYPE_BASE)
			n->members[0] = (struct member){ .name = n->members[0].name,
							 .type = type_base(p, 1) };
	}
	n->packed = rnd_one_in(r, 8);
	n->align = some_alignment(r);
	n->nr_tags = few_tags(r);
	for (unsigned i = 0; i < nr; i++)
		if (n->packed || n->members[i].packed)
			displace(n->members[i].type);
	/* clang 14 takes a field as wide as its type for none, and says it is at a byte */
	for (unsigned i = 0; i < nr; i++) {
		struct member *m = &n->members[i];

		if (m->bits > 1 && m->bits == type_bits(m->type) && (n->packed || m->packed))
			m->bits--;
	}
}

static void fill_typedef(struct prog *p, struct rnd *r, struct named *n)
{
	unsigned what = rnd_below(r, 10);
	bool named;

	if (what == 0) {
		static const unsigned numbers[] = { 1, 5, 8, 11, 16, 17 };

		n->type = type_base(p, RND_PICK(r, numbers));
		n->vector = 8u << rnd_below(r, 3);
	} else if (what == 1) {
		n->type = type_function(p, r, n->index);
	} else if (what == 2) {
		n->type = type_base(p, 0);
	} else if (what < 5) {
		n->type = inner_type(p, r, n->index, n->name, 2, &named);
	} else {
		n->type = type_object(p, r, n->index);
	}
	n->size = n->vector ? 32 : type_size(n->type);
	n->nr_tags = few_tags(r);
}

static void fill(struct prog *p, struct rnd *r, struct named *n)
{
	switch (n->kind) {
	case NAMED_STRUCT:
	case NAMED_UNION:
		fill_members(p, r, n, "m", MAX_DEPTH);
		break;
	case NAMED_ENUM:
		fill_enum(p, r, n, text(p, "E%u", n->index));
		break;
	case NAMED_TYPEDEF:
		fill_typedef(p, r, n);
		break;
	}
}

static void change_member(struct prog *p, struct rnd *r, struct named *o)
{
	struct member *m;

	if (!o->nr_members) {
		o->members = arena_alloc(&p->mem, sizeof(*o->members));
		*o->members = (struct member){ .name = "added", .type = type_base(p, 1) };
		o->nr_members = 1;
		return;
	}
	m = &o->members[rnd_below(r, o->nr_members)];
	switch (rnd_below(r, 4)) {
	case 0:
		o->nr_members--;
		break;
	case 1:
		if (m->name)
			m->name = text(p, "%s_other", m->name);
		break;
	case 2: /* the same size and place, likely */
		m->type = type_pointer(p, type_value(p, r, o->index));
		*m = (struct member){ .name = m->name ? m->name : "other", .type = m->type };
		break;
	default:
		m->type = type_object(p, r, o->index);
		*m = (struct member){ .name = m->name ? m->name : "other", .type = m->type };
		if (o->packed)
			displace(m->type);
		break;
	}
}

/* Another one of the name of @n; as long as @n at most, for what was made of @n relies on it. */
static void make_other(struct prog *p, struct rnd *r, struct named *n)
{
	struct named *o = new_named(p, n->kind, n->name);

	*o = *n;
	switch (n->kind) {
	case NAMED_STRUCT:
	case NAMED_UNION:
		o->members = arena_alloc(&p->mem, (n->nr_members + 1) * sizeof(*o->members));
		memcpy(o->members, n->members, n->nr_members * sizeof(*o->members));
		change_member(p, r, o);
		break;
	case NAMED_ENUM:
		o->values = arena_alloc(&p->mem, n->nr_values * sizeof(*o->values));
		memcpy(o->values, n->values, n->nr_values * sizeof(*o->values));
		if (o->nr_values > 1 && rnd_one_in(r, 2))
			o->nr_values--;
		else
			o->values[0].name = text(p, "%s_other", o->values[0].name);
		break;
	case NAMED_TYPEDEF:
		if (n->vector || !type_bits(n->type))
			return;
		o->type = type_base(p, 1 + rnd_below(r, 12));
		break;
	}
	n->other = o;
	n->other_in = some_units(p, r);
}

void make_named(struct prog *p, struct rnd *r)
{
	static const char *const names[] = { "s%u", "u%u", "e%u", "t%u" };
	static const enum named_kind kinds[] = { NAMED_STRUCT, NAMED_STRUCT, NAMED_STRUCT,
						 NAMED_UNION,  NAMED_ENUM,   NAMED_TYPEDEF,
						 NAMED_TYPEDEF };
	unsigned nr = 3 + rnd_below(r, 13);

	if (rnd_one_in(r, 6))
		nr = 8 + rnd_below(r, MAX_NAMED - 8);
	for (; p->nr_named < nr; p->nr_named++) {
		enum named_kind kind = RND_PICK(r, kinds);
		const char *name = text(p, names[kind], p->nr_named);
		struct named *n = new_named(p, kind, name);

		/* typedefs stand apart from the other names */
		if (kind == NAMED_TYPEDEF && p->nr_named && rnd_one_in(r, 3)) {
			const struct named *same = p->named[p->nr_named - 1];

			if (same->kind != NAMED_TYPEDEF)
				n->name = same->name;
		}
		n->complete_in = some_units(p, r);
		n->pointed_in = some_units(p, r);
		p->named[p->nr_named] = n;
	}
	for (unsigned i = 0; i < nr; i++) {
		fill(p, r, p->named[i]);
		if (rnd_one_in(r, 5))
			make_other(p, r, p->named[i]);
	}
}
