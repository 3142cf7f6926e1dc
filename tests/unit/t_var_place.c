/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_place.c - the variables of members in the linked file, by its symbol table */
#include "encoder/var_place.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { MAX_UNITS = 16, BASE = 0x10000, SIZE = 0x10000, NOWHERE = UINT32_MAX };

/*
 * A file with the sections .data and .bss, its symbols, and units with homes. Symbols of a
 * section are given by their offset in it.
 */
struct scene {
	struct elfmake m;
	uint32_t data, bss;
	struct object obj;
	struct symbols syms;
	struct str_pool strings;
	struct frag frags[MAX_UNITS];
	struct place_unit units[MAX_UNITS];
	size_t nr_units;
	struct {
		struct place_home *items;
		size_t nr, cap;
	} homes;
	const bool *wanted;
	struct notes notes;
};

static void scene_release(struct scene *s)
{
	for (size_t i = 0; i < MAX_UNITS; i++)
		frag_release(&s->frags[i]);
	free(s->homes.items);
	notes_release(&s->notes);
	str_pool_release(&s->strings);
	symbols_release(&s->syms);
	object_close(&s->obj);
}

static uint32_t nobits(struct scene *s, const char *name, uint64_t addr, uint64_t size)
{
	return (uint32_t)make_section(&s->m, (struct make_section){
						     .name = name,
						     .type = SHT_NOBITS,
						     .flags = SHF_ALLOC,
						     .addr = s->m.type == ET_REL ? 0 : addr,
						     .size = size,
						     .align = 16,
					     });
}

static void begin_type(struct scene *s, uint16_t type)
{
	s->m = make_elf(MAKE_64, MAKE_LITTLE, type, EM_X86_64);
	s->data = nobits(s, ".data", BASE, SIZE);
	s->bss = nobits(s, ".bss", BASE + SIZE, SIZE);
	str_pool_init(&s->strings);
	s->notes.verbose = true;
}

static void begin(struct scene *s)
{
	begin_type(s, ET_EXEC);
}

/* --- symbols --- */

static void any_symbol(struct scene *s, const char *name, uint8_t info, uint32_t section,
		       uint64_t value, uint64_t size)
{
	/* for the null symbol and the name */
	make_symbol(&s->m, name, STT_OBJECT, section, 0, 0);
	s->m.syms.len -= sizeof(Elf64_Sym);
	make_raw_symbol(&s->m, (uint32_t)(s->m.strings.len - strlen(name) - 1), info, section,
			value, size);
}

static uint64_t value_of(const struct scene *s, uint32_t section, uint64_t offset)
{
	return offset + (s->m.type == ET_REL ? 0 : s->m.sections[section].addr);
}

static void file(struct scene *s, const char *name)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_LOCAL, STT_FILE), SHN_ABS, 0, 0);
}

static void local(struct scene *s, const char *name, uint32_t section, uint64_t offset,
		  uint64_t size)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), section,
		   value_of(s, section, offset), size);
}

static void global(struct scene *s, const char *name, uint32_t section, uint64_t offset,
		   uint64_t size)
{
	any_symbol(s, name, ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), section,
		   value_of(s, section, offset), size);
}

/* --- members --- */

static uint32_t id_of(struct scene *s, const char *name)
{
	return str_pool_add(&s->strings, name, strlen(name));
}

/* The next unit; @file may be NULL. */
static void unit(struct scene *s, const char *file_name)
{
	struct frag *f = &s->frags[s->nr_units];

	f->unit = (uint32_t)s->nr_units;
	f->name = id_of(s, make_text("u%zu", s->nr_units));
	s->units[s->nr_units++] = (struct place_unit){ f, file_name };
}

/* The next home of the unit. */
static void home(struct scene *s, const char *name)
{
	const struct frag *f = &s->frags[s->nr_units - 1];
	const struct place_home h = { .unit = f->unit,
				      .name = id_of(s, name),
				      .first = (uint32_t)f->vars.nr };

	vec_push(&s->homes, h);
}

/* The next variable of the home. */
static void var(struct scene *s, uint32_t linkage, const char *name, uint32_t offset, uint32_t size)
{
	const struct frag_var v = {
		.name = id_of(s, name),
		.symbol = id_of(s, name),
		.offset = offset,
		.size = size,
		.linkage = linkage,
	};

	vec_push(&s->frags[s->nr_units - 1].vars, v);
	s->homes.items[s->homes.nr - 1].nr++;
}

