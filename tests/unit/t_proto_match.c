/* SPDX-License-Identifier: GPL-2.0-only */
/* t_proto_match.c - when two units mean the same prototype */
#include "encoder/select/proto_match.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

static uint32_t add(struct type_pool *p, const uint32_t *rec, size_t nr)
{
	struct pool_type *t;

	return type_pool_add(p, type_pool_arena(p), rec, nr, &t);
}

#define ADD(p, ...)                               \
	add(p, (const uint32_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))
#define REF(p, kind, name, to) ADD(p, name, btf_info(kind, 0, false), to)

static uint32_t add_int(struct type_pool *p, uint32_t name, uint32_t size)
{
	return ADD(p, name, btf_info(BTF_INT, 0, false), size, size * 8);
}

/* int NAME(TYPE) */
static uint32_t add_proto(struct type_pool *p, uint32_t ret, uint32_t name, pool_ref type)
{
	return ADD(p, 0, btf_info(BTF_FUNC_PROTO, 1, false), ret, name, type);
}

static struct proto_diff diff(const struct type_pool *p, uint32_t a, uint32_t b)
{
	const struct enum_kinds none = { 0 };

	return proto_compare(p, &none, (struct unit_proto){ a, 0 }, (struct unit_proto){ b, 1 });
}

static bool match(const struct type_pool *p, uint32_t a, uint32_t b)
{
	return diff(p, a, b).part == PROTO_SAME;
}

TEST_WITH_INIT(names_of_parameters_do_not_count, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4);
	CHECK(match(p, add_proto(p, i, 5, i), add_proto(p, i, 6, i)));
}

TEST_WITH_INIT(const_does_not_count_at_any_depth, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), ci = REF(p, BTF_CONST, 0, i);
	uint32_t ptr = REF(p, BTF_PTR, 0, i), cptr = REF(p, BTF_PTR, 0, ci);
	CHECK(match(p, add_proto(p, i, 5, ptr), add_proto(p, i, 5, cptr)));
	CHECK(match(p, add_proto(p, i, 5, ci), add_proto(p, i, 5, i)));
}

TEST_WITH_INIT(other_modifiers_count, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), vi = REF(p, BTF_VOLATILE, 0, i);
	CHECK(!match(p, add_proto(p, i, 5, i), add_proto(p, i, 5, vi)));
}

TEST_WITH_INIT(numbers_of_parameters_and_results_must_agree, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), l = add_int(p, 2, 8);
	uint32_t none = ADD(p, 0, btf_info(BTF_FUNC_PROTO, 0, false), i);
	CHECK(!match(p, none, add_proto(p, i, 5, i)));
	CHECK(!match(p, add_proto(p, l, 5, i), add_proto(p, i, 5, i)));
	CHECK(!match(p, add_proto(p, 0, 5, i), add_proto(p, i, 5, i)));
}

TEST_WITH_INIT(what_has_a_name_is_compared_by_it, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), l = add_int(p, 2, 8);
	uint32_t t1 = REF(p, BTF_TYPEDEF, 7, i), t2 = REF(p, BTF_TYPEDEF, 7, l);
	uint32_t t3 = REF(p, BTF_TYPEDEF, 8, i);
	CHECK(match(p, add_proto(p, i, 5, t1), add_proto(p, i, 5, t2)));
	CHECK(!match(p, add_proto(p, i, 5, t1), add_proto(p, i, 5, t3)));

	uint32_t s = REF(p, BTF_PTR, 0, pool_ref_named(POOL_STRUCT, 3));
	uint32_t other = REF(p, BTF_PTR, 0, pool_ref_named(POOL_STRUCT, 4));
	uint32_t in_union = REF(p, BTF_PTR, 0, pool_ref_named(POOL_UNION, 3));
	CHECK(!match(p, add_proto(p, i, 5, s), add_proto(p, i, 5, other)));
	CHECK(!match(p, add_proto(p, i, 5, s), add_proto(p, i, 5, in_union)));
}

