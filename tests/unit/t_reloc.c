/* SPDX-License-Identifier: GPL-2.0-only */
/* t_reloc.c - relocations of debug sections */
#include "loader/elf/reloc.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

/* Without their relocation types. */
#define TARGET(name, class, order, machine, rela) \
	static const struct make_target name = { class, order, machine, rela, 0, 0, 0, 0, 0 }

TARGET(x86_64, MAKE_64, MAKE_LITTLE, EM_X86_64, true);
TARGET(i386, MAKE_32, MAKE_LITTLE, EM_386, false);
TARGET(arm, MAKE_32, MAKE_BIG, EM_ARM, false);
TARGET(s390, MAKE_64, MAKE_BIG, EM_S390, true);
TARGET(mips, MAKE_64, MAKE_BIG, EM_MIPS, true);
TARGET(mips_little, MAKE_64, MAKE_LITTLE, EM_MIPS, true);
TARGET(riscv, MAKE_64, MAKE_LITTLE, EM_RISCV, true);
TARGET(loongarch, MAKE_64, MAKE_LITTLE, 258, true);
TARGET(vax, MAKE_64, MAKE_LITTLE, EM_VAX, true);

/* RISC-V and LoongArch; elf.h of glibc 2.36 lacks them. */
enum { RISCV_SET_ULEB = 60, RISCV_SUB_ULEB };
enum { LA_ADD16 = 48, LA_ADD24, LA_SUB16 = 53, LA_SUB24 };
enum { LA_ADD6 = 105, LA_SUB6, LA_ADD_ULEB, LA_SUB_ULEB };

/*
 * A relocatable file whose .debug_info is to be relocated. Its symbols:
 *
 *	1  at 0x24 of .text, whose address is 0x10000
 *	2  at 8 of .data, whose address is 0x10040
 *	3  at 0x30 of .debug_str, which is not loaded, hence at 0 whatever its address
 *	4  undefined
 *	5  common, with an alignment of 16
 *	6  absolute, 0x7777
 *	7  in a section that does not exist
 *	8  at 1 of .data, by way of SHT_SYMTAB_SHNDX
 */
enum {
	TEXT_SYM = 1,
	DATA_SYM,
	STR_SYM,
	UNDEF_SYM,
	COMMON_SYM,
	ABS_SYM,
	BAD_SYM,
	WIDE_SYM,
	NR_SYMS,
};

struct scene {
	struct elfmake m;
	struct make_buf relocs; /* of .debug_info */
	bool rela;
	size_t symtab, info;

	struct object o;
	struct object_room room;
	struct reloc_finder finder;
};

static void scene_release(struct scene *s)
{
	reloc_finder_release(&s->finder);
	object_room_release(&s->room);
	object_close(&s->o);
}

static void begin(struct scene *s, const struct make_target *target, struct bytes info)
{
	*s = (struct scene){ .m = make_elf_for(target, ET_REL), .rela = target->rela };
	make_code(&s->m, ".text", make_fill(0x33, 1));
	make_nobits(&s->m, 0, 0x100, 64);
	size_t str = make_data(&s->m, ".debug_str", MAKE_TEXT("\0"));
	s->m.sections[str].addr = 0x500;
	make_symbol(&s->m, "text", STT_FUNC, 1, 0x24, 0);
	make_symbol(&s->m, "data", STT_OBJECT, 2, 8, 0);
	make_symbol(&s->m, "str", STT_SECTION, (uint32_t)str, 0x30, 0);
	make_symbol(&s->m, "undef", STT_NOTYPE, SHN_UNDEF, 0x99, 0);
	make_symbol(&s->m, "common", STT_OBJECT, SHN_COMMON, 16, 4);
	make_symbol(&s->m, "abs", STT_NOTYPE, SHN_ABS, 0x7777, 0);
	make_symbol(&s->m, "bad", STT_NOTYPE, 0x3333, 0, 0);
	make_symbol(&s->m, "wide", STT_OBJECT, MAKE_SHNDX(2), 1, 0);
	s->symtab = make_symtab(&s->m);
	s->info = make_data(&s->m, ".debug_info", info);
}

static void add(struct scene *s, uint64_t offset, uint32_t sym, uint32_t type, int64_t addend)
{
	make_reloc(&s->m, &s->relocs, s->rela, offset, sym, type, addend);
}

/* Open the file, with .debug_info as it is stored. */
static struct err *open_stored(struct scene *s)
{
	make_relocs(&s->m, s->rela ? ".rela.debug_info" : ".rel.debug_info", s->rela, s->info,
		    s->symtab, &s->relocs);
	return make_open(&s->m, &s->o);
}

