/* SPDX-License-Identifier: GPL-2.0-only */
/* t_guess_places.c - variables of members without addresses, found by the symbols of the linked file */
#include "tests/lib/placing.h"

/* --- global variables --- */

SCENE(a_global_variable_is_where_its_symbol_is, "+g@d40/8", "a.c| .data +g@10/8>d40 !0")

SCENE(an_overridden_definition_is_where_the_other_one_is, "weak.c: beside@d24 +g@b80",
      "weak.c| .data +g@0>b80 beside@4>d24  strong.c| .bss +g@0>b80")

TEST_WITH(a_global_variable_without_a_symbol_was_discarded, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: kept@d20",
		  "a.c| .data.gone +gone@0>- +elsewhere@4>- .data kept@0>d20 !1");
	scene_symbol(s, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_UNDEF, 0, 0);
	scene_symbol(s, "gone", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), s->sections['d'], BASE + 0x24,
		     4);
	scene_check(s);
	CHECK_EQ(s->diags.first->level, DIAG_VERBOSE);
	CHECK(strstr(s->diags.first->text, "'.data.gone': 2 variables"));
}

/* The symbol that b.c has is its own static variable. */
SCENE(a_global_variable_may_have_become_local,
      "a.c: own@d20 by_lld@d28  b.c: by_lld@d48 by_ld@d50  : by_ld2@d60",
      "a.c| .data own@0>d20 +by_lld@8>d28 .data2 +by_ld2@0>d60  b.c| .data by_lld@0 by_ld@8>d50")

/* A symbol of another unit's group is not it. */
SCENE(a_global_variable_that_became_local_is_not_in_the_group_of_another_unit,
      "b.c: x@d20 y@d24 z@d28", "b.c| .data x@0 y@4>d24 z@8>d28  a.c| .data +x@0>-")

SCENE(a_global_variable_that_became_local_is_not_one_of_two_symbols, "b.c: x@d20  : x@d24",
      "a.c| .data +x@0>- !2")

/* --- static variables --- */

/* The name of a unit is not known. */
SCENE(a_static_variable_is_at_the_only_symbol_of_its_name, "b.c: x@d20  a.c: y@d40",
      "| .data x@0>d20  | .data y@8>d40 !0")

/* As gcc names its units. */
SCENE(the_name_of_the_file_decides_between_groups_that_fit_alike, "b.c: x@d20  a.c: x@d40",
      "dir/a.c| .data x@0>d40  b.c| .data x@0>d20 !0")

SCENE(the_name_of_the_file_is_less_than_a_variable, "a.c: x@d20  b.c: x@d40 y@d44",
      "a.c| .data x@0>d40 y@4>d44  b.c| .data x@0>d20 !0")

SCENE(a_section_moves_as_a_whole, "a.c: x@d20 y@d28  a.c: x@d40 y@d44",
      "a.c| .data x@0>d40 y@4>d44  a.c| .data x@0>d20 y@8>d28")

SCENE(a_unit_gets_what_the_others_leave, "a.c: debug@d40  a.c: debug@d60 name@d68",
      "a.c| .data debug@0>d40  a.c| .data debug@0>d60 name@8>d68 !0")

SCENE(a_symbol_may_be_larger_than_the_type_but_not_smaller,
      "a.c: flexible@d20  a.c: flexible@d40/40", "a.c| .data flexible@0/10>d40")

SCENE(a_symbol_of_the_size_of_the_type_is_better_than_a_larger_one, "a.c: x@d20/40  a.c: x@d80/10",
      "a.c| .data x@0/10>d80  a.c| .data x@0/40>d20")

/* The places have the opposite order. */
SCENE(all_sections_of_a_unit_are_in_one_group, "a.c: x@d20 here@b20  a.c: x@d10 there@b40",
      "a.c| .data x@0>d20 .bss here@0>b20  a.c| .data x@0>d10 .bss there@0>b40")

