/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place_order.c - which of several symbols, by the order of files and groups */
#include "base/cleanup.h"
#include "tests/lib/placing.h"

TEST(what_is_alike_stands_in_the_order_of_the_input)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < 5; i++) {
		/* the groups are in another order */
		file(&s, "a.c");
		local(&s, "debug", s.data, 0x20 + 0x20 * ((i + 2) % 5), 4);
		small_unit(&s, i & 1 ? "a.c" : NULL, "debug", 4);
	}
	place(&s);
	for (uint32_t i = 0; i < 5; i++)
		CHECK_PLACE(&s, i, 0, s.data, 0x20 + 0x20 * i);
	CHECK_EQ(nr_notes(&s), 0);
}

TEST(neighbours_bound_what_is_between_them)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* four symbols, and two units of four: those between the neighbours */
	file(&s, "gone.c");
	local(&s, "debug", s.data, 0x10, 4);
	file(&s, "a.c");
	local(&s, "debug", s.data, 0x30, 4);
	file(&s, "b.c");
	local(&s, "debug", s.data, 0x50, 4);
	file(&s, "gone.c");
	local(&s, "debug", s.data, 0x70, 4);
	global(&s, "low", s.data, 0x20, 4);
	global(&s, "mid", s.data, 0x40, 4);
	global(&s, "high", s.data, 0x60, 4);
	const char *const names[] = { "low", "debug", "mid", "debug", "high" };
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		unit(&s, NULL);
		home(&s, ".data");
		var(&s, i & 1 ? BTF_LINK_STATIC : BTF_LINK_GLOBAL, names[i], 0, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 1, 0, s.data, 0x30);
	CHECK_PLACE(&s, 3, 0, s.data, 0x50);
}

/* As members of gcc have them: each variable is a home, and they are in no order. */
TEST(homes_of_one_unit_and_section_are_in_any_order)
{
	for (uint32_t swapped = 0; swapped < 2; swapped++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s);
		file(&s, "a.c");
		local(&s, "debug", s.data, 0x20, 4);
		file(&s, "b.c");
		local(&s, "debug", s.data, 0x50, 4);
		file(&s, "c.c");
		local(&s, "debug", s.data, 0x80, 4);
		global(&s, "g0", s.data, swapped ? 0x10 : 0x30, 4);
		global(&s, "h0", s.data, swapped ? 0x30 : 0x10, 4);
		global(&s, "g1", s.data, swapped ? 0x40 : 0x60, 4);
		for (uint32_t i = 0; i < 3; i++) {
			unit(&s, NULL);
			home(&s, ".data");
			gvar(&s, make_text("g%u", i), 0, 4);
			home(&s, ".data");
			var(&s, BTF_LINK_STATIC, "debug", 0, 4);
			home(&s, ".data");
			gvar(&s, make_text("h%u", i), 0, 4);
		}
		place(&s);
		for (uint32_t i = 0; i < 3; i++)
			CHECK_PLACE(&s, i, 1, s.data, 0x20 + 0x30 * i);
	}
}

TEST(one_definition_that_was_overridden_does_not_spoil_the_order)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* an object of asm defines "g4" */
	for (uint32_t i = 0; i < 9; i++) {
		unit(&s, NULL);
		home(&s, ".data");
		gvar(&s, make_text("g%u", i), 0, 4);
		global(&s, make_text("g%u", i), s.data, i == 4 ? 0x8 : 0x20 * (i + 1), 4);
		if (i == 6)
			small_unit(&s, NULL, "x", 4);
	}
	static const uint32_t places[] = { 0x14, 0x210, 0xf0 };
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		file(&s, make_text("%zu.c", i));
		local(&s, "x", s.data, places[i], 4);
	}
	place(&s);
	CHECK_PLACE(&s, 4, 0, s.data, 0x8);
	CHECK_PLACE(&s, 7, 0, s.data, 0xf0);
}

TEST(as_many_groups_as_units_between_two_that_are_known)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* .data is sorted by something else, so that places prove nothing; groups ascend */
	for (uint32_t i = 0; i < 12; i++) {
		bool known = i < 4 || i > 6;
		const char *name = known ? make_text("s%u", i) : "debug";

		file(&s, "a.c");
		local(&s, name, s.data, 0x20 + 0x20 * (i * 7 % 12), 4);
		small_unit(&s, NULL, name, 4);
	}
	place(&s);
	for (uint32_t i = 0; i < 12; i++)
		CHECK_PLACE(&s, i, 0, s.data, 0x20 + 0x20 * (i * 7 % 12));
}

TEST(units_are_counted_off_where_their_variables_were_discarded)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < 6; i++) {
		const char *name = i == 2 || i == 3 ? "debug" : make_text("s%u", i);

		/* of these two either could have the symbol; but the first has a group without */
		file(&s, "a.c");
		if (i != 2)
			local(&s, name, s.data, 0x20 + 0x20 * i, 4);
		small_unit(&s, NULL, name, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 2, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 3, 0, s.data, 0x80);
	CHECK_PLACE(&s, 4, 0, s.data, 0xa0);
}

