/* SPDX-License-Identifier: GPL-2.0-only */
/* t_object.c - opening ELF files, their sections, their debug sections */
#include "loader/elf/object.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

TEST(sections_are_read_in_both_classes_and_byte_orders)
{
	FOR_EACH_KIND(class, order)
	{
		struct elfmake m = make_elf(class, order, ET_EXEC, EM_PPC64);
		CLEANUP(object_close) struct object o = { 0 };

		MAKE_SECTION(&m, .name = ".text", .type = SHT_PROGBITS,
			     .flags = SHF_ALLOC | SHF_EXECINSTR, .addr = 0x12345670, .align = 16,
			     .data = make_fill(33, 5));
		MAKE_SECTION(&m, .name = ".bss", .type = SHT_NOBITS, .flags = SHF_ALLOC,
			     .addr = 0x20000000, .size = 0x7fffffff, .entsize = 9, .link = 1,
			     .info = 77);
		CHECK_OK(make_open(&m, &o));
		CHECK_EQ(o.addr_size, class == MAKE_64 ? 8 : 4);
		CHECK_EQ(o.swap, (order == MAKE_BIG) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
		CHECK_EQ(o.machine, EM_PPC64);
		CHECK(!o.is_rel);
		CHECK_EQ(o.nr_sections, 4);
		CHECK_STR(o.sections[1].name, ".text");
		CHECK_EQ(o.sections[1].flags, SHF_ALLOC | SHF_EXECINSTR);
		CHECK_EQ(o.sections[1].addr, 0x12345670);
		CHECK_EQ(o.sections[1].debug_addr, 0x12345670);
		CHECK_EQ(o.sections[1].align, 16);
		CHECK(make_equal(o.sections[1].data, make_fill(33, 5)));
		CHECK_EQ(o.sections[2].size, 0x7fffffff);
		CHECK_EQ(o.sections[2].entsize, 9);
		CHECK_EQ(o.sections[2].link, 1);
		CHECK_EQ(o.sections[2].info, 77);
		CHECK_EQ(o.sections[2].data.len, 0);
		CHECK(object_section(&o, ".bss") == &o.sections[2]);
		CHECK(object_section(&o, ".bs") == NULL);
		CHECK_EQ(o.debug[DEBUG_INFO].len, 0);
	}
}

static struct err *open_bytes(const void *p, size_t len)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct make_buf b = { 0 };

	make_put(&b, p, len);
	return object_open(make_file(b), &o);
}

TEST(what_is_not_elf_is_refused)
{
	static const uint8_t class_3[64] = { 0x7f, 'E', 'L', 'F', 3, 1 };
	static const uint8_t order_0[64] = { 0x7f, 'E', 'L', 'F', 2, 0 };

	CHECK_ERR_TEXT(open_bytes("", 0), ERR_FORMAT, "empty");
	CHECK_ERR_TEXT(open_bytes("\x7f"
				  "ELF",
				  4),
		       ERR_FORMAT, "not an ELF file");
	CHECK_ERR_TEXT(open_bytes("0123456789abcdef01234567", 24), ERR_FORMAT, "not an ELF file");
	CHECK_ERR_TEXT(open_bytes(class_3, 64), ERR_FORMAT, "class 3");
	CHECK_ERR_TEXT(open_bytes(order_0, 64), ERR_FORMAT, "byte order 0");
}

TEST(what_cannot_be_read_is_an_error_of_the_system)
{
	struct object o = { .nr_sections = 12345 };

	CHECK_ERR_TEXT(object_open("/nonexistent/file.o", &o), ERR_IO,
		       "'/nonexistent/file.o': cannot open: No such file");
	CHECK_ERR_TEXT(object_open("/", &o), ERR_IO, "Is a directory");
	CHECK_ERR_TEXT(object_open("/dev/null", &o), ERR_IO, "not a regular file");
	CHECK_EQ(o.nr_sections, 12345);
}

TEST(a_file_without_sections_is_fine)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	struct make_buf b = make_bytes(&m);
	CLEANUP(object_close) struct object o = { 0 };

	memset(b.ptr + offsetof(Elf64_Ehdr, e_shoff), 0, 8);
	CHECK_OK(object_open(make_file(b), &o));
	CHECK_EQ(o.nr_sections, 0);
	CHECK(object_section(&o, "") == NULL);
}

