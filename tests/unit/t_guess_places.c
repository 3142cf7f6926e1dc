/* SPDX-License-Identifier: GPL-2.0-only */
/* t_guess_places.c - variables of members without addresses, found by the symbols of the linked file */
#include "tests/lib/placing.h"

/* --- global variables --- */

SCENE(a_global_variable_is_where_its_symbol_is, "+g@d40/8", "a.c| .data +g/8>d40 !0")

SCENE(an_overridden_definition_is_where_the_other_one_is, "weak.c: beside@d24 +g@b80",
      "weak.c| .data +g>b80 beside>d24  strong.c| .bss +g>b80")

TEST_WITH(a_global_variable_without_a_symbol_was_discarded, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: kept@d20", "a.c| .data.gone +gone>- +elsewhere>- .data kept>d20 !1");
	scene_symbol(s, "elsewhere", ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE), SHN_UNDEF, 0, 0);
	scene_symbol(s, "gone", ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), s->sections['d'], BASE + 0x24,
		     4);
	scene_check(s);
	CHECK_EQ(s->diags.first->level, DIAG_VERBOSE);
	CHECK(strstr(s->diags.first->text, "'.data.gone': 2 variables"));
}

/* lld leaves the symbol in the group of the unit, ld moves it to a group of its own. */
SCENE(a_global_variable_may_have_become_local,
      "a.c: own@d20 by_lld@d28  b.c: by_lld@d48 by_ld@d50 other@d54  : by_ld2@d60",
      "a.c| .data own>d20 +by_lld>d28 .data2 +by_ld2>d60  b.c| .data by_lld by_ld>d50 other")

SCENE(a_global_variable_that_became_local_does_not_show_the_group, "a.c: x@d20  b.c: x@d24 +y@d28",
      "a.c| .data +x>-  b.c| .data x>- +y>d28 !3")

SCENE(a_global_variable_that_became_local_is_not_in_the_group_of_another_unit,
      "b.c: x@d20 y@d24 z@d28", "b.c| .data x>d20 y>d24 z>d28  a.c| .data +x>-")

SCENE(a_global_variable_that_became_local_is_not_one_of_two_symbols, "b.c: x@d20  : x@d24",
      "a.c| .data +x>- !2")

/* --- static variables --- */

/* The name of a unit is not known. */
SCENE(a_static_variable_is_at_the_only_symbol_of_its_name, "b.c: x@d20  a.c: y@d40",
      "| .data x>d20  | .data y>d40 !0")

SCENE(the_symbol_of_the_unit_s_group_is_that_of_several,
      "a.c: debug@d40 one@d44  a.c: debug@d60 two@b8",
      "a.c| .data debug>d60 .bss two>b8  a.c| .data debug>d40 one>d44 !0")

/* As "ld -r" makes it. */
SCENE(a_unit_may_have_several_groups, "a.c: x@d20 a@d24  b.c: y@d30 b@d34  c.c: x@d40 y@d44 c@d48",
      "| .data x>d20 a y>d30 b  | .data x>d40 y>d44 c !0")

SCENE(a_unit_with_two_symbols_of_a_name_in_its_groups_is_not_decided,
      "a.c: x@d20 a@d24  b.c: x@d30 b@d34", "| .data x>- a>d24 b>d34 !2")

SCENE(a_unit_with_two_variables_of_a_name_is_not_decided, "a.c: x@d20 a@d24  b.c: x@d30 b@d34",
      "| .data x>- a x>-  | .data b x>d30 !3")

SCENE(a_group_of_two_units_has_no_owner, "a.c: x@d20 a@d24 b@d28  b.c: x@d30",
      "| .data x>- a>d24  | .data x>- b>d28 !3")

SCENE(a_symbol_may_be_larger_than_the_type_but_not_smaller, "flexible@d40/40 small@d80/8",
      "a.c| .data flexible/10>d40 small/10>- !2")

SCENE(a_table_without_files_has_places_of_single_variables, "x@d44 y@b40 debug@b30 debug@b10",
      "| .data x>d44 .bss.y y>b40 .bss debug>-  | .bss debug>-")

/* A linker script may place the object of b.c first. */
SCENE(the_order_of_the_groups_does_not_count, "b.c: debug@d20  a.c: debug@d40",
      "a.c| .data debug>-  b.c| .data debug>- !3")

/* --- no address is better than a wrong one --- */

