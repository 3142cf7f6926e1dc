/* SPDX-License-Identifier: GPL-2.0-only */
/* t_packed.c - which layouts say that a struct was declared packed */
#include "encoder/unit/unit_encoder.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

/* Types 1, 2, 3: char, int, long. */
static void init(struct cu *cu)
{
	static const uint32_t sizes[] = { 1, 4, 8 };

	cu->addr_size = 8;
	vec_push(&cu->types, ((struct cu_type){ .kind = BTF_UNKN }));
	for (size_t i = 0; i < 3; i++)
		vec_push(&cu->types, ((struct cu_type){ .kind = BTF_INT, .size = sizes[i] }));
}

enum { CHAR = 1, INT, LONG };

/* A struct of @size bytes that gets the members added next. */
static unit_tid add_struct(struct cu *cu, uint32_t size)
{
	vec_push(&cu->types,
		 ((struct cu_type){
			 .kind = BTF_STRUCT, .size = size, .first = (uint32_t)cu->members.nr }));
	return (unit_tid)(cu->types.nr - 1);
}

static void add_member(struct cu *cu, unit_tid of, unit_tid type, uint32_t byte)
{
	vec_push(&cu->members, ((struct cu_member){ .type = type, .offset = byte * 8 }));
	cu->types.items[of].nr++;
}

TEST_WITH(a_member_off_its_alignment_tells, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 5);
	add_member(cu, s, CHAR, 0);
	add_member(cu, s, INT, 1);
	CHECK(packed_struct(cu, s, 0));
}

TEST_WITH(a_size_that_is_no_multiple_of_the_alignment_tells, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 9);
	add_member(cu, s, LONG, 0);
	add_member(cu, s, CHAR, 8);
	CHECK(packed_struct(cu, s, 0));
}

TEST_WITH(a_machine_may_align_large_types_less, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 12);
	add_member(cu, s, INT, 0);
	add_member(cu, s, LONG, 4);
	CHECK(packed_struct(cu, s, 0));
	CHECK(!packed_struct(cu, s, 4));
	CHECK(!packed_struct(cu, s, 2));
	CHECK(packed_struct(cu, s, 8));
}

TEST_WITH(natural_layout_is_not_packed, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 16);
	add_member(cu, s, LONG, 0);
	add_member(cu, s, INT, 8);
	add_member(cu, s, INT, 12);
	CHECK(!packed_struct(cu, s, 0));
	unit_tid empty = add_struct(cu, 0);
	CHECK(!packed_struct(cu, empty, 0));
}

TEST_WITH(holes_mean_not_packed_whatever_the_rest, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 9);
	add_member(cu, s, CHAR, 0);
	add_member(cu, s, INT, 5);
	CHECK(!packed_struct(cu, s, 0));
}

TEST_WITH(members_inside_of_members_align_it, cu, cu)
{
	init(cu);
	unit_tid inner = add_struct(cu, 8);
	add_member(cu, inner, LONG, 0);
	unit_tid s = add_struct(cu, 12);
	add_member(cu, s, INT, 0);
	add_member(cu, s, inner, 4);
	CHECK(packed_struct(cu, s, 0));
}

/* Each struct has the next one twice: 2^60 ways to the innermost. */
TEST_WITH(structs_nested_in_many_ways_take_no_time, cu, cu)
{
	init(cu);
	unit_tid in = add_struct(cu, 0);
	for (int i = 0; i < 60; i++) {
		unit_tid out = add_struct(cu, 0);

		add_member(cu, out, in, 0);
		add_member(cu, out, in, 0);
		in = out;
	}
	CHECK(!packed_struct(cu, in, 0));
}

TEST_WITH(a_struct_in_itself_comes_to_an_end, cu, cu)
{
	init(cu);
	unit_tid s = add_struct(cu, 8);
	add_member(cu, s, s, 0);
	CHECK(!packed_struct(cu, s, 0));
}