TEST(a_count_that_contradicts_the_files_does_not_count)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < 6; i++) {
		const char *name = make_text("s%u", i);
		bool lost = i == 2 || i == 3;

		file(&s, i == 2 ? "other.c" : "a.c");
		if (i != 2)
			local(&s, lost ? "debug" : name, s.data, 0x20 + 0x20 * i, 4);
		small_unit(&s, i == 2 ? "a.c" : NULL, lost ? "debug" : name, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 2, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 3, 0, NOWHERE, 0);
}

TEST(groups_in_another_order_than_the_input_prove_nothing)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* nor do places; two are alike */
	for (uint32_t i = 0; i < 8; i++) {
		bool alike = i == 3 || i == 4;
		const char *name = alike ? "debug" : make_text("s%u", i);

		file(&s, "a.c");
		local(&s, alike ? "debug" : make_text("s%u", 7 - i), s.data,
		      0x20 + 0x20 * (i * 3 % 8), 4);
		small_unit(&s, NULL, name, 4);
	}
	place(&s);
	for (uint32_t i = 0; i < 8; i++) {
		if (i == 3 || i == 4)
			CHECK_PLACE(&s, i, 0, NOWHERE, 0);
		else
			CHECK_PLACE(&s, i, 0, s.data, 0x20 + 0x20 * ((7 - i) * 3 % 8));
	}
}

TEST(one_group_that_is_not_where_its_file_says_is_enough_to_believe_no_order)
{
	for (uint32_t inverted = 0; inverted < 2; inverted++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s);
		/* the first unit has no variables; GNU ld may put its symbols behind all others */
		unit(&s, "first.c");
		if (!inverted)
			file(&s, "first.c");
		for (uint32_t i = 0; i < 5; i++) {
			const char *name = i == 2 ? "debug" : make_text("s%u", i);

			unit(&s, NULL);
			home(&s, make_text(".of%u", i));
			svar(&s, name, 0, 4);
			file(&s, "a.c");
			local(&s, name, s.data, 0x20 + 0x20 * i, 4);
		}
		file(&s, "gone.c");
		local(&s, "debug", s.data, 0x200, 4);
		if (inverted)
			file(&s, "first.c");
		place(&s);
		CHECK_PLACE(&s, 3, 0, inverted ? NOWHERE : s.data, 0x60);
		CHECK_PLACE(&s, 5, 0, s.data, 0xa0);
	}
}

TEST(a_file_that_one_unit_and_one_group_have_needs_no_order)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/*
	 * What is known by its names alone ascends, but its first group is before its time, as
	 * with GNU ld if that object has code in .text.unlikely.
	 */
	file(&s, "k0.c");
	local(&s, "s0", s.data, 0x400, 4);
	for (uint32_t i = 0; i < 4; i++) {
		file(&s, make_text("f%u.c", i));
		local(&s, "table", s.data, 0x20 + 0x20 * i, 8);
		small_unit(&s, make_text("f%u.c", i), "table", 8);
	}
	for (uint32_t i = 0; i < 4; i++) {
		if (i) {
			file(&s, make_text("k%u.c", i));
			local(&s, make_text("s%u", i), s.data, 0x400 + 0x20 * i, 4);
		}
		unit(&s, make_text("k%u.c", i));
		home(&s, make_text(".of%u", i));
		svar(&s, make_text("s%u", i), 0, 4);
	}
	place(&s);
	for (uint32_t i = 0; i < 4; i++) {
		CHECK_PLACE(&s, i, 0, s.data, 0x20 + 0x20 * i);
		CHECK_PLACE(&s, 4 + i, 0, s.data, 0x400 + 0x20 * i);
	}
	CHECK_EQ(nr_notes(&s), 0);
}

TEST(a_file_that_one_unit_and_one_group_have_goes_before_what_fits_as_well)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* the unit of which no file is known would rather have the group without others */
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	file(&s, "b.c");
	local(&s, "x", s.data, 0x40, 4);
	local(&s, "other", s.data, 0x44, 4);
	file(&s, "c.c");
	local(&s, "other", s.data, 0x60, 4);
	small_unit(&s, NULL, "x", 4);
	small_unit(&s, "a.c", "x", 4);
	small_unit(&s, "c.c", "other", 4);
	/* and places are in no order */
	for (uint32_t i = 0; i < 2; i++) {
		unit(&s, NULL);
		home(&s, ".data");
		gvar(&s, make_text("g%u", i), 0, 4);
		global(&s, make_text("g%u", i), s.data, 0x100 - 0x20 * i, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 1, 0, s.data, 0x20);
	CHECK_PLACE(&s, 2, 0, s.data, 0x60);
}

TEST(a_file_that_two_groups_have_says_no_more_than_their_variables)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x40, 4);
	local(&s, "other", s.data, 0x44, 4);
	file(&s, "c.c");
	local(&s, "other", s.data, 0x60, 4);
	small_unit(&s, "a.c", "x", 4);
	unit(&s, "c.c");
	home(&s, ".data.other");
	svar(&s, "other", 0, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 1, 0, s.data, 0x60);
}

