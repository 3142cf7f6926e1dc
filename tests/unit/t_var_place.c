/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place.c - the variables of members in the linked file, by its symbol table */
#include "base/cleanup.h"
#include "tests/lib/placing.h"

/* --- global variables --- */

TEST(a_global_variable_is_where_its_symbol_is)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	global(&s, "g", s.data, 0x40, 8);
	unit(&s, "a.c");
	home(&s, ".data");
	gvar(&s, "g", 0x10, 8);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_EQ(nr_notes(&s), 0);
}

TEST(an_overridden_definition_comes_to_lie_on_the_other)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "weak.c");
	local(&s, "beside", s.data, 0x24, 4);
	global(&s, "g", s.bss, 0x80, 4);
	unit(&s, "weak.c");
	home(&s, ".data");
	gvar(&s, "g", 0, 4);
	svar(&s, "beside", 4, 4);
	unit(&s, "strong.c");
	home(&s, ".bss");
	gvar(&s, "g", 0, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.bss, 0x80);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 1, 0, s.bss, 0x80);
}

TEST(a_global_variable_without_a_symbol_was_discarded)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "kept", s.data, 0x20, 4);
	any_symbol(&s, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_UNDEF, 0, 0);
	any_symbol(&s, "gone", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), s.data, BASE + 0x24, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "kept", 0, 4);
	home(&s, ".data.gone");
	gvar(&s, "gone", 0, 4);
	gvar(&s, "elsewhere", 4, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 2, NOWHERE, 0);
	CHECK_EQ(nr_notes(&s), 1);
	CHECK_EQ(s.diags.first->level, DIAG_VERBOSE);
	CHECK(strstr(s.diags.first->text, "'.data.gone': 2 variables"));
}

/* objcopy --redefine-sym */
TEST(a_renamed_global_variable_is_where_its_home_says)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "kept", s.data, 0x20, 4);
	global(&s, "other", s.data, 0x24, 4);
	global(&s, "beside", s.bss, 0x40, 4);
	global(&s, "another", s.bss, 0x48, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "kept", 0, 4);
	gvar(&s, "renamed", 4, 4);
	home(&s, ".bss");
	gvar(&s, "beside", 0, 4);
	gvar(&s, "renamed_too", 8, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 0, 3, s.bss, 0x48);
	CHECK_EQ(nr_notes(&s), 0);
}

TEST(a_hidden_variable_is_local_in_the_table)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "own", s.data, 0x20, 4);
	local(&s, "by_lld", s.data, 0x28, 4);
	file(&s, "b.c");
	local(&s, "by_lld", s.data, 0x48, 4); /* a static one of another unit */
	local(&s, "by_ld", s.data, 0x50, 4);
	file(&s, "");
	local(&s, "by_ld", s.data, 0x60, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "own", 0, 4);
	gvar(&s, "by_lld", 8, 4);
	gvar(&s, "by_ld", 0x40, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 1, s.data, 0x28);
	CHECK_PLACE(&s, 0, 2, s.data, 0x60);
}

/* --- static variables --- */

TEST(a_static_variable_is_in_the_group_of_its_file)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "b.c");
	local(&s, "debug", s.data, 0x20, 4);
	file(&s, "a.c");
	local(&s, "debug", s.data, 0x40, 4);
	/* only one of each: no order tells */
	small_unit(&s, "a.c", "debug", 4);
	small_unit(&s, "b.c", "debug", 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 1, 0, s.data, 0x20);
}

TEST(a_home_moves_as_a_whole)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "y", s.data, 0x28, 4);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x40, 4);
	local(&s, "y", s.data, 0x44, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "x", 0, 4);
	svar(&s, "y", 4, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "x", 0, 4);
	svar(&s, "y", 8, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 0, 1, s.data, 0x44);
	CHECK_PLACE(&s, 1, 0, s.data, 0x20);
	CHECK_PLACE(&s, 1, 1, s.data, 0x28);
}

TEST(a_symbol_may_be_larger_than_the_type_but_not_smaller)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "flexible", s.data, 0x20, 4);
	file(&s, "a.c");
	local(&s, "flexible", s.data, 0x40, 64);
	small_unit(&s, "a.c", "flexible", 16);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
}

TEST(a_symbol_is_as_long_as_the_object_has_said)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "ready", s.data, 0x20, 4);
	file(&s, "a.c");
	local(&s, "ready", s.data, 0x40, 1);
	small_unit(&s, "a.c", "ready", 4);
	s.btfs[0].vars.items[0].symbol_size = 1;
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_EQ(s.btfs[0].vars.items[0].size, 4);
}

