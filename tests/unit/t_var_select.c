/* SPDX-License-Identifier: GPL-2.0-only */
/* t_var_select.c - which of two variables at one address is kept */
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

/* The pool borrows its strings. */
static uint32_t pool_name(struct scene *s, const char *name)
{
	return str_pool_add(&s->strings, test_keep(mem_strdup(name)), strlen(name));
}

static uint32_t section_of(const struct scene *s, const char *name)
{
	return !strcmp(name, ".bss") ? s->bss : s->data;
}

/* "NAME SECTION OFFSET SIZE; ..." */
static void add_symbols(struct scene *s, const char *text)
{
	char name[16], section[8];
	unsigned int offset, size;

	for (int len; sscanf(text, "%15s %7s %u %u%n", name, section, &offset, &size, &len) == 4;
	     text += len + (text[len] == ';')) {
		uint32_t nr = section_of(s, section);
		uint64_t base = s->m.type == ET_EXEC ? BASE + (nr == s->bss ? 0x1000 : 0) : 0;

		make_symbol(&s->m, name, STT_OBJECT, nr, base + offset, size);
	}
}

/* "UNIT NAME SECTION OFFSET SIZE; ..." */
static void add_vars(struct scene *s, const char *text)
{
	char name[16], section[8];
	unsigned int unit;
	long long offset, size;

	for (int len; sscanf(text, "%u %15s %7s %lli %lli%n", &unit, name, section, &offset, &size,
			     &len) == 5;
	     text += len + (text[len] == ';'))
		vec_push(&s->units[unit].vars,
			 ((struct unit_var){ .name = pool_name(s, name),
					     .section = section_of(s, section),
					     .offset = (uint32_t)offset,
					     .size = (uint32_t)size }));
}

static void choose(struct scene *s, uint16_t type, const char *symbols, const char *vars)
{
	bool linked = type == ET_EXEC;

	s->m = make_x86_64(type);
	s->data = (uint32_t)make_nobits(&s->m, linked ? BASE : 0, 0x1000, 16);
	s->bss = (uint32_t)make_nobits(&s->m, linked ? BASE + 0x1000 : 0, 0x1000, 16);
	str_pool_init(&s->strings);
	add_symbols(s, symbols);
	add_vars(s, vars);
	make_symtab(&s->m);
	CHECK_OK(object_open(make_file(make_bytes(&s->m)), &s->obj));
	CHECK_OK(symbols_read(&s->obj, &s->syms));
	CHECK_OK(symbols_index_objects(&s->obj, NULL, &s->syms));
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

/* The variables that are kept in @section: "UNIT NAME OFFSET; ..." */
static const char *kept(const struct scene *s, uint32_t section)
{
	const struct var_section *sec = &s->select.sections[section];
	char *text = test_keep(mem_zalloc(200, 1)), *end = text;

	for (size_t i = 0; i < sec->nr; i++) {
		CHECK(!sec->items[i].var->dropped);
		end += sprintf(end, "%s%u %s %#x", i ? "; " : "", sec->items[i].unit,
			       str_pool_text(&s->strings, sec->items[i].var->name),
			       sec->items[i].offset);
	}
	return text;
}

/* The units of those that are dropped and of those that are kept instead: "2 by 1 at OFFSET; ..." */
static const char *dropped(const struct scene *s)
{
	char *text = test_keep(mem_zalloc(200, 1)), *end = text;
	size_t nr = 0;

	for (size_t i = 0; i < s->drops.nr; i++) {
		const struct var_drop *d = &s->drops.items[i];

		end += sprintf(end, "%s%u by %u at %#x", i ? "; " : "", d->dropped.unit, d->by.unit,
			       d->by.offset);
	}
	for (size_t u = 0; u < NR_UNITS; u++) {
		for (size_t i = 0; i < s->units[u].vars.nr; i++)
			nr += s->units[u].vars.items[i].dropped;
	}
	CHECK_EQ(nr, s->drops.nr);
	return text;
}

static const struct {
	const char *name;
	uint16_t type;
	const char *symbols, *vars; /* add_symbols(), add_vars() */
	const char *data, *bss, *dropped;
} cases[] = {
	{ "variables apart all stay, sorted by offset", ET_EXEC, "",
	  "0 c .data 8 4; 0 a .data 0 4; 1 b .data 4 4; 1 z .bss 4 4", "0 a 0; 1 b 0x4; 0 c 0x8",
	  "1 z 0x4", "" },
	{ "of those that are alike the first stays", ET_EXEC, "x .data 16 8",
	  "1 x .data 16 8; 2 x .data 16 8; 3 x .data 16 8", "1 x 0x10", "",
	  "2 by 1 at 0x10; 3 by 1 at 0x10" },
	{ "the one of the symbol's size stays", ET_EXEC, "x .bss 16 16; y .bss 64 4",
	  "0 x .bss 16 8; 1 x .bss 16 16; 0 y .bss 64 4; 1 y .bss 64 32", "", "1 x 0x10; 0 y 0x40",
	  "0 by 1 at 0x10; 1 by 0 at 0x40" },
	{ "the one of the symbol's size stays in an object", ET_REL, "x .bss 16 16; y .bss 64 4",
	  "0 x .bss 16 8; 1 x .bss 16 16; 0 y .bss 64 4; 1 y .bss 64 32", "", "1 x 0x10; 0 y 0x40",
	  "0 by 1 at 0x10; 1 by 0 at 0x40" },
	/* one ends in an array without a length, the other is nowhere in the table */
	{ "a symbol of the name counts more than none", ET_EXEC,
	  "flexible .data 32 24; alias .data 0 4; flexible .bss 32 8",
	  "0 alias .data 32 8; 1 flexible .data 32 8", "1 flexible 0x20", "", "0 by 1 at 0x20" },
	{ "one that covers many gives way to them", ET_EXEC,
	  "wide .data 0 8; a .data 8 8; b .data 16 8",
	  "0 wide .data 0 64; 1 a .data 8 8; 1 b .data 16 8", "1 a 0x8; 1 b 0x10", "",
	  "0 by 1 at 0x8" },
	/* those that are dropped come in the order of the input */
	{ "one that lies in another gives way to it", ET_EXEC, "whole .data 0 64",
	  "3 whole .data 0 64; 2 part .data 60 8; 1 part .data 8 8; 1 beside .data 64 8",
	  "3 whole 0; 1 beside 0x40", "", "1 by 3 at 0; 2 by 3 at 0" },
	{ "ends beyond 4 GiB do not wrap", ET_EXEC, "",
	  "0 low .data 0 8; 0 high .data 0xfffffff0 0xffffffff; 1 higher .data 0xfffffff8 8",
	  "0 low 0; 0 high 0xfffffff0", "", "1 by 0 at 0xfffffff0" },
};

TEST_EACH(of_two_variables_at_one_address_one_is_kept, cases, c)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	choose(&s, c->type, c->symbols, c->vars);
	CHECK_STR(kept(&s, s.data), c->data);
	CHECK_STR(kept(&s, s.bss), c->bss);
	CHECK_STR(dropped(&s), c->dropped);
}
