/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_section_relocs.c - sections that are put into an ELF file with relocations
 *
 * loader/elf/reloc.c reads the results. t_section_strip.c reads some with libelf.
 */
#include "tests/lib/elfmake.h"
#include "tests/lib/folder.h"
#include "tests/lib/sectionput.h"

static struct diagnostics diags;

/* The relocation type that stores an address. */
static uint32_t address_type(const struct make_target *t)
{
	return t->class == MAKE_64 ? t->abs64 : t->abs32;
}

enum { TEXT_SYM = 1, BSS_SYM, INFO_SYM, NR_SYMS, FAR = 300 };

/* Write "f", an object with DWARF. */
static void make_object(const struct make_target *k, uint16_t file_type)
{
	struct elfmake m = make_elf_for(k, file_type);

	MAKE_SECTION(&m, .name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 4,
		     .data = make_fill(40, 1));
	make_nobits(&m, 0, 100, 64);
	make_data(&m, ".debug_info", make_fill(1000, 2));
	make_symbol(&m, "f", STT_FUNC, 1, 0x10, 4);
	make_symbol(&m, "x", STT_OBJECT, 2, 8, 4);
	make_symbol(&m, "", STT_SECTION, 3, 0, 0);
	make_symtab(&m);
	struct make_buf b = make_bytes(&m);
	write_whole("f", make_view(&b));
}

static uint8_t content[FAR + 8];
static struct reloc_entry entries[2];

/* The content of .debug.btf. It stays valid until the next call. */
static struct section_content btf_of(const struct make_target *k)
{
	static struct section_relocs relocs;

	entries[0] = (struct reloc_entry){ 8, k->rela ? (uint64_t)-4 : 0, BSS_SYM,
					   address_type(k) };
	entries[1] = (struct reloc_entry){ FAR, 0, TEXT_SYM, address_type(k) };
	relocs = (struct section_relocs){ entries, 2, 2, k->rela };
	return (struct section_content){ .name = ".debug.btf",
					 .data = { content, sizeof(content) },
					 .type = k->machine == EM_MIPS ? SHT_MIPS_DWARF : 0,
					 .relocs = &relocs };
}

/* Put @c behind .BTF. */
static struct err *put(const struct section_content *c)
{
	const struct section_content both[] = { { .name = ".BTF", .data = { content, 100 } }, *c };

	diag_release(&diags);
	return section_put("f", both, 2, false, &diags);
}

/* The name of the section of relocations of .debug.btf. */
static const char *name_of(const struct make_target *k)
{
	return k->rela ? ".rela.debug.btf" : ".rel.debug.btf";
}

static bool has_section(const char *name)
{
	CLEANUP(object_close) struct object o = { 0 };

	CHECK_OK(object_open_bare("f", &o));
	return object_section(&o, name) != NULL;
}

static void check_read_back(const struct make_target *k)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(reloc_entries_release) struct reloc_entries read = { 0 };

	CHECK_OK(object_open("f", &o));
	const struct object_section *s = object_section(&o, name_of(k));
	const struct object_section *btf = object_section(&o, ".debug.btf");
	CHECK(s && btf);
	CHECK_EQ(btf->type, k->machine == EM_MIPS ? SHT_MIPS_DWARF : SHT_PROGBITS);
	CHECK_EQ(s->type, k->rela ? SHT_RELA : SHT_REL);
	CHECK_EQ(s->flags, SHF_INFO_LINK);
	CHECK_EQ(s->align, k->class == MAKE_64 ? 8 : 4);
	CHECK_EQ(s->info, btf - o.sections);
	CHECK_STR(o.sections[s->link].name, ".symtab");
	CHECK_OK(reloc_read(&o, (size_t)(s - o.sections), &read));
	CHECK_EQ(read.nr, 2);
	CHECK_MEM((const uint8_t *)read.items, (const uint8_t *)entries, sizeof(entries));
	CHECK_EQ(btf->flags, 0);
	CHECK_EQ(btf->align, 1);
	CHECK(make_equal(btf->data, (struct bytes){ content, sizeof(content) }));
}

TEST_IN_FOLDER(relocations_are_written_for_every_class_and_byte_order)
{
	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++) {
		IN_ROW(make_target_name(&make_targets[i]));
		const struct section_content c = btf_of(&make_targets[i]);

		make_object(&make_targets[i], ET_REL);
		CHECK_OK(put(&c));
		check_read_back(&make_targets[i]);
		CHECK(!diags.first);
	}
}

/* gcc and the gABI of 64-bit MIPS: r_sym has 32 bits, then there are four bytes. */
TEST_IN_FOLDER(mips64_has_the_first_type_in_the_last_byte)
{
	for (enum make_order order = MAKE_LITTLE; order <= MAKE_BIG; order++) {
		const struct make_target k = {
			MAKE_64, order, EM_MIPS, true, 0x030218, 0, 0, 0, 0
		};
		const struct section_content c = btf_of(&k);
		struct elfmake m = { .is64 = true, .big = order == MAKE_BIG };
		struct make_buf want = { 0 };

		make_int(&m, &want, 8, 8);
		make_int(&m, &want, 4, BSS_SYM);
		make_put(&want, "\0\3\2\x18", 4);
		make_int(&m, &want, 8, (uint64_t)-4);
		make_object(&k, ET_REL);
		CHECK_OK(put(&c));
		check_read_back(&k);
		CLEANUP(free_bytes) struct bytes file = read_whole("f");
		CHECK(memmem(file.ptr, file.len, want.ptr, want.len));
	}
}