/* Open the file, with .debug_info as a reader gets it. */
static struct err *finish(struct scene *s)
{
	struct bytes *info = &s->o.debug[DEBUG_INFO];

	TRY(open_stored(s));
	return object_info(&s->o, 0, info->len, &s->room, info);
}

/* The @width bytes at @offset of .debug_info, as a number. */
static uint64_t at(const struct scene *s, size_t offset, unsigned int width)
{
	const uint8_t *p = s->o.debug[DEBUG_INFO].ptr + offset;
	uint64_t v = 0;

	for (unsigned int i = 0; i < width; i++)
		v |= (uint64_t)p[i] << 8 * (s->m.big ? width - 1 - i : i);
	return v;
}

/* Bytes that no relocation may touch. */
static struct bytes pattern(size_t len)
{
	uint8_t *p = make_alloc(len);

	memset(p, 0xa5, len);
	return (struct bytes){ p, len };
}

static void find(struct scene *s)
{
	CHECK_OK(finish(s));
	CHECK_OK(reloc_finder_open(&s->o, s->info, &s->finder));
}

/* "SYMBOL TYPE+ADDEND" of the relocation that sets @width bytes at @offset; "none". */
static const char *found(const struct scene *s, size_t offset, unsigned int width)
{
	struct reloc_entry e;

	if (!reloc_finder_at(&s->finder, offset, width, at(s, offset, width), &e))
		return "none";
	CHECK_EQ(e.offset, offset);
	uint64_t addend = width == 4 ? (uint32_t)e.addend : e.addend;
	return make_text("%u %u+%#jx", e.symbol, e.type, (uintmax_t)addend);
}

/* Is the addend in the section? Assemblers for SuperH and Xtensa store it there in spite of RELA. */
static bool addend_in_section(const struct scene *s)
{
	return !s->rela || s->m.machine == EM_SH || s->m.machine == EM_XTENSA;
}

/* Append a number for a relocation, and a pattern of three bytes. */
static void add_absolute(struct scene *s, struct make_buf *info, unsigned int width, uint32_t type,
			 uint32_t sym, int64_t addend)
{
	size_t offset = info->len;

	if (addend_in_section(s)) {
		make_int(&s->m, info, width, (uint64_t)addend);
		addend = s->rela ? 0 : addend;
	} else {
		make_put(info, pattern(width).ptr, width);
	}
	make_put(info, pattern(3).ptr, 3);
	if (type)
		add(s, offset, sym, type, addend);
}

static void check_target(const struct make_target *t)
{
	static const size_t patterns[] = { 8, 15, 20, 24, 35, 42 };
	uint32_t abs32 = t->abs32 & (t->machine == EM_SPARCV9 ? 0xff : UINT32_MAX);
	CLEANUP(scene_release) struct scene s = { 0 };
	struct make_buf info = { 0 };

	begin(&s, t, pattern(1));
	add_absolute(&s, &info, 8, t->abs64, DATA_SYM, -0x10);
	add_absolute(&s, &info, 4, t->abs32, TEXT_SYM, 0x1000);
	add_absolute(&s, &info, 2, t->abs16, STR_SYM, 5);
	add_absolute(&s, &info, 1, t->abs8, STR_SYM, -1);
	add_absolute(&s, &info, 8, t->skip, BAD_SYM, 5);
	add_absolute(&s, &info, 4, t->abs32, UNDEF_SYM, 0x2000);
	s.m.sections[s.info].data = make_view(&info);
	find(&s);
	if (t->abs64)
		CHECK_EQ(at(&s, 0, 8), 0x10040 + 8 - 0x10);
	CHECK_EQ(at(&s, 11, 4), 0x10024 + 0x1000);
	if (t->abs16)
		CHECK_EQ(at(&s, 18, 2), 0x35);
	if (t->abs8)
		CHECK_EQ(at(&s, 23, 1), 0x2f);
	CHECK_EQ(at(&s, 27, 8), addend_in_section(&s) ? 5 : 0xa5a5a5a5a5a5a5a5);
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
		CHECK_EQ(at(&s, patterns[i], 3), 0xa5a5a5);

	CHECK_EQ(reloc_finder_is_rela(&s.finder), t->rela);
	CHECK_STR(found(&s, 0, 8),
		  t->abs64 ? make_text("%u %u+0xfffffffffffffff0", DATA_SYM, t->abs64) : "none");
	CHECK_STR(found(&s, 11, 4), make_text("%u %u+0x1000", TEXT_SYM, abs32));
	CHECK_STR(found(&s, 38, 4), make_text("%u %u+0x2000", UNDEF_SYM, abs32));
	CHECK_STR(found(&s, 11, 8), "none");
	CHECK_STR(found(&s, 12, 4), "none");
	CHECK_STR(found(&s, 27, 8), "none");
}