/* A good object with debug information; the last byte of the file is one of its. */
static struct make_buf good_object(enum make_class class, enum make_order order)
{
	struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
	struct make_buf relocs = { 0 };

	MAKE_SECTION(&m, .name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 16,
		     .data = make_fill(64, 1));
	size_t info = make_data(&m, ".debug_info", make_fill(100, 2));
	make_data(&m, ".debug_abbrev", make_fill(20, 3));
	make_symbol(&m, "f", STT_FUNC, 1, 0, 10);
	size_t symtab = make_symtab(&m);
	make_reloc(&m, &relocs, true, 8, 1, R_X86_64_32, 4);
	make_relocs(&m, ".rela.debug_info", true, info, symtab, &relocs);
	make_data(&m, ".debug_str", MAKE_TEXT("end\0"));
	return make_bytes(&m);
}

TEST(no_prefix_of_a_file_opens)
{
	FOR_EACH_KIND(class, order)
	{
		struct make_buf b = good_object(class, order);

		CHECK_OK(open_bytes(b.ptr, b.len));
		for (size_t len = 0; len < b.len; len++)
			CHECK_ERR(open_bytes(b.ptr, len), ERR_FORMAT);
	}
}

/* A change of the good object of 64 bits, little-endian: @width bytes at @field of section header @index. */
/* clang-format off */
static const struct {
	const char *name;
	size_t index, field;
	unsigned int width;
	uint64_t value;
	const char *message;
} damages[] = {
	{ "behind the file", 1, offsetof(Elf64_Shdr, sh_offset), 8, 1 << 20, "section 1: 0x40 bytes" },
	{ "largest offset", 1, offsetof(Elf64_Shdr, sh_offset), 8, UINT64_MAX, "" },
	{ "the end wraps", 1, offsetof(Elf64_Shdr, sh_offset), 8, UINT64_MAX - 0x3f, "" },
	{ "largest size", 1, offsetof(Elf64_Shdr, sh_size), 8, UINT64_MAX, "" },
	{ "negative size", 1, offsetof(Elf64_Shdr, sh_size), 8, (uint64_t)INT64_MAX + 1, "" },
	{ "name outside of its table", 3, offsetof(Elf64_Shdr, sh_name), 4, 0xfffffff0, "section 3: name at 0xfffffff0" },
	{ "size of headers", SIZE_MAX, offsetof(Elf64_Ehdr, e_shentsize), 2, 40, "headers of 40 bytes" },
	{ "section of names", SIZE_MAX, offsetof(Elf64_Ehdr, e_shstrndx), 2, 500, "names are in section 500" },
	{ "number of sections", SIZE_MAX, offsetof(Elf64_Ehdr, e_shnum), 2, 60000, "the section table is empty or not inside the file" },
};
/* clang-format on */

TEST_EACH(damaged_headers_are_refused, damages, row)
{
	bool file_header = row->index == SIZE_MAX;
	size_t at = file_header ? 0 : sizeof(Elf64_Ehdr) + row->index * sizeof(Elf64_Shdr);
	struct make_buf b = good_object(MAKE_64, MAKE_LITTLE);
	CLEANUP(object_close) struct object o = { 0 };

	for (unsigned int i = 0; i < row->width; i++)
		b.ptr[at + row->field + i] = (uint8_t)(row->value >> 8 * i);
	CHECK_ERR_TEXT(object_open(make_file(b), &o), ERR_FORMAT, row->message);
}

TEST(more_sections_than_the_header_can_count)
{
	FOR_EACH_KIND(class, order)
	{
		struct elfmake m = make_elf(class, order, ET_REL, EM_X86_64);
		CLEANUP(object_close) struct object o = { 0 };

		for (size_t i = 1; i < 70000; i++)
			MAKE_SECTION(&m, .name = make_text(".s%zu", i), .type = SHT_NOBITS);
		make_data(&m, ".debug_info", MAKE_TEXT("behind"));
		CHECK_OK(make_open(&m, &o));
		CHECK_EQ(o.nr_sections, 70002);
		CHECK_STR(o.sections[65521].name, ".s65521");
		CHECK(make_equal(o.debug[DEBUG_INFO], MAKE_TEXT("behind")));
	}
}

