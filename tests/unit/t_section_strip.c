/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_section_strip.c - what remains of an ELF file when its DWARF is dropped
 *
 * The files are made by hand, since no compiler gives all that can be in one, and told
 * by libelf before and after.
 */
#include "base/file_io.h"
#include "loader/elf/object.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/elftell.h"
#include "tests/lib/folder.h"
#include "tests/lib/sectionput.h"

enum { ADDRSIG = 0x6fff4c03 };

static struct diagnostics diags;

static struct err *strip(const char *path)
{
	diag_release(&diags);
	return section_put(path, NULL, 0, true, &diags);
}

/* Write it to the file "f". */
static void write_elf(struct elfmake *m)
{
	size_t nr = m->nr;
	struct make_buf b = make_bytes(m);

	m->nr = nr; /* without the names, so that it can be written once more */
	unlink("f");
	write_whole("f", make_view(&b));
}

static void write_and_strip(struct elfmake *m)
{
	write_elf(m);
	CHECK_OK(strip("f"));
}

static void symbol(struct elfmake *m, const char *name, unsigned int bind, unsigned int type,
		   uint32_t section, uint64_t value)
{
	if (!m->syms.len)
		make_symbol(m, "", STT_NOTYPE, 0, 0, 0); /* brings the null symbol, and one more */
	make_raw_symbol(m, (uint32_t)m->strings.len, ELF64_ST_INFO(bind, type), section, value, 8);
	make_put(&m->strings, name, strlen(name) + 1);
}

static struct bytes words(struct elfmake *m, const uint32_t *w, size_t nr)
{
	struct make_buf b = { 0 };

	for (size_t i = 0; i < nr; i++)
		make_int(m, &b, 4, w[i]);
	return make_view(&b);
}