TEST(addresses_of_every_machine_are_set_and_their_relocations_found)
{
	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++) {
		const struct make_target *t = &make_targets[i];

		IN_ROW(make_target_name(t));
		check_target(t);
	}
}

TEST(superh_and_xtensa_have_two_addends)
{
	static const uint16_t machines[] = { EM_SH, EM_XTENSA };

	for (size_t i = 0; i < ARRAY_SIZE(machines); i++) {
		const struct make_target target = { MAKE_32, MAKE_LITTLE, machines[i], true, 0,
						    1,       0,           0,           0 };
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s, &target, MAKE_TEXT("\x30\0\0\0\x20\0\0\0"));
		add(&s, 0, DATA_SYM, 1, 0x500);
		add(&s, 4, UNDEF_SYM, 1, 0x600);
		find(&s);
		CHECK_EQ(at(&s, 0, 4), 0x10040 + 8 + 0x530);
		CHECK_STR(found(&s, 0, 4), "2 1+0x530");
		CHECK_EQ(at(&s, 4, 4), 0x20);
		CHECK_STR(found(&s, 4, 4), "4 1+0x620");
	}
}

/* One entry of 64-bit MIPS: 32 bits of the symbol, then up to three types, the first one last. */
TEST(mips64_keeps_three_types_in_an_entry)
{
	for (int big = 0; big < 2; big++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin(&s, big ? &mips : &mips_little, pattern(16));
		make_int(&s.m, &s.relocs, 8, 4);
		make_int(&s.m, &s.relocs, 4, DATA_SYM);
		make_put(&s.relocs, (uint8_t[]){ 0, 0, 0, R_MIPS_64 }, 4);
		make_int(&s.m, &s.relocs, 8, 3);
		find(&s);
		CHECK_EQ(at(&s, 4, 8), 0x10040 + 8 + 3);
		CHECK_STR(found(&s, 4, 8), "2 18+0x3");
	}
}

/* The value of symbol @sym in a RELA relocation of 8 bytes with addend 3. */
static uint64_t worth(const struct make_target *target, uint32_t type, uint32_t sym)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s, target, pattern(8));
	add(&s, 0, sym, type, 3);
	CHECK_OK(finish(&s));
	return at(&s, 0, 8);
}