/*
 * Compare the layout of the sections of a relocatable file with that of libdwfl. Returns the address
 * that libdwfl gives the second section.
 */
static GElf_Addr compare_addresses(const char *path, bool must_be_equal)
{
	static const Dwfl_Callbacks callbacks = {
		.section_address = dwfl_offline_section_address,
	};
	CLEANUP(object_close) struct object o = { 0 };
	GElf_Addr bias, second = 0;
	size_t i = 0;

	CHECK_OK(object_open(path, &o));
	Dwfl *dwfl = dwfl_begin(&callbacks);
	CHECK(dwfl != NULL);
	Dwfl_Module *mod = dwfl_report_offline(dwfl, "", path, -1);
	CHECK(mod != NULL);
	dwfl_report_end(dwfl, NULL, NULL);
	Elf *elf = dwfl_module_getelf(mod, &bias);
	CHECK(elf != NULL);
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr sh;

		CHECK(gelf_getshdr(scn, &sh) != NULL);
		i++;
		if (must_be_equal)
			CHECK_EQ(o.sections[i].debug_addr, sh.sh_addr);
		if (i == 2)
			second = sh.sh_addr;
	}
	CHECK_EQ(i + 1, o.nr_sections);
	dwfl_end(dwfl);
	return second;
}

static void check_addresses(const char *path)
{
	compare_addresses(path, true);
}

/* Up to elfutils 0.192 libdwfl keeps an address that the file gives, in 0.196 it does not. */
static bool libdwfl_keeps_addresses(void)
{
	struct elfmake m = make_x86_64(ET_REL);

	make_nobits(&m, 0, 0x20, 16);
	make_nobits(&m, 0x8e0, 0x10, 8);
	return compare_addresses(make_file(make_bytes(&m)), false) == 0x8e0;
}

/* Sections of a relocatable file up to the first of alignment and size 0, and where they must be. */
static const struct layout {
	const char *name;
	bool has_addresses;
	struct {
		uint64_t addr, size, align, want;
	} sections[6];
} layouts[] = {
	{ "end to end",
	  false,
	  { { 0, 0x11, 16, 0x10000 }, { 0, 5, 0, 0x10011 }, { 0, 8, 8, 0x10018 } } },
	/* the fourth one needs padding, so it is laid out like the others */
	{ "an address in the file is kept where no padding is due",
	  true,
	  { { 0, 0x20, 16, 0x10000 },
	    { 0x8e0, 0x10, 8, 0x8e0 },
	    { 0, 0x11, 16, 0x10020 },
	    { 0x8e0, 0x10, 8, 0x10038 },
	    { 0, 1, 1, 0x10048 } } },
	{ "a larger alignment starts the layout over",
	  false,
	  { { 0, 0x30, 16, 0x40000 }, { 0, 0x30, 0x40000, 0x80000 }, { 0, 4, 4, 0x80030 } } },
};

TEST_EACH(relocatable_sections_are_laid_out, layouts, row)
{
	CLEANUP(object_close) struct object o = { 0 };
	struct elfmake m = make_x86_64(ET_REL);

	make_data(&m, ".comment", MAKE_TEXT("not loaded"));
	for (size_t i = 0; row->sections[i].size; i++)
		make_nobits(&m, row->sections[i].addr, row->sections[i].size,
			    row->sections[i].align);
	const char *path = make_file(make_bytes(&m));
	CHECK_OK(object_open(path, &o));
	CHECK(o.is_rel);
	for (size_t i = 0; row->sections[i].size; i++) {
		CHECK_EQ(o.sections[i + 2].addr, row->sections[i].addr);
		CHECK_EQ(o.sections[i + 2].debug_addr, row->sections[i].want);
	}
	CHECK_EQ(o.sections[1].debug_addr, 0);
	if (!row->has_addresses || libdwfl_keeps_addresses())
		check_addresses(path);
}

