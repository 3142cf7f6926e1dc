/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place.c - the places of members' variables in the linked file, by its symbol table */
#include "tests/lib/placing.h"

/* --- global variables --- */

SCENE(a_global_variable_is_where_its_symbol_is, "+g@d40/8", "a.c| .data +g@10/8>d40 !0")

SCENE(an_overridden_definition_comes_to_lie_on_the_other, "weak.c: beside@d24 +g@b80",
      "weak.c| .data +g@0>b80 beside@4>d24  strong.c| .bss +g@0>b80")

TEST_WITH(a_global_variable_without_a_symbol_was_discarded, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: kept@d20",
		  "a.c| .data kept@0>d20 .data.gone +gone@0>- +elsewhere@4>- !1");
	scene_symbol(s, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_UNDEF, 0, 0);
	scene_symbol(s, "gone", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), s->sections['d'], BASE + 0x24,
		     4);
	scene_check(s);
	CHECK_EQ(s->diags.first->level, DIAG_VERBOSE);
	CHECK(strstr(s->diags.first->text, "'.data.gone': 2 variables"));
}

/* objcopy --redefine-sym */
SCENE(a_renamed_global_variable_is_where_its_home_says,
      "a.c: kept@d20 +other@d24 +beside@b40 +another@b48",
      "a.c| .data kept@0 +renamed@4>d24 .bss +beside@0 +renamed_too@8>b48 !0")

/* The symbol that b.c has is its own static variable. */
SCENE(a_hidden_variable_is_local_in_the_table,
      "a.c: own@d20 by_lld@d28  b.c: by_lld@d48 by_ld@d50  : by_ld@d60",
      "a.c| .data own@0 +by_lld@8>d28 +by_ld@40>d60")

/* --- static variables --- */

/* One of each, so that there is no order. */
SCENE(a_static_variable_is_in_the_group_of_its_file, "b.c: debug@d20  a.c: debug@d40",
      "a.c| .data debug@0>d40  b.c| .data debug@0>d20")

SCENE(a_home_moves_as_a_whole, "a.c: x@d20 y@d28  a.c: x@d40 y@d44",
      "a.c| .data x@0>d40 y@4>d44  a.c| .data x@0>d20 y@8>d28")

SCENE(a_symbol_may_be_larger_than_the_type_but_not_smaller,
      "a.c: flexible@d20  a.c: flexible@d40/40", "a.c| .data flexible@0/10>d40")

TEST_WITH(a_symbol_has_the_size_that_it_has_in_the_object, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: ready@d20  a.c: ready@d40/1", "a.c| .data ready(ready/1)@0>d40");
	scene_check(s);
	CHECK_EQ(s->btfs[0].vars.items[0].size, 4);
}

/* The linker has discarded another variable, so that likeness is not enough. */
SCENE(a_symbol_of_the_size_that_it_has_in_the_object_is_no_reason_for_doubt,
      "a.c: kept@d10  b.c: ready@d40/1",
      "a.c| .data kept@0>d10 .bss ready@0  b.c| .data ready(ready/1)@0>d40")

SCENE(a_variable_in_parts_is_where_the_first_one_is,
      "a.c: both.1@d20/8 both.0@d28/8  b.c: both@d40/10",
      "a.c| .data both(both.0/8)@0/10>d28  b.c| .data both@0/10>d40")

/* Only a part is there, and pahole 1.31 looks for a symbol of the variable's name. */
SCENE(at_the_start_of_a_linked_section_a_variable_in_parts_is_none, "a.c: both.0@d0/8",
      "a.c| .data both(both.0/8)@0/10>-")

/* The places have the opposite order. */
SCENE(all_homes_of_a_unit_are_in_one_group, "a.c: x@d20 here@b20  a.c: x@d10 there@b40",
      "a.c| .data x@0>d20 .bss here@0>b20  a.c| .data x@0>d10 .bss there@0>b40")

SCENE(global_variables_say_where_their_neighbours_are,
      "a.c: x@d44  a.c: x@d24 +first@d40 +second@d20",
      "a.c| .data +first@0 x@4>d44  a.c| .data +second@0 x@4>d24")

/* --- sections --- */

/* Of the last two units only one has the symbol. */
TEST(what_lies_in_no_wanted_section_is_dropped_without_a_message)
{
	const bool wanted[8] = { [2] = true };
	CLEANUP(scene_release) struct scene s = { .wanted = wanted };

	scene_begin(&s, ET_EXEC);
	CHECK_EQ(s.sections['b'], 2);
	scene_add(&s, "a.c: x@d20 y@b20  b.c: x@d40 +g@d30",
		  "a.c| .data +g@10>- x@0>- .bss y@0>b20  b.c| .data x@0  b.c| .data x@0 !0");
	scene_check(&s);
}

TEST_WITH(in_a_relocatable_file_values_are_offsets, scene, s)
{
	scene_begin(s, ET_REL);
	s->sections['c'] = SHN_COMMON;
	scene_add(s, "a.c: x@b20 +g@d40 +common@c10 +beyond@d10000",
		  "a.c| .bss x@0>b20 .data +g@0>d40 +common@8>- +beyond@10>-");
	scene_check(s);
}