TEST(what_symbols_are_worth)
{
	static const struct {
		const char *name;
		uint32_t sym;
		uint64_t value;
	} rows[] = {
		{ "no symbol", 0, 3 },
		{ ".text", TEXT_SYM, 0x10027 },
		{ ".data", DATA_SYM, 0x1004b },
		{ ".debug_str", STR_SYM, 0x33 },
		{ "undefined: left alone", UNDEF_SYM, 0xa5a5a5a5a5a5a5a5 },
		{ "common", COMMON_SYM, 3 },
		{ "absolute", ABS_SYM, 0x777a },
		{ "SHT_SYMTAB_SHNDX", WIDE_SYM, 0x10044 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		IN_ROW(rows[i].name);
		CHECK_EQ(worth(&x86_64, R_X86_64_64, rows[i].sym), rows[i].value);
		CHECK_EQ(worth(&s390, R_390_64, rows[i].sym), rows[i].value);
	}
}

/* "0f a0" as bytes, between two patterns of three bytes. */
static struct bytes between_patterns(const char *hex)
{
	struct make_buf b = { 0 };

	make_put(&b, pattern(3).ptr, 3);
	for (char *end; *hex; hex = end) {
		uint8_t byte = (uint8_t)strtoul(hex, &end, 16);

		make_put(&b, &byte, 1);
	}
	make_put(&b, pattern(3).ptr, 3);
	return make_view(&b);
}

/* DATA_SYM is added and TEXT_SYM subtracted, which is 0x24, and @addend. */
TEST(differences_are_an_addition_and_a_subtraction)
{
	/* clang-format off */
	static const struct {
		const char *name;
		const struct make_target *target;
		uint32_t add, sub;
		int64_t addend;
		const char *before, *after;
	} rows[] = {
		{ "8 bits", &riscv, R_RISCV_ADD8, R_RISCV_SUB8, 0, "05", "29" },
		{ "16 bits", &riscv, R_RISCV_ADD16, R_RISCV_SUB16, 0, "10 00", "34 00" },
		{ "32 bits, an addend", &riscv, R_RISCV_ADD32, R_RISCV_SUB32, 1, "10 00 00 00", "35 00 00 00" },
		{ "64 bits, negative", &riscv, R_RISCV_ADD64, R_RISCV_SUB64, -0x48, "10 00 00 00 00 00 00 00", "ec ff ff ff ff ff ff ff" },
		{ "6 bits", &riscv, R_RISCV_SET6, R_RISCV_SUB6, 0, "c5", "e4" },
		{ "LEB128 of three bytes", &riscv, RISCV_SET_ULEB, RISCV_SUB_ULEB, 0, "ff 80 00", "a4 80 00" },
		{ "LEB128 of one byte", &riscv, RISCV_SET_ULEB, RISCV_SUB_ULEB, 0, "7f", "24" },
		/* the length stays */
		{ "LEB128, overlong", &riscv, RISCV_SET_ULEB, RISCV_SUB_ULEB, 0x7753,
		  "ff ff ff ff ff ff ff ff ff ff ff ff ff ff 7f ff", "f7 ee 81 80 80 80 80 80 80 80 80 80 80 80 00 ff" },
		{ "LoongArch: 16 bits", &loongarch, LA_ADD16, LA_SUB16, 0, "01 00", "25 00" },
		{ "LoongArch: 24 bits", &loongarch, LA_ADD24, LA_SUB24, 0, "10 20 30 55", "34 20 30 55" },
		{ "LoongArch: LEB128", &loongarch, LA_ADD_ULEB, LA_SUB_ULEB, 0, "80 82 01", "a4 82 01" },
		{ "LoongArch: 6 bits", &loongarch, LA_ADD6, LA_SUB6, 0, "41", "65" },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		struct bytes want = between_patterns(rows[i].after);

		IN_ROW(rows[i].name);
		begin(&s, rows[i].target, between_patterns(rows[i].before));
		add(&s, 3, DATA_SYM, rows[i].add, rows[i].addend);
		add(&s, 3, TEXT_SYM, rows[i].sub, 0);
		CHECK_OK(finish(&s));
		CHECK_EQ(s.o.debug[DEBUG_INFO].len, want.len);
		CHECK_MEM(s.o.debug[DEBUG_INFO].ptr, want.ptr, want.len);
	}
}

/* Two relocations of 16 bytes: a good one at 0, if the type is, and another one. */
static struct err *read_two(const struct make_target *target, uint64_t offset, uint32_t sym,
			    uint32_t type)
{
	CLEANUP(scene_release) struct scene s = { 0 };

	begin(&s, target, pattern(16));
	add(&s, 0, TEXT_SYM, type, 0);
	add(&s, offset, sym, type, 0);
	return finish(&s);
}

TEST(what_cannot_be_applied_is_refused_with_its_offset)
{
	/* clang-format off */
	static const struct {
		const char *name;
		const struct make_target *target;
		uint64_t offset;
		uint32_t sym, type;
		enum err_kind kind;
		const char *message;
	} rows[] = {
		{ "an unknown type", &x86_64, 8, TEXT_SYM, R_X86_64_PC32, ERR_UNSUPPORTED, ".debug_info+0: relocation type 2 of machine 62" },
		{ "the largest type", &s390, 0, TEXT_SYM, UINT32_MAX, ERR_UNSUPPORTED, ".debug_info+0: relocation type 4294967295 of machine 22" },
		{ "two types of MIPS", &mips, 0, TEXT_SYM, R_MIPS_64 << 8 | R_MIPS_32, ERR_UNSUPPORTED, "relocation type 4610 of machine 8" },
		{ "an unknown machine", &vax, 0, TEXT_SYM, 1, ERR_UNSUPPORTED, "section 8 ('.rela.debug_info'): relocations of machine 75" },
		{ "it leaves the section", &x86_64, 13, TEXT_SYM, R_X86_64_32, ERR_FORMAT, ".debug_info+0xd: relocation lies outside of the 0x10 bytes" },
		{ "symbol behind the last", &x86_64, 0, NR_SYMS, R_X86_64_64, ERR_FORMAT, ".debug_info+0: relocation against symbol 9 of 9" },
		{ "the largest symbol", &s390, 0, UINT32_MAX, R_390_64, ERR_FORMAT, "" },
		{ "symbol in no section", &x86_64, 0, BAD_SYM, R_X86_64_64, ERR_FORMAT, "relocation against symbol 7, in no section" },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		IN_ROW(rows[i].name);
		CHECK_ERR_TEXT(read_two(rows[i].target, rows[i].offset, rows[i].sym, rows[i].type),
			       rows[i].kind, rows[i].message);
	}
}

TEST(offsets_outside_of_the_section_are_refused)
{
	static const uint64_t offsets[] = { 9, 15, 16, 17, UINT64_MAX, UINT64_MAX - 7 };

	CHECK_OK(read_two(&x86_64, 8, TEXT_SYM, R_X86_64_64));
	CHECK_OK(read_two(&x86_64, 12, TEXT_SYM, R_X86_64_32));
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		CHECK_ERR(read_two(&x86_64, offsets[i], TEXT_SYM, R_X86_64_64), ERR_FORMAT);
		CHECK_ERR(read_two(&s390, offsets[i], TEXT_SYM, R_390_64), ERR_FORMAT);
	}
}

