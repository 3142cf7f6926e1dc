/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_select.c - which of two variables at one place is kept */
#include "encoder/select/var_select.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { NR_UNITS = 4, BASE = 0x10000 };

/* A file with the sections .data and .bss, and units with variables in them. */
struct scene {
	struct elfmake m;
	uint32_t data, bss;
	struct object obj;
	struct symbols syms;
	struct str_pool strings;
	struct unit_btf units[NR_UNITS];
	struct var_select select;
	struct var_drops drops;
};

static void scene_release(struct scene *s)
{
	for (size_t i = 0; i < NR_UNITS; i++)
		unit_btf_release(&s->units[i]);
	var_select_release(&s->select);
	free(s->drops.items);
	str_pool_release(&s->strings);
	symbols_release(&s->syms);
	object_close(&s->obj);
}

static void begin(struct scene *s, uint16_t type)
{
	bool linked = type == ET_EXEC;

	s->m = make_x86_64(type);
	s->data = (uint32_t)make_nobits(&s->m, linked ? BASE : 0, 0x1000, 16);
	s->bss = (uint32_t)make_nobits(&s->m, linked ? BASE + 0x1000 : 0, 0x1000, 16);
	str_pool_init(&s->strings);
}

static void symbol(struct scene *s, const char *name, uint32_t section, uint64_t offset,
		   uint64_t size)
{
	uint64_t base = s->m.type == ET_EXEC ? BASE + (section == s->bss ? 0x1000 : 0) : 0;

	make_symbol(&s->m, name, STT_OBJECT, section, base + offset, size);
}

static void var(struct scene *s, uint32_t unit, const char *name, uint32_t section, uint32_t offset,
		uint32_t size)
{
	const struct unit_var v = { .name = str_pool_add(&s->strings, name, strlen(name)),
				    .section = section,
				    .offset = offset,
				    .size = size };

	vec_push(&s->units[unit].vars, v);
}

static void choose(struct scene *s)
{
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	var_select_init(&s->select, s->obj.nr_sections);
	for (uint32_t i = 0; i < NR_UNITS; i++) {
		s->units[i].unit = i;
		var_select_add(&s->select, &s->units[i]);
	}
	var_select_choose(&s->select, &s->obj, &s->syms, &s->strings, &s->drops);

	/* what the kernel demands */
	for (size_t i = 0; i < s->select.nr_sections; i++) {
		const struct var_section *sec = &s->select.sections[i];

		for (size_t v = 1; v < sec->nr; v++)
			CHECK(sec->items[v].offset >=
			      sec->items[v - 1].offset + sec->items[v - 1].size);
	}
}

/* Is the @i-th variable of @section the one of @unit at @offset? */
static bool kept(const struct scene *s, uint32_t section, size_t i, uint32_t unit, uint32_t offset)
{
	const struct var_section *sec = &s->select.sections[section];

	return i < sec->nr && sec->items[i].unit == unit && sec->items[i].offset == offset &&
	       !sec->items[i].var->dropped;
}

TEST_WITH(variables_apart_all_stay_sorted_by_place, scene, s)
{
	begin(s, ET_EXEC);
	var(s, 0, "c", s->data, 8, 4);
	var(s, 0, "a", s->data, 0, 4);
	var(s, 1, "b", s->data, 4, 4);
	var(s, 1, "z", s->bss, 4, 4);
	choose(s);
	CHECK_EQ(s->drops.nr, 0);
	CHECK_EQ(s->select.sections[s->data].nr, 3);
	CHECK(kept(s, s->data, 0, 0, 0));
	CHECK(kept(s, s->data, 1, 1, 4));
	CHECK(kept(s, s->data, 2, 0, 8));
	CHECK(kept(s, s->bss, 0, 1, 4));
}

