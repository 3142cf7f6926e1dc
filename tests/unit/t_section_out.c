/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_section_out.c - what ELF file comes out when sections are put in
 *
 * The files are made and read back by libelf, which section_out does not use.
 */
#include "tests/lib/elfparts.h"

static bool was_told(const char *part)
{
	return put_diags.first && put_diags.first->level == DIAG_WARNING &&
	       strstr(put_diags.first->text, part) != NULL;
}

TEST_IN_FOLDER(a_new_section_is_last_and_plain_in_both_classes_and_byte_orders)
{
	for (size_t i = 0; i < ARRAY_SIZE(elf_kinds); i++) {
		make_plain("f", elf_kinds[i]);
		CHECK_OK(put("f", ".BTF", MAKE_TEXT("some types")));

		CLEANUP(free_found) struct found f = find("f", ".BTF");
		CHECK_EQ(f.index, count_sections("f") - 1);
		CHECK_EQ(f.sh.sh_type, SHT_PROGBITS);
		CHECK_EQ(f.sh.sh_flags, 0);
		CHECK_EQ(f.sh.sh_addr, 0);
		CHECK_EQ(f.sh.sh_addralign, 1);
		check_section("f", ".BTF", MAKE_TEXT("some types"));
		check_plain_parts("f");
		CHECK(!put_diags.first);
	}
}

TEST_IN_FOLDER(the_content_does_not_depend_on_what_was_there_before)
{
	for (size_t i = 0; i < ARRAY_SIZE(elf_kinds); i++) {
		make_plain("f", elf_kinds[i]);
		CHECK_OK(put("f", ".BTF", noise_of(1000)));
		CLEANUP(free_bytes) struct bytes once = read_whole("f");

		CHECK_OK(put("f", ".BTF", noise_of(30)));
		check_section("f", ".BTF", noise_of(30));
		CHECK_OK(put("f", ".BTF", noise_of(100000)));
		check_section("f", ".BTF", noise_of(100000));
		CHECK_OK(put("f", ".BTF", noise_of(1000)));
		check_same_file("f", once);
	}
}

TEST_IN_FOLDER(what_is_there_already_is_not_written)
{
	static const struct timespec long_ago[2] = { { 1000, 0 }, { 1000, 0 } };

	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", noise_of(1000)));
	CHECK(utimensat(AT_FDCWD, "f", long_ago, 0) == 0);
	CHECK_OK(put("f", ".BTF", noise_of(1000)));
	CHECK_EQ(stat_of("f").st_mtim.tv_sec, 1000);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));
	CHECK_EQ(stat_of("f").st_mtim.tv_sec, 1000);
}

TEST_IN_FOLDER(an_empty_section_is_a_section)
{
	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("")));
	check_section("f", ".BTF", MAKE_TEXT(""));
}

TEST_IN_FOLDER(a_replaced_section_keeps_index_flags_and_alignment)
{
	static const struct make_section parts[] = {
		{ ".BTF", SHT_PROGBITS, SHF_ALLOC, 4, .data = MAKE_TEXT("old types") },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
	};

	write_elf("f", elf_kinds[0], false, parts, 2);
	CHECK_OK(put("f", ".BTF", noise_of(1001)));

	CLEANUP(free_found) struct found f = find("f", ".BTF");
	CHECK_EQ(f.index, 1);
	CHECK_EQ(f.sh.sh_flags, SHF_ALLOC);
	CHECK_EQ(f.sh.sh_addralign, 4);
	check_section("f", ".BTF", noise_of(1001));
	check_section("f", ".debug_info", parts[1].data);
	CHECK_EQ(count_sections("f"), 4);
	CHECK(!put_diags.first);
}

TEST_IN_FOLDER(of_several_sections_of_one_name_one_remains)
{
	static const struct make_section parts[] = {
		{ ".BTF", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("one") },
		{ ".BTF", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("two") },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
	};

	write_elf("f", elf_kinds[0], false, parts, 3);
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("new types")));
	check_section("f", ".BTF", MAKE_TEXT("new types"));
	CHECK_OK(put("f", ".BTF", (struct bytes){ 0 }));
	CHECK_EQ(header_of("f", ".BTF").index, 0);
	CHECK_EQ(header_of("f", ".shstrtab").index, 2);
	check_section("f", ".debug_info", parts[2].data);
}

