/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place_order.c - the choice between symbols of one name, by the order of files and groups */
#include "tests/lib/placing.h"

/* The groups are in another order. */
SCENE(what_is_alike_stands_in_the_order_of_the_input,
      "a.c: debug@d60  a.c: debug@d80  a.c: debug@da0  a.c: debug@d20  a.c: debug@d40",
      "| .data debug@0>d20  a.c| .data debug@0>d40  | .data debug@0>d60 "
      "a.c| .data debug@0>d80  | .data debug@0>da0 !0")

/* Four symbols, and two units of four: those between the neighbours. */
SCENE(neighbours_bound_what_is_between_them,
      "gone.c: debug@d10  a.c: debug@d30  b.c: debug@d50 "
      "gone.c: debug@d70 +low@d20 +mid@d40 +high@d60",
      "| .data +low@0  | .data debug@0>d30  | .data +mid@0  | .data debug@0>d50 "
      "| .data +high@0")

/* As members of gcc have them: each variable is a home, and they are in no order. */
TEST(homes_of_one_unit_and_section_are_in_any_order)
{
	SCENE_IN("a.c: debug@d20  b.c: debug@d50  c.c: debug@d80 +g0@d30 +h0@d10 +g1@d60",
		 "| .data +g0@0 .data debug@0>d20 .data +h0@0 "
		 "| .data +g1@0 .data debug@0>d50 .data +h1@0 "
		 "| .data +g2@0 .data debug@0>d80 .data +h2@0");
	SCENE_IN("a.c: debug@d20  b.c: debug@d50  c.c: debug@d80 +g0@d10 +h0@d30 +g1@d40",
		 "| .data +g0@0 .data debug@0>d20 .data +h0@0 "
		 "| .data +g1@0 .data debug@0>d50 .data +h1@0 "
		 "| .data +g2@0 .data debug@0>d80 .data +h2@0");
}

/* An object of asm defines "g4". */
SCENE(one_definition_that_was_overridden_does_not_spoil_the_order,
      "+g0@d20 +g1@d40 +g2@d60 +g3@d80 +g4@d8 +g5@dc0 +g6@de0 +g7@d100 +g8@d120 "
      "0.c: x@d14  1.c: x@d210  2.c: x@df0",
      "| .data +g0@0  | .data +g1@0  | .data +g2@0  | .data +g3@0  | .data +g4@0>d8 "
      "| .data +g5@0  | .data +g6@0  | .data x@0>df0  | .data +g7@0  | .data +g8@0")

/* .data is sorted by something else, so that places prove nothing; groups ascend. */
SCENE(as_many_groups_as_units_between_two_that_are_known,
      "a.c: s0@d20  a.c: s1@d100  a.c: s2@d60  a.c: s3@d140  a.c: debug@da0 "
      "a.c: debug@d180  a.c: debug@de0  a.c: s7@d40  a.c: s8@d120  a.c: s9@d80 "
      "a.c: s10@d160  a.c: s11@dc0",
      "| .data s0@0>d20  | .data s1@0>d100  | .data s2@0>d60  | .data s3@0>d140 "
      "| .data debug@0>da0  | .data debug@0>d180  | .data debug@0>de0  | .data s7@0>d40 "
      "| .data s8@0>d120  | .data s9@0>d80  | .data s10@0>d160  | .data s11@0>dc0")

/* Of these two either could have the symbol; but the first has a group without. */
SCENE(units_are_counted_off_where_their_variables_were_discarded,
      "a.c: s0@d20  a.c: s1@d40  a.c:  a.c: debug@d80  a.c: s4@da0  a.c: s5@dc0",
      "| .data s0@0  | .data s1@0  | .data debug@0>-  | .data debug@0>d80 "
      "| .data s4@0>da0  | .data s5@0")

SCENE(a_count_that_contradicts_the_files_does_not_count,
      "a.c: s0@d20  a.c: s1@d40  other.c:  a.c: debug@d80  a.c: s4@da0  a.c: s5@dc0",
      "| .data s0@0  | .data s1@0  a.c| .data debug@0>-  | .data debug@0>- "
      "| .data s4@0  | .data s5@0")

/* Nor do places; two are alike. */
SCENE(groups_in_another_order_than_the_input_prove_nothing,
      "a.c: s7@d20  a.c: s6@d80  a.c: s5@de0  a.c: debug@d40  a.c: debug@da0 "
      "a.c: s2@d100  a.c: s1@d60  a.c: s0@dc0",
      "| .data s0@0>dc0  | .data s1@0>d60  | .data s2@0>d100  | .data debug@0>- "
      "| .data debug@0>-  | .data s5@0>de0  | .data s6@0>d80  | .data s7@0>d20")

