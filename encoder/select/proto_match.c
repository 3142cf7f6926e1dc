/* SPDX-License-Identifier: GPL-2.0-only */
/* proto_match.c - compare prototypes by the rules of docs/spec/encoding.md 8.7 */
#include "encoder/select/proto_match.h"

#include "base/vec.h"
#include "dedup/pool/pool_refs.h"

#include <stdlib.h>

struct match {
	const struct type_pool *types;
	const struct enum_kinds *enums;
	uint32_t unit_a, unit_b;
};

static const uint32_t *record(const struct type_pool *types, pool_ref r)
{
	return type_pool_at(types, r)->rec;
}

static uint32_t kind_of(const struct type_pool *types, pool_ref r)
{
	static const uint8_t named[] = { BTF_STRUCT, BTF_UNION, BTF_ENUM, 0 };

	if (pool_ref_is_named(r))
		return named[pool_ref_space(r)];
	return btf_rec_kind(record(types, r));
}

static uint32_t name_of(const struct type_pool *types, pool_ref r)
{
	return pool_ref_is_named(r) ? pool_ref_name(r) : record(types, r)[BTF_REC_NAME];
}

static pool_ref target(const struct type_pool *types, pool_ref r)
{
	return record(types, r)[BTF_REC_SIZE_TYPE];
}

static bool same_signature(const uint32_t *a, const uint32_t *b, struct pairs *todo)
{
	uint32_t vlen = btf_rec_vlen(a);

	if (vlen != btf_rec_vlen(b))
		return false;
	vec_push(todo, ((struct pair){ a[BTF_REC_SIZE_TYPE], b[BTF_REC_SIZE_TYPE] }));
	for (uint32_t i = 0; i < vlen; i++)
		vec_push(todo, ((struct pair){ a[BTF_REC_WORDS + i * 2 + 1],
					       b[BTF_REC_WORDS + i * 2 + 1] }));
	return true;
}

static bool same_enum(const struct match *m, pool_ref a, pool_ref b)
{
	return pool_ref_name(a) == pool_ref_name(b) &&
	       enum_kinds_is_wide(m->enums, m->unit_a, pool_ref_name(a)) ==
		       enum_kinds_is_wide(m->enums, m->unit_b, pool_ref_name(b));
}

/* Does the same reference @a mean the same type in both units? */
static bool one_meaning(const struct match *m, pool_ref a)
{
	return !a || a == POOL_REF_INDEX || !m->enums->names.nr ||
	       (pool_ref_is_named(a) && pool_ref_space(a) != POOL_ENUM);
}

/* Compare @a and @b, but put the types of parameters on @todo. */
static bool same_type(const struct match *m, pool_ref a, pool_ref b, struct pairs *todo)
{
	const struct type_pool *types = m->types;

	while (a != b || !one_meaning(m, a)) {
		/* only a damaged member refers to the index type where it has no array */
		if (!a || !b || a == POOL_REF_INDEX || b == POOL_REF_INDEX)
			return false;

		enum btf_kind kind = kind_of(types, a);
		if (kind != kind_of(types, b)) {
			if (kind == BTF_CONST)
				a = target(types, a);
			else if (kind_of(types, b) == BTF_CONST)
				b = target(types, b);
			else
				return false;
			continue;
		}
		switch (btf_ctype(kind)) {
		case BTF_C_ENUM:
			if (kind == BTF_ENUM && pool_ref_is_named(a) && pool_ref_is_named(b))
				return same_enum(m, a, b);
			return name_of(types, a) == name_of(types, b);
		case BTF_C_TYPEDEF:
		case BTF_C_STRUCT:
			return name_of(types, a) == name_of(types, b);
		case BTF_C_ARRAY:
			if (record(types, a)[BTF_REC_WORDS + 2] !=
			    record(types, b)[BTF_REC_WORDS + 2])
				return false;
			a = record(types, a)[BTF_REC_WORDS];
			b = record(types, b)[BTF_REC_WORDS];
			break;
		case BTF_C_FUNCTION:
			return same_signature(record(types, a), record(types, b), todo);
		case BTF_C_POINTER:
		case BTF_C_QUALIFIER:
			a = target(types, a);
			b = target(types, b);
			break;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_FORWARD:
		case BTF_C_VOID:
		case BTF_C_NONE:
			return a == b; /* the pool has equal records once */
		}
	}
	return true;
}

static bool match_types(const struct match *m, pool_ref a, pool_ref b)
{
	struct pairs todo = { 0 };
	bool match = same_type(m, a, b, &todo);

	while (match && todo.nr) {
		struct pair p = todo.items[--todo.nr];

		match = same_type(m, p.a, p.b, &todo);
	}
	free(todo.items);
	return match;
}

struct proto_diff proto_compare(const struct type_pool *types, const struct enum_kinds *enums,
				struct unit_proto a, struct unit_proto b)
{
	const struct match m = { types, enums, a.unit, b.unit };

	if (a.proto == b.proto && one_meaning(&m, a.proto))
		return (struct proto_diff){ 0 };

	const uint32_t *x = record(types, a.proto), *y = record(types, b.proto);
	uint32_t nr = btf_rec_vlen(x);

	if (nr != btf_rec_vlen(y))
		return (struct proto_diff){ PROTO_NR_PARAMS, 0 };
	if (!match_types(&m, x[BTF_REC_SIZE_TYPE], y[BTF_REC_SIZE_TYPE]))
		return (struct proto_diff){ PROTO_RETURN, 0 };
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t at = BTF_REC_WORDS + i * 2 + 1;

		if (!match_types(&m, x[at], y[at]))
			return (struct proto_diff){ PROTO_PARAM, i };
	}
	return (struct proto_diff){ 0 };
}
