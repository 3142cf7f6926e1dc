/* SPDX-License-Identifier: GPL-2.0-only */
/* t_base_lookalikes.c - structs that the rule may take for others of a base, because it takes two arrays for one */
#include "base/cleanup.h"
#include "tests/lib/overbase.h"

/* Of the structs { a[4], b[4] } of the base and of the pool. */
enum difference {
	ONE_FOR_TWO, /* the base has one array in the place of both: what this is about */
	TWO_FOR_ONE,
	NOTHING,
	ELEMENTS,
	LENGTH,
	MEMBER_NAME,
	STRUCT_NAME,
	SIZE,
	NR_DIFFERENCES,
};

static uint32_t base_struct(struct both *b, enum difference d)
{
	uint32_t i = add_int(BASE(b), there(b, "int"));
	uint32_t first = add_array(BASE(b), i, i, 4);
	uint32_t second = d == ONE_FOR_TWO ?
				  first :
				  add_array(BASE(b), add_ptr(BASE(b), d == ELEMENTS ? i : 0), i,
					    d == LENGTH ? 5 : 4);

	return add_struct2(BASE(b), d == STRUCT_NAME ? there(b, "s") : 0, there(b, "a"), first,
			   there(b, d == MEMBER_NAME ? "c" : "b"), second);
}

static uint32_t say_array(struct both *b, pool_ref of)
{
	return SAY(b, 0, btf_info(BTF_ARRAY, 0, false), 0, of, POOL_REF_INDEX, 4);
}

static uint32_t pool_struct(struct both *b, enum difference d)
{
	pool_ref first = say_array(b, say_int(b));
	pool_ref second = d == TWO_FOR_ONE ? first : say_array(b, say_ptr(b, 0));

	return SAY(b, d == STRUCT_NAME ? here(b, "s") : 0, btf_info(BTF_STRUCT, 2, false),
		   d == SIZE ? 24 : 16, here(b, "a"), first, 0, here(b, "b"), second, 64);
}

/* Ids of the pool that have lookalikes in the base, whichever way it is asked. */
static struct pool_ref_list alike(struct both *b)
{
	CLEANUP(string_index_release) struct string_index strings = { 0 };
	CLEANUP(base_names_release) struct base_names all = { 0 };
	struct pool_ref_list found = { 0 }, again = { 0 };
	uint32_t *same;

	find_base_conflicts(&b->types, &b->strings, &b->base, NULL, &found, &same);
	free(same);
	string_index_add(&strings, b->text, (uint32_t)b->base.strings.len, 0);
	base_names_index(&b->base, &strings, &all);
	find_base_conflicts(&b->types, &b->strings, &b->base, &all, &again, &same);
	free(same);
	CHECK_EQ(again.nr, found.nr);
	for (size_t i = 0; i < found.nr; i++)
		CHECK_EQ(again.items[i], found.items[i]);
	free(again.items);
	return found;
}

TEST(one_array_of_the_base_in_the_place_of_two)
{
	for (enum difference d = 0; d < NR_DIFFERENCES; d++) {
		CLEANUP(both_release) struct both b;

		both_init(&b);
		base_struct(&b, d);
		uint32_t id = pool_struct(&b, d);
		struct pool_ref_list found = alike(&b);

		/* of what has a name, it is the name */
		CHECK_EQ(found.nr, d == ONE_FOR_TWO);
		if (found.nr)
			CHECK_EQ(found.items[0], id);
		free(found.items);
	}
}

/* struct { struct { a[4], b[4] } *c; } of both, and the one inside looks like another */
TEST_WITH_INIT(what_leads_there_without_a_name_does_as_well, both, b)
{
	uint32_t inner = base_struct(b, ONE_FOR_TWO);
	add_struct1(BASE(b), 0, there(b, "c"), add_ptr(BASE(b), inner));
	CHECK(BASE(b)->start.nr);

	pool_ref said = say_ptr(b, SAY(b, 0, btf_info(BTF_STRUCT, 2, false), 16, here(b, "a"),
				       say_array(b, say_int(b)), 0, here(b, "b"),
				       say_array(b, say_ptr(b, 0)), 64));
	SAY(b, 0, btf_info(BTF_STRUCT, 1, false), 8, here(b, "c"), said, 0);
	struct pool_ref_list found = alike(b);
	CHECK_EQ(found.nr, 2);
	free(found.items);
}

TEST(a_name_that_differs_only_in_what_its_array_holds)
{
	for (uint32_t length = 3; length <= 4; length++) {
		CLEANUP(both_release) struct both b;

		both_init(&b);
		uint32_t i = add_int(BASE(&b), there(&b, "int"));
		add_struct1(BASE(&b), there(&b, "s"), there(&b, "m"),
			    add_array(BASE(&b), i, i, length));
		uint32_t id = say_struct(&b, "s", say_array(&b, say_ptr(&b, 0)));
		struct pool_ref_list found = alike(&b);

		/* the name in any case */
		CHECK_EQ(found.nr, length == 4 ? 2 : 1);
		CHECK(pool_ref_is_named(found.items[0]));
		CHECK(length != 4 || found.items[1] == id);
		free(found.items);
	}
}

TEST_WITH_INIT(many_that_look_alike_are_not_held_against_one_another, both, b)
{
	uint32_t i = add_int(BASE(b), there(b, "int")), a = there(b, "a"), m = there(b, "b");
	for (uint32_t nr = 0; nr < 40; nr++) {
		uint32_t first = add_array(BASE(b), i, i, 4);

		add_struct2(BASE(b), 0, a, first, m, add_array(BASE(b), i, i, 100 + nr));
	}
	pool_struct(b, NOTHING);
	struct pool_ref_list found = alike(b);
	CHECK_EQ(found.nr, 1);
	free(found.items);
}
