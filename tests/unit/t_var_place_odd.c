/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place_odd.c - merged constants, several objects in a unit, a table without files */
#include "base/cleanup.h"
#include "tests/lib/placing.h"

TEST(merged_constants_stand_for_themselves)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "one", s.data, 0x40, 4);
	local(&s, "two", s.data, 0x20, 4);
	file(&s, "b.c");
	local(&s, "one", s.data, 0x40, 4);
	local(&s, "three", s.data, 0x24, 4);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, i ? "b.c" : "a.c");
		home(&s, ".rodata.cst4");
		svar(&s, "one", 0, 4);
		svar(&s, i ? "three" : "two", 4, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 0, 1, s.data, 0x20);
	CHECK_PLACE(&s, 1, 0, s.data, 0x40);
	CHECK_PLACE(&s, 1, 1, s.data, 0x24);
}

TEST(a_table_without_files_has_places)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	local(&s, "x", s.data, 0x44, 4);
	local(&s, "y", s.data, 0x40, 4);
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "y", s.data, 0x24, 4);
	local(&s, "debug", s.bss, 0x30, 4);
	local(&s, "debug", s.bss, 0x10, 4);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, "a.c");
		home(&s, ".data");
		svar(&s, "x", i ? 4 : 0, 4);
		svar(&s, "y", i ? 0 : 4, 4);
		home(&s, ".bss");
		svar(&s, "debug", 0, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 0, 2, s.bss, 0x10);
	CHECK_PLACE(&s, 1, 0, s.data, 0x44);
	CHECK_PLACE(&s, 1, 1, s.data, 0x40);
	CHECK_PLACE(&s, 1, 2, s.bss, 0x30);
}

TEST(a_unit_of_several_objects_has_several_groups)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* made with "ld -r": its homes have variables of both */
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "only_a", s.bss, 0x40, 4);
	file(&s, "b.c");
	local(&s, "x", s.data, 0x30, 4);
	local(&s, "only_b", s.bss, 0x50, 4);
	unit(&s, NULL);
	home(&s, ".data");
	svar(&s, "x", 0, 4);
	svar(&s, "x", 0x10, 4);
	home(&s, ".bss");
	svar(&s, "only_a", 0, 4);
	svar(&s, "only_b", 0x10, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, s.data, 0x30);
	CHECK_PLACE(&s, 0, 2, s.bss, 0x40);
	CHECK_PLACE(&s, 0, 3, s.bss, 0x50);
}

TEST(what_belongs_to_another_unit_is_no_homes_own)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	file(&s, "b.c");
	local(&s, "x", s.data, 0x40, 4);
	local(&s, "only_b", s.bss, 0x40, 4);
	file(&s, "c.c");
	local(&s, "only_c", s.bss, 0x60, 4);
	small_unit(&s, "a.c", "x", 4);
	unit(&s, NULL); /* of b.c and c.c */
	home(&s, ".data.of_both");
	svar(&s, "x", 0, 4);
	home(&s, ".bss");
	svar(&s, "only_b", 0, 4);
	svar(&s, "only_c", 0x20, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 1, 0, s.data, 0x40);
	CHECK_PLACE(&s, 1, 1, s.bss, 0x40);
	CHECK_PLACE(&s, 1, 2, s.bss, 0x60);
}

TEST(merged_constants_need_a_name_of_their_own_in_a_table_without_files)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	local(&s, "one", s.data, 0x40, 4);
	local(&s, "two", s.data, 0x20, 4);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, NULL);
		home(&s, ".rodata.cst4");
		svar(&s, "one", 0, 4);
		if (i)
			svar(&s, "two", 4, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 1, 1, s.data, 0x20);
}

TEST(a_renamed_constant_that_was_merged_is_nowhere)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	global(&s, "one", s.data, 0x40, 4);
	unit(&s, NULL);
	home(&s, ".rodata.cst4");
	gvar(&s, "one", 0, 4);
	svar(&s, "renamed", 4, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
}

TEST(a_renamed_variable_is_where_its_home_says)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x.llvm.123", s.data, 0x24, 4);
	local(&s, "beside", s.bss, 0x40, 4);
	local(&s, "y.llvm.123", s.bss, 0x44, 4);
	global(&s, "g", s.data, 0x20, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	gvar(&s, "g", 0, 4);
	svar(&s, "x", 4, 4);
	home(&s, ".bss");
	svar(&s, "beside", 0, 4);
	svar(&s, "y", 4, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 0, 3, s.bss, 0x44);
}