#define WORDS(m, ...)                               \
	words(m, (const uint32_t[]){ __VA_ARGS__ }, \
	      sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static size_t section(struct elfmake *m, const char *name, uint32_t type, uint64_t flags,
		      uint64_t align, size_t size)
{
	struct bytes data = make_fill(size, (uint8_t)m->nr);

	return MAKE_SECTION(m, .name = name, .type = type, .flags = flags, .align = align,
			    .data = data);
}

/* Numbers of what everything() makes. */
enum {
	MACROS = 1,
	F_GROUP,
	TEXT,
	INFO,
	ABBREV,
	MACRO,
	TEXT_F,
	TYPES,
	SCRIPTS,
	EMPTY,
	BSS,
	REL_TEXT,
	REL_INFO,
	REL_MACRO,
	REL_F,
	REL_TYPES,
	SIG,
	STRTAB,
	SYMTAB,

	TEXT_SYM = 2,
	INFO_SYM,
	ABBREV_SYM,
	MACROS_SYM,
	TEXT_F_SYM,
	LOCAL_SYM,
	MAIN_SYM,
	F_SYM,
	PRINTF_SYM,
	ABS_SYM,
};

static void make_symbols(struct elfmake *m)
{
	symbol(m, "", STB_LOCAL, STT_SECTION, TEXT, 0);
	symbol(m, "", STB_LOCAL, STT_SECTION, INFO, 0);
	symbol(m, "", STB_LOCAL, STT_SECTION, ABBREV, 0);
	symbol(m, "wm4.debug_macros", STB_LOCAL, STT_NOTYPE, MACROS, 0);
	symbol(m, "", STB_LOCAL, STT_SECTION, TEXT_F, 0);
	symbol(m, "local", STB_LOCAL, STT_FUNC, TEXT, 8);
	symbol(m, "main", STB_GLOBAL, STT_FUNC, TEXT, 16);
	symbol(m, "f", STB_WEAK, STT_FUNC, TEXT_F, 0);
	symbol(m, "printf", STB_GLOBAL, STT_NOTYPE, SHN_UNDEF, 0);
	symbol(m, "absolute", STB_GLOBAL, STT_NOTYPE, SHN_ABS, 0x1234);
}

static struct make_buf relocs(struct elfmake *m, bool rela, uint32_t a, uint32_t b)
{
	struct make_buf r = { 0 };

	make_reloc(m, &r, rela, 3, a, 1, 5);
	make_reloc(m, &r, rela, 11, b, 2, -4);
	make_reloc(m, &r, rela, 13, 0, 3, 0);
	return r;
}

/* An object with everything that stripping has to deal with. */
static struct elfmake everything(enum make_class class, enum make_order order, bool rela)
{
	struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
	/* from REL_TEXT on */
	const struct {
		const char *section;
		size_t target;
		uint32_t a, b;
	} tables[] = {
		{ ".text", TEXT, MAIN_SYM, PRINTF_SYM },
		{ ".debug_info", INFO, ABBREV_SYM, TEXT_SYM },
		{ ".debug_macro", MACRO, MACROS_SYM, INFO_SYM },
		{ ".text.f", TEXT_F, LOCAL_SYM, F_SYM },
		{ ".debug_types", TYPES, INFO_SYM, F_SYM },
	};

	make_symbols(&m);
	/* its name is no reason to drop it, but "tell" leaves such lines out */
	MAKE_SECTION(&m, .name = ".group.debug_macro", .type = SHT_GROUP, .align = 4,
		     .link = SYMTAB, .info = MACROS_SYM, .entsize = 4,
		     .data = WORDS(&m, GRP_COMDAT, MACRO, REL_MACRO));
	MAKE_SECTION(&m, .name = ".group", .type = SHT_GROUP, .align = 4, .link = SYMTAB,
		     .info = F_SYM, .entsize = 4,
		     .data = WORDS(&m, GRP_COMDAT, TYPES, TEXT_F, REL_TYPES, REL_F));
	section(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, 100);
	section(&m, ".debug_info", SHT_PROGBITS, 0, 1, 1000);
	section(&m, ".debug_abbrev", SHT_PROGBITS, 0, 1, 77);
	section(&m, ".debug_macro", SHT_PROGBITS, SHF_GROUP, 1, 3001);
	section(&m, ".text.f", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR | SHF_GROUP, 32, 33);
	section(&m, ".debug_types", SHT_PROGBITS, SHF_GROUP, 1, 501);
	section(&m, ".debug_gdb_scripts", SHT_PROGBITS, SHF_ALLOC | SHF_MERGE | SHF_STRINGS, 1, 34);
	section(&m, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);
	make_nobits(&m, 0, 0x1000, 64);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct make_buf r = relocs(&m, rela, tables[i].a, tables[i].b);

		make_relocs(&m, make_text(rela ? ".rela%s" : ".rel%s", tables[i].section), rela,
			    tables[i].target, SYMTAB, &r);
	}
	MAKE_SECTION(&m, .name = ".llvm_addrsig", .type = ADDRSIG, .flags = SHF_EXCLUDE, .align = 1,
		     .link = SYMTAB, .data = MAKE_TEXT("\x8a\x00\x08\x02"));
	make_symtab(&m);
	m.sections[SYMTAB].info = MAIN_SYM;
	return m;
}

/* A test with everything(), of 64 bits, little-endian and with RELA, in an empty folder. */
#define TEST_WITH_EVERYTHING(name_, m_)                                       \
	static void EVERYTHING_##name_(struct elfmake *m_);                   \
	TEST(name_)                                                           \
	{                                                                     \
		struct elfmake made = everything(MAKE_64, MAKE_LITTLE, true); \
                                                                              \
		fresh_folder();                                               \
		EVERYTHING_##name_(&made);                                    \
	}                                                                     \
	static void EVERYTHING_##name_(struct elfmake *m_)

/* The file is what @want tells, and has no room to spare. */
static void check_stripped(const char *want, size_t most)
{
	CLEANUP(mem_free_text) char *after = tell_elf("f", NULL);

	CHECK_STR(after, want);
	CHECK((size_t)stat_of("f").st_size <= most);
}

/* Strip what is in "f"; all but lines about DWARF must be as before. */
static void check_strip(size_t most)
{
	CLEANUP(mem_free_text) char *want = tell_elf("f", ".debug_");

	CHECK_OK(strip("f"));
	check_stripped(want, most);
}

TEST_IN_FOLDER(all_but_the_dwarf_stays_in_both_classes_and_byte_orders)
{
	for (int rela = 0; rela < 2; rela++) {
		FOR_EACH_KIND(class, order)
		{
			struct elfmake m = everything(class, order, rela);

			m.sections[SCRIPTS].name = ".loaded";
			write_elf(&m);
			check_strip(class == MAKE_64 ? 2100 : 1500);
			CHECK(!diags.first);
		}
	}
}