SCENE(global_variables_must_be_at_the_same_distance,
      "a.c: x@d44  a.c: x@d24 +first@d40 +second@d20",
      "a.c| .data +first@0 x@4>d44  a.c| .data +second@0 x@4>d24")

/* The "x" of a.c lies where the first section would fit, had it the symbol "gone". */
SCENE(a_section_with_a_global_variable_that_has_no_symbol_was_discarded, "a.c: x@d20",
      "| .data x@0>- +gone@4>-  | .data x@0>d20")

SCENE(where_a_definition_was_overridden_the_others_are_found, "a.c: x@d24 +w@b40",
      "| .data +w@0>b40 x@4>d24  | .bss +w@0>b40")

SCENE(one_of_a_section_that_does_not_fit_is_found_in_the_group_of_the_unit,
      "a.c: x@d20 here@b20  b.c: x@d40 split@d44 there@b40",
      "| .data x@0>d20 split@4>- .bss here@0>b20  | .data x@0>d40 split@4>d44 .bss there@0")

/* A member of gcc has no offsets; and a variable that no section lists has no known section. */
SCENE(without_a_section_each_variable_is_looked_up_alone, "a.c: x@d24 y@d20 z@b8  a.c: x@d40 w@b0",
      "| . x@0>d24 y@0>d20 z@0>b8  | . x@0>d40 w@0>b0")

/* As "ld -r" makes it: its section has variables of both. */
SCENE(a_section_of_several_objects_is_left_out, "a.c: x@d20 y@d24  b.c: z@d30",
      "| .data x@0>- y@4>- z@10>-")

SCENE(a_table_without_files_has_places_of_single_variables, "x@d44 y@b40 debug@b30 debug@b10",
      "| .data x@0>d44 .bss.y y@0>b40 .bss debug@0>-  | .bss debug@0>-")

/* --- no address is better than a wrong one --- */

TEST_WITH(units_whose_variables_are_alike_are_left_out, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: debug@d20  a.c: debug@d40",
		  "u0| .data debug@0>-  u1| .data debug@0>- !3");
	scene_check(s);
	const struct diagnostic *d = s->diags.first;

	CHECK_EQ(d->level, DIAG_VERBOSE);
	CHECK(strstr(d->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(d->next->text, "unit 'u1': variable 'debug' left out"));
	CHECK_EQ(d->next->next->level, DIAG_WARNING);
	CHECK(strstr(d->next->next->text, ": 2 variables left out"));
	CHECK(strstr(d->next->next->text, "first 'debug'"));
}

SCENE(of_two_that_fit_one_was_discarded, "a.c: debug@d20",
      "| .data debug@0>-  | .data debug@0>- !3")

SCENE(the_better_one_of_two_that_fit_was_kept, "a.c: debug@d20 name@d24",
      "| .data debug@0>-  | .data debug@0>d20 name@4>d24")

SCENE(a_section_whose_symbols_are_at_other_distances_was_discarded, "other.c: x@d40 y@d60",
      "| .data x@0>- y@4>-")

SCENE(two_symbols_of_one_name_in_a_group_are_not_decided, "a.c: kept@d20 alike@d60 alike@d80",
      "| .data kept@0>d20 .bss alike@0>-")

/* The vote of the first unit must not move it to where it fits once the second one has its group. */
SCENE(what_one_unit_has_is_no_other_units, "a.c: x@d20 only@d24",
      "| .data x@0>d20 only@4>d24  | .data x@0>-")

/* Its variables have addresses, and it has no homes. */
TEST_WITH(the_group_of_a_unit_with_addresses_is_not_guessed, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: x@d20 y@d24", "known| y@24  known| x@20  | .data x@0>-");
	for (size_t i = 0; i < 2; i++)
		s->a.units.items[i].btf.vars.items[0].section = s->sections['d'];
	scene_check(s);
	for (size_t i = 0; i < 2; i++)
		CHECK(!s->a.units.items[i].btf.vars.items[0].dropped);
}

