/* SPDX-License-Identifier: GPL-2.0-only */
/* t_kprobe_places.c - tables of a kernel and of a module show where it refuses kprobes */
#include "loader/elf/kprobe_places.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { TEXT = 0x1000, TABLES = 0x3000, INIT = 0x4000 };

struct opened {
	struct object o;
	struct symbols syms;
	struct addr_symbols symbols;
	struct kprobe_places places;
};

static void opened_release(struct opened *p)
{
	kprobe_places_release(&p->places);
	addr_symbols_release(&p->symbols);
	symbols_release(&p->syms);
	object_close(&p->o);
}

static void open_all(struct elfmake *m, struct opened *ret)
{
	make_symtab(m);
	CHECK_OK(make_open(m, &ret->o));
	CHECK_OK(symbols_read(&ret->o, &ret->syms));
	addr_symbols_make(&ret->o, &ret->syms, &ret->symbols);
	kprobe_places_make(&ret->o, &ret->syms, &ret->places);
}

static size_t code(struct elfmake *m, const char *name, uint64_t addr)
{
	return MAKE_SECTION(m, .name = name, .type = SHT_NOBITS, .addr = addr, .size = 0x1000,
			    .flags = SHF_ALLOC | SHF_EXECINSTR, .align = 16);
}

static const struct func {
	const char *name;
	uint32_t offset, size;
} funcs[] = {
	{ "traced", 0x10, 0x40 },   { "hidden", 0x50, 0x10 },      { "excluded", 0x60, 0x10 },
	{ "odd$", 0x70, 0x10 },     { "quiet", 0x80, 0x10 },       { "traced.cold", 0x90, 0x10 },
	{ "noinstr", 0xa0, 0x10 },  { "entry", 0xb0, 0x10 },       { "twice", 0xc0, 0x10 },
	{ "prefixed", 0xd0, 0x10 }, { "copy.isra.0", 0xe0, 0x10 }, { "copy.part.0", 0xf0, 0x10 },
	{ "rcu_x", 0x100, 0x10 },
};

static const struct {
	const char *name;
	uint32_t section, offset;
	enum kprobe_refusal why;
} cases[] = {
	{ "code like any other", 1, 0x14, KPROBE_FITS },
	{ "a part of a function without a call of ftrace", 1, 0x90, KPROBE_NOTRACE },
	{ "a copy of a function", 1, 0xe0, KPROBE_FITS },
	{ "a part that bpftrace excludes", 1, 0xf0, KPROBE_ODD_NAME },
	{ "a function that bpftrace excludes", 1, 0x100, KPROBE_ODD_NAME },
	{ "an instruction of a static key", 1, 0x18, KPROBE_JUMP_LABEL },
	{ "an instruction of a static call", 1, 0x1c, KPROBE_STATIC_CALL },
	{ "an instruction of BUG()", 1, 0x20, KPROBE_BUG },
	{ "a function that NOKPROBE_SYMBOL() excludes", 1, 0x62, KPROBE_NOKPROBE },
	{ "a name that is no identifier", 1, 0x72, KPROBE_ODD_NAME },
	{ "a function without a call of ftrace", 1, 0x82, KPROBE_NOTRACE },
	{ "a name of two symbols", 1, 0xc0, KPROBE_AMBIGUOUS },
	{ "no symbol", 1, 0, KPROBE_NO_SYMBOL },
};

/* Calls of ftrace. */
static const uint32_t calls[] = { 0x10, 0x50, 0x60, 0x70, 0x7f, 0xa0,
				  0xb0, 0xc0, 0xcc, 0xe0, 0xf0, 0x100 };

static void add_symbols(struct elfmake *m, uint32_t section, uint64_t base)
{
	for (size_t i = 0; i < ARRAY_SIZE(funcs); i++)
		make_symbol(m, funcs[i].name, STT_FUNC, section, base + funcs[i].offset,
			    funcs[i].size);
	make_any_symbol(m, "twice", ELF32_ST_INFO(STB_LOCAL, STT_OBJECT), section, base + 0xf00, 1);
}

static void between(struct elfmake *m, const char *start, const char *stop, uint32_t section,
		    uint64_t from, uint64_t to)
{
	make_symbol(m, start, STT_NOTYPE, section, from, 0);
	make_symbol(m, stop, STT_NOTYPE, section, to, 0);
}