/* The first one would go as relocations of the second, which is one too many. */
TEST_IN_FOLDER(what_is_set_is_bytes_whatever_it_was)
{
	static const struct make_section parts[] = {
		{ ".BTF", SHT_RELA, SHF_INFO_LINK, 8, .data = MAKE_TEXT("012345678901234567890123"),
		  1, 2 },
		{ ".BTF", SHT_RELA, SHF_INFO_LINK, 8, .data = MAKE_TEXT("abcdefghijklmnopqrstuvwx"),
		  1, 2 },
	};

	write_elf("f", elf_kinds[0], false, parts, 2);
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("new types")));

	CLEANUP(free_found) struct found f = find("f", ".BTF");
	CHECK_EQ(f.index, 1);
	CHECK_EQ(f.sh.sh_type, SHT_PROGBITS);
	CHECK(!f.sh.sh_link && !f.sh.sh_info && !f.sh.sh_entsize && !f.sh.sh_flags);
	check_section("f", ".BTF", MAKE_TEXT("new types"));
}

TEST_IN_FOLDER(relocations_of_a_replaced_section_are_removed_and_others_kept)
{
	static const struct make_section parts[] = {
		{ ".BTF", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("old types") },
		{ ".rela.BTF", SHT_RELA, 0, 1, .data = MAKE_TEXT("012345678901234567890123"),
		  .info = 1 },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
		{ ".rela.debug_info", SHT_RELA, 0, 1, .data = MAKE_TEXT("abcdefghijklmnopqrstuvwx"),
		  .info = 3 },
	};

	write_elf("f", elf_kinds[0], false, parts, 4);
	put_diags.verbose = true;
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("new types")));
	CHECK_EQ(header_of("f", ".rela.BTF").index, 0);
	check_section("f", ".rela.debug_info", parts[3].data);
	CHECK_EQ(header_of("f", ".rela.debug_info").sh.sh_info,
		 header_of("f", ".debug_info").index);
}

TEST_IN_FOLDER(adding_a_section_and_removing_it_leaves_no_trace)
{
	struct section_content both[] = {
		{ .name = ".BTF", .data = noise_of(500) },
		{ .name = ".BTF.base", .data = noise_of(300) },
	};

	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", noise_of(500)));
	CLEANUP(free_bytes) struct bytes without = read_whole("f");

	CHECK_OK(section_put("f", both, 2, false, &put_diags));
	check_section("f", ".BTF.base", noise_of(300));
	check_section("f", ".BTF", noise_of(500));
	both[1].data.ptr = NULL;
	CHECK_OK(section_put("f", both, 2, false, &put_diags));
	check_same_file("f", without);
}

TEST_IN_FOLDER(a_removed_section_among_others_leaves_no_entry)
{
	static const struct make_section parts[] = {
		{ ".BTF.base", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("a base") },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
	};

	write_elf("f", elf_kinds[3], false, parts, 2);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));
	CHECK_EQ(header_of("f", ".BTF.base").index, 0);
	CHECK_EQ(header_of("f", ".debug_info").index, 1);
	CHECK_EQ(header_of("f", ".shstrtab").index, 2);
	CHECK_EQ(count_sections("f"), 3);
}

TEST_IN_FOLDER(an_unused_entry_of_an_earlier_run_goes_with_the_next_change)
{
	static const struct make_section parts[] = {
		{ .name = "", .type = SHT_NULL, .align = 1 },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
	};

	write_elf("f", elf_kinds[0], false, parts, 2);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));
	CHECK_EQ(header_of("f", ".debug_info").index, 2);
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("types")));
	CHECK_EQ(header_of("f", ".debug_info").index, 1);
	CHECK_EQ(header_of("f", ".BTF").index, 3);
	CHECK_EQ(count_sections("f"), 4);
}