/* Their names are as frequent as a vote looks at. */
TEST(ten_thousand_that_are_alike_take_no_longer_than_others)
{
	enum { NR = 10000, MAX_TRIES = 128 };
	CLEANUP(scene_release) struct scene s = { 0 };
	struct unit_btf *last = NULL;

	scene_begin(&s, ET_EXEC);
	s.unchecked = true;
	for (uint32_t i = 0; i < NR; i++) {
		const char *name = make_text("debug%u", i / MAX_TRIES);

		scene_add(&s, make_text("a.c: %s@d%x", name, 4 + 4 * i), "");
		/* one unit has them all, and each of the others has one */
		if (!i || i >= MAX_TRIES)
			vec_push(&s.a.units,
				 ((struct assembly_unit){ .btf.unit = (uint32_t)s.a.units.nr }));
		last = &s.a.units.items[i < MAX_TRIES ? 0 : s.a.units.nr - 1].btf;
		vec_push(&last->homes, ((struct input_section){ scene_name(&s, ".data"),
								(uint32_t)last->vars.nr, 1 }));
		vec_push(&last->vars,
			 ((struct unit_var){ .name = scene_name(&s, name), .size = 4 }));
	}
	scene_check(&s);
	CHECK(last && last->vars.items[0].dropped);
}

/* --- sections --- */

/* Of the last two units only one has the symbol. */
TEST_WITH(what_lies_in_no_wanted_section_is_dropped_without_a_message, scene, s)
{
	scene_begin(s, ET_EXEC);
	s->unwanted[s->sections['d']] = true;
	scene_add(s, "a.c: x@d20 y@b20  b.c: x@d40 +g@d30",
		  "a.c| .data +g@10>- x@0>- .bss y@0>b20  b.c| .data x@0  b.c| .data x@0 !0");
	scene_check(s);
}

TEST_WITH(variables_of_a_section_may_stand_apart, scene, s)
{
	bool apart[256] = { 0 };

	scene_begin(s, ET_EXEC);
	apart[s->sections['b']] = true;
	s->apart = apart;
	scene_add(s, "a.c: x@d20 y@b20", "a.c| .bss y@0>b20 .data x@0>d20");
	scene_check(s);
	CHECK(s->a.units.items[0].btf.vars.items[0].apart);
	CHECK(!s->a.units.items[0].btf.vars.items[1].apart);
}

TEST_WITH(in_a_relocatable_file_values_are_offsets, scene, s)
{
	scene_begin(s, ET_REL);
	s->sections['c'] = SHN_COMMON;
	scene_add(s, "a.c: x@b20 +g@d40 +common@c10 +beyond@d10000",
		  "a.c| .bss x@0>b20 .data +g@0>d40 +common@8>- +beyond@10>-");
	scene_check(s);
}

/* .tbss has addresses but occupies none. */
TEST_WITH(the_first_section_that_has_the_address_counts, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_section(s, 't', ".tbss", BASE + 2 * SIZE, 0x100);
	s->m.sections[s->sections['t']].flags |= SHF_TLS;
	scene_section(s, 'l', ".late", BASE + 2 * SIZE, 0x1000);
	s->sections['n'] = (uint32_t)make_data(&s->m, ".comment", make_fill(0x40, 1));
	scene_add(s, "+a@l10 +b@l100 +d@n8", "| .late +a@0>t10 +b@8>l100 +d@18>-");
	scene_check(s);
}

SCENE(at_the_start_of_a_section_a_variable_needs_its_symbol, "+object@d0 +?label@b0/0 +?later@b8/0",
      "a.c| .data +object@0>d0 +label@8>- +later@10>b8")

SCENE(a_variable_must_end_within_four_gigabytes, "+long@d8 +just@d10",
      "a.c| .data +long@0/fffffff8>- +just@8/ffffffef>d10")

TEST_WITH(without_local_symbols_there_is_a_warning, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "+g@d20", "a.c| .data +g@0>d20 .bss x@0>- !2");
	scene_check(s);
	CHECK_EQ(s->diags.first->next->level, DIAG_WARNING);
	CHECK(strstr(s->diags.first->next->text, "has no local symbols"));
}
