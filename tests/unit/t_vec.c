/* SPDX-License-Identifier: GPL-2.0-only */
/* t_vec.c - the growable array */
#include "base/vec.h"

#include "tests/lib/testlib.h"

struct pair {
	uint32_t a, b;
};

struct pairs {
	struct pair *items;
	size_t nr, cap;
};

TEST(pushed_elements_stay_in_order)
{
	struct pairs v = { 0 };

	for (uint32_t i = 0; i < 10000; i++)
		vec_push(&v, ((struct pair){ i, ~i }));
	CHECK_EQ(v.nr, 10000);
	CHECK(v.cap >= v.nr);
	for (uint32_t i = 0; i < 10000; i++) {
		CHECK_EQ(v.items[i].a, i);
		CHECK_EQ(v.items[i].b, ~i);
	}
	free(v.items);
}

TEST(an_added_element_is_the_last_one)
{
	struct pairs v = { 0 };

	for (uint32_t i = 0; i < 100; i++) {
		struct pair *p = vec_add(&v);

		CHECK(p == &v.items[v.nr - 1]);
		*p = (struct pair){ i, 0 };
	}
	CHECK_EQ(v.items[99].a, 99);
	free(v.items);
}

TEST(reserved_room_is_not_moved_again)
{
	struct pairs v = { 0 };

	vec_reserve(&v, 1000);
	CHECK_EQ(v.nr, 0);
	struct pair *first = v.items;
	for (uint32_t i = 0; i < 1000; i++)
		vec_push(&v, ((struct pair){ i, i }));
	CHECK(v.items == first);
	free(v.items);
}

TEST(reserving_nothing_allocates_nothing)
{
	struct pairs v = { 0 };
	size_t nothing = 0;

	vec_reserve(&v, nothing);
	CHECK(v.items == NULL);
}