static struct elfmake image(void)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	struct make_buf t = { 0 };
	size_t jump, call, bug, excluded, mcount;

	code(&m, ".text", TEXT);
	jump = t.len;
	make_int(&m, &t, 4, TEXT + 0x18 - (TABLES + t.len));
	make_int(&m, &t, 4, 0);
	make_int(&m, &t, 8, 0);
	call = t.len;
	make_int(&m, &t, 4, TEXT + 0x1c - (TABLES + t.len));
	make_int(&m, &t, 4, 0);
	bug = t.len;
	for (int i = 0; i < 2; i++) { /* of 16 bytes: 12 do not fit */
		make_int(&m, &t, 4, TEXT + 0x20 - (TABLES + t.len));
		make_int(&m, &t, 4, 0);
		make_int(&m, &t, 8, 0);
	}
	excluded = t.len;
	make_int(&m, &t, 8, TEXT + 0x60);
	mcount = t.len;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		make_int(&m, &t, 8, TEXT + calls[i]);
	MAKE_SECTION(&m, .name = ".init.data", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 8,
		     .addr = TABLES, .data = make_view(&t));
	code(&m, ".init.text", INIT);
	make_symbol(&m, "_text", STT_NOTYPE, 1, TEXT, 0);
	add_symbols(&m, 1, TEXT);
	make_symbol(&m, "setup", STT_FUNC, 3, INIT, 0x10);
	between(&m, "__start___jump_table", "__stop___jump_table", 2, TABLES + jump, TABLES + call);
	between(&m, "__start_static_call_sites", "__stop_static_call_sites", 2, TABLES + call,
		TABLES + bug);
	between(&m, "__start___bug_table", "__stop___bug_table", 2, TABLES + bug,
		TABLES + excluded);
	between(&m, "__start_kprobe_blacklist", "__stop_kprobe_blacklist", 2, TABLES + excluded,
		TABLES + mcount);
	between(&m, "__start_mcount_loc", "__stop_mcount_loc", 2, TABLES + mcount, TABLES + t.len);
	between(&m, "__init_begin", "__init_end", 3, INIT, INIT + 0x1000);
	between(&m, "__noinstr_text_start", "__noinstr_text_end", 1, TEXT + 0xa0, TEXT + 0xb0);
	between(&m, "__entry_text_start", "__entry_text_end", 1, TEXT + 0xb0, TEXT + 0xc0);
	return m;
}

static enum kprobe_refusal check(const struct opened *p, uint32_t section, uint64_t offset)
{
	return kprobe_places_check(&p->places, section, offset,
				   addr_symbols_at(&p->symbols, section, offset));
}

TEST_EACH(a_kernel_refuses_places, cases, c)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	struct elfmake m = image();

	if (c->why == KPROBE_NO_SYMBOL)
		return; /* there is _text */
	open_all(&m, &p);
	CHECK_EQ(kernel_file(&p.o, &p.syms), KERNEL_IMAGE);
	CHECK_EQ(check(&p, c->section, c->offset), c->why);
}

TEST(a_kernel_refuses_regions)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	struct elfmake m = image();

	open_all(&m, &p);
	CHECK_EQ(check(&p, 1, 0xa4), KPROBE_NOINSTR);
	CHECK_EQ(check(&p, 1, 0xb4), KPROBE_ENTRY);
	CHECK_EQ(check(&p, 3, 4), KPROBE_INIT);
}

/* Relocations for entries of @stride bytes that refer to @offsets of section 1. */
static void table(struct elfmake *m, const char *name, size_t stride, uint32_t type,
		  const uint32_t *offsets, size_t nr)
{
	struct make_buf relocs = { 0 };
	size_t section = MAKE_SECTION(m, .name = name, .type = SHT_PROGBITS, .flags = SHF_ALLOC,
				      .align = 8, .data = make_fill(stride * nr, 1));

	for (size_t i = 0; i < nr; i++)
		make_reloc(m, &relocs, true, stride * i, 1, type, offsets[i]);
	make_relocs(m, make_text(".rela%s", name), true, section, 0, &relocs);
}

static struct elfmake module_of(uint16_t machine)
{
	static const uint32_t jumps[] = { 0x18 }, static_calls[] = { 0x1c }, bugs[] = { 0x20 };
	static const uint32_t excluded[] = { 0x60 };
	struct elfmake m = make_elf(MAKE_64, MAKE_LITTLE, ET_REL, machine);

