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
		.name = id_of(s, name), .offset = offset, .size = size, .linkage = linkage
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
	var_place(s->units, s->nr_units, s->homes.items, s->homes.nr, &s->obj, &s->syms,
		  &s->strings, s->wanted, &s->notes);
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
	for (uint32_t i = 0; i < 4; i++) {
		CHECK_PLACE(&s, 2 * i, 0, s.data, 0x100 - 0x40 * i);
		CHECK_PLACE(&s, 2 * i + 1, 0, NOWHERE, 0);
	}
}

TEST(where_variables_were_discarded_likeness_is_not_enough)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s);
	/* the first has lost .data.b; the second all, and asm has a "debug" beside others */
	file(&s, "a.c");
	local(&s, "a", s.data, 0x20, 4);
	file(&s, "asm.c");
	local(&s, "debug", s.data, 0x40, 4);
	local(&s, "a", s.data, 0x44, 4);
	unit(&s, "a.c");
	home(&s, ".data.a");
	svar(&s, "a", 0, 4);
	home(&s, ".data.b");
	svar(&s, "b", 0, 4);
	unit(&s, NULL);
	home(&s, ".data.debug");
	svar(&s, "debug", 0, 4);
	unit(&s, NULL);
	home(&s, ".data.debug");
	svar(&s, "debug", 0, 4);
	place(&s);
	CHECK_PLACE(&s, 0, 0, s.data, 0x20);
	CHECK_PLACE(&s, 0, 1, NOWHERE, 0);
	CHECK_PLACE(&s, 1, 0, NOWHERE, 0);
	CHECK_PLACE(&s, 2, 0, NOWHERE, 0);
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
		vars[i] = (struct frag_var){ .name = id_of(&s, "debug"), .size = 4 };
		frags[i].unit = i;
		frags[i].vars.items = &vars[i];
		frags[i].vars.nr = 1;
		units[i] = (struct place_unit){ &frags[i], "a.c" };
		homes[i] = (struct place_home){ i, id_of(&s, ".data"), 0, 1 };
	}
	make_symtab(&s.m);
	CHECK_OK(object_open(make_file(make_bytes(&s.m)), &s.obj));
	CHECK_OK(symbols_read(&s.obj, &s.syms));
	var_place(units, NR, homes, NR, &s.obj, &s.syms, &s.strings, NULL, &s.notes);
	for (uint32_t i = 0; i < NR; i++)
		CHECK(!vars[i].dropped && vars[i].offset == 4 + 4 * i);
}