/* The first unit has no variables; GNU ld may put its symbols behind all others. */
TEST(one_group_that_is_not_where_its_file_says_is_enough_to_believe_no_order)
{
	SCENE_IN("first.c:  a.c: s0@d20  a.c: s1@d40  a.c: debug@d60  a.c: s3@d80  a.c: s4@da0 "
		 "gone.c: debug@d200",
		 "first.c|  | .of0 s0@0  | .of1 s1@0  | .of2 debug@0>d60  | .of3 s3@0 "
		 "| .of4 s4@0>da0");
	SCENE_IN("a.c: s0@d20  a.c: s1@d40  a.c: debug@d60  a.c: s3@d80  a.c: s4@da0 "
		 "gone.c: debug@d200  first.c:",
		 "first.c|  | .of0 s0@0  | .of1 s1@0  | .of2 debug@0>-  | .of3 s3@0 "
		 "| .of4 s4@0>da0");
}

/*
 * The groups with unique names ascend, except the first, which comes too early, as GNU ld writes it
 * if that object has code in .text.unlikely.
 */
SCENE(a_file_that_one_unit_and_one_group_have_needs_no_order,
      "k0.c: s0@d400  f0.c: table@d20/8  f1.c: table@d40/8  f2.c: table@d60/8 "
      "f3.c: table@d80/8  k1.c: s1@d420  k2.c: s2@d440  k3.c: s3@d460",
      "f0.c| .data table@0/8>d20  f1.c| .data table@0/8>d40  f2.c| .data table@0/8>d60 "
      "f3.c| .data table@0/8>d80  k0.c| .of0 s0@0>d400  k1.c| .of1 s1@0>d420 "
      "k2.c| .of2 s2@0>d440  k3.c| .of3 s3@0>d460 !0")

/*
 * For the unit without a file the group without others would be the better one. Places have no
 * order.
 */
SCENE(a_file_that_one_unit_and_one_group_have_goes_before_what_fits_as_well,
      "a.c: x@d20  b.c: x@d40 other@d44  c.c: other@d60 +g0@d100 +g1@de0",
      "| .data x@0>d40  a.c| .data x@0>d20  c.c| .data other@0>d60  | .data +g0@0 "
      "| .data +g1@0")

SCENE(a_file_that_two_groups_have_says_no_more_than_their_variables,
      "a.c: x@d20  a.c: x@d40 other@d44  c.c: other@d60",
      "a.c| .data x@0>d20  c.c| .data.other other@0>d60")

/*
 * a.c may be an object that is not a member, beside a member of that name that the linker has
 * discarded. a2.c has an x, too, so that x is not unique.
 */
TEST(where_units_were_discarded_a_file_is_not_enough)
{
	SCENE_IN("a.c: x@d20 other@d28  b.c: kept@d60 other@d64  a2.c: x@d40",
		 "a.c| .data x@0>d20  a2.c| .data x@0  b.c| .data kept@0>d60 other@4");
	SCENE_IN("a.c: x@d20 other@d28  b.c: kept@d60 other@d64",
		 "a.c| .data x@0>-  a2.c| .data x@0  b.c| .data kept@0>d60 other@4 .gone gone@0");
}

/*
 * Each unit has a variable that is the only one of its name, in the order of the groups, which are
 * too many to be counted; but units 3 and 6 are alike, and the linker discarded the variable of unit
 * 3. The last scene has another group, which is not as good.
 */
TEST(a_group_must_be_where_the_order_of_groups_lets_it_be)
{
	SCENE_IN("a.c: s0@d20  gone.c:  a.c: s1@d80  gone.c:  a.c: s2@de0  gone.c:  a.c:  gone.c: "
		 "a.c: s4@dc0  gone.c:  a.c: s5@d40  gone.c:  a.c: debug@da0  gone.c:",
		 "| .of0 s0@0 other@4  | .of1 s1@0  | .of2 s2@0  | .of3 debug@0>-  | .of4 s4@0 "
		 "| .of5 s5@0  | .of6 debug@0>da0");
	SCENE_IN("a.c: s0@d20  gone.c:  a.c: s1@d80  gone.c:  a.c: s2@de0  gone.c:  a.c:  gone.c: "
		 "a.c: s4@dc0  gone.c:  a.c: s5@d40  gone.c:  a.c: debug@da0 debug2@da4 other@da8 "
		 "gone.c:",
		 "| .of0 s0@0 other@4  | .of1 s1@0  | .of2 s2@0  | .of3 debug@0>- debug2@4 "
		 "| .of4 s4@0  | .of5 s5@0  | .of6 debug@0>da0 debug2@4");
	SCENE_IN("a.c: s0@d20  gone.c:  a.c: s1@d80  gone.c:  a.c: s2@de0  gone.c:  a.c:  gone.c: "
		 "a.c: s4@dc0  gone.c:  a.c: s5@d40  gone.c:  a.c: debug@da0  gone.c: "
		 "more.c: debug@d400 other@d404",
		 "| .of0 s0@0 other@4  | .of1 s1@0  | .of2 s2@0  | .of3 debug@0>-  | .of4 s4@0 "
		 "| .of5 s5@0  | .of6 debug@0>da0");
}

/* Of the only unit with a "debug"; but the symbol is another object's. */
SCENE(a_home_must_be_where_the_order_of_homes_lets_it_be, "a.c: debug@d90 +g0@d20 +g2@d60",
      "| .data +g0@0>d20  | .data debug@0>-  | .data +g2@0>d60")