/* .tbss has addresses but occupies none; .comment, which follows it in the file, is not loaded. */
TEST_WITH(the_first_section_that_has_the_address_counts, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_section(s, 't', ".tbss", BASE + 2 * SIZE, 0x100);
	scene_section(s, 'l', ".late", BASE + 2 * SIZE, 0x1000);
	scene_section(s, 'i', ".inner", BASE + 2 * SIZE + 0x80, 0x10);
	s->sections['n'] = (uint32_t)make_data(&s->m, ".comment", make_fill(0x40, 1));
	scene_add(s, "+a@l10 +b@l100 +c@i8 +d@n8", "| .late +a@0>t10 +b@8>l100 +c@10>t88 +d@18>-");
	scene_check(s);
}

SCENE(at_the_start_of_a_section_a_variable_needs_its_symbol, "+object@d0 +?label@b0/0 +?later@b8/0",
      "a.c| .data +object@0>d0 +label@8>- +later@10>b8")

SCENE(a_variable_must_end_within_four_gigabytes, "+long@d8 +just@d10",
      "a.c| .data +long@0/fffffff8>- +just@8/ffffffef>d10")

/* --- many --- */

TEST(ten_thousand_that_are_alike_take_no_longer_than_others)
{
	enum { NR = 10000 };
	struct unit_btf *btfs = test_keep(mem_zalloc(NR, sizeof(*btfs)));
	struct place_unit *units = test_keep(mem_zalloc(NR, sizeof(*units)));
	struct place_home *homes = test_keep(mem_zalloc(NR, sizeof(*homes)));
	struct unit_var *vars = test_keep(mem_zalloc(NR, sizeof(*vars)));
	CLEANUP(scene_release) struct scene s = { 0 };

	scene_begin(&s, ET_EXEC);
	for (uint32_t i = 0; i < NR; i++) {
		/* 3 has no factor in common with NR: the groups are in no order */
		scene_add(&s, make_text("a.c: debug@d%x", 4 + 4 * (i * 3 % NR)), "");
		vars[i] = (struct unit_var){ .name = scene_name(&s, "debug"),
					     .symbol = scene_name(&s, "debug"),
					     .size = 4 };
		btfs[i].unit = i;
		btfs[i].vars.items = &vars[i];
		btfs[i].vars.nr = 1;
		units[i] = (struct place_unit){ &btfs[i], "a.c" };
		homes[i] = (struct place_home){ i, scene_name(&s, ".data"), 0, 1 };
	}
	make_symtab(&s.m);
	CHECK_OK(object_open(make_file(make_bytes(&s.m)), &s.obj));
	CHECK_OK(symbols_read(&s.obj, &s.syms));
	const struct omission_log log = { .diags = &s.diags, .strings = &s.strings };

	var_place(units, NR, homes, NR, &s.obj, &s.syms, &s.strings, NULL, &log);
	for (uint32_t i = 0; i < NR; i++)
		CHECK(!vars[i].dropped && vars[i].offset == 4 + 4 * i);
}

/* --- merged constants, several objects in a unit, a table without files --- */

SCENE(merged_constants_stand_for_themselves, "a.c: one@d40 two@d20  b.c: one@d40 three@d24",
      "a.c| .rodata.cst4 one@0>d40 two@4>d20  b.c| .rodata.cst4 one@0>d40 three@4>d24")

SCENE(a_table_without_files_has_places, "x@d44 y@d40 x@d20 y@d24 debug@b30 debug@b10",
      "a.c| .data x@0>d20 y@4>d24 .bss debug@0>b10 "
      "a.c| .data x@4>d44 y@0>d40 .bss debug@0>b30")

/* Made with "ld -r": its homes have variables of both. */
SCENE(a_unit_of_several_objects_has_several_groups, "a.c: x@d20 only_a@b40  b.c: x@d30 only_b@b50",
      "| .data x@0>d20 x@10>d30 .bss only_a@0>b40 only_b@10>b50")

/* Of b.c and c.c. */
SCENE(what_belongs_to_another_unit_is_no_homes_own,
      "a.c: x@d20  b.c: x@d40 only_b@b40  c.c: only_c@b60",
      "a.c| .data x@0>d20  | .data.of_both x@0>d40 .bss only_b@0>b40 only_c@20>b60")

SCENE(merged_constants_need_a_name_of_their_own_in_a_table_without_files, "one@d40 two@d20",
      "| .rodata.cst4 one@0>-  | .rodata.cst4 one@0>- two@4>d20")

SCENE(a_renamed_constant_that_was_merged_is_nowhere, "+one@d40",
      "| .rodata.cst4 +one@0>d40 renamed@4>-")

SCENE(a_renamed_variable_is_where_its_home_says,
      "a.c: x.llvm.123@d24 beside@b40 y.llvm.123@b44 +g@d20",
      "a.c| .data +g@0 x@4>d24 .bss beside@0 y@4>b44")