TEST_WITH(a_section_shorter_than_the_widest_relocation_works, scene, s)
{
	begin(s, &x86_64, pattern(5));
	add(s, 1, TEXT_SYM, R_X86_64_32, 0);
	CHECK_OK(finish(s));
	CHECK_EQ(at(s, 1, 4), 0x10024);
}

TEST_WITH(a_number_that_runs_out_of_the_section_is_refused, scene, s)
{
	begin(s, &riscv, MAKE_TEXT("\x80\x80\x80"));
	add(s, 1, TEXT_SYM, RISCV_SET_ULEB, 0);
	CHECK_ERR_TEXT(finish(s), ERR_FORMAT, ".debug_info+0x1: LEB128 number runs out");
}

/* 16 bytes with one relocation, of x86-64. */
static void begin_one(struct scene *s)
{
	begin(s, &x86_64, pattern(16));
	add(s, 0, TEXT_SYM, R_X86_64_64, 0);
}

TEST_WITH(a_table_of_relocations_must_be_whole, scene, s)
{
	begin_one(s);
	s->relocs.len -= 1;
	CHECK_ERR_TEXT(finish(s), ERR_FORMAT, "23 bytes of relocations of 24 bytes");
}

TEST(relocations_need_a_symbol_table)
{
	static const size_t links[] = { 0, 1, 5000 };

	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		CLEANUP(scene_release) struct scene s = { 0 };

		begin_one(&s);
		s.symtab = links[i];
		CHECK_ERR(finish(&s), ERR_FORMAT);
	}
}

/* SHT_CREL of LLVM 19: debug information that is not relocated has other values. */
TEST_WITH(packed_relocations_are_unsupported, scene, s)
{
	begin(s, &x86_64, pattern(16));
	MAKE_SECTION(&s->m, .name = ".crel.debug_info", .type = 0x40000014,
		     .link = (uint32_t)s->symtab, .info = (uint32_t)s->info, .data = pattern(3));
	CHECK_ERR_TEXT(finish(s), ERR_UNSUPPORTED,
		       "('.crel.debug_info'): relocations of type SHT_CREL");
}

/* Each takes the time to read one. */
TEST_WITH(many_symbol_tables_in_turn_are_refused, scene, s)
{
	begin_one(s);
	size_t second = make_section(&s->m, s->m.sections[s->symtab]);
	for (int i = 0; i < 100; i++)
		make_relocs(&s->m, ".rela.debug_info", true, s->info, i % 2 ? s->symtab : second,
			    &s->relocs);
	CHECK_ERR_TEXT(finish(s), ERR_LIMIT, "another symbol table than before");
}

TEST_WITH(relocations_of_a_linked_file_are_history, scene, s)
{
	begin_one(s);
	s->m.type = ET_EXEC;
	CHECK_OK(finish(s));
	CHECK_EQ(at(s, 0, 8), 0xa5a5a5a5a5a5a5a5);
	/* so no copy is needed */
	CHECK(s->o.debug[DEBUG_INFO].ptr == s->o.sections[s->info].data.ptr);
}

TEST_WITH(other_sections_are_not_relocated, scene, s)
{
	struct make_buf bad = { 0 };

	begin_one(s);
	make_reloc(&s->m, &bad, true, 0, TEXT_SYM, R_X86_64_PLT32, 0);
	make_relocs(&s->m, ".rela.text", true, 1, s->symtab, &bad);
	make_relocs(&s->m, ".rela.nothing", true, 0, s->symtab, &bad);
	make_relocs(&s->m, ".rela.beyond", true, 5000, s->symtab, &bad);
	CHECK_OK(finish(s));
	CHECK_EQ(at(s, 0, 8), 0x10024);
	CHECK(make_equal(s->o.sections[1].data, make_fill(0x33, 1)));
	/* the section as stored stays as it is */
	CHECK(make_equal(s->o.sections[s->info].data, pattern(16)));
}

/* --- part by part ----------------------------------------------------------------- */

