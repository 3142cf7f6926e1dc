/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place_doubt.c - what was overridden, discarded or sorted: no place is better than a wrong one */
#include "base/cleanup.h"
#include "tests/lib/placing.h"

TEST(symbols_of_an_object_without_a_file_are_beside)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* an object of asm follows each */
	file(&s, "a.c");
	local(&s, "longer", s.data, 0x20, 4);
	local(&s, "longer", s.data, 0x40, 16);
	file(&s, "b.c");
	local(&s, "alike", s.data, 0x60, 4);
	local(&s, "alike", s.data, 0x80, 4);
	file(&s, "c.c");
	local(&s, "label", s.data, 0xa0, 4);
	any_symbol(&s, "label", ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), s.data, BASE + 0xc0, 4);
	small_unit(&s, "a.c", "longer", 4);
	small_unit(&s, "b.c", "alike", 4);
	small_unit(&s, "c.c", "label", 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 2, 0, s.data, 0xa0);
	CHECK_EQ(nr_notes(&s), 1);
}

TEST(a_definition_that_was_overridden_says_nothing_of_its_neighbours)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* the first unit's "w" is overridden by the second's, the third's by asm */
	file(&s, "a.c");
	local(&s, "x", s.data, 0x24, 4);
	file(&s, "a.c");
	local(&s, "x", s.data, 0x44, 4);
	file(&s, "b.c");
	local(&s, "y", s.data, 0x64, 4);
	global(&s, "w", s.data, 0x40, 4);
	global(&s, "v", s.data, 0x100, 4);
	for (uint32_t i = 0; i < 3; i++) {
		unit(&s, NULL);
		home(&s, ".data");
		gvar(&s, i == 2 ? "v" : "w", 0, 4);
		svar(&s, i == 2 ? "y" : "x", 4, 4);
	}
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_PLACE(&s, 0, 1, s.data, 0x24);
	CHECK_PLACE(&s, 1, 1, s.data, 0x44);
	CHECK_PLACE(&s, 2, 0, s.data, 0x100);
	CHECK_PLACE(&s, 2, 1, s.data, 0x64);
}

TEST(no_place_is_better_than_a_wrong_one)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* two units, one symbol: one was discarded, and nobody knows which */
	file(&s, "a.c");
	local(&s, "debug", s.data, 0x20, 4);
	small_unit(&s, "a.c", "debug", 4);
	small_unit(&s, "a.c", "debug", 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
	CHECK_EQ(nr_notes(&s), 2);
	CHECK_EQ(s.diags.first->level, DIAG_WARNING);
	CHECK(strstr(s.diags.first->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(s.diags.first->next->text, "unit 'u1': variable 'debug' left out"));
}

TEST(where_places_are_sorted_they_prove_nothing)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* descending, as with --sort-section=alignment */
	for (uint32_t i = 0; i < 4; i++) {
		unit(&s, NULL);
		home(&s, ".data");
		gvar(&s, make_text("g%u", i), 0, 4);
		global(&s, make_text("g%u", i), s.data, 0x100 - 0x40 * i, 4);
		small_unit(&s, NULL, "debug", 4);
	}
	for (uint32_t i = 0; i < 4; i++) {
		file(&s, "a.c");
		local(&s, "debug", s.data, 0x1e0 - 0x40 * ((i + 1) % 4), 4);
	}
	place(&s);
	for (size_t i = 0; i < 4; i++) {
		CHECK_PLACE(&s, 2 * i, 0, s.data, 0x100 - 0x40 * i);
		CHECK_PLACE(&s, 2 * i + 1, 0, NOWHERE, 0);
	}
}

TEST(a_few_in_order_prove_nothing_where_others_are_not)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < 4; i++) {
		unit(&s, NULL);
		home(&s, ".data");
		gvar(&s, make_text("g%u", i), 0, 4);
		global(&s, make_text("g%u", i), s.data, 0x100 - 0x40 * i, 4);
	}
	for (uint32_t i = 0; i < 3; i++) {
		const char *name = i == 1 ? "debug" : make_text("b%u", i);

		unit(&s, NULL);
		home(&s, ".bss");
		var(&s, i == 1 ? BTF_LINK_STATIC : BTF_LINK_GLOBAL, name, 0, 4);
		if (i != 1)
			global(&s, name, s.bss, 0x20 + 0x20 * i, 4);
	}
	file(&s, "a.c");
	local(&s, "debug", s.bss, 0x40, 4);
	file(&s, "a.c");
	local(&s, "debug", s.bss, 0x80, 4);
	place(&s);
	CHECK_PLACE(&s, 5, 0, NOWHERE, 0);
}

/* A unit of which the linker has kept one home and discarded another. */
static void lossy_unit(struct scene *s)
{
	file(s, "lossy.c");
	local(s, "kept", s->data, 0x20, 4);
	unit(s, "lossy.c");
	home(s, ".data.kept");
	svar(s, "kept", 0, 4);
	home(s, ".data.lost");
	svar(s, "lost", 0, 4);
}

TEST(where_variables_were_discarded_likeness_is_not_enough)
{
	/* in a group with others; longer than the type; and so that it can be believed */
	for (uint32_t i = 0; i < 3; i++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s);
		lossy_unit(&s);
		file(&s, "other.c");
		local(&s, "debug", s.bss, 0x40, i == 1 ? 8 : 4);
		if (i == 0)
			local(&s, "kept", s.bss, 0x44, 4);
		/* it is the only symbol, but not the only variable, of the name */
		unit(&s, NULL);
		home(&s, ".bss.debug");
		svar(&s, "debug", 0, 4);
		unit(&s, "lossy.c");
		home(&s, ".bss.debug");
		svar(&s, "debug", 0, 4);
		place(&s);
		CHECK_PLACE(&s, 0, 0, s.data, 0x20);
		CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
		CHECK_PLACE(&s, 1, 0, i == 2 ? s.bss : NOWHERE, 0x40);
		CHECK_PLACE(&s, 2, 0, NOWHERE, 0);
	}
}

TEST(where_variables_were_discarded_all_of_them_among_others_are_not_enough)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	lossy_unit(&s);
	file(&s, "other.c");
	local(&s, "x", s.bss, 0x40, 4);
	local(&s, "y", s.bss, 0x44, 4);
	local(&s, "kept", s.bss, 0x48, 4);
	local(&s, "lost", s.bss, 0x4c, 4);
	for (size_t i = 0; i < 2; i++) {
		unit(&s, i ? "lossy.c" : NULL);
		home(&s, ".bss");
		svar(&s, "x", 0, 4);
		svar(&s, "y", 4, 4);
	}
	place(&s);
	for (uint32_t i = 0; i < 2; i++) {
		CHECK_PLACE(&s, 1, i, NOWHERE, 0);
		CHECK_PLACE(&s, 2, i, NOWHERE, 0);
	}
}

TEST(where_variables_were_discarded_homes_do_not_stand_for_themselves)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	lossy_unit(&s);
	/* the second unit was discarded as a whole */
	file(&s, "other.c");
	local(&s, "x", s.data, 0x40, 4);
	local(&s, "y", s.data, 0x60, 4);
	local(&s, "z", s.bss, 0x40, 4);
	unit(&s, NULL);
	home(&s, ".data");
	svar(&s, "x", 0, 4);
	svar(&s, "y", 4, 4);
	home(&s, ".bss");
	svar(&s, "z", 0, 4);
	place(&s);
	for (uint32_t i = 0; i < 3; i++)
		CHECK_PLACE(&s, 1, i, NOWHERE, 0);
}