TEST(any_layout_equals_that_of_libdwfl)
{
	bool with_addresses = libdwfl_keeps_addresses();
	uint64_t seed = 1;

	for (size_t round = 0; round < 400; round++) {
		struct elfmake m = make_elf(round & 1 ? MAKE_32 : MAKE_64,
					    round & 2 ? MAKE_BIG : MAKE_LITTLE, ET_REL, EM_X86_64);

		for (size_t i = 0; i < 12; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			uint64_t r = seed >> 20;
			uint64_t align = (uint64_t)1 << (r % (round % 5 == 0 ? 20 : 8));
			uint64_t high = (r >> 40) % 3 ? 0 : 0x10000;
			bool has_address = with_addresses && i && (r >> 8) % 4 == 0;
			uint64_t addr = has_address ? high + (r >> 10 & 0xff) * 8 : 0;
			uint64_t size = (r >> 24) % 5 ? r >> 27 & 0x7ff : 0;

			make_nobits(&m, addr, size, align);
		}
		check_addresses(make_file(make_bytes(&m)));
	}
}

TEST(an_alignment_must_be_a_power_of_two)
{
	struct elfmake m = make_x86_64(ET_REL);
	struct object o;

	make_nobits(&m, 0, 4, 12);
	CHECK_ERR_TEXT(make_open(&m, &o), ERR_FORMAT, "alignment 0xc");
}

TEST(all_debug_sections_are_found_by_name)
{
	static const char *const names[NR_DEBUG_SECTIONS] = {
		".debug_info",        ".debug_abbrev",   ".debug_str",   ".debug_line_str",
		".debug_str_offsets", ".debug_addr",     ".debug_loc",   ".debug_loclists",
		".debug_ranges",      ".debug_rnglists", ".debug_types",
	};
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };

	make_data(&m, ".debug_infos", make_fill(3, 0));
	make_data(&m, ".debug_inf", make_fill(3, 0));
	make_data(&m, "debug_info", make_fill(3, 0));
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
		make_data(&m, names[i], make_fill(10 + i, (uint8_t)i));
	CHECK_OK(make_open(&m, &o));
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
		CHECK(make_equal(o.debug[i], make_fill(10 + i, (uint8_t)i)));
	for (size_t i = 0; i < NR_DEBUG_SECTIONS; i++)
		CHECK_STR(o.sections[object_debug_index(&o, i)].name, names[i]);
}

TEST(absent_empty_and_grouped_debug_sections_do_not_count)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };

	MAKE_SECTION(&m, .name = ".debug_info", .type = SHT_NOBITS, .size = 99);
	make_data(&m, ".debug_info", (struct bytes){ 0 });
	MAKE_SECTION(&m, .name = ".debug_info", .type = SHT_PROGBITS, .flags = SHF_GROUP,
		     .data = MAKE_TEXT("type unit"));
	make_data(&m, ".debug_info", MAKE_TEXT("the one"));
	make_data(&m, ".debug_info", MAKE_TEXT("too late"));
	CHECK_OK(make_open(&m, &o));
	CHECK(make_equal(o.debug[DEBUG_INFO], MAKE_TEXT("the one")));
	CHECK_EQ(object_debug_index(&o, DEBUG_INFO), 4);
	CHECK_EQ(object_debug_index(&o, DEBUG_ADDR), 0);
}

TEST(a_joined_debug_section_has_no_number)
{
	struct elfmake m = make_x86_64(ET_REL);
	CLEANUP(object_close) struct object o = { 0 };

	make_data(&m, ".debug_info", MAKE_TEXT("units"));
	make_data(&m, ".debug_types", MAKE_TEXT("types, "));
	MAKE_SECTION(&m, .name = ".debug_types", .type = SHT_PROGBITS, .flags = SHF_GROUP,
		     .data = MAKE_TEXT("more types, "));
	CHECK_OK(make_open(&m, &o));
	CHECK(make_equal(o.debug[DEBUG_TYPES], MAKE_TEXT("more types, types, ")));
	CHECK_EQ(object_debug_index(&o, DEBUG_TYPES), 0);
	CHECK_EQ(object_debug_index(&o, DEBUG_INFO), 1);
}

