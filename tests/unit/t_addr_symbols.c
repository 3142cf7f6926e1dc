/* SPDX-License-Identifier: GPL-2.0-only */
/* t_addr_symbols.c - which symbol an address belongs to */
#include "loader/elf/addr_symbols.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { BASE = 0x1000 };

/* Sections 1 and 2 with symbols. */
static void open_all(uint16_t type, struct object *o, struct symbols *s, struct addr_symbols *ret)
{
	const uint64_t base = type == ET_REL ? 0 : BASE;
	struct elfmake m = make_x86_64(type);

	MAKE_SECTION(&m, .name = ".text", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_EXECINSTR,
		     .addr = base, .size = 0x100, .align = 16);
	MAKE_SECTION(&m, .name = ".text", .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_EXECINSTR,
		     .addr = base * 2, .size = 0x100, .align = 16);
	make_symbol(&m, "label", STT_NOTYPE, 1, base + 0x10, 0);
	make_symbol(&m, "outer", STT_FUNC, 1, base + 0x10, 0x40);
	make_symbol(&m, "inside", STT_NOTYPE, 1, base + 0x20, 0);
	make_any_symbol(&m, "$x", STT_NOTYPE, 1, base + 0x28, 0);
	make_any_symbol(&m, ".L1", STT_NOTYPE, 1, base + 0x28, 0);
	make_any_symbol(&m, "twice", ELF32_ST_INFO(STB_LOCAL, STT_FUNC), 1, base + 0x60, 8);
	make_any_symbol(&m, "once", ELF32_ST_INFO(STB_LOCAL, STT_FUNC), 1, base + 0x60, 8);
	make_any_symbol(&m, "twice", ELF32_ST_INFO(STB_LOCAL, STT_OBJECT), 2, base * 2 + 0x80, 8);
	make_symbol(&m, "other", STT_FUNC, 2, base * 2 + 0x10, 0x10);
	make_symbol(&m, "undefined", STT_FUNC, 0, 0, 0);
	make_symbol(&m, "absolute", STT_FUNC, SHN_ABS, 0x12, 8);
	make_symtab(&m);
	CHECK_OK(make_open(&m, o));
	CHECK_OK(symbols_read(o, s));
	addr_symbols_make(o, s, ret);
}

static const struct {
	const char *name;
	uint32_t section;
	uint64_t offset;
	const char *symbol;
} cases[] = {
	{ "before all symbols", 1, 0xf, NULL },
	{ "a function is better than a label", 1, 0x10, "outer" },
	{ "a label inside a function does not end it", 1, 0x20, "outer" },
	{ "nor does a mark of the assembler", 1, 0x28, "outer" },
	{ "the last byte of a function", 1, 0x4f, "outer" },
	{ "behind a function, what kallsyms prints", 1, 0x50, "inside" },
	{ "a name that only one symbol has is better", 1, 0x60, "once" },
	{ "another section does not count", 2, 0xf, NULL },
	{ "the same offset of another section", 2, 0x11, "other" },
	{ "a section that does not exist", 7, 0x11, NULL },
};

TEST_EACH(an_address_belongs_to_the_symbol_around_it, cases, c)
{
	static const uint16_t types[] = { ET_REL, ET_EXEC };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		CLEANUP(object_close) struct object o = { 0 };
		CLEANUP(symbols_release) struct symbols s = { 0 };
		CLEANUP(addr_symbols_release) struct addr_symbols all = { 0 };

		open_all(types[i], &o, &s, &all);
		const struct addr_symbol *sym = addr_symbols_at(&all, c->section, c->offset);
		CHECK_STR(sym ? sym->name : NULL, c->symbol);
	}
}

TEST(symbols_of_one_name_are_counted)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(symbols_release) struct symbols s = { 0 };
	CLEANUP(addr_symbols_release) struct addr_symbols all = { 0 };

	open_all(ET_EXEC, &o, &s, &all);
	CHECK_EQ(addr_symbols_at(&all, 1, 0x10)->nr_named, 1);
	CHECK_EQ(addr_symbols_at(&all, 2, 0x80)->nr_named, 2);
}

TEST(one_of_several_sections_with_a_name_is_not_chosen)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct elfmake m = make_x86_64(ET_REL);

	MAKE_SECTION(&m, .name = ".data", .type = SHT_NOBITS, .flags = SHF_ALLOC, .align = 1);
	MAKE_SECTION(&m, .name = ".text", .type = SHT_NOBITS, .flags = SHF_EXECINSTR, .align = 1);
	MAKE_SECTION(&m, .name = ".twice", .type = SHT_NOBITS, .flags = SHF_EXECINSTR, .align = 1);
	MAKE_SECTION(&m, .name = ".twice", .type = SHT_NOBITS, .flags = SHF_EXECINSTR, .align = 1);
	CHECK_OK(make_open(&m, &o));
	CHECK_EQ(code_section(&o, ".text"), 2);
	CHECK_EQ(code_section(&o, ".data"), 0);
	CHECK_EQ(code_section(&o, ".twice"), 0);
	CHECK_EQ(code_section(&o, ".none"), 0);
}