TEST_WITH_EVERYTHING(a_debug_section_that_is_loaded_stays, m)
{
	write_and_strip(m);
	CLEANUP(mem_free_text) char *after = tell_elf("f", NULL);
	CHECK(strstr(after, "section .debug_gdb_scripts"));
	CHECK(!strstr(after, "section .debug_info"));
}

TEST_IN_FOLDER(all_names_of_dwarf_are_known)
{
	static const char *const names[] = { ".debug_info", ".zdebug_str", ".gdb_index",
					     ".gnu.debuglto_.debug_info", ".gnu.linkonce.wi.x" };
	static const char *const others[] = { ".debug",     ".gnu.lto",   ".gnu_debuglink",
					      ".debugging", ".comment",   ".eh_frame",
					      ".debug.btf", ".zdebug.btf" };
	struct elfmake m = make_x86_64(ET_REL);
	struct section_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		section(&m, others[i], SHT_PROGBITS, 0, 1, 10);
	write_elf(&m);
	CHECK_OK(section_out_look("f", &facts));
	CHECK(!facts.has_dwarf);
	CLEANUP(mem_free_text) char *want = tell_elf("f", NULL);

	m = make_x86_64(ET_REL);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (i < ARRAY_SIZE(names))
			section(&m, names[i], SHT_PROGBITS, 0, 1, 10);
		/* the same bytes as above */
		MAKE_SECTION(&m, .name = others[i], .type = SHT_PROGBITS, .align = 1,
			     .data = make_fill(10, (uint8_t)(i + 1)));
	}
	write_elf(&m);
	CHECK_OK(section_out_look("f", &facts));
	CHECK(facts.has_dwarf);
	CHECK_OK(strip("f"));
	check_stripped(want, 950);
	CHECK_OK(section_out_look("f", &facts));
	CHECK(!facts.has_dwarf);
}

TEST_IN_FOLDER(intermediate_code_keeps_its_debug_information)
{
	struct elfmake m = make_x86_64(ET_REL);
	struct section_facts facts;

	section(&m, ".gnu.debuglto_.debug_info", SHT_PROGBITS, 0, 1, 10);
	section(&m, ".gnu.lto_main.1.f00", SHT_PROGBITS, 0, 1, 10);
	write_elf(&m);
	CLEANUP(mem_free_text) char *want = tell_elf("f", NULL);
	CHECK_OK(section_out_look("f", &facts));
	CHECK(!facts.has_dwarf);
	CHECK_OK(strip("f"));
	CLEANUP(mem_free_text) char *after = tell_elf("f", NULL);
	CHECK_STR(after, want);
}

TEST_WITH_EVERYTHING(symbols_and_names_stay_whatever_they_are_called, m)
{
	m->sections[STRTAB].name = ".debug_str";
	m->sections[SYMTAB].name = ".debug_symbols";
	write_and_strip(m);
	CLEANUP(mem_free_text) char *after = tell_elf("f", NULL);
	CHECK(strstr(after, "section .debug_symbols type 0x2"));
	CHECK(strstr(after, "symbol main@.text"));
	CHECK(!strstr(after, ".debug_info"));
}

TEST_WITH_EVERYTHING(without_dwarf_nothing_is_written, m)
{
	static const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };

	write_and_strip(m);
	CHECK(utimensat(AT_FDCWD, "f", long_ago, 0) == 0);
	CHECK_OK(strip("f"));
	CHECK_EQ(stat_of("f").st_mtim.tv_sec, 1000);
}

TEST_IN_FOLDER(what_has_no_section_table_has_no_dwarf)
{
	struct section_facts facts = { .has_dwarf = true };

	write_whole("f", make_fill(100, 1));
	CHECK_OK(section_out_look("f", &facts));
	CHECK(!facts.has_dwarf);
	CHECK_ERR(section_out_look("nothing", &facts), ERR_IO);
	CHECK(mkfifo("pipe", 0600) == 0);
	CHECK_ERR_TEXT(section_out_look("pipe", &facts), ERR_IO, "not a regular file");
}