/* Relocations of 4 bytes at every eighth byte, more of them than there are between two marks. */
static void begin_many(struct scene *s, size_t nr)
{
	begin(s, &x86_64, pattern(8 * nr));
	for (size_t i = 0; i < nr; i++)
		add(s, 8 * i + 2, ABS_SYM, R_X86_64_32, (int64_t)i);
}

TEST_WITH(parts_have_what_the_whole_has, scene, s)
{
	enum { NR = 3000 };
	static const size_t steps[] = { 6, 8, 40, 8 * 1024, 8 * 1025, 8 * NR };
	CLEANUP(scene_release) struct scene whole = { 0 };
	struct bytes part;

	begin_many(&whole, NR);
	CHECK_OK(finish(&whole));
	begin_many(s, NR);
	CHECK_OK(open_stored(s));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		for (size_t start = 0; start < 8 * NR; start += steps[i]) {
			size_t end = start + steps[i] < 8 * NR ? start + steps[i] : 8 * NR;

			/* four bytes at 2, 10, 18, ... must not be cut */
			if (start % 8 > 2 || (end - 1) % 8 < 5)
				continue;
			CHECK_OK(object_info(&s->o, start, end, &s->room, &part));
			CHECK_EQ(part.len, end - start);
			CHECK_MEM(whole.o.debug[DEBUG_INFO].ptr + start, part.ptr, part.len);
			object_forget_info(&s->o, start, end);
		}
	}
	CHECK_OK(object_info(&s->o, 8, 8, &s->room, &part));
	CHECK_EQ(part.len, 0);
}

TEST_WITH(a_part_may_not_cut_a_relocation, scene, s)
{
	struct bytes part;

	begin_many(s, 3);
	CHECK_OK(open_stored(s));
	CHECK_ERR_TEXT(object_info(&s->o, 8, 13, &s->room, &part), ERR_FORMAT,
		       ".debug_info+0xa: relocation lies outside of the 0x5 bytes");
}

TEST_WITH(relocations_may_come_in_any_order, scene, s)
{
	struct bytes part;

	begin(s, &x86_64, pattern(24));
	add(s, 16, ABS_SYM, R_X86_64_32, 1);
	add(s, 8, ABS_SYM, R_X86_64_32, 2);
	add(s, 0, ABS_SYM, R_X86_64_32, 3);
	CHECK_OK(open_stored(s));
	CHECK(!object_info_is_copied(&s->o));
	for (size_t i = 0; i < 3; i++) {
		CHECK_OK(object_info(&s->o, 8 * i, 8 * i + 4, &s->room, &part));
		CHECK_EQ(load32(part.ptr), 0x7777 + 3 - i);
	}
}

/* --- one by one ------------------------------------------------------------------ */

TEST_WITH(each_of_many_relocations_is_found, scene, s)
{
	enum { NR = 3000 };
	struct reloc_entry e;

	begin_many(s, NR);
	find(s);
	for (size_t i = 0; i < NR; i++) {
		CHECK_STR(found(s, 8 * i + 2, 4), make_text("%u 10+%#zx", ABS_SYM, i));
		CHECK_STR(found(s, 8 * i, 4), "none");
	}
	CHECK(!reloc_finder_at(&s->finder, UINT64_MAX, 4, 0, &e));
}

TEST_WITH(relocations_in_any_order_are_found, scene, s)
{
	begin(s, &arm, pattern(24));
	add(s, 16, UNDEF_SYM, R_ARM_ABS32, 0);
	add(s, 8, DATA_SYM, R_ARM_ABS32, 0);
	add(s, 0, TEXT_SYM, R_ARM_ABS32, 0);
	add(s, 16, 0, R_ARM_NONE, 0);
	find(s);
	CHECK_STR(found(s, 0, 4), "1 2+0xa5a5a5a5");
	CHECK_STR(found(s, 8, 4), "2 2+0xa5a5a5a5");
	CHECK_STR(found(s, 16, 4), "4 2+0xa5a5a5a5");
	CHECK_STR(found(s, 4, 4), "none");
	CHECK_STR(found(s, 20, 4), "none");
}