TEST_IN_FOLDER(relocations_of_an_earlier_run_make_no_difference)
{
	static const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++) {
		IN_ROW(make_target_name(&make_targets[i]));
		struct section_content c = btf_of(&make_targets[i]);
		struct section_relocs one = *c.relocs, none = { .rela = one.rela };

		const struct section_content without = { .name = ".debug.btf" };

		make_object(&make_targets[i], ET_REL);
		CHECK_OK(put(&without));
		CLEANUP(free_bytes) struct bytes original = read_whole("f");
		CHECK_OK(put(&c));
		CLEANUP(free_bytes) struct bytes want = read_whole("f");

		CHECK(utimensat(AT_FDCWD, "f", long_ago, 0) == 0);
		CHECK_OK(put(&c));
		CHECK_EQ(stat_of("f").st_mtim.tv_sec, 1000);
		check_same_file("f", want);

		/* other relocations, and none */
		const struct section_relocs *two = c.relocs;
		one.nr = 1;
		c.relocs = &one;
		CHECK_OK(put(&c));
		c.relocs = two;
		CHECK_OK(put(&c));
		check_same_file("f", want);
		c.relocs = &none;
		CHECK_OK(put(&c));
		CHECK(!has_section(name_of(&make_targets[i])));
		CHECK(has_section(".debug.btf"));
		c.relocs = two;
		CHECK_OK(put(&c));
		check_same_file("f", want);

		CHECK(!diags.first);
		CHECK_OK(put(&without));
		check_same_file("f", original);
	}
}

/* As "strip" or "ld -r" leave it: its relocations have another number, and other sections follow. */
TEST_IN_FOLDER(relocations_anywhere_in_the_file_are_replaced)
{
	const struct make_target *k = &make_targets[0];
	struct elfmake m = make_elf_for(k, ET_REL);
	struct section_content c = btf_of(k);
	struct make_buf old = { 0 };

	for (size_t i = 0; i < 5; i++)
		make_reloc(&m, &old, true, i, 1, 1, 0);
	make_relocs(&m, ".rela.debug.btf", true, 4, 6, &old);
	make_relocs(&m, ".rela.text", true, 3, 6, &old);
	make_data(&m, ".text", make_fill(40, 1));
	make_data(&m, ".debug.btf", make_fill(500, 2));
	make_symbol(&m, "f", STT_FUNC, 3, 0, 4);
	make_symbol(&m, "x", STT_OBJECT, 3, 8, 4);
	make_symtab(&m);
	struct make_buf b = make_bytes(&m);
	write_whole("f", make_view(&b));
	CHECK_OK(put(&c));
	check_read_back(k);

	CLEANUP(object_close) struct object o = { 0 };
	CHECK_OK(object_open_bare("f", &o));
	CHECK_EQ(o.nr_sections, 9);
	CHECK_STR(o.sections[1].name, ".rela.debug.btf");
	CHECK(make_equal(o.sections[2].data, make_view(&old)));

	c.data.ptr = NULL;
	CHECK_OK(put(&c));
	CHECK(!has_section(".debug.btf"));
	CHECK(!has_section(".rela.debug.btf"));
	CHECK(has_section(".rela.text"));
}

/* ---- what is refused ---- */

TEST_IN_FOLDER(relocations_need_their_symbols)
{
	const struct section_content c = btf_of(&make_targets[0]);
	struct elfmake m = make_x86_64(ET_REL);

	make_data(&m, ".text", make_fill(40, 1));
	struct make_buf b = make_bytes(&m);
	write_whole("f", make_view(&b));
	CHECK_ERR_TEXT(put(&c), ERR_FORMAT,
		       "'f': .debug.btf: there is no symbol table for its relocations");
	check_same_file("f", make_view(&b));

	make_symbol(&m, "f", STT_FUNC, 1, 0, 4);
	m.nr--; /* the names */
	m.sections[make_symtab(&m)].name = ".rela.debug.btf";
	b = make_bytes(&m);
	write_whole("f", make_view(&b));
	CHECK_ERR_TEXT(put(&c), ERR_FORMAT, "there is no symbol table for its relocations");
	check_same_file("f", make_view(&b));

	make_object(&make_targets[0], ET_REL);
	CLEANUP(free_bytes) struct bytes before = read_whole("f");
	entries[1].symbol = NR_SYMS;
	CHECK_ERR_TEXT(put(&c), ERR_FORMAT, "relocation against symbol 4 of 4");
	check_same_file("f", before);
}

TEST_IN_FOLDER(a_removed_section_must_not_have_symbols_of_relocations)
{
	struct section_content sections[] = { btf_of(&make_targets[0]), { .name = ".debug_info" } };

	make_object(&make_targets[0], ET_REL);
	CLEANUP(free_bytes) struct bytes before = read_whole("f");
	entries[1].symbol = INFO_SYM;
	CHECK_ERR_TEXT(section_put("f", sections, 2, false, &diags), ERR_UNSUPPORTED,
		       "section 3 would be removed, but other parts of the file refer to it");
	check_same_file("f", before);
}

/* ---- stripping DWARF ---- */

TEST_IN_FOLDER(stripping_keeps_relocations_that_were_just_set)
{
	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++) {
		IN_ROW(make_target_name(&make_targets[i]));
		const struct section_content c = btf_of(&make_targets[i]);
		struct section_facts facts;

		make_object(&make_targets[i], ET_REL);
		CHECK_OK(section_put("f", &c, 1, true, &diags));
		check_read_back(&make_targets[i]);
		CHECK_OK(section_out_look("f", &facts));
		CHECK(!facts.has_dwarf);
		CHECK(!has_section(".debug_info"));
	}
}