TEST(split_and_unfinished_debug_information_come_second)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object split = { 0 }, plain = { 0 };

	make_data(&m, ".gnu.debuglto_.debug_info", MAKE_TEXT("lto"));
	make_data(&m, ".debug_info.dwo", MAKE_TEXT("dwo"));
	make_data(&m, ".debug_str_offsets.dwo", MAKE_TEXT("dwo offsets"));
	struct elfmake with_plain = m;
	with_plain.sections = make_alloc(m.cap * sizeof(m.sections[0]));
	memcpy(with_plain.sections, m.sections, m.nr * sizeof(m.sections[0]));

	CHECK_OK(make_open(&m, &split));
	CHECK(make_equal(split.debug[DEBUG_INFO], MAKE_TEXT("dwo")));
	CHECK(make_equal(split.debug[DEBUG_STR_OFFSETS], MAKE_TEXT("dwo offsets")));

	make_data(&with_plain, ".debug_info", MAKE_TEXT("plain"));
	CHECK_OK(make_open(&with_plain, &plain));
	CHECK(make_equal(plain.debug[DEBUG_INFO], MAKE_TEXT("plain")));
	CHECK_EQ(plain.debug[DEBUG_STR_OFFSETS].len, 0);
}

TEST(bytes_behind_a_debug_section_at_the_end_of_a_page_can_be_read)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	make_data(&m, ".debug_info", (struct bytes){ 0 });
	size_t without = make_bytes(&m).len;
	for (size_t room = 0; room <= OBJECT_PADDING; room++) {
		struct elfmake n = make_x86_64(ET_EXEC);
		CLEANUP(object_close) struct object o = { 0 };
		struct bytes data = make_fill(2 * page - without - room, 9);
		unsigned int sum = 0;

		make_data(&n, ".debug_info", data);
		CHECK_OK(make_open(&n, &o));
		CHECK(make_equal(o.debug[DEBUG_INFO], data));
		for (size_t i = 0; i < OBJECT_PADDING; i++)
			sum += *(const volatile uint8_t *)(o.debug[DEBUG_INFO].ptr + data.len + i);
		CHECK_EQ(sum, 0);
	}
}

TEST(every_string_ends)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };

	make_data(&m, ".debug_info", MAKE_TEXT("xxx"));
	make_data(&m, ".debug_str", MAKE_TEXT("a\0cut"));
	make_data(&m, ".debug_line_str", MAKE_TEXT("cut, too"));
	make_data(&m, ".comment", MAKE_TEXT("what follows"));
	CHECK_OK(make_open(&m, &o));
	CHECK_STR((const char *)o.debug[DEBUG_STR].ptr + 2, "cut");
	CHECK_STR((const char *)o.debug[DEBUG_LINE_STR].ptr, "cut, too");
}

TEST(forgotten_pages_are_read_again)
{
	struct elfmake m = make_x86_64(ET_EXEC);
	CLEANUP(object_close) struct object o = { 0 };
	struct bytes data = make_fill(100000, 3);

	make_data(&m, ".debug_info", data);
	make_data(&m, ".debug_str", make_fill(100000, 4));
	CHECK_OK(make_open(&m, &o));
	object_forget_info(&o, 0, 0);
	object_forget_info(&o, 5000, 4000);
	object_forget_info(&o, 0, 50000);
	object_forget_info(&o, 50000, SIZE_MAX);
	CHECK(make_equal(o.debug[DEBUG_INFO], data));
	CHECK_EQ(o.debug[DEBUG_INFO].ptr[data.len - 1], data.ptr[data.len - 1]);
}

TEST(forgetting_does_not_undo_relocations)
{
	struct make_buf b = good_object(MAKE_64, MAKE_LITTLE);
	CLEANUP(object_close) struct object o = { 0 };

	CLEANUP(object_room_release) struct object_room room = { 0 };
	struct bytes part;

	CHECK_OK(object_open(make_file(b), &o));
	for (int i = 0; i < 2; i++) {
		CHECK_OK(object_info(&o, 8, 16, &room, &part));
		CHECK_EQ(part.len, 8);
		CHECK_EQ(load32(part.ptr), 0x10004);
		object_forget_info(&o, 0, o.debug[DEBUG_INFO].len);
	}
}
