/* SPDX-License-Identifier: GPL-2.0-only */
/* t_type_pool.c - equal records are one, and the lowest place of each is remembered */
#include "dedup/pool/type_pool.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#define ADD_TO(p, ret, ...)                                                     \
	type_pool_add(p, type_pool_arena(p), (const uint32_t[]){ __VA_ARGS__ }, \
		      sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), ret)

TEST_WITH_INIT(equal_records_have_one_id_and_one_entry, type_pool, p)
{
	struct pool_type *a, *b, *c;

	uint32_t ptr = ADD_TO(p, &a, 0, btf_info(BTF_PTR, 0, false), 5);
	CHECK(ptr);
	CHECK_EQ(ADD_TO(p, &b, 0, btf_info(BTF_PTR, 0, false), 5), ptr);
	CHECK(ADD_TO(p, &c, 0, btf_info(BTF_PTR, 0, false), 6) != ptr);
	CHECK(a == b);
	CHECK(a != c);
	CHECK(type_pool_at(p, ptr) == a);
	CHECK_EQ(a->rec[BTF_REC_SIZE_TYPE], 5);
}

TEST_WITH_INIT(every_word_counts, type_pool, p)
{
	struct pool_type *t;
	uint32_t rec[9] = { 1, btf_info(BTF_STRUCT, 2, false), 16, 2, 3, 0, 4, 5, 64 };

	uint32_t id = type_pool_add(p, type_pool_arena(p), rec, 9, &t);
	for (size_t i = 0; i < 9; i++) {
		if (i == BTF_REC_INFO)
			continue; /* it tells the length */
		rec[i]++;
		CHECK(type_pool_add(p, type_pool_arena(p), rec, 9, &t) != id);
		rec[i]--;
	}
	CHECK_EQ(type_pool_add(p, type_pool_arena(p), rec, 9, &t), id);
}

TEST_WITH_INIT(the_record_is_copied, type_pool, p)
{
	struct pool_type *t;
	uint32_t rec[3] = { 0, btf_info(BTF_CONST, 0, false), 1 };

	uint32_t id = type_pool_add(p, type_pool_arena(p), rec, 3, &t);
	rec[2] = 9;
	CHECK_EQ(type_pool_at(p, id)->rec[2], 1);
}

TEST_WITH_INIT(the_lowest_place_stays, type_pool, p)
{
	struct pool_type *t;

	ADD_TO(p, &t, 0, btf_info(BTF_PTR, 0, false), 0);
	CHECK(pool_type_place(t) == UINT64_MAX);
	pool_type_place_at(t, 4, 7);
	pool_type_place_at(t, 6, 1);
	CHECK_EQ(pool_place_unit(pool_type_place(t)), 4);
	CHECK_EQ(pool_place_index(pool_type_place(t)), 7);
	pool_type_place_at(t, 0, 3);
	CHECK_EQ(pool_place_unit(pool_type_place(t)), 0);
	CHECK_EQ(pool_place_index(pool_type_place(t)), 3);
}

TEST_WITH_INIT(only_the_unit_of_the_lowest_place_can_take_it_back, type_pool, p)
{
	struct pool_type *t;

	ADD_TO(p, &t, 0, btf_info(BTF_PTR, 0, false), 0);
	pool_type_place_at(t, 4, 7);
	pool_type_forget_first_use(t, 5);
	CHECK_EQ(pool_place_unit(pool_type_place(t)), 4);
	pool_type_forget_first_use(t, 4);
	CHECK(pool_type_place(t) == UINT64_MAX);
}

TEST(structs_unions_and_enums_are_referred_to_by_name)
{
	const uint32_t named[] = { 9, btf_info(BTF_STRUCT, 0, false), 0 };
	const uint32_t nameless[] = { 0, btf_info(BTF_STRUCT, 0, false), 0 };
	const uint32_t fwd[] = { 9, btf_info(BTF_FWD, 0, false), 0 };
	const uint32_t fwd_union[] = { 9, btf_info(BTF_FWD, 0, true), 0 };
	const uint32_t enum64[] = { 9, btf_info(BTF_ENUM64, 0, false), 8 };
	const uint32_t typedefs[] = { 9, btf_info(BTF_TYPEDEF, 0, false), 1 };

	CHECK_EQ(pool_ref_to(named, 3), pool_ref_named(POOL_STRUCT, 9));
	CHECK_EQ(pool_ref_to(nameless, 3), 3);
	CHECK_EQ(pool_ref_to(fwd, 3), pool_ref_named(POOL_STRUCT, 9));
	CHECK_EQ(pool_ref_to(fwd_union, 3), pool_ref_named(POOL_UNION, 9));
	CHECK_EQ(pool_ref_to(enum64, 3), pool_ref_named(POOL_ENUM, 9));
	CHECK_EQ(pool_ref_to(typedefs, 3), 3);
	CHECK(!pool_ref_is_named(3) && !pool_ref_is_named(POOL_REF_INDEX));
	CHECK_EQ(pool_ref_name(pool_ref_named(POOL_ENUM, 0x1fffffff)), 0x1fffffff);
}