TEST_WITH(relocations_in_several_sections_are_found, scene, s)
{
	struct make_buf more = { 0 }, rel = { 0 }, other = { 0 };

	begin(s, &x86_64, pattern(48));
	add(s, 0, TEXT_SYM, R_X86_64_64, 2);
	add(s, 8, DATA_SYM, R_X86_64_64, 3);
	add(s, 16, ABS_SYM, R_X86_64_64, 1);
	make_reloc(&s->m, &more, true, 32, TEXT_SYM, R_X86_64_64, 4);
	make_reloc(&s->m, &more, true, 24, TEXT_SYM, R_X86_64_NONE, 0);
	make_reloc(&s->m, &more, true, 24, DATA_SYM, R_X86_64_64, 5);
	make_reloc(&s->m, &more, true, 16, DATA_SYM, R_X86_64_64, 6);
	make_reloc(&s->m, &rel, false, 40, DATA_SYM, R_X86_64_64, 0);
	make_reloc(&s->m, &other, true, 40, DATA_SYM, R_X86_64_64, 0);
	make_relocs(&s->m, ".rela.text", true, 1, s->symtab, &other);
	make_relocs(&s->m, ".rela.debug_info", true, s->info, s->symtab, &s->relocs);
	make_relocs(&s->m, ".rela.debug_info", true, s->info, s->symtab, &more);
	make_relocs(&s->m, ".rel.debug_info", false, s->info, s->symtab, &rel);
	s->relocs.len = 0;
	find(s);
	CHECK_STR(found(s, 0, 8), "1 1+0x2");
	CHECK_STR(found(s, 8, 8), "2 1+0x3");
	CHECK_STR(found(s, 24, 8), "2 1+0x5");
	CHECK_STR(found(s, 32, 8), "1 1+0x4");
	/* it has the value of the second one, which is against another symbol */
	CHECK_STR(found(s, 16, 8), "none");
	CHECK_STR(found(s, 40, 8), "none");
}

TEST_WITH(a_difference_is_no_address, scene, s)
{
	begin(s, &riscv, pattern(24));
	add(s, 0, DATA_SYM, R_RISCV_ADD64, 0);
	add(s, 0, TEXT_SYM, R_RISCV_SUB64, 0);
	add(s, 8, DATA_SYM, R_RISCV_SET32, 0);
	add(s, 8, TEXT_SYM, R_RISCV_SUB32, 0);
	add(s, 16, DATA_SYM, R_RISCV_64, 0);
	add(s, 16, 0, R_RISCV_RELAX, 0);
	find(s);
	CHECK_STR(found(s, 0, 8), "none");
	CHECK_STR(found(s, 8, 4), "none");
	CHECK_STR(found(s, 16, 8), "2 2+0");
}

/* The symbol and addend of the address at @offset from which another one is subtracted; "none". */
static const char *minuend(const struct scene *s, uint64_t offset, uint32_t type, uint64_t value)
{
	struct reloc_entry e;
	uint64_t found;

	if (!reloc_finder_minuend(&s->finder, offset, 8, &e, &found))
		return "none";
	CHECK_EQ(e.type, type);
	CHECK_EQ(e.offset, offset);
	CHECK_EQ(found, value);
	return test_keep(mem_printf("%u+%#jx", e.symbol, (uintmax_t)e.addend));
}

/* As find(), without applying the relocations. */
static void find_stored(struct scene *s)
{
	CHECK_OK(open_stored(s));
	CHECK_OK(reloc_finder_open(&s->o, s->info, &s->finder));
}

TEST(the_minuend_of_a_difference_is_an_address)
{
	CLEANUP(scene_release) struct scene r = { 0 }, l = { 0 }, x = { 0 };

	begin(&r, &riscv, pattern(64));
	add(&r, 0, DATA_SYM, R_RISCV_ADD64, 2);
	add(&r, 0, TEXT_SYM, R_RISCV_SUB64, 0);
	add(&r, 8, TEXT_SYM, R_RISCV_SUB32, 0);
	add(&r, 8, 0, R_RISCV_RELAX, 0);
	add(&r, 8, DATA_SYM, R_RISCV_SET32, 0);
	add(&r, 16, TEXT_SYM, RISCV_SET_ULEB, 4);
	add(&r, 16, DATA_SYM, RISCV_SUB_ULEB, 0);
	/* none of these is a difference of two known symbols */
	add(&r, 24, DATA_SYM, R_RISCV_64, 0);
	add(&r, 32, TEXT_SYM, R_RISCV_SUB64, 0);
	add(&r, 32, TEXT_SYM, R_RISCV_SUB64, 0);
	add(&r, 40, UNDEF_SYM, R_RISCV_ADD64, 0);
	add(&r, 40, TEXT_SYM, R_RISCV_SUB64, 0);
	add(&r, 48, NR_SYMS, R_RISCV_ADD64, 0);
	add(&r, 48, TEXT_SYM, R_RISCV_SUB64, 0);
	find_stored(&r);
	CHECK_STR(minuend(&r, 0, R_RISCV_64, 0x1004a), "2+0x2");
	CHECK_STR(minuend(&r, 8, R_RISCV_64, 0x10048), "2+0");
	CHECK_STR(minuend(&r, 16, R_RISCV_64, 0x10028), "1+0x4");
	for (uint64_t offset = 24; offset < 64; offset += 8)
		CHECK_STR(minuend(&r, offset, 0, 0), "none");
	CHECK(reloc_has_differences(&r.o));

	begin(&l, &loongarch, pattern(16));
	add(&l, 3, TEXT_SYM, LA_ADD_ULEB, 0);
	add(&l, 3, DATA_SYM, LA_SUB_ULEB, 0);
	find_stored(&l);
	CHECK_STR(minuend(&l, 3, 2 /* R_LARCH_64 */, 0x10024), "1+0");
	CHECK(reloc_has_differences(&l.o));

	begin(&x, &x86_64, pattern(16));
	add(&x, 0, TEXT_SYM, R_X86_64_64, 0);
	find_stored(&x);
	CHECK_STR(minuend(&x, 0, 0, 0), "none");
	CHECK(!reloc_has_differences(&x.o));
}