	code(&m, ".text", 0);
	code(&m, ".init.text", 0);
	code(&m, ".noinstr.text", 0);
	make_any_symbol(&m, "", STT_SECTION, 1, 0, 0);
	add_symbols(&m, 1, 0);
	make_symbol(&m, "init_module", STT_FUNC, 2, 0, 0x10);
	make_symbol(&m, "silent", STT_FUNC, 3, 0, 0x10);
	table(&m, "__jump_table", 16, R_X86_64_PC32, jumps, 1);
	table(&m, ".static_call_sites", 8, R_X86_64_PC32, static_calls, 1);
	table(&m, "__bug_table", 12, R_X86_64_PC32, bugs, 1);
	table(&m, "_kprobe_blacklist", 8, R_X86_64_64, excluded, 1);
	table(&m, "__mcount_loc", 8, R_X86_64_64, calls, ARRAY_SIZE(calls));
	/* the last string has no end */
	make_data(&m, ".modinfo", MAKE_TEXT("license=GPL\0name=fine"));
	make_data(&m, ".behind", MAKE_TEXT("behind"));
	return m;
}

static struct elfmake module(void)
{
	return module_of(EM_X86_64);
}

TEST(the_call_of_ftrace_is_in_front_of_a_function_but_on_x86)
{
	CLEANUP(opened_release) struct opened x86 = { 0 };
	CLEANUP(opened_release) struct opened arm = { 0 };
	struct elfmake m = module(), n = module_of(EM_AARCH64);

	open_all(&m, &x86);
	open_all(&n, &arm);
	CHECK_EQ(check(&x86, 1, 0xd2), KPROBE_NOTRACE);
	CHECK_EQ(check(&arm, 1, 0xd2), KPROBE_FITS);
	/* 16 bytes in front of it, and 17 */
	CHECK_EQ(check(&arm, 1, 0x82), KPROBE_FITS);
	CHECK_EQ(check(&arm, 1, 0x92), KPROBE_NOTRACE);
}

TEST_EACH(a_module_has_its_places_in_relocations, cases, c)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	struct elfmake m = module();

	open_all(&m, &p);
	CHECK_EQ(kernel_file(&p.o, &p.syms), KERNEL_MODULE);
	CHECK_EQ(check(&p, c->section, c->offset), c->why);
}

TEST(a_module_refuses_sections)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	struct elfmake m = module();

	open_all(&m, &p);
	CHECK_EQ(check(&p, 2, 4), KPROBE_INIT);
	CHECK_EQ(check(&p, 3, 4), KPROBE_NOINSTR);
}

TEST(a_module_has_the_name_that_its_file_states)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	struct elfmake m = module(), other = make_x86_64(ET_REL);
	CLEANUP(object_close) struct object o = { 0 };

	open_all(&m, &p);
	CHECK_STR(test_keep(kernel_module_name(&p.o, "a/odd-name.ko")), "fine");
	CHECK_OK(make_open(&other, &o));
	CHECK_STR(test_keep(kernel_module_name(&o, "a/odd-name.ko.debug")), "odd_name");
}

/* Every table is cut, or refers to nothing: there are no errors, and nothing is refused for it. */
TEST(damaged_tables_tell_nothing)
{
	CLEANUP(opened_release) struct opened p = { 0 };
	static const uint32_t far[] = { 0x20000 };
	struct elfmake m = make_x86_64(ET_REL);

	code(&m, ".text", 0);
	make_any_symbol(&m, "", STT_SECTION, 1, 0, 0);
	make_symbol(&m, "f", STT_FUNC, 1, 0, 0x10);
	table(&m, "__jump_table", 16, R_X86_64_PC32, far, 1);
	table(&m, "__mcount_loc", 8, R_X86_64_64, far, 1);
	make_data(&m, ".modinfo", MAKE_TEXT("no end"));
	open_all(&m, &p);
	CHECK_EQ(check(&p, 1, 4), KPROBE_FITS);

	CLEANUP(opened_release) struct opened linked = { 0 };
	struct elfmake image_m = make_x86_64(ET_EXEC);
	code(&image_m, ".text", TEXT);
	make_symbol(&image_m, "f", STT_FUNC, 1, TEXT, 0x10);
	between(&image_m, "__start___jump_table", "__stop___jump_table", 1, TEXT, UINT64_MAX);
	between(&image_m, "__start_mcount_loc", "__stop_mcount_loc", 1, TEXT + 8, TEXT);
	open_all(&image_m, &linked);
	CHECK_EQ(check(&linked, 1, 4), KPROBE_FITS);
}