TEST_IN_FOLDER(the_symbol_of_a_removed_section_goes_with_it)
{
	Elf64_Sym syms[2] = { { 0 }, { .st_info = STT_SECTION, .st_shndx = 3 } };
	struct make_section parts[] = {
		{ ".symtab", SHT_SYMTAB, 0, 8, .data = { (uint8_t *)syms, sizeof(syms) }, 2, 1 },
	};

	write_elf("f", native, false, parts, 1);
	CHECK_OK(put("f", ".BTF.base", MAKE_TEXT("a base")));
	CHECK_EQ(header_of("f", ".BTF.base").index, 3);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));
	CHECK_EQ(header_of("f", ".BTF.base").index, 0);
	CHECK_EQ(header_of("f", ".symtab").sh.sh_size, sizeof(syms[0]));
	CHECK_EQ(count_sections("f"), 3);
}

/* clang has one table for the names of sections and symbols. */
TEST_IN_FOLDER(symbols_follow_their_names_if_that_of_a_section_is_removed)
{
	Elf64_Sym syms[2] = { { 0 }, { .st_shndx = SHN_ABS } };
	struct make_section parts[] = {
		{ ".BTF.base", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("a base") },
		{ ".symtab", SHT_SYMTAB, 0, 8, .data = { (uint8_t *)syms, sizeof(syms) }, 3, 1 },
	};

	write_elf("f", native, false, parts, 2);
	syms[1].st_name = header_of("f", ".symtab").sh.sh_name;
	write_elf("f", native, false, parts, 2);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));

	CLEANUP(free_found) struct found f = find("f", ".symtab");
	CHECK(f.sh.sh_name < syms[1].st_name);
	CHECK_EQ(((const Elf64_Sym *)(const void *)f.data.ptr)[1].st_name, f.sh.sh_name);
}

TEST_IN_FOLDER(if_numbers_cannot_change_a_removed_section_becomes_empty)
{
	static const Elf64_Sym syms[1];
	const struct bytes table = { (const uint8_t *)syms, sizeof(syms) };
	const struct make_section parts[] = {
		{ ".BTF.base", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("a base") },
		{ ".symtab", SHT_SYMTAB, 0, 8, .data = table, 4, 1 },
		{ ".symtab.2", SHT_SYMTAB, 0, 8, .data = table, 4, 1 },
	};

	write_elf("f", native, false, parts, 3);
	CHECK_OK(put("f", ".BTF.base", (struct bytes){ 0 }));
	CHECK_EQ(header_of("f", ".symtab.2").index, 3);

	struct found f = header_of("f", "");
	CHECK_EQ(f.index, 1);
	CHECK_EQ(f.sh.sh_type, SHT_PROGBITS);
	CHECK_EQ(f.sh.sh_size, 0);
	CHECK(f.sh.sh_offset >= sizeof(Elf64_Ehdr));
	check_section("f", ".symtab.2", table);
}

/* ---- loaded sections ---- */

enum { LOADED_BTF = 2000 };

static void write_image(const char *path, struct elf_kind kind)
{
	struct make_section parts[] = {
		{ ".BTF", SHT_PROGBITS, SHF_ALLOC, 1, .data = noise_of(LOADED_BTF) },
		{ ".data", SHT_PROGBITS, SHF_ALLOC, 1, .data = MAKE_TEXT("right behind") },
		{ ".debug_info", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("what the code means") },
	};

	write_elf(path, kind, true, parts, 3);
}