TEST_WITH_INIT(callbacks_are_compared_like_functions, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), ci = REF(p, BTF_CONST, 0, i), l = add_int(p, 2, 8);
	uint32_t a = REF(p, BTF_PTR, 0, add_proto(p, i, 0, i));
	uint32_t b = REF(p, BTF_PTR, 0, add_proto(p, i, 9, ci));
	uint32_t c = REF(p, BTF_PTR, 0, add_proto(p, i, 0, l));
	CHECK(match(p, add_proto(p, i, 5, a), add_proto(p, i, 5, b)));
	CHECK(!match(p, add_proto(p, i, 5, a), add_proto(p, i, 5, c)));
}

TEST_WITH_INIT(arrays_differ_by_length, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4);
	uint32_t a = ADD(p, 0, btf_info(BTF_ARRAY, 0, false), 0, i, POOL_REF_INDEX, 3);
	uint32_t b = ADD(p, 0, btf_info(BTF_ARRAY, 0, false), 0, i, POOL_REF_INDEX, 4);
	CHECK(!match(p, add_proto(p, i, 5, a), add_proto(p, i, 5, b)));
}

TEST_WITH_INIT(the_first_difference_is_told, type_pool, p)
{
	uint32_t i = add_int(p, 1, 4), l = add_int(p, 2, 8);
	uint32_t two = ADD(p, 0, btf_info(BTF_FUNC_PROTO, 2, false), i, 5, i, 6, l);
	uint32_t second = ADD(p, 0, btf_info(BTF_FUNC_PROTO, 2, false), i, 5, i, 6, i);
	uint32_t both = ADD(p, 0, btf_info(BTF_FUNC_PROTO, 2, false), l, 5, i, 6, i);

	CHECK_EQ(diff(p, add_proto(p, i, 5, i), two).part, PROTO_NR_PARAMS);
	CHECK_EQ(diff(p, two, second).part, PROTO_PARAM);
	CHECK_EQ(diff(p, two, second).param, 1);
	CHECK_EQ(diff(p, two, both).part, PROTO_RETURN);
}

static bool match_in(const struct type_pool *p, const struct enum_kinds *k, struct unit_proto a,
		     struct unit_proto b)
{
	return proto_compare(p, k, a, b).part == PROTO_SAME;
}

TEST_WITH_INIT(an_enum_of_64_bits_is_not_that_of_32, type_pool, p)
{
	CLEANUP(enum_kinds_release) struct enum_kinds k = { 0 };
	enum { E = 7, OTHER };

	/* what units 0 and 1 have after void, as differences of ids */
	int16_t types[][2] = { { 0, (int16_t)ADD(p, E, btf_info(BTF_ENUM, 0, false), 4) },
			       { 0, (int16_t)ADD(p, E, btf_info(BTF_ENUM64, 0, false), 8) } };
	uint32_t first[] = { E << 1, OTHER << 1 }, second[] = { E << 1 | 1 };
	const struct unit_btf f[] = {
		{ .unit = 0, .packed = { types[0], 2 }, .enums = { first, 2, 2 } },
		{ .unit = 1, .packed = { types[1], 2 }, .enums = { second, 1, 1 } },
		{ .unit = 2, .packed = { types[1], 2 } },
	};
	const struct unit_btf *const units[] = { &f[0], &f[1], &f[2] };
	enum_kinds_find(p, units, 3, &k);
	CHECK_EQ(k.names.nr, 1);

	uint32_t i = add_int(p, 1, 4), e = pool_ref_named(POOL_ENUM, E);
	uint32_t by_value = add_proto(p, i, 5, e),
		 behind = add_proto(p, i, 5, REF(p, BTF_PTR, 0, e)),
		 fine = add_proto(p, i, 5, pool_ref_named(POOL_ENUM, OTHER));
	for (uint32_t unit = 1; unit < 3; unit++) {
		struct unit_proto at[] = { { by_value, 0 }, { by_value, unit } };

		CHECK(!match_in(p, &k, at[0], at[1]));
		CHECK(match_in(p, &k, at[0], at[0]));
		CHECK(match_in(p, &k, (struct unit_proto){ by_value, 1 },
			       (struct unit_proto){ by_value, 2 }));
		CHECK(!match_in(p, &k, (struct unit_proto){ behind, unit },
				(struct unit_proto){ behind, 0 }));
		CHECK(match_in(p, &k, (struct unit_proto){ fine, unit },
			       (struct unit_proto){ fine, 0 }));
	}
}
