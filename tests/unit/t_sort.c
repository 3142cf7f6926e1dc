/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/sort.h"

#include "tests/lib/testlib.h"

TEST(keys_are_sorted_by_all_their_bits)
{
	struct sort_key v[] = {
		{ UINT64_MAX, 1 }, { (uint64_t)1 << 40, 2 }, { 255, 3 }, { 256, 4 },
		{ 0, 5 },          { (uint64_t)1 << 63, 6 },
	};
	static const uint32_t want[] = { 5, 3, 4, 2, 6, 1 };

	sort_by_key(v, ARRAY_SIZE(v));
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		CHECK_EQ(v[i].id, want[i]);
}

TEST(what_has_one_key_keeps_its_order)
{
	struct sort_key v[] = { { 7, 3 }, { 1, 9 }, { 7, 1 }, { 7, 2 } };

	sort_by_key(v, ARRAY_SIZE(v));
	CHECK_EQ(v[0].id, 9);
	CHECK_EQ(v[1].id, 3);
	CHECK_EQ(v[2].id, 1);
	CHECK_EQ(v[3].id, 2);
}

TEST(nothing_is_sorted_already)
{
	sort_by_key(NULL, 0);
}