TEST_WITH(of_two_that_are_alike_the_first_stays, scene, s)
{
	begin(s, ET_EXEC);
	symbol(s, "x", s->data, 16, 8);
	var(s, 1, "x", s->data, 16, 8);
	var(s, 2, "x", s->data, 16, 8);
	var(s, 3, "x", s->data, 16, 8);
	choose(s);
	CHECK_EQ(s->select.sections[s->data].nr, 1);
	CHECK(kept(s, s->data, 0, 1, 16));
	CHECK_EQ(s->drops.nr, 2);
	CHECK_EQ(s->drops.items[0].dropped.unit, 2);
	CHECK_EQ(s->drops.items[0].by.unit, 1);
	CHECK_EQ(s->drops.items[1].dropped.unit, 3);
	CHECK(s->units[2].vars.items[0].dropped && s->units[3].vars.items[0].dropped);
}

TEST(the_one_of_the_symbols_size_stays)
{
	const uint16_t types[] = { ET_REL, ET_EXEC };

	for (size_t t = 0; t < 2; t++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s, types[t]);
		symbol(&s, "x", s.bss, 16, 16);
		symbol(&s, "y", s.bss, 64, 4);
		var(&s, 0, "x", s.bss, 16, 8);
		var(&s, 1, "x", s.bss, 16, 16);
		var(&s, 0, "y", s.bss, 64, 4);
		var(&s, 1, "y", s.bss, 64, 32);
		choose(&s);
		CHECK_EQ(s.select.sections[s.bss].nr, 2);
		CHECK(kept(&s, s.bss, 0, 1, 16));
		CHECK(kept(&s, s.bss, 1, 0, 64));
		CHECK_EQ(s.drops.nr, 2);
	}
}

TEST_WITH(a_symbol_of_the_name_counts_more_than_none, scene, s)
{
	begin(s, ET_EXEC);
	/* one ends in an array without a length, the other is nowhere in the table */
	symbol(s, "flexible", s->data, 32, 24);
	symbol(s, "alias", s->data, 0, 4);
	symbol(s, "flexible", s->bss, 32, 8);
	var(s, 0, "alias", s->data, 32, 8);
	var(s, 1, "flexible", s->data, 32, 8);
	choose(s);
	CHECK_EQ(s->select.sections[s->data].nr, 1);
	CHECK(kept(s, s->data, 0, 1, 32));
}

TEST_WITH(one_that_covers_many_gives_way_to_them, scene, s)
{
	begin(s, ET_EXEC);
	symbol(s, "wide", s->data, 0, 8);
	symbol(s, "a", s->data, 8, 8);
	symbol(s, "b", s->data, 16, 8);
	var(s, 0, "wide", s->data, 0, 64);
	var(s, 1, "a", s->data, 8, 8);
	var(s, 1, "b", s->data, 16, 8);
	choose(s);
	CHECK_EQ(s->select.sections[s->data].nr, 2);
	CHECK(kept(s, s->data, 0, 1, 8));
	CHECK(kept(s, s->data, 1, 1, 16));
	CHECK_EQ(s->drops.nr, 1);
	CHECK_EQ(s->drops.items[0].by.offset, 8);
}

TEST_WITH(what_lies_in_another_gives_way_to_it, scene, s)
{
	begin(s, ET_EXEC);
	symbol(s, "whole", s->data, 0, 64);
	var(s, 3, "whole", s->data, 0, 64);
	var(s, 2, "part", s->data, 60, 8);
	var(s, 1, "part", s->data, 8, 8);
	var(s, 1, "beside", s->data, 64, 8);
	choose(s);
	CHECK_EQ(s->select.sections[s->data].nr, 2);
	CHECK(kept(s, s->data, 0, 3, 0));
	CHECK(kept(s, s->data, 1, 1, 64));
	/* in the order of the input */
	CHECK_EQ(s->drops.nr, 2);
	CHECK_EQ(s->drops.items[0].dropped.unit, 1);
	CHECK_EQ(s->drops.items[1].dropped.unit, 2);
}

TEST_WITH(ends_beyond_four_gigabytes_do_not_wrap, scene, s)
{
	begin(s, ET_EXEC);
	var(s, 0, "low", s->data, 0, 8);
	var(s, 0, "high", s->data, 0xfffffff0, 0xffffffff);
	var(s, 1, "higher", s->data, 0xfffffff8, 8);
	choose(s);
	CHECK_EQ(s->select.sections[s->data].nr, 2);
	CHECK(kept(s, s->data, 0, 0, 0));
	CHECK(kept(s, s->data, 1, 0, 0xfffffff0));
}