/* The linker has left out another variable, so what is likely is not enough. */
TEST(a_symbol_of_the_size_that_the_object_has_said_is_no_reason_for_doubt)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "kept", s.data, 0x10, 4);
	file(&s, "b.c");
	local(&s, "ready", s.data, 0x40, 1);
	small_unit(&s, "a.c", "kept", 4);
	home(&s, ".bss");
	svar(&s, "ready", 0, 4);
	small_unit(&s, "b.c", "ready", 4);
	s.btfs[1].vars.items[0].symbol_size = 1;
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x10);
	CHECK_PLACE(&s, 1, 0, s.data, 0x40);
}

TEST(a_variable_in_parts_is_where_the_first_one_is)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "both.1", s.data, 0x20, 8);
	local(&s, "both.0", s.data, 0x28, 8);
	file(&s, "b.c");
	local(&s, "both", s.data, 0x40, 16);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, i ? "b.c" : "a.c");
		home(&s, ".data");
		svar(&s, "both", 0, 16);
	}
	s.btfs[0].vars.items[0].symbol = id_of(&s, "both.0");
	s.btfs[0].vars.items[0].symbol_size = 8;
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x28);
	CHECK_PLACE(&s, 1, 0, s.data, 0x40);
}

/* What stands there is a part, and not what pahole 1.31 looks for in a linked file, too. */
TEST(at_the_start_of_a_linked_section_a_variable_in_parts_is_none)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "both.0", s.data, 0, 8);
	unit(&s, "a.c");
	home(&s, ".data");
	svar(&s, "both", 0, 16);
	s.btfs[0].vars.items[0].symbol = id_of(&s, "both.0");
	s.btfs[0].vars.items[0].symbol_size = 8;
	place(&s);
	CHECK_PLACE(&s, 0, 0, NOWHERE, 0);
}

TEST(all_homes_of_a_unit_are_in_one_group)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "here", s.bss, 0x20, 4);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x10, 4);
	local(&s, "there", s.bss, 0x40, 4);
	/* against the order of the places */
	small_unit(&s, "a.c", "x", 4);
	home(&s, ".bss");
	svar(&s, "here", 0, 4);
	small_unit(&s, "a.c", "x", 4);
	home(&s, ".bss");
	svar(&s, "there", 0, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, s.bss, 0x20);
	CHECK_PLACE(&s, 1, 0, s.data, 0x10);
	CHECK_PLACE(&s, 1, 1, s.bss, 0x40);
}

TEST(global_variables_say_where_their_neighbours_are)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x44, 4);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x24, 4);
	global(&s, "first", s.data, 0x40, 4);
	global(&s, "second", s.data, 0x20, 4);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, "a.c");
		home(&s, ".data");
		gvar(&s, i ? "second" : "first", 0, 4);
		svar(&s, "x", 4, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 1, s.data, 0x44);
	CHECK_PLACE(&s, 1, 1, s.data, 0x24);
}

/* --- sections --- */

TEST(what_lies_in_no_wanted_section_is_left_out_without_a_word)
{
	const bool wanted[8] = { [2] = true };
	CLEANUP(scene_release) struct scene s = { .wanted = wanted };

	begin(&s);
	CHECK_EQ(s.bss, 2);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "y", s.bss, 0x20, 4);
	file(&s, "b.c");
	local(&s, "x", s.data, 0x40, 4);
	global(&s, "g", s.data, 0x30, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	gvar(&s, "g", 0x10, 4);
	svar(&s, "x", 0, 4);
	home(&s, ".bss");
	svar(&s, "y", 0, 4);
	small_unit(&s, "b.c", "x", 4);
	small_unit(&s, "b.c", "x", 4); /* one of the two */
	place(&s);
	CHECK_PLACE(&s, 0, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 2, s.bss, 0x20);
	CHECK_EQ(nr_notes(&s), 0);
}