TEST_IN_FOLDER(whether_there_was_btf_before_makes_no_difference)
{
	const struct section_content btf = { .name = ".BTF", .data = MAKE_TEXT("some types, say") };
	struct elfmake m = everything(MAKE_32, MAKE_BIG, false);

	write_elf(&m);
	CHECK_OK(section_put("f", &btf, 1, true, &diags));
	CLEANUP(free_bytes) struct bytes one = read_whole("f");
	CLEANUP(mem_free_text) char *text = tell_elf("f", NULL);
	CHECK(strstr(text, "section .BTF type 0x1 flags 0 addr 0 align 1 link - size 0xf "));

	write_elf(&m);
	CHECK_OK(section_put("f", &btf, 1, false, &diags));
	CHECK_OK(section_put("f", &btf, 1, true, &diags));
	check_same_file("f", one);

	/* and once it is stripped, nothing is left to do */
	CHECK_OK(section_put("f", &btf, 1, true, &diags));
	check_same_file("f", one);
	CHECK_OK(section_put("f", &btf, 1, false, &diags));
	check_same_file("f", one);
}

TEST_WITH_EVERYTHING(entries_that_an_earlier_run_left_unused_go_as_well, m)
{
	write_and_strip(m);
	CLEANUP(free_bytes) struct bytes want = read_whole("f");
	m->sections[ABBREV].type = SHT_NULL;
	write_and_strip(m);
	check_same_file("f", want);
}

/* ---- .debug.btf ---- */

/* The lines of @text that have @part. */
static const char *lines_with(const char *text, const char *part)
{
	struct make_buf b = { 0 };

	for (const char *end; *text; text = end) {
		end = strchr(text, '\n') + 1;
		if (memmem(text, (size_t)(end - text), part, strlen(part)))
			make_put(&b, text, (size_t)(end - text));
	}
	make_put(&b, "", 1);
	return (const char *)b.ptr;
}

/* Its relocations use symbols that get other numbers, also in the run that sets them. */
TEST_IN_FOLDER(metadata_of_btf_stays_with_its_relocations)
{
	for (int rela = 0; rela < 2; rela++) {
		FOR_EACH_KIND(class, order)
		{
			struct elfmake m = everything(class, order, rela);
			struct reloc_entry items[] = { { 0, rela ? 7 : 0, LOCAL_SYM, 1 },
						       { 8, 0, TEXT_F_SYM, 1 },
						       { 16, 0, PRINTF_SYM, 1 } };
			const struct section_relocs relocs = { items, 3, 3, rela };
			const struct section_content btf = { .name = ".debug.btf",
							     .data = make_fill(24, 3),
							     .relocs = &relocs };

			write_elf(&m);
			CHECK_OK(section_put("f", &btf, 1, false, &diags));
			CLEANUP(mem_free_text) char *before = tell_elf("f", NULL);
			CHECK_OK(section_put("f", &btf, 1, true, &diags));
			CLEANUP(mem_free_text) char *after = tell_elf("f", NULL);
			const char *lines = lines_with(after, ".debug.btf");
			CHECK_STR(lines, lines_with(before, ".debug.btf"));
			CHECK(strstr(lines, rela ? " at 0 type 1 addend 7 to local@.text\n" :
						   " at 0 type 1 addend 0 to local@.text\n"));
			CHECK(strstr(lines, " at 0x8 type 1 addend 0 to @.text.f\n"));
			CHECK(strstr(lines, " at 0x10 type 1 addend 0 to printf@-\n"));
			CHECK(!strstr(after, ".debug_info"));
			CLEANUP(free_bytes) struct bytes want = read_whole("f");

			write_elf(&m);
			CHECK_OK(section_put("f", &btf, 1, true, &diags));
			check_same_file("f", want);

			write_elf(&m);
			CHECK_OK(section_put("f", &btf, 1, false, &diags));
			CHECK_OK(strip("f"));
			CLEANUP(mem_free_text) char *later = tell_elf("f", NULL);
			CHECK_STR(later, after);
		}
	}
}

TEST_WITH_EVERYTHING(metadata_of_btf_must_not_use_symbols_of_dwarf, m)
{
	struct reloc_entry item = { 0, 0, ABBREV_SYM, 1 };
	const struct section_relocs relocs = { &item, 1, 1, true };
	const struct section_content btf = { .name = ".debug.btf",
					     .data = make_fill(24, 3),
					     .relocs = &relocs };

	write_elf(m);
	CHECK_ERR_TEXT(section_put("f", &btf, 1, true, &diags), ERR_UNSUPPORTED,
		       "'.rela.debug.btf' refers to '.debug_abbrev', which would be removed");
}

/* ---- many sections ---- */

enum { DEBUG_EVERY = 1000 };