TEST_IN_FOLDER(a_loaded_section_is_overwritten_where_it_lies)
{
	for (size_t i = 0; i < ARRAY_SIZE(elf_kinds); i++) {
		write_image("f", elf_kinds[i]);
		CLEANUP(free_bytes) struct bytes old = read_whole("f");
		CHECK_OK(put("f", ".BTF", MAKE_TEXT("shorter types")));
		CHECK(was_told("1987 bytes shorter"));

		CLEANUP(free_bytes) struct bytes new = read_whole("f");
		CLEANUP(free_found) struct found f = find("f", ".BTF");
		CHECK_EQ(f.sh.sh_offset, FIRST_PART);
		CHECK_EQ(f.sh.sh_addr, IMAGE_ADDR + FIRST_PART);
		CHECK_EQ(f.sh.sh_flags, SHF_ALLOC);
		check_section("f", ".BTF", MAKE_TEXT("shorter types"));
		for (size_t k = FIRST_PART + 13; k < FIRST_PART + LOADED_BTF; k++)
			CHECK_EQ(new.ptr[k], 0);
		/* the rest of the image, program headers included, is as before */
		size_t behind = FIRST_PART + LOADED_BTF;
		CHECK_MEM(new.ptr + 64, old.ptr + 64, FIRST_PART - 64);
		CHECK_MEM(new.ptr + behind, old.ptr + behind, 12);
		CHECK_EQ(new.len, old.len);

		CHECK_OK(put("f", ".BTF", MAKE_TEXT("shorter types")));
		check_same_file("f", new);
	}
}

TEST_IN_FOLDER(a_loaded_section_of_the_same_size_needs_no_word)
{
	struct bytes other = { noise_of(LOADED_BTF + 1).ptr + 1, LOADED_BTF };

	write_image("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", other));
	check_section("f", ".BTF", other);
	check_section("f", ".data", MAKE_TEXT("right behind"));
	CHECK(!put_diags.first);
}

TEST_IN_FOLDER(a_loaded_section_right_behind_another_does_not_share_bytes_with_it)
{
	struct make_section parts[] = {
		{ ".rodata", SHT_PROGBITS, SHF_ALLOC, 1, .data = MAKE_TEXT("right before") },
		{ ".BTF", SHT_PROGBITS, SHF_ALLOC, 1, .data = MAKE_TEXT("old types") },
	};

	write_elf("f", elf_kinds[0], true, parts, 2);
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("new types")));
	CHECK(!put_diags.first);
	CHECK_EQ(header_of("f", ".BTF").sh.sh_offset, FIRST_PART + 12);
	check_section("f", ".BTF", MAKE_TEXT("new types"));
	check_section("f", ".rodata", parts[0].data);
}

TEST_IN_FOLDER(a_loaded_section_that_grows_leaves_the_image_alone)
{
	for (size_t i = 0; i < ARRAY_SIZE(elf_kinds); i++) {
		write_image("f", elf_kinds[i]);
		CLEANUP(free_bytes) struct bytes old = read_whole("f");
		CHECK_OK(put("f", ".BTF", noise_of(LOADED_BTF + 1)));
		CHECK(was_told("the kernel will use the old one"));

		CLEANUP(free_bytes) struct bytes new = read_whole("f");
		CLEANUP(free_found) struct found f = find("f", ".BTF");
		CHECK_EQ(f.sh.sh_flags, 0);
		CHECK_EQ(f.sh.sh_addr, 0);
		check_section("f", ".BTF", noise_of(LOADED_BTF + 1));
		CHECK_MEM(new.ptr + 64, old.ptr + 64, FIRST_PART + LOADED_BTF + 12 - 64);
		/* objcopy would write zeros where no section is */
		CHECK_EQ(header_of("f", ".BTF.loaded").sh.sh_flags, SHF_ALLOC);
		check_section("f", ".BTF.loaded", noise_of(LOADED_BTF));

		CHECK_OK(put("f", ".BTF", noise_of(LOADED_BTF + 1)));
		CHECK(!put_diags.first);
		check_same_file("f", new);
	}
}