TEST(where_units_were_discarded_a_file_is_not_enough)
{
	for (uint32_t scarce = 0; scarce < 2; scarce++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s);
		/* an object that is no member, of the file of one that may have been discarded */
		file(&s, "a.c");
		local(&s, "x", s.data, 0x20, 4);
		local(&s, "other", s.data, 0x28, 4);
		file(&s, "b.c");
		local(&s, "kept", s.data, 0x60, 4);
		local(&s, "other", s.data, 0x64, 4);
		small_unit(&s, "a.c", "x", 4);
		small_unit(&s, "a2.c", "x", 4); /* or x would be unique */
		small_unit(&s, "b.c", "kept", 4);
		svar(&s, "other", 4, 4);
		if (scarce) {
			home(&s, ".gone");
			svar(&s, "gone", 0, 4);
		} else {
			file(&s, "a2.c");
			local(&s, "x", s.data, 0x40, 4);
		}
		place(&s);
		CHECK_PLACE(&s, 0, 0, scarce ? NOWHERE : s.data, 0x20);
		CHECK_PLACE(&s, 2, 0, s.data, 0x60);
	}
}

/*
 * Units with a variable each that is the only one of its name, in the order of their groups,
 * which are too many to be counted; but units 3 and 6 are alike, and what the first of them had
 * was discarded.
 */
static void ordered_groups(struct scene *s, bool pair)
{
	for (uint32_t i = 0; i < 7; i++) {
		bool alike = i == 3 || i == 6;
		const char *name = alike ? "debug" : make_text("s%u", i);
		uint32_t offset = 0x20 + 0x20 * (i * 3 % 7);

		file(s, "a.c");
		if (i != 3)
			local(s, name, s->data, offset, 4);
		if (i == 6 && pair) {
			local(s, "debug2", s->data, offset + 4, 4);
			local(s, "other", s->data, offset + 8, 4);
		}
		file(s, "gone.c");
		unit(s, NULL);
		home(s, make_text(".of%u", i));
		svar(s, name, 0, 4);
		if (alike && pair)
			svar(s, "debug2", 4, 4);
		if (i == 0)
			svar(s, "other", 4, 4);
	}
}

TEST(a_group_must_be_where_the_order_of_groups_lets_it_be)
{
	for (uint32_t i = 0; i < 3; i++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s);
		ordered_groups(&s, i == 1);
		if (i == 2) { /* another group, which is not as good */
			file(&s, "more.c");
			local(&s, "debug", s.data, 0x400, 4);
			local(&s, "other", s.data, 0x404, 4);
		}
		place(&s);
		CHECK_PLACE(&s, 3, 0, NOWHERE, 0);
		CHECK_PLACE(&s, 6, 0, s.data, 0x20 + 0x20 * (6 * 3 % 7));
	}
}

TEST(a_home_must_be_where_the_order_of_homes_lets_it_be)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* of the only unit with a "debug"; but the symbol is another object's */
	file(&s, "a.c");
	local(&s, "debug", s.data, 0x90, 4);
	for (uint32_t i = 0; i < 3; i++) {
		const char *name = i == 1 ? "debug" : make_text("g%u", i);

		unit(&s, NULL);
		home(&s, ".data");
		var(&s, i == 1 ? BTF_LINK_STATIC : BTF_LINK_GLOBAL, name, 0, 4);
		if (i != 1)
			global(&s, name, s.data, 0x20 + 0x20 * i, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 2, 0, s.data, 0x60);
}

TEST(what_one_unit_has_taken_is_no_other_units)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x20, 4);
	local(&s, "only", s.data, 0x24, 4);
	small_unit(&s, "a.c", "x", 4);
	svar(&s, "only", 4, 4);
	small_unit(&s, "a.c", "x", 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
}

TEST(a_group_without_others_is_the_better_one)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* one group more than there are members, and groups in no order */
	for (uint32_t i = 4; i-- > 0;) {
		file(&s, "s.c");
		local(&s, make_text("s%u", i), s.data, 0x100 + 0x10 * i, 4);
	}
	file(&s, "a.c");
	local(&s, "x", s.data, 0x60, 4);
	local(&s, "y", s.data, 0x64, 4);
	file(&s, "b.c");
	local(&s, "x", s.data, 0x40, 4);
	file(&s, "c.c");
	local(&s, "y", s.data, 0x20, 4);
	local(&s, "z", s.data, 0x24, 4);
	for (uint32_t i = 0; i < 4; i++) {
		unit(&s, NULL);
		home(&s, make_text(".of%u", i));
		svar(&s, make_text("s%u", i), 0, 4);
	}
	unit(&s, NULL);
	home(&s, ".data");
	svar(&s, "y", 0, 4);
	svar(&s, "z", 4, 4);
	unit(&s, NULL);
	home(&s, ".data.x");
	svar(&s, "x", 0, 4);
	place(&s);
	for (uint32_t i = 0; i < 4; i++)
		CHECK_PLACE(&s, i, 0, s.data, 0x100 + 0x10 * i);
	CHECK_PLACE(&s, 4, 0, s.data, 0x20);
	CHECK_PLACE(&s, 4, 1, s.data, 0x24);
	CHECK_PLACE(&s, 5, 0, s.data, 0x40);
}