TEST(in_a_relocatable_file_values_are_offsets)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin_type(&s, ET_REL);
	file(&s, "a.c");
	local(&s, "x", s.bss, 0x20, 4);
	global(&s, "g", s.data, 0x40, 4);
	global(&s, "common", SHN_COMMON, 0x10, 4);
	global(&s, "beyond", s.data, SIZE, 4);
	unit(&s, "a.c");
	home(&s, ".bss");
	svar(&s, "x", 0, 4);
	home(&s, ".data");
	gvar(&s, "g", 0, 4);
	gvar(&s, "common", 8, 4);
	gvar(&s, "beyond", 16, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.bss, 0x20);
	CHECK_PLACE(&s, 0, 1, s.data, 0x40);
	CHECK_PLACE(&s, 0, 2, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 3, NOWHERE, 0);
}

TEST(the_first_section_that_has_the_address_counts)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* .tbss has addresses, but takes none; the section behind it is not loaded */
	uint32_t tbss = nobits(&s, ".tbss", BASE + 2 * SIZE, 0x100);
	uint32_t late = nobits(&s, ".late", BASE + 2 * SIZE, 0x1000);
	uint32_t inner = nobits(&s, ".inner", BASE + 2 * SIZE + 0x80, 0x10);
	uint32_t notes = (uint32_t)make_data(&s.m, ".comment", make_fill(0x40, 1));
	static const char *const names[] = { "a", "b", "c", "d" };

	global(&s, "a", late, 0x10, 4);
	global(&s, "b", late, 0x100, 4);
	global(&s, "c", inner, 0x8, 4);
	global(&s, "d", notes, 0x8, 4);
	unit(&s, NULL);
	home(&s, ".late");
	for (uint32_t i = 0; i < ARRAY_SIZE(names); i++)
		gvar(&s, names[i], 8 * i, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, tbss, 0x10);
	CHECK_PLACE(&s, 0, 1, late, 0x100);
	CHECK_PLACE(&s, 0, 2, tbss, 0x88);
	CHECK_PLACE(&s, 0, 3, NOWHERE, 0);
}

TEST(at_the_start_of_a_section_a_variable_needs_its_symbol)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	global(&s, "object", s.data, 0, 4);
	any_symbol(&s, "label", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), s.bss, BASE + SIZE, 0);
	any_symbol(&s, "later", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), s.bss, BASE + SIZE + 8, 0);
	unit(&s, "a.c");
	home(&s, ".data");
	gvar(&s, "object", 0, 4);
	gvar(&s, "label", 8, 4);
	gvar(&s, "later", 16, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 2, s.bss, 8);
}

TEST(a_variable_must_end_within_four_gigabytes)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	global(&s, "long", s.data, 8, 4);
	global(&s, "just", s.data, 16, 4);
	unit(&s, "a.c");
	home(&s, ".data");
	gvar(&s, "long", 0, UINT32_MAX - 7);
	gvar(&s, "just", 8, UINT32_MAX - 16);
	place(&s);
	CHECK_PLACE(&s, 0, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 1, s.data, 16);
}

/* --- many --- */

TEST(ten_thousand_that_are_alike_take_no_longer_than_others)
{
	enum { NR = 10000 };
	struct unit_btf *btfs = test_keep(mem_zalloc(NR, sizeof(*btfs)));
	struct place_unit *units = test_keep(mem_zalloc(NR, sizeof(*units)));
	struct place_home *homes = test_keep(mem_zalloc(NR, sizeof(*homes)));
	struct unit_var *vars = test_keep(mem_zalloc(NR, sizeof(*vars)));
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < NR; i++) {
		/* a prime with NR: groups are in no order */
		file(&s, "a.c");
		local(&s, "debug", s.data, 4 + 4 * (i * 3 % NR), 4);
		vars[i] = (struct unit_var){ .name = id_of(&s, "debug"),
					     .symbol = id_of(&s, "debug"),
					     .size = 4 };
		btfs[i].unit = i;
		btfs[i].vars.items = &vars[i];
		btfs[i].vars.nr = 1;
		units[i] = (struct place_unit){ &btfs[i], "a.c" };
		homes[i] = (struct place_home){ i, id_of(&s, ".data"), 0, 1 };
	}
	make_symtab(&s.m);
	CHECK_OK(object_open(make_file(make_bytes(&s.m)), &s.obj));
	CHECK_OK(symbols_read(&s.obj, &s.syms));
	const struct omission_log log = { .diags = &s.diags, .strings = &s.strings };

	var_place(units, NR, homes, NR, &s.obj, &s.syms, &s.strings, NULL, &log);
	for (uint32_t i = 0; i < NR; i++)
		CHECK(!vars[i].dropped && vars[i].offset == 4 + 4 * i);
}