TEST_IN_FOLDER(an_image_that_others_share_is_not_overwritten)
{
	static const size_t on[] = {
		0,                       /* the ELF header */
		sizeof(Elf64_Ehdr),      /* the program headers */
		FIRST_PART + LOADED_BTF, /* .data */
	};

	for (size_t i = 0; i < ARRAY_SIZE(on); i++) {
		write_image("f", native);
		CLEANUP(free_bytes) struct bytes old = read_whole("f");
		/* let the section header of .BTF, the second of 5, point at something else */
		uint8_t *header = (uint8_t *)old.ptr + old.len - 4 * 64;
		uint64_t offset = on[i], size = 10;
		memcpy(header + offsetof(Elf64_Shdr, sh_offset), &offset, sizeof(offset));
		memcpy(header + offsetof(Elf64_Shdr, sh_size), &size, sizeof(size));
		write_whole("f", old);

		CHECK_OK(put("f", ".BTF", MAKE_TEXT("types")));
		CLEANUP(free_bytes) struct bytes new = read_whole("f");
		CHECK_MEM(new.ptr + 64, old.ptr + 64, FIRST_PART + LOADED_BTF + 12 - 64);
		check_section("f", ".BTF", MAKE_TEXT("types"));
		check_section("f", ".data", MAKE_TEXT("right behind"));
	}
}

TEST_IN_FOLDER(the_image_of_a_linked_file_never_moves)
{
	static const struct make_section parts[] = {
		{ ".text", SHT_PROGBITS, SHF_ALLOC, 16, .data = MAKE_TEXT("code code code") },
		{ ".BTF", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("not loaded, yet in the segment") },
		{ ".data", SHT_PROGBITS, SHF_ALLOC, 16, .data = MAKE_TEXT("data data") },
	};

	write_elf("f", elf_kinds[0], true, parts, 3);
	size_t end = header_of("f", ".data").sh.sh_offset + 9;
	CLEANUP(free_bytes) struct bytes old = read_whole("f");
	for (size_t len = 1; len < 100000; len *= 7) {
		CHECK_OK(put("f", ".BTF", noise_of(len)));
		CLEANUP(free_bytes) struct bytes new = read_whole("f");
		CHECK_MEM(new.ptr + 64, old.ptr + 64, end - 64);
		check_section("f", ".BTF", noise_of(len));
	}
}

/* A file of debug information alone has the segments of the whole program. */
TEST_IN_FOLDER(a_segment_behind_the_end_of_the_file_takes_no_room)
{
	static const struct make_section text = { ".text", SHT_PROGBITS, SHF_ALLOC, 16,
						  .data = MAKE_TEXT("code code code") };
	off_t sizes[2];

	for (size_t behind = 0; behind < 2; behind++) {
		write_elf("f", elf_kinds[0], true, &text, 1);
		CLEANUP(free_bytes) struct bytes elf = read_whole("f");
		Elf64_Phdr *segment = (Elf64_Phdr *)(void *)(elf.ptr + sizeof(Elf64_Ehdr));

		segment->p_offset = elf.len + behind;
		write_whole("f", elf);
		CHECK_OK(put("f", ".BTF", MAKE_TEXT("types")));
		sizes[behind] = stat_of("f").st_size;
	}
	CHECK_EQ(sizes[0], sizes[1]);
}

TEST_IN_FOLDER(section_counts_that_the_elf_header_cannot_hold)
{
	static struct make_section parts[SHN_LORESERVE + 10];

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		parts[i] = (struct make_section){ "", SHT_PROGBITS, 0, 1, .data = MAKE_TEXT("x") };
	/* with the null section and the names: one more than fits after the first run */
	write_elf("f", elf_kinds[0], false, parts, SHN_LORESERVE - 3);
	CHECK_EQ(count_sections("f"), SHN_LORESERVE - 1);
	CLEANUP(free_bytes) struct bytes before = read_whole("f");
	CHECK_OK(put("f", ".BTF", MAKE_TEXT("types")));
	CHECK_EQ(count_sections("f"), SHN_LORESERVE);
	CLEANUP(free_bytes) struct bytes full = read_whole("f");
	CHECK_EQ(((const Elf64_Ehdr *)(const void *)full.ptr)->e_shnum, 0);
	check_section("f", ".BTF", MAKE_TEXT("types"));
	CHECK_OK(put("f", ".BTF", (struct bytes){ 0 }));
	check_same_file("f", before);

	/* and the names are in a section behind that limit */
	for (size_t k = 0; k < ARRAY_SIZE(elf_kinds); k += 3) {
		write_elf("f", elf_kinds[k], false, parts, ARRAY_SIZE(parts));
		CHECK_OK(put("f", ".BTF", MAKE_TEXT("types")));
		CHECK_EQ(count_sections("f"), ARRAY_SIZE(parts) + 3);
		check_section("f", ".BTF", MAKE_TEXT("types"));
	}
}

