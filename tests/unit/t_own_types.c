/* SPDX-License-Identifier: GPL-2.0-only */
/* t_own_types.c - finding the types that are a unit's own */
#include "encoder/unit/own_types.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

TEST(what_was_added_is_found_and_nothing_else)
{
	CLEANUP(own_types_release) struct own_types o = { 0 };
	enum { NR = 1000 };

	own_types_init(&o, NR);
	for (uint32_t i = 1; i <= NR; i++)
		own_types_add(&o, i % 2 ? i : pool_ref_named(POOL_UNION, i), i + 7);
	for (uint32_t i = 1; i <= NR; i++) {
		CHECK_EQ(own_types_find(&o, i), i % 2 ? i + 7 : 0);
		CHECK_EQ(own_types_find(&o, pool_ref_named(POOL_UNION, i)), i % 2 ? 0 : i + 7);
		CHECK_EQ(own_types_find(&o, pool_ref_named(POOL_STRUCT, i)), 0);
	}
	CHECK_EQ(own_types_find(&o, 0), 0);
}

TEST(the_first_of_several_counts)
{
	CLEANUP(own_types_release) struct own_types o = { 0 };

	own_types_init(&o, 2);
	own_types_add(&o, 5, 7);
	own_types_add(&o, 5, 8);
	CHECK_EQ(own_types_find(&o, 5), 7);
}

TEST(who_has_none_finds_none)
{
	CLEANUP(own_types_release) struct own_types o = { 0 }, none = { 0 };

	own_types_init(&o, 0);
	CHECK_EQ(own_types_find(&o, 1), 0);
	CHECK_EQ(own_types_find(&none, 1), 0);
}