/* @nr sections, some of DWARF among them, with a symbol in each and relocations to some. */
static struct elfmake many(size_t nr, size_t nr_debug)
{
	struct elfmake m = make_x86_64(ET_REL);
	struct make_buf r = { 0 };
	size_t debug = 0;

	for (size_t i = 1; i < nr - 5; i++) {
		bool is_debug = debug < nr_debug && i % 3 == 0;

		debug += is_debug;
		section(&m, is_debug ? ".debug_info" : make_text(".text.%zu", i), SHT_PROGBITS, 0,
			1, i % 7);
		symbol(&m, is_debug ? "" : make_text("f%zu", i), STB_LOCAL,
		       is_debug ? STT_SECTION : STT_FUNC,
		       i < SHN_LORESERVE ? (uint32_t)i : MAKE_SHNDX(i), i);
		if (!is_debug && i % 1000 == 1)
			make_reloc(&m, &r, true, i, (uint32_t)i + 1, 1, 0);
	}
	make_relocs(&m, ".rela.text", true, 1, m.nr + 2, &r);
	size_t symtab = make_symtab(&m);
	m.sections[symtab].info = (uint32_t)(m.syms.len / sizeof(Elf64_Sym));
	return m;
}

TEST_IN_FOLDER(sections_beyond_16_bits_get_their_new_numbers)
{
	struct elfmake m = many(SHN_LORESERVE + 2000, 1000);

	write_elf(&m);
	check_strip(SIZE_MAX);
	CLEANUP(free_bytes) struct bytes b = read_whole("f");
	CHECK_EQ(((const Elf64_Ehdr *)(const void *)b.ptr)->e_shnum, 0);
}

TEST_IN_FOLDER(a_table_of_extended_numbers_goes_with_the_need_for_it)
{
	struct elfmake m = many(SHN_LORESERVE + 500, 1000);

	write_elf(&m);
	check_strip(SIZE_MAX);
	CLEANUP(free_bytes) struct bytes b = read_whole("f");
	const Elf64_Ehdr *eh = (const void *)b.ptr;
	const Elf64_Shdr *sh = (const void *)(b.ptr + eh->e_shoff);
	CHECK(eh->e_shnum > SHN_LORESERVE - 600);
	for (size_t i = 0; i < eh->e_shnum; i++)
		CHECK(sh[i].sh_type != SHT_SYMTAB_SHNDX);
}

/* ---- names ---- */

TEST_IN_FOLDER(names_of_sections_and_symbols_may_be_in_one_table)
{
	struct elfmake m = make_x86_64(ET_REL);

	section(&m, ".text", SHT_PROGBITS, SHF_ALLOC, 1, 10);
	section(&m, ".debug_info", SHT_PROGBITS, 0, 1, 10);
	symbol(&m, "in.debug_info", STB_LOCAL, STT_NOTYPE, 2, 0);
	symbol(&m, "main", STB_GLOBAL, STT_FUNC, 1, 0);
	size_t symtab = make_symtab(&m);
	/* the section names come last, so their number is known */
	m.sections[symtab].link = (uint32_t)m.nr;
	m.sections[symtab - 1].data.len = 1;
	/* symbols called as sections are: ".text", ".symtab", and the end of one */
	static const uint8_t at[] = { 0, 1, 20, 22 };
	for (size_t i = 0; i < 4; i++)
		m.syms.ptr[i * sizeof(Elf64_Sym)] = at[i];
	m.sections[symtab].info = 3;
	write_elf(&m);
	check_strip(700);
	CLEANUP(free_bytes) struct bytes b = read_whole("f");
	CHECK(!memmem(b.ptr, b.len, "debug_info", 10));
}

TEST_WITH_EVERYTHING(names_of_dropped_symbols_go_with_them, m)
{
	write_and_strip(m);
	CLEANUP(free_bytes) struct bytes b = read_whole("f");
	CHECK(!memmem(b.ptr, b.len, "wm4", 3));
	CHECK(!memmem(b.ptr, b.len, "debug_info", 10));
	CHECK(memmem(b.ptr, b.len, "printf", 6));
}

/* 0 is no section. The group before this one loses all its members. */
TEST_WITH_EVERYTHING(a_group_may_begin_with_no_section, m)
{
	write_and_strip(m);
	CLEANUP(mem_free_text) char *want = tell_elf("f", NULL);
	m->sections[F_GROUP].data = WORDS(m, GRP_COMDAT, 0, TYPES, TEXT_F, REL_TYPES, REL_F);
	write_and_strip(m);
	check_stripped(want, 2100);
}