TEST_WITH(without_relocations_none_is_found, scene, s)
{
	begin(s, &x86_64, pattern(16));
	find(s);
	CHECK_STR(found(s, 0, 8), "none");
	CHECK(!reloc_finder_is_rela(&s->finder));
}

TEST_WITH(relocations_of_a_linked_file_are_not_found, scene, s)
{
	begin_one(s);
	s->m.type = ET_EXEC;
	find(s);
	CHECK_STR(found(s, 0, 8), "none");
}

/* --- a section that is not DWARF -------------------------------------------------- */

TEST(any_section_is_read_with_its_relocations)
{
	static const struct {
		const char *name;
		const struct make_target *target;
		uint32_t type;
		uint16_t file_type;
		uint64_t first, second; /* words of .debug.btf */
	} rows[] = {
		{ "x86-64", &x86_64, R_X86_64_64, ET_REL, 0x10024, 0x1004b },
		{ "s390", &s390, R_390_64, ET_REL, 0x10024, 0x1004b },
		{ "i386", &i386, R_386_32, ET_REL, 0x10024, 0x1004b },
		{ "ARM", &arm, R_ARM_ABS32, ET_REL, 0x10024, 0x1004b },
		{ "a linked file", &x86_64, R_X86_64_64, ET_EXEC, 0, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		struct make_buf data = { 0 }, one = { 0 }, two = { 0 };
		struct bytes read;
		uint8_t *own;

		IN_ROW(rows[i].name);
		begin(&s, rows[i].target, pattern(8));
		make_word(&s.m, &data, 0);
		make_word(&s.m, &data, 3);
		make_reloc(&s.m, &one, s.rela, 0, TEXT_SYM, rows[i].type, 0);
		make_reloc(&s.m, &two, s.rela, data.len / 2, DATA_SYM, rows[i].type, 3);
		size_t btf = make_data(&s.m, ".debug.btf", make_view(&data));
		make_relocs(&s.m, ".rela.debug.btf", s.rela, btf, s.symtab, &one);
		make_relocs(&s.m, ".rela.debug.btf", s.rela, btf, s.symtab, &two);
		s.m.type = rows[i].file_type;
		CHECK_OK(make_open(&s.m, &s.o));
		CHECK_OK(object_read_section(&s.o, btf, &read, &own));
		s.o.debug[DEBUG_INFO] = read;
		CHECK_EQ(read.len, data.len);
		CHECK_EQ(own == NULL, s.m.type != ET_REL);
		CHECK_EQ(at(&s, 0, s.m.is64 ? 8 : 4), rows[i].first);
		CHECK_EQ(at(&s, data.len / 2, s.m.is64 ? 8 : 4), rows[i].second);
		free(own);
	}
}

TEST(any_section_is_refused_if_its_relocations_cannot_be_read)
{
	static const uint32_t types[] = { SHT_RELA, 0x40000014 };
	static const char *const errors[] = { ".debug.btf+0x4: relocation lies outside",
					      "('.rela.debug.btf'): relocations of type SHT_CREL" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		CLEANUP(scene_release) struct scene s = { 0 };
		struct bytes read;
		uint8_t *own = NULL;

		begin(&s, &x86_64, pattern(8));
		add(&s, 4, TEXT_SYM, R_X86_64_64, 0);
		size_t btf = make_data(&s.m, ".debug.btf", pattern(8));
		size_t of = make_relocs(&s.m, ".rela.debug.btf", true, btf, s.symtab, &s.relocs);
		s.m.sections[of].type = types[i];
		CHECK_OK(make_open(&s.m, &s.o));
		CHECK_ERR_TEXT(object_read_section(&s.o, btf, &read, &own),
			       i ? ERR_UNSUPPORTED : ERR_FORMAT, errors[i]);
		CHECK(!own);
	}
}