SCENE(what_one_unit_has_taken_is_no_other_units, "a.c: x@d20 only@d24",
      "a.c| .data x@0>d20 only@4>d24  a.c| .data x@0>-")

/* One group more than there are members, and groups in no order. */
SCENE(a_group_without_others_is_the_better_one,
      "s.c: s3@d130  s.c: s2@d120  s.c: s1@d110  s.c: s0@d100  a.c: x@d60 y@d64 "
      "b.c: x@d40  c.c: y@d20 z@d24",
      "| .of0 s0@0>d100  | .of1 s1@0>d110  | .of2 s2@0>d120  | .of3 s3@0>d130 "
      "| .data y@0>d20 z@4>d24  | .data.x x@0>d40")

/* --- overridden, discarded or sorted: no place is better than a wrong one --- */

/* An object of the assembler, without a file symbol, follows each. */
SCENE(symbols_of_an_object_without_a_file_are_beside,
      "a.c: longer@d20 longer@d40/10  b.c: alike@d60 alike@d80  c.c: label@da0 ?label@dc0",
      "a.c| .data longer@0>d20  b.c| .data alike@0>-  c.c| .data label@0>da0 !1")

/* The first unit's "w" is overridden by the second's, the third's by asm. */
SCENE(a_definition_that_was_overridden_says_nothing_of_its_neighbours,
      "a.c: x@d24  a.c: x@d44  b.c: y@d64 +w@d40 +v@d100",
      "| .data +w@0>d40 x@4>d24  | .data +w@0 x@4>d44  | .data +v@0>d100 y@4>d64")

/* Two units, one symbol: the linker discarded one of the two. */
TEST_WITH(no_place_is_better_than_a_wrong_one, scene, s)
{
	scene_begin(s, ET_EXEC);
	scene_add(s, "a.c: debug@d20", "a.c| .data debug@0>-  a.c| .data debug@0>- !2");
	scene_check(s);
	CHECK_EQ(s->diags.first->level, DIAG_WARNING);
	CHECK(strstr(s->diags.first->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(s->diags.first->next->text, "unit 'u1': variable 'debug' left out"));
}

/* Descending, as with --sort-section=alignment. */
SCENE(where_places_are_sorted_they_prove_nothing,
      "+g0@d100 +g1@dc0 +g2@d80 +g3@d40  a.c: debug@d1a0  a.c: debug@d160 "
      "a.c: debug@d120  a.c: debug@d1e0",
      "| .data +g0@0>d100  | .data debug@0>-  | .data +g1@0>dc0  | .data debug@0>- "
      "| .data +g2@0>d80  | .data debug@0>-  | .data +g3@0>d40  | .data debug@0>-")

SCENE(a_few_in_order_prove_nothing_where_others_are_not,
      "+g0@d100 +g1@dc0 +g2@d80 +g3@d40 +b0@b20 +b2@b60  a.c: debug@b40  a.c: debug@b80",
      "| .data +g0@0  | .data +g1@0  | .data +g2@0  | .data +g3@0  | .bss +b0@0 "
      "| .bss debug@0>-  | .bss +b2@0")

/*
 * The linker has kept one section of lossy.c and discarded another. The symbol is the only one of
 * its name, but two variables have the name. It is in a group with others; it is longer than the
 * type; in the last scene neither.
 */
TEST(where_variables_were_discarded_likeness_is_not_enough)
{
	SCENE_IN("lossy.c: kept@d20  other.c: debug@b40 kept@b44",
		 "lossy.c| .data.kept kept@0>d20 .data.lost lost@0>-  | .bss.debug debug@0>- "
		 "lossy.c| .bss.debug debug@0>-");
	SCENE_IN("lossy.c: kept@d20  other.c: debug@b40/8",
		 "lossy.c| .data.kept kept@0>d20 .data.lost lost@0>-  | .bss.debug debug@0>- "
		 "lossy.c| .bss.debug debug@0>-");
	SCENE_IN("lossy.c: kept@d20  other.c: debug@b40",
		 "lossy.c| .data.kept kept@0>d20 .data.lost lost@0>-  | .bss.debug debug@0>b40 "
		 "lossy.c| .bss.debug debug@0>-");
}

SCENE(where_variables_were_discarded_all_of_them_among_others_are_not_enough,
      "lossy.c: kept@d20  other.c: x@b40 y@b44 kept@b48 lost@b4c",
      "lossy.c| .data.kept kept@0 .data.lost lost@0  | .bss x@0>- y@4>- "
      "lossy.c| .bss x@0>- y@4>-")

/* The second unit was discarded as a whole. */
SCENE(where_variables_were_discarded_homes_do_not_stand_for_themselves,
      "lossy.c: kept@d20  other.c: x@d40 y@d60 z@b40",
      "lossy.c| .data.kept kept@0 .data.lost lost@0  | .data x@0>- y@4>- .bss z@0>-")