/* The entry that is no section points into the names, at one that goes. */
TEST_WITH_EVERYTHING(the_first_entry_has_no_name, m)
{
	CLEANUP(object_close) struct object obj = { 0 };
	const uint8_t far = 0xc0;

	write_elf(m);
	CLEANUP(file_close) int fd = open("f", O_RDWR);
	CHECK_OK(file_write_at(fd, sizeof(Elf64_Ehdr), &far, 1));
	CHECK_OK(object_open_bare("f", &obj));
	object_close(&obj);
	CHECK_OK(strip("f"));
	CHECK_OK(object_open_bare("f", &obj));
	CHECK_EQ(obj.sections[obj.nr_sections - 1].name[0], '.');
}

/* ---- what is refused ---- */

static void check_refused(struct elfmake *m, enum err_kind kind, const char *text)
{
	write_elf(m);
	CLEANUP(free_bytes) struct bytes before = read_whole("f");
	CHECK_ERR_TEXT(strip("f"), kind, text);
	check_same_file("f", before);
	CHECK_EQ(count_files(), 1);
}

/* A change of everything(), and the error. Fields that are 0 change nothing. */
/* clang-format off */
static const struct {
	const char *name;
	bool is32, big;
	size_t section;
	const char *called;        /* @section, from now on */
	uint32_t type, link, info; /* of @section */
	uint64_t flags;
	struct bytes data;
	size_t cut;                /* bytes at the end of @section */
	size_t sym_byte, value;    /* the byte at @sym_byte of all symbols becomes @value */
	uint32_t reloc_sym;        /* .rela.text refers to it */
	enum err_kind kind;
	const char *message;
} refused[] = {
	/* what stays must not refer to what goes */
	{ "relocation of a symbol of DWARF", .reloc_sym = INFO_SYM, .kind = ERR_UNSUPPORTED,
	  .message = "'f': '.rela.text' refers to '.debug_info', which would be removed" },
	{ "sh_link", .big = true, .section = EMPTY, .link = ABBREV, .kind = ERR_UNSUPPORTED,
	  .message = "'.note.GNU-stack' refers to '.debug_abbrev', which would be removed" },
	{ "sh_info", .is32 = true, .big = true, .section = EMPTY, .info = INFO, .flags = SHF_INFO_LINK,
	  .kind = ERR_UNSUPPORTED, .message = "'.note.GNU-stack' refers to '.debug_info', which would be removed" },
	{ "group", .section = F_GROUP, .info = INFO_SYM, .kind = ERR_UNSUPPORTED,
	  .message = "'.group' refers to '.debug_info', which would be removed" },
	{ "symbols in an unknown format", .section = SIG, .called = ".llvm.call-graph-profile", .type = 0x6fff4c02,
	  .kind = ERR_UNSUPPORTED, .message = "'.llvm.call-graph-profile' (type 0x6fff4c02) refers to symbols" },
	/* damage */
	{ "part of a symbol", .section = SYMTAB, .cut = 1,
	  .kind = ERR_FORMAT, .message = "'.symtab' has 287 bytes, not a multiple of 24" },
	{ "symbol in no section", .sym_byte = MAIN_SYM * sizeof(Elf64_Sym) + 6, .value = 77,
	  .kind = ERR_FORMAT, .message = "symbol 8 is in section 77 of 21" },
	{ "name of a symbol", .sym_byte = MAIN_SYM * sizeof(Elf64_Sym) + 2, .value = 1,
	  .kind = ERR_FORMAT, .message = "'.strtab': a name is at 0x10" },
	{ "relocation of no symbol", .reloc_sym = 1000,
	  .kind = ERR_FORMAT, .message = "'.rela.text' refers to symbol 1000 of 12" },
	{ "relocation of the symbol behind the last one", .reloc_sym = 12,
	  .kind = ERR_FORMAT, .message = "'.rela.text' refers to symbol 12 of 12" },
	{ "part of a relocation", .section = REL_TEXT, .cut = 8,
	  .kind = ERR_FORMAT, .message = "'.rela.text' has 64 bytes, not a multiple of 24" },
	{ "group of no section", .section = F_GROUP, .data = MAKE_TEXT("\1\0\0\0\7\0\0\0\25\0\0\0"),
	  .kind = ERR_FORMAT, .message = "section 2, a group, has section 21 of 21" },
	{ "part of a group", .section = F_GROUP, .data = MAKE_TEXT("123456"),
	  .kind = ERR_FORMAT, .message = "section 2, a group, has 6 bytes" },
	{ "part of a number", .section = SIG, .data = MAKE_TEXT("\x8a"),
	  .kind = ERR_FORMAT, .message = "'.llvm_addrsig' ends within a number" },
	{ "overlong number", .section = SIG, .data = MAKE_TEXT("\x80\x80\x80\x80\x80\x01"),
	  .kind = ERR_FORMAT, .message = "'.llvm_addrsig' ends within a number, or has one of more" },
	{ "address of no symbol", .section = SIG, .data = MAKE_TEXT("\x0c"),
	  .kind = ERR_FORMAT, .message = "'.llvm_addrsig' refers to symbol 12 of 12" },
};
/* clang-format on */