/* ---- broken files ---- */

TEST_IN_FOLDER(a_file_cut_anywhere_is_refused_and_not_touched)
{
	for (size_t i = 0; i < ARRAY_SIZE(elf_kinds); i++) {
		make_plain("whole", elf_kinds[i]);
		CLEANUP(free_bytes) struct bytes whole = read_whole("whole");
		for (size_t len = 0; len < whole.len; len++) {
			struct bytes cut = { whole.ptr, len };

			write_whole("f", cut);
			CHECK_ERR_TEXT(put("f", ".BTF", MAKE_TEXT("types")), ERR_FORMAT, "'f': ");
			check_same_file("f", cut);
		}
	}
	CHECK_EQ(count_files(), 2);
}

static void check_refused(struct bytes elf, size_t at, uint8_t byte, const char *part)
{
	uint8_t *p = mem_dup(elf.ptr, elf.len);
	struct bytes bad = { p, elf.len };

	p[at] = byte;
	write_whole("f", bad);
	CHECK_ERR_TEXT(put("f", ".BTF", MAKE_TEXT("types")), ERR_FORMAT, part);
	check_same_file("f", bad);
	free(p);
}

TEST_IN_FOLDER(broken_headers_are_refused_by_name)
{
	make_plain("f", elf_kinds[0]); /* little-endian, 64 bits */
	CLEANUP(free_bytes) struct bytes elf = read_whole("f");
	size_t names = (size_t)header_of("f", ".shstrtab").sh.sh_offset;
	size_t text = elf.len - 3 * 64;

	check_refused(elf, 0, 'x', "not an ELF file");
	check_refused(elf, EI_CLASS, 3, "class 3");
	check_refused(elf, EI_DATA, 0, "byte order 0");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shentsize), 40, "40 bytes instead of 64");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shoff) + 6, 1, "not inside the file");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shnum) + 1, 1,
		      "section table is empty or not inside");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shnum), 0, "section table is empty");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shstrndx), 4, "section 4 of 4");
	check_refused(elf, offsetof(Elf64_Ehdr, e_shstrndx), 0, "section 0 holds no section names");
	check_refused(elf, text + offsetof(Elf64_Shdr, sh_offset) + 7, 0xff, "section 1:");
	check_refused(elf, text + offsetof(Elf64_Shdr, sh_size) + 7, 0xff, "section 1:");
	check_refused(elf, names + (size_t)header_of("f", ".shstrtab").sh.sh_size - 1, 'x',
		      "bytes of names");
	check_refused(elf, text + offsetof(Elf64_Shdr, sh_name) + 3, 1, "section 1: name at 0x1");
	check_refused(elf, elf.len - 64 + offsetof(Elf64_Shdr, sh_type), SHT_PROGBITS,
		      "section 3 holds no section names");
	/* nothing but the header */
	write_whole("f", (struct bytes){ elf.ptr, 64 });
	CHECK_ERR(put("f", ".BTF", MAKE_TEXT("types")), ERR_FORMAT);
}

TEST_IN_FOLDER(bytes_behind_the_last_section_are_dropped_with_a_warning)
{
	make_plain("f", elf_kinds[0]);
	CHECK_OK(put("f", ".BTF", noise_of(100)));
	CLEANUP(free_bytes) struct bytes clean = read_whole("f");
	CHECK(system("printf '~Module signature appended~\\n' >>f") == 0);
	CLEANUP(free_bytes) struct bytes with_signature = read_whole("f");

	CHECK_OK(put("f", ".BTF", noise_of(100)));
	CHECK(!put_diags.first);
	check_same_file("f", with_signature);
	CHECK_OK(put("f", ".BTF", noise_of(200)));
	CHECK(was_told("28 bytes after the last section"));
	CHECK_OK(put("f", ".BTF", noise_of(100)));
	check_same_file("f", clean);
}
