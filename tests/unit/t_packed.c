/* SPDX-License-Identifier: GPL-2.0-only */
/* t_packed.c - which layouts say that a struct was declared packed */
#include "encoder/unit/unit_encoder.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/unitscene.h"

/* Types 1, 2, 3. */
#define C_I_L "int char 1 8; int int 4 32; int long 8 64;"

/* The last struct of the types counts. */
static const struct {
	const char *name, *types;
	uint32_t max_align; /* of the machine for any type, 0: no limit */
	bool packed;
} cases[] = {
	{ "a member off its alignment", C_I_L "struct 5 {c 1, i 2 8}", .packed = true },
	{ "a size that is no multiple of the alignment", C_I_L "struct 9 {l 3, c 1 64}",
	  .packed = true },
	{ "a machine without limit", C_I_L "struct 12 {i 2, l 3 32}", .packed = true },
	{ "a machine that aligns all types to 8", C_I_L "struct 12 {i 2, l 3 32}", 8, true },
	{ "a machine that aligns large types to 4", C_I_L "struct 12 {i 2, l 3 32}", 4, false },
	{ "a machine that aligns large types to 2", C_I_L "struct 12 {i 2, l 3 32}", 2, false },
	{ "a natural layout", C_I_L "struct 16 {l 3, i 2 64, j 2 96}", .packed = false },
	{ "an empty struct", C_I_L "struct 0", .packed = false },
	{ "a hole, whatever the rest", C_I_L "struct 9 {c 1, i 2 40}", .packed = false },
	{ "a member inside of a member aligns it",
	  C_I_L "struct 8 {l 3}; struct 12 {i 2, inner 4 32}", .packed = true },
	{ "a struct in itself", C_I_L "struct 8 {self 4}", .packed = false },
};

TEST_EACH(layouts_are_packed_or_natural, cases, c)
{
	CLEANUP(unit_scene_release) struct unit_scene s;

	unit_scene_init(&s);
	unit_scene_types(&s, c->types);
	CHECK_EQ(packed_struct(&s.cu, (unit_tid)(s.cu.types.nr - 1), c->max_align), c->packed);
}

/* Each struct has the one before twice: 2^60 ways to the innermost. */
TEST_WITH_INIT(structs_nested_in_many_ways_take_no_time, unit_scene, s)
{
	unit_scene_types(s, "struct 0");
	for (int i = 1; i <= 60; i++)
		unit_scene_types(s, make_text("struct 0 {a %d, b %d}", i, i));
	CHECK(!packed_struct(&s->cu, 61, 0));
}

TEST_WITH_INIT(a_bit_field_of_dwarf_4_lies_in_the_unit_that_dwarf_names, unit_scene, s)
{
	/* int i, : 28, j : 4, and three bytes, which are a hole */
	unit_scene_types(s, C_I_L "struct 11 {i 2, j 2 60}");
	struct cu_member *j = &s->cu.members.items[1];

	j->flags = CU_MEMBER_OLD_BITS;
	j->bits = 4;
	j->old_size = 4;
	j->old_offset = 28;
	CHECK(!packed_struct(&s->cu, 4, 0));
}