static void svar(struct scene *s, const char *name, uint32_t offset, uint32_t size)
{
	var(s, BTF_LINK_STATIC, name, offset, size);
}

static void gvar(struct scene *s, const char *name, uint32_t offset, uint32_t size)
{
	var(s, BTF_LINK_GLOBAL, name, offset, size);
}

/* A unit with one static variable at the start of .data. */
static void small_unit(struct scene *s, const char *file_name, const char *name, uint32_t size)
{
	unit(s, file_name);
	home(s, ".data");
	svar(s, name, 0, size);
}

static void place(struct scene *s)
{
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	const struct omission_log log = { .notes = &s->notes, .strings = &s->strings };

	var_place(s->units, s->nr_units, s->homes.items, s->homes.nr, &s->obj, &s->syms,
		  &s->strings, s->wanted, &log);
}

/* Is the @i-th variable of @unit_nr at @offset of @section? NOWHERE: is it dropped? */
#define CHECK_PLACE(s, unit_nr, i, section_, offset_)                                \
	do {                                                                         \
		const struct frag_var *v_ = &(s)->frags[unit_nr].vars.items[i];      \
                                                                                     \
		CHECK_EQ(v_->dropped ? NOWHERE : v_->section, (uint32_t)(section_)); \
		if (!v_->dropped)                                                    \
			CHECK_EQ(v_->offset, (offset_));                             \
	} while (0)

static size_t nr_notes(const struct scene *s)
{
	size_t nr = 0;

	for (const struct note *n = s->notes.first; n; n = n->next)
		nr++;
	return nr;
}

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
	gvar(&s, "gone", 4, 4);
	gvar(&s, "elsewhere", 8, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
	CHECK_PLACE(&s, 0, 2, NOWHERE, 0);
	CHECK_EQ(nr_notes(&s), 1);
	CHECK_EQ(s.notes.first->level, NOTE_VERBOSE);
	CHECK(strstr(s.notes.first->text, "'.data': 2 variables"));
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
	s.frags[0].vars.items[0].symbol_size = 1;
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x40);
	CHECK_EQ(s.frags[0].vars.items[0].size, 4);
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
	s.frags[1].vars.items[0].symbol_size = 1;
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
	s.frags[0].vars.items[0].symbol = id_of(&s, "both.0");
	s.frags[0].vars.items[0].symbol_size = 8;
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
	s.frags[0].vars.items[0].symbol = id_of(&s, "both.0");
	s.frags[0].vars.items[0].symbol_size = 8;
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
	CHECK_EQ(s.notes.first->level, NOTE_WARNING);
	CHECK(strstr(s.notes.first->text, "unit 'u0': variable 'debug' left out"));
	CHECK(strstr(s.notes.first->next->text, "unit 'u1': variable 'debug' left out"));
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
	struct frag *frags = test_keep(mem_zalloc(NR, sizeof(*frags)));
	struct place_unit *units = test_keep(mem_zalloc(NR, sizeof(*units)));
	struct place_home *homes = test_keep(mem_zalloc(NR, sizeof(*homes)));
	struct frag_var *vars = test_keep(mem_zalloc(NR, sizeof(*vars)));
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	for (uint32_t i = 0; i < NR; i++) {
		/* a prime with NR: groups are in no order */
		file(&s, "a.c");
		local(&s, "debug", s.data, 4 + 4 * (i * 3 % NR), 4);
		vars[i] = (struct frag_var){ .name = id_of(&s, "debug"),
					     .symbol = id_of(&s, "debug"),
					     .size = 4 };
		frags[i].unit = i;
		frags[i].vars.items = &vars[i];
		frags[i].vars.nr = 1;
		units[i] = (struct place_unit){ &frags[i], "a.c" };
		homes[i] = (struct place_home){ i, id_of(&s, ".data"), 0, 1 };
	}
	make_symtab(&s.m);
	CHECK_OK(object_open(make_file(make_bytes(&s.m)), &s.obj));
	CHECK_OK(symbols_read(&s.obj, &s.syms));
	const struct omission_log log = { .notes = &s.notes, .strings = &s.strings };

	var_place(units, NR, homes, NR, &s.obj, &s.syms, &s.strings, NULL, &log);
	for (uint32_t i = 0; i < NR; i++)
		CHECK(!vars[i].dropped && vars[i].offset == 4 + 4 * i);
}