TEST_EACH(references_that_would_break_and_damage_are_refused, refused, row)
{
	struct elfmake m = everything(row->is32 ? MAKE_32 : MAKE_64,
				      row->big ? MAKE_BIG : MAKE_LITTLE, true);
	struct make_section *s = &m.sections[row->section];
	struct make_buf r = relocs(&m, true, MAIN_SYM, row->reloc_sym);

	fresh_folder();
	s->name = row->called ? row->called : s->name;
	s->type = row->type ? row->type : s->type;
	s->link = row->link ? row->link : s->link;
	s->info = row->info ? row->info : s->info;
	s->flags = row->flags ? row->flags : s->flags;
	s->data = row->data.ptr ? row->data : s->data;
	s->data.len -= row->cut;
	if (row->sym_byte)
		m.syms.ptr[row->sym_byte] = (uint8_t)row->value;
	if (row->reloc_sym)
		m.sections[REL_TEXT].data = make_view(&r);
	check_refused(&m, row->kind, row->message);
}

/* A later kind than the one in the table has relocations instead. */
TEST_WITH_EVERYTHING(a_call_graph_with_relocations_is_kept, m)
{
	m->sections[SIG].name = ".llvm.call-graph-profile";
	m->sections[SIG].type = 0x6fff4c09;
	write_and_strip(m);
}

TEST_IN_FOLDER(symbols_of_the_dynamic_linker_must_keep_their_sections)
{
	struct elfmake m = make_x86_64(ET_DYN);

	symbol(&m, "f", STB_GLOBAL, STT_FUNC, 1, 0);
	section(&m, ".text", SHT_PROGBITS, SHF_ALLOC, 1, 10);
	section(&m, ".debug_info", SHT_PROGBITS, 0, 1, 10);
	section(&m, ".data", SHT_PROGBITS, SHF_ALLOC, 1, 10);
	MAKE_SECTION(&m, .name = ".dynsym", .type = SHT_DYNSYM, .flags = SHF_ALLOC,
		     .entsize = sizeof(Elf64_Sym), .data = make_view(&m.syms));
	write_elf(&m);
	check_strip(800);
	m.syms.ptr[2 * sizeof(Elf64_Sym) + 6] = 3;
	check_refused(&m, ERR_UNSUPPORTED,
		      "'.dynsym' is loaded, and numbers in it would have to change");
}

/* ---- the file as such ---- */

TEST_WITH_EVERYTHING(other_names_keep_the_dwarf_and_mode_bits_survive, m)
{
	write_elf(m);
	CHECK(chmod("f", 0640) == 0 && link("f", "cache") == 0 && symlink("f", "symbolic") == 0);
	CLEANUP(free_bytes) struct bytes old = read_whole("f");
	CHECK_OK(strip("symbolic"));
	check_same_file("cache", old);
	CHECK(stat_of("f").st_size < 2100);
	CHECK_EQ(stat_of("f").st_mode & 07777, 0640);
	CHECK_EQ(count_files(), 3);
}

TEST_IN_FOLDER(dwarf_at_the_end_is_cut_off_in_place)
{
	struct elfmake m = make_x86_64(ET_REL);

	section(&m, ".text", SHT_PROGBITS, SHF_ALLOC, 1, 1000);
	section(&m, ".debug_info", SHT_PROGBITS, 0, 1, 100000);
	section(&m, ".debug_str", SHT_PROGBITS, 0, 1, 100000);
	write_elf(&m);
	check_strip(1400);
}