TEST_WITH(units_whose_variables_are_alike_are_left_out, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: debug@d20  a.c: debug@d40", "u0| .data debug>-  u1| .data debug>- !3");
	scene_check(s);
	const struct diagnostic *d = s->diags.first;

	CHECK_EQ(d->level, DIAG_VERBOSE);
	CHECK(strstr(d->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(d->next->text, "unit 'u1': variable 'debug' left out"));
	CHECK_EQ(d->next->next->level, DIAG_WARNING);
	CHECK(strstr(d->next->next->text, ": 2 variables left out"));
	CHECK(strstr(d->next->next->text, "first 'debug'"));
}

SCENE(of_two_one_was_discarded, "a.c: debug@d20", "| .data debug>-  | .data debug>- !3")

SCENE(a_variable_with_facts_shows_the_group_of_its_unit, "a.c: x@d20 y@d24  b.c: x@d40 z@d44",
      "| =x@d20 =y@d24  | .data x>d40 z>d44 !0")

SCENE(a_variable_with_facts_counts, "a.c: x@d20", "| =x@d20  | .data x>- !2")

SCENE(a_symbol_at_another_address_is_not_that_of_a_variable_with_facts, "a.c: x@d20 y@d24",
      "| =x@d28  | .data y>d24 x>d20 !0")

/* Ten thousand units of one name. */
TEST(many_that_are_alike_take_no_longer_than_others)
{
	enum { NR = 10000 };
	CLEANUP(scene_release) struct scene s = { 0 };
	struct unit_btf *last = NULL;

	scene_begin(&s, ET_EXEC);
	s.unchecked = true;
	for (uint32_t i = 0; i < NR; i++) {
		scene_add(&s, make_text("a.c: debug@d%x", 4 + 4 * i), "");
		vec_push(&s.a.units, ((struct assembly_unit){ .btf.unit = i }));
		last = &s.a.units.items[i].btf;
		vec_push(&last->unplaced,
			 ((struct unplaced_var){ .name = scene_name(&s, "debug"), .size = 4 }));
	}
	scene_check(&s);
	CHECK(last && !last->vars.nr && !last->unplaced.nr);
}

/* --- sections --- */

/* Of the last two units only one has the symbol. */
TEST_WITH(what_lies_in_no_wanted_section_is_dropped_without_a_message, scene, s)
{
	scene_begin(s, ET_EXEC);
	s->unwanted[s->sections['d']] = true;
	scene_add(s, "a.c: x@d20 y@b20  b.c: x@d40 +g@d30",
		  "a.c| .data +g>- x>- .bss y>b20  b.c| .data x>-  b.c| .data x>- !0");
	scene_check(s);
}

TEST_WITH(variables_of_a_section_may_stand_apart, scene, s)
{
	bool apart[256] = { 0 };

	scene_begin(s, ET_EXEC);
	apart[s->sections['b']] = true;
	s->apart = apart;
	scene_add(s, "a.c: x@d20 y@b20", "a.c| .bss y>b20 .data x>d20");
	scene_check(s);
	CHECK(s->a.units.items[0].btf.vars.items[0].apart);
	CHECK(!s->a.units.items[0].btf.vars.items[1].apart);
}

TEST_WITH(in_a_relocatable_file_values_are_offsets, scene, s)
{
	scene_begin(s, ET_REL);
	s->sections['c'] = SHN_COMMON;
	scene_add(s, "a.c: x@b20 +g@d40 +common@c10 +beyond@d10000",
		  "a.c| .bss x>b20 .data +g>d40 +common>- +beyond>-");
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
	scene_add(s, "+a@l10 +b@l100 +d@n8", "| .late +a>t10 +b>l100 +d>-");
	scene_check(s);
}

SCENE(at_the_start_of_a_section_a_variable_needs_its_symbol, "+object@d0 +?label@b0/0 +?later@b8/0",
      "a.c| .data +object>d0 +label>- +later>b8")

SCENE(a_variable_must_end_within_four_gigabytes, "+long@d8 +just@d10",
      "a.c| .data +long/fffffff8>- +just/ffffffef>d10")

TEST_WITH(without_local_symbols_there_is_a_warning, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "+g@d20", "a.c| .data +g>d20 .bss x>- !2");
	scene_check(s);
	CHECK_EQ(s->diags.first->next->level, DIAG_WARNING);
	CHECK(strstr(s->diags.first->next->text, "has no local symbols"));
}
