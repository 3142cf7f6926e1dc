/* SPDX-License-Identifier: GPL-2.0-only */
/* t_reloc.c - relocations of debug sections */
#include "loader/elf/reloc.h"

#include "base/cleanup.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

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

struct setup {
	struct elfmake m;
	struct make_buf relocs;
	bool rela;
	size_t symtab, info;
};

static struct setup begin(enum make_class class, enum make_order order, uint16_t machine, bool rela,
			  struct bytes info)
{
	struct setup s = { .m = make_elf(class, order, ET_REL, machine), .rela = rela };
	struct elfmake *m = &s.m;

	MAKE_SECTION(m, .name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC, .align = 16,
		     .data = make_fill(0x33, 1));
	make_nobits(m, 0, 0x100, 64);
	size_t str = make_data(m, ".debug_str", MAKE_TEXT("\0"));
	m->sections[str].addr = 0x500;
	make_symbol(m, "text", STT_FUNC, 1, 0x24, 0);
	make_symbol(m, "data", STT_OBJECT, 2, 8, 0);
	make_symbol(m, "str", STT_SECTION, (uint32_t)str, 0x30, 0);
	make_symbol(m, "undef", STT_NOTYPE, SHN_UNDEF, 0x99, 0);
	make_symbol(m, "common", STT_OBJECT, SHN_COMMON, 16, 4);
	make_symbol(m, "abs", STT_NOTYPE, SHN_ABS, 0x7777, 0);
	make_symbol(m, "bad", STT_NOTYPE, 0x3333, 0, 0);
	make_symbol(m, "wide", STT_OBJECT, MAKE_SHNDX(2), 1, 0);
	s.symtab = make_symtab(m);
	s.info = make_data(m, ".debug_info", info);
	return s;
}

static void add(struct setup *s, uint64_t offset, uint32_t sym, uint32_t type, int64_t addend)
{
	make_reloc(&s->m, &s->relocs, s->rela, offset, sym, type, addend);
}

/* Open it, with .debug_info as a reader sees it. */
static struct err *open_relocated(struct make_buf file, struct object *ret)
{
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(object_room_release) struct object_room room = { 0 };
	struct bytes *info = &o.debug[DEBUG_INFO];

	TRY(object_open(make_file(file), &o));
	TRY(object_info(&o, 0, info->len, &room, info));
	if (info->ptr == room.items) {
		uint8_t *copy = make_alloc(info->len);

		memcpy(copy, info->ptr, info->len);
		info->ptr = copy;
	}
	*ret = TAKE(o);
	return NULL;
}

static struct err *finish(struct setup *s, struct object *ret)
{
	make_relocs(&s->m, s->rela ? ".rela.debug_info" : ".rel.debug_info", s->rela, s->info,
		    s->symtab, &s->relocs);
	return open_relocated(make_bytes(&s->m), ret);
}

/* The @width bytes at @offset of .debug_info, as a number. */
static uint64_t at(const struct object *o, size_t offset, unsigned int width)
{
	bool big = o->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	uint64_t v = 0;

	for (unsigned int i = 0; i < width; i++)
		v |= (uint64_t)o->debug[DEBUG_INFO].ptr[offset + i]
		     << 8 * (big ? width - 1 - i : i);
	return v;
}

/* Bytes that no relocation may touch. */
static struct bytes pattern(size_t len)
{
	uint8_t *p = make_alloc(len);

	memset(p, 0xa5, len);
	return (struct bytes){ p, len };
}

struct machine_case {
	enum make_class class;
	enum make_order order;
	uint16_t machine;
	bool rela;
	uint32_t abs64, abs32, abs16, abs8, skip; /* 0 for none */
};

static const struct machine_case cases[] = {
	{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, R_X86_64_32, R_X86_64_16, R_X86_64_8,
	  R_X86_64_DTPOFF64 },
	{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, R_X86_64_32S, 0, 0,
	  R_X86_64_DTPOFF32 },
	{ MAKE_32, MAKE_LITTLE, EM_X86_64, true, 0, R_X86_64_32, 0, 0, 0 },
	{ MAKE_32, MAKE_LITTLE, EM_386, false, 0, R_386_32, R_386_16, R_386_8, R_386_TLS_LDO_32 },
	{ MAKE_32, MAKE_LITTLE, EM_386, false, 0, R_386_32, R_386_16, R_386_8, R_386_GOTOFF },
	{ MAKE_64, MAKE_LITTLE, EM_AARCH64, true, R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_ABS16,
	  0, R_AARCH64_TLS_DTPREL },
	{ MAKE_64, MAKE_BIG, EM_AARCH64, true, R_AARCH64_ABS64, R_AARCH64_ABS32, R_AARCH64_ABS16, 0,
	  256 },
	{ MAKE_32, MAKE_LITTLE, EM_ARM, false, 0, R_ARM_ABS32, R_ARM_ABS16, R_ARM_ABS8,
	  R_ARM_TLS_LDO32 },
	{ MAKE_32, MAKE_BIG, EM_ARM, false, 0, R_ARM_ABS32, R_ARM_ABS16, R_ARM_ABS8,
	  R_ARM_TLS_LDO32 },
	{ MAKE_64, MAKE_BIG, EM_S390, true, R_390_64, R_390_32, R_390_16, R_390_8,
	  R_390_TLS_LDO64 },
	{ MAKE_32, MAKE_BIG, EM_S390, true, 0, R_390_32, R_390_16, R_390_8, R_390_TLS_LDO32 },
	{ MAKE_64, MAKE_LITTLE, EM_PPC64, true, R_PPC64_ADDR64, R_PPC64_ADDR32, R_PPC64_ADDR16, 0,
	  R_PPC64_DTPREL64 },
	{ MAKE_64, MAKE_BIG, EM_PPC64, true, R_PPC64_UADDR64, R_PPC64_UADDR32, R_PPC64_UADDR16, 0,
	  0 },
	{ MAKE_32, MAKE_BIG, EM_PPC, true, 0, R_PPC_ADDR32, R_PPC_ADDR16, 0, R_PPC_DTPREL32 },
	{ MAKE_64, MAKE_LITTLE, EM_RISCV, true, R_RISCV_64, R_RISCV_32, R_RISCV_SET16, R_RISCV_SET8,
	  R_RISCV_RELAX },
	{ MAKE_32, MAKE_LITTLE, EM_RISCV, true, 0, R_RISCV_SET32, 0, 0, R_RISCV_TLS_DTPREL32 },
	{ MAKE_32, MAKE_BIG, EM_MIPS, false, 0, R_MIPS_32, R_MIPS_16, 0, R_MIPS_TLS_DTPREL32 },
	{ MAKE_32, MAKE_LITTLE, EM_MIPS, false, 0, R_MIPS_32, R_MIPS_16, 0, R_MIPS_TLS_DTPREL32 },
	{ MAKE_64, MAKE_BIG, EM_MIPS, true, R_MIPS_64, R_MIPS_32, 0, 0, R_MIPS_TLS_DTPREL64 },
	{ MAKE_32, MAKE_BIG, EM_SPARC, true, 0, R_SPARC_32, R_SPARC_UA16, R_SPARC_8,
	  R_SPARC_TLS_DTPOFF32 },
	/* the upper 24 bits of the type are data, for other relocations */
	{ MAKE_64, MAKE_BIG, EM_SPARCV9, true, R_SPARC_UA64, 0xabcd00 | R_SPARC_UA32, R_SPARC_16, 0,
	  R_SPARC_TLS_DTPOFF64 },
	{ MAKE_64, MAKE_LITTLE, 258 /* LoongArch */, true, 2, 1, 0, 0, 100 },
	{ MAKE_64, MAKE_LITTLE, EM_BPF, false, 2, 3, 0, 0, 0 },
	{ MAKE_64, MAKE_BIG, EM_BPF, false, 2, 4, 0, 0, 0 },
};

/* One relocation of a case; REL has its addend in the section. */
static void add_absolute(struct setup *s, struct make_buf *info, unsigned int width, uint32_t type,
			 uint32_t sym, int64_t addend)
{
	size_t offset = info->len;

	if (s->rela)
		make_put(info, pattern(width).ptr, width);
	else
		make_int(&s->m, info, width, (uint64_t)addend);
	make_put(info, pattern(3).ptr, 3);
	if (type)
		add(s, offset, sym, type, addend);
}

TEST(absolute_relocations_of_every_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct machine_case *c = &cases[i];
		CLEANUP(object_close) struct object o = { 0 };
		struct make_buf info = { 0 };
		struct setup s = begin(c->class, c->order, c->machine, c->rela, pattern(1));
		uint64_t untouched = 0xa5a5a5a5a5a5a5a5;

		add_absolute(&s, &info, 8, c->abs64, DATA_SYM, -0x10);
		add_absolute(&s, &info, 4, c->abs32, TEXT_SYM, 0x1000);
		add_absolute(&s, &info, 2, c->abs16, STR_SYM, 5);
		add_absolute(&s, &info, 1, c->abs8, STR_SYM, -1);
		add_absolute(&s, &info, 8, c->skip, BAD_SYM, 5);
		s.m.sections[s.info].data = make_view(&info);
		CHECK_OK(finish(&s, &o));
		if (c->abs64)
			CHECK_EQ(at(&o, 0, 8), 0x10040 + 8 - 0x10);
		CHECK_EQ(at(&o, 8, 3), 0xa5a5a5);
		CHECK_EQ(at(&o, 11, 4), 0x10024 + 0x1000);
		CHECK_EQ(at(&o, 15, 3), 0xa5a5a5);
		if (c->abs16)
			CHECK_EQ(at(&o, 18, 2), 0x35);
		CHECK_EQ(at(&o, 20, 3), 0xa5a5a5);
		if (c->abs8)
			CHECK_EQ(at(&o, 23, 1), 0x2f);
		CHECK_EQ(at(&o, 24, 3), 0xa5a5a5);
		CHECK_EQ(at(&o, 27, 8), c->rela ? untouched : 5);
	}
}

TEST(mips64_keeps_three_types_in_an_entry)
{
	for (enum make_order order = MAKE_LITTLE; order <= MAKE_BIG; order++) {
		struct setup s = begin(MAKE_64, order, EM_MIPS, true, pattern(16));
		static const uint8_t types[] = { 0, 0, 0, R_MIPS_64 };
		CLEANUP(object_close) struct object o = { 0 };

		make_int(&s.m, &s.relocs, 8, 4);
		make_int(&s.m, &s.relocs, 4, DATA_SYM);
		make_put(&s.relocs, types, sizeof(types));
		make_int(&s.m, &s.relocs, 8, 3);
		CHECK_OK(finish(&s, &o));
		CHECK_EQ(at(&o, 4, 8), 0x10040 + 8 + 3);
	}
}

/* What symbol @sym is worth in a RELA relocation of 8 bytes with addend 3. */
static uint64_t worth(enum make_order order, uint16_t machine, uint32_t type, uint32_t sym)
{
	struct setup s = begin(MAKE_64, order, machine, true, pattern(8));
	CLEANUP(object_close) struct object o = { 0 };

	add(&s, 0, sym, type, 3);
	CHECK_OK(finish(&s, &o));
	return at(&o, 0, 8);
}

TEST(what_symbols_are_worth)
{
	static const struct {
		uint32_t sym;
		uint64_t value;
	} want[] = {
		{ 0, 3 },
		{ TEXT_SYM, 0x10027 },
		{ DATA_SYM, 0x1004b },
		{ STR_SYM, 0x33 },
		{ UNDEF_SYM, 0xa5a5a5a5a5a5a5a5 }, /* left alone */
		{ COMMON_SYM, 3 },
		{ ABS_SYM, 0x777a },
		{ WIDE_SYM, 0x10044 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		CHECK_EQ(worth(MAKE_LITTLE, EM_X86_64, R_X86_64_64, want[i].sym), want[i].value);
		CHECK_EQ(worth(MAKE_BIG, EM_S390, R_390_64, want[i].sym), want[i].value);
	}
}

TEST(riscv_writes_differences)
{
	static const uint8_t bytes[] = {
		0x10, 0,    0x10, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, /* 2, 4, 8 */
		0xc5,                                                 /* six bits */
		0xff, 0x80, 0x00,                                     /* LEB128 of three bytes */
		0x7f,                                                 /* and of one */
		0x05,
	};
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_RISCV, true,
			       (struct bytes){ bytes, sizeof(bytes) });
	CLEANUP(object_close) struct object o = { 0 };

	add(&s, 0, DATA_SYM, R_RISCV_ADD16, 0);
	add(&s, 0, TEXT_SYM, R_RISCV_SUB16, 0);
	add(&s, 2, DATA_SYM, R_RISCV_ADD32, 1);
	add(&s, 2, TEXT_SYM, R_RISCV_SUB32, 0);
	add(&s, 6, TEXT_SYM, R_RISCV_ADD64, 0);
	add(&s, 6, DATA_SYM, R_RISCV_SUB64, 0);
	add(&s, 14, DATA_SYM, R_RISCV_SET6, 0);
	add(&s, 14, TEXT_SYM, R_RISCV_SUB6, 0);
	add(&s, 15, DATA_SYM, 60 /* SET_ULEB128 */, 0);
	add(&s, 15, TEXT_SYM, 61 /* SUB_ULEB128 */, 0);
	add(&s, 18, DATA_SYM, 60, 0);
	add(&s, 18, TEXT_SYM, 61, 0);
	add(&s, 19, DATA_SYM, R_RISCV_ADD8, 0);
	add(&s, 19, TEXT_SYM, R_RISCV_SUB8, 0);
	CHECK_OK(finish(&s, &o));
	CHECK_EQ(at(&o, 0, 2), 0x10 + 0x24);
	CHECK_EQ(at(&o, 2, 4), 0x10 + 0x25);
	CHECK_EQ(at(&o, 6, 8), 0x10 - 0x24);
	CHECK_EQ(at(&o, 14, 1), 0xc0 | 0x24);
	CHECK_EQ(at(&o, 15, 3), 0x0080a4);
	CHECK_EQ(at(&o, 18, 1), 0x24);
	CHECK_EQ(at(&o, 19, 1), 5 + 0x24);
}

TEST(loongarch_writes_differences)
{
	static const uint8_t bytes[] = { 1, 0, 0x80, 0x82, 0x01, 0x41, 0x10, 0x20, 0x30, 0x55 };
	struct setup s = begin(MAKE_64, MAKE_LITTLE, 258, true,
			       (struct bytes){ bytes, sizeof(bytes) });
	CLEANUP(object_close) struct object o = { 0 };

	add(&s, 0, DATA_SYM, 48, 0);  /* ADD16 */
	add(&s, 0, TEXT_SYM, 53, 0);  /* SUB16 */
	add(&s, 2, DATA_SYM, 107, 0); /* ADD_ULEB128 */
	add(&s, 2, TEXT_SYM, 108, 0); /* SUB_ULEB128 */
	add(&s, 5, DATA_SYM, 105, 0); /* ADD6 */
	add(&s, 5, TEXT_SYM, 106, 0); /* SUB6 */
	add(&s, 6, DATA_SYM, 49, 0);  /* ADD24 */
	add(&s, 6, TEXT_SYM, 54, 0);  /* SUB24 */
	CHECK_OK(finish(&s, &o));
	CHECK_EQ(at(&o, 0, 2), 1 + 0x24);
	CHECK_EQ(at(&o, 2, 3), 0x0182a4);
	CHECK_EQ(at(&o, 5, 1), 0x40 | (1 + 0x24));
	CHECK_EQ(at(&o, 6, 3), 0x302010 + 0x24);
	CHECK_EQ(at(&o, 9, 1), 0x55);
}

static struct err *one(enum make_order order, uint16_t machine, uint64_t offset, uint32_t sym,
		       uint32_t type)
{
	struct setup s = begin(MAKE_64, order, machine, true, pattern(16));
	CLEANUP(object_close) struct object o = { 0 };

	add(&s, 0, TEXT_SYM, type, 0);
	add(&s, offset, sym, type, 0);
	return finish(&s, &o);
}

TEST(an_unknown_type_is_named_with_its_place)
{
	CHECK_ERR_TEXT(one(MAKE_LITTLE, EM_X86_64, 8, TEXT_SYM, R_X86_64_PC32), ERR_UNSUPPORTED,
		       ".debug_info+0: relocation type 2 of machine 62");
	CHECK_ERR_TEXT(one(MAKE_BIG, EM_S390, 0, TEXT_SYM, 0xffffffff), ERR_UNSUPPORTED,
		       ".debug_info+0: relocation type 4294967295 of machine 22");
	CHECK_ERR_TEXT(one(MAKE_BIG, EM_MIPS, 0, TEXT_SYM, R_MIPS_64 << 8 | R_MIPS_32),
		       ERR_UNSUPPORTED, "relocation type 4610 of machine 8");
}

TEST(an_unknown_machine_is_unsupported)
{
	CHECK_ERR_TEXT(one(MAKE_LITTLE, EM_VAX, 0, TEXT_SYM, 1), ERR_UNSUPPORTED,
		       "section 8 ('.rela.debug_info'): relocations of machine 75");
}

TEST(places_outside_of_the_section_are_refused)
{
	static const uint64_t offsets[] = { 9, 15, 16, 17, UINT64_MAX, UINT64_MAX - 7 };

	CHECK_OK(one(MAKE_LITTLE, EM_X86_64, 8, TEXT_SYM, R_X86_64_64));
	CHECK_OK(one(MAKE_LITTLE, EM_X86_64, 12, TEXT_SYM, R_X86_64_32));
	CHECK_ERR_TEXT(one(MAKE_LITTLE, EM_X86_64, 13, TEXT_SYM, R_X86_64_32), ERR_FORMAT,
		       ".debug_info+0xd: relocation lies outside of the 0x10 bytes");
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		CHECK_ERR(one(MAKE_LITTLE, EM_X86_64, offsets[i], TEXT_SYM, R_X86_64_64),
			  ERR_FORMAT);
		CHECK_ERR(one(MAKE_BIG, EM_S390, offsets[i], TEXT_SYM, R_390_64), ERR_FORMAT);
	}
}

TEST(a_section_shorter_than_the_widest_relocation_works)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(5));
	CLEANUP(object_close) struct object o = { 0 };

	add(&s, 1, TEXT_SYM, R_X86_64_32, 0);
	CHECK_OK(finish(&s, &o));
	CHECK_EQ(at(&o, 1, 4), 0x10024);
}

TEST(symbols_that_are_not_there_are_refused)
{
	CHECK_ERR_TEXT(one(MAKE_LITTLE, EM_X86_64, 0, NR_SYMS, R_X86_64_64), ERR_FORMAT,
		       ".debug_info+0: relocation against symbol 9 of 9");
	CHECK_ERR(one(MAKE_BIG, EM_S390, 0, 0xffffffff, R_390_64), ERR_FORMAT);
	CHECK_ERR_TEXT(one(MAKE_LITTLE, EM_X86_64, 0, BAD_SYM, R_X86_64_64), ERR_FORMAT,
		       "relocation against symbol 7, in no section");
}

TEST(a_number_that_runs_out_of_the_section_is_refused)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_RISCV, true, MAKE_TEXT("\x80\x80\x80"));
	struct object o;

	add(&s, 1, TEXT_SYM, 60, 0);
	CHECK_ERR_TEXT(finish(&s, &o), ERR_FORMAT, ".debug_info+0x1: LEB128 number runs out");
}

TEST(an_overlong_number_keeps_its_length)
{
	uint8_t bytes[16];
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_RISCV, true,
			       (struct bytes){ bytes, sizeof(bytes) });
	CLEANUP(object_close) struct object o = { 0 };

	memset(bytes, 0xff, sizeof(bytes));
	bytes[14] = 0x7f;
	add(&s, 0, ABS_SYM, 60, 0);
	CHECK_OK(finish(&s, &o));
	CHECK_MEM(o.debug[DEBUG_INFO].ptr,
		  "\xf7\xee\x81\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00\xff", 16);
}

TEST(a_table_of_relocations_must_be_whole)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	struct object o;

	add(&s, 0, TEXT_SYM, R_X86_64_64, 0);
	s.relocs.len -= 1;
	CHECK_ERR_TEXT(finish(&s, &o), ERR_FORMAT, "23 bytes of relocations of 24 bytes");
}

TEST(relocations_need_a_symbol_table)
{
	static const size_t links[] = { 0, 1, 5000 };

	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
		struct object o;

		s.symtab = links[i];
		add(&s, 0, TEXT_SYM, R_X86_64_64, 0);
		CHECK_ERR(finish(&s, &o), ERR_FORMAT);
	}
}

/* SHT_CREL of LLVM 19; debug information that was not relocated says something else */
TEST(packed_relocations_are_unsupported)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	struct object o;

	MAKE_SECTION(&s.m, .name = ".crel.debug_info", .type = 0x40000014,
		     .link = (uint32_t)s.symtab, .info = (uint32_t)s.info, .data = pattern(3));
	CHECK_ERR_TEXT(finish(&s, &o), ERR_UNSUPPORTED,
		       "('.crel.debug_info'): relocations of type SHT_CREL");
}

/* Each takes the time to read one. */
TEST(many_symbol_tables_in_turn_are_refused)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	struct make_section other = s.m.sections[s.symtab];
	struct object o;

	size_t second = make_section(&s.m, other);
	add(&s, 0, TEXT_SYM, R_X86_64_64, 0);
	for (int i = 0; i < 100; i++)
		make_relocs(&s.m, ".rela.debug_info", true, s.info, i % 2 ? s.symtab : second,
			    &s.relocs);
	CHECK_ERR_TEXT(finish(&s, &o), ERR_LIMIT, "another symbol table than before");
}

TEST(relocations_of_a_linked_file_are_history)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	CLEANUP(object_close) struct object o = { 0 };

	s.m.type = ET_EXEC;
	add(&s, 0, TEXT_SYM, R_X86_64_64, 0);
	CHECK_OK(finish(&s, &o));
	CHECK_EQ(at(&o, 0, 8), 0xa5a5a5a5a5a5a5a5);
	/* and no reason for a copy */
	CHECK(o.debug[DEBUG_INFO].ptr == o.sections[s.info].data.ptr);
}

TEST(other_sections_are_not_relocated)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	CLEANUP(object_close) struct object o = { 0 };
	struct make_buf bad = { 0 };

	make_reloc(&s.m, &bad, true, 0, TEXT_SYM, R_X86_64_PLT32, 0);
	make_relocs(&s.m, ".rela.text", true, 1, s.symtab, &bad);
	make_relocs(&s.m, ".rela.nothing", true, 0, s.symtab, &bad);
	make_relocs(&s.m, ".rela.beyond", true, 5000, s.symtab, &bad);
	add(&s, 0, TEXT_SYM, R_X86_64_64, 0);
	CHECK_OK(finish(&s, &o));
	CHECK_EQ(at(&o, 0, 8), 0x10024);
	CHECK(make_equal(o.sections[1].data, make_fill(0x33, 1)));
	/* the section as stored stays as it is */
	CHECK(make_equal(o.sections[s.info].data, pattern(16)));
}

/* --- part by part ----------------------------------------------------------------- */

/* Relocations of 4 bytes at every eighth byte, more of them than there are between two marks. */
static struct setup many(size_t nr)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(8 * nr));

	for (size_t i = 0; i < nr; i++)
		add(&s, 8 * i + 2, ABS_SYM, R_X86_64_32, (int64_t)i);
	return s;
}

TEST(parts_have_what_the_whole_has)
{
	enum { NR = 3000 };
	static const size_t steps[] = { 6, 8, 40, 8 * 1024, 8 * 1025, 8 * NR };
	struct setup s = many(NR), again = many(NR);
	CLEANUP(object_close) struct object o = { 0 }, whole = { 0 };
	CLEANUP(object_room_release) struct object_room room = { 0 };
	struct bytes part;

	CHECK_OK(finish(&again, &whole));
	make_relocs(&s.m, ".rela.debug_info", s.rela, s.info, s.symtab, &s.relocs);
	CHECK_OK(make_open(&s.m, &o));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		for (size_t start = 0; start < 8 * NR; start += steps[i]) {
			size_t end = start + steps[i] < 8 * NR ? start + steps[i] : 8 * NR;

			/* four bytes at 2, 10, 18, ... must not be cut */
			if (start % 8 > 2 || (end - 1) % 8 < 5)
				continue;
			CHECK_OK(object_info(&o, start, end, &room, &part));
			CHECK_EQ(part.len, end - start);
			CHECK_MEM(whole.debug[DEBUG_INFO].ptr + start, part.ptr, part.len);
			object_forget_info(&o, start, end);
		}
	}
	CHECK_OK(object_info(&o, 8, 8, &room, &part));
	CHECK_EQ(part.len, 0);
}

TEST(a_part_may_not_cut_a_relocation)
{
	struct setup s = many(3);
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(object_room_release) struct object_room room = { 0 };
	struct bytes part;

	make_relocs(&s.m, ".rela.debug_info", s.rela, s.info, s.symtab, &s.relocs);
	CHECK_OK(make_open(&s.m, &o));
	CHECK_ERR_TEXT(object_info(&o, 8, 13, &room, &part), ERR_FORMAT,
		       ".debug_info+0xa: relocation lies outside of the 0x5 bytes");
}

TEST(relocations_may_come_in_any_order)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(24));
	CLEANUP(object_close) struct object o = { 0 };
	CLEANUP(object_room_release) struct object_room room = { 0 };
	struct bytes part;

	add(&s, 16, ABS_SYM, R_X86_64_32, 1);
	add(&s, 8, ABS_SYM, R_X86_64_32, 2);
	add(&s, 0, ABS_SYM, R_X86_64_32, 3);
	make_relocs(&s.m, ".rela.debug_info", s.rela, s.info, s.symtab, &s.relocs);
	CHECK_OK(make_open(&s.m, &o));
	CHECK(!object_info_is_copied(&o));
	for (size_t i = 0; i < 3; i++) {
		CHECK_OK(object_info(&o, 8 * i, 8 * i + 4, &room, &part));
		CHECK_EQ(load32(part.ptr), 0x7777 + 3 - i);
	}
}

/* --- one by one ------------------------------------------------------------------ */

/* The relocations of .debug_info of a finished setup. */
struct finding {
	struct object o;
	struct reloc_finder f;
};

static void finding_release(struct finding *x)
{
	reloc_finder_release(&x->f);
	object_close(&x->o);
}

static void find(struct setup *s, struct finding *ret)
{
	CHECK_OK(finish(s, &ret->o));
	CHECK_OK(reloc_finder_open(&ret->o, s->info, &ret->f));
}

/* "SYMBOL TYPE+ADDEND" of what sets @width bytes at @offset; "none". */
static const char *found(const struct finding *x, size_t offset, unsigned int width)
{
	struct reloc_entry e;

	if (!reloc_finder_at(&x->f, offset, width, at(&x->o, offset, width), &e))
		return "none";
	CHECK_EQ(e.offset, offset);
	uint64_t addend = width == 4 ? (uint32_t)e.addend : e.addend;
	return make_text("%u %u+%#jx", e.symbol, e.type, (uintmax_t)addend);
}

TEST(an_address_has_its_relocation_on_every_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct machine_case *c = &cases[i];
		CLEANUP(finding_release) struct finding x = { 0 };
		struct make_buf info = { 0 };
		struct setup s = begin(c->class, c->order, c->machine, c->rela, pattern(1));
		uint32_t mask = c->machine == EM_SPARCV9 ? 0xff : UINT32_MAX;

		add_absolute(&s, &info, 8, c->abs64, DATA_SYM, -0x10);
		add_absolute(&s, &info, 4, c->abs32, TEXT_SYM, 0x1000);
		add_absolute(&s, &info, 4, c->abs32, UNDEF_SYM, 0x2000);
		add_absolute(&s, &info, 8, c->skip, TEXT_SYM, 5);
		s.m.sections[s.info].data = make_view(&info);
		find(&s, &x);
		CHECK_EQ(reloc_finder_is_rela(&x.f), c->rela);
		CHECK_STR(found(&x, 0, 8),
			  c->abs64 ? make_text("%u %u+0xfffffffffffffff0", DATA_SYM, c->abs64) :
				     "none");
		CHECK_STR(found(&x, 11, 4), make_text("%u %u+0x1000", TEXT_SYM, c->abs32 & mask));
		CHECK_STR(found(&x, 18, 4), make_text("%u %u+0x2000", UNDEF_SYM, c->abs32 & mask));
		CHECK_STR(found(&x, 11, 8), "none");
		CHECK_STR(found(&x, 12, 4), "none");
		CHECK_STR(found(&x, 25, 8), "none");
	}
}

TEST(mips64_has_its_relocation_in_both_byte_orders)
{
	for (enum make_order order = MAKE_LITTLE; order <= MAKE_BIG; order++) {
		struct setup s = begin(MAKE_64, order, EM_MIPS, true, pattern(16));
		static const uint8_t types[] = { 0, 0, 0, R_MIPS_64 };
		CLEANUP(finding_release) struct finding x = { 0 };

		make_int(&s.m, &s.relocs, 8, 4);
		make_int(&s.m, &s.relocs, 4, DATA_SYM);
		make_put(&s.relocs, types, sizeof(types));
		make_int(&s.m, &s.relocs, 8, 3);
		find(&s, &x);
		CHECK_STR(found(&x, 4, 8), "2 18+0x3");
	}
}

TEST(each_of_many_relocations_is_found)
{
	enum { NR = 3000 };
	struct setup s = many(NR);
	CLEANUP(finding_release) struct finding x = { 0 };

	find(&s, &x);
	for (size_t i = 0; i < NR; i++) {
		CHECK_STR(found(&x, 8 * i + 2, 4), make_text("%u 10+%#zx", ABS_SYM, i));
		CHECK_STR(found(&x, 8 * i, 4), "none");
	}
	struct reloc_entry e;
	CHECK(!reloc_finder_at(&x.f, UINT64_MAX, 4, 0, &e));
}

TEST(relocations_in_any_order_are_found)
{
	struct setup s = begin(MAKE_32, MAKE_BIG, EM_ARM, false, pattern(24));
	CLEANUP(finding_release) struct finding x = { 0 };

	add(&s, 16, UNDEF_SYM, R_ARM_ABS32, 0);
	add(&s, 8, DATA_SYM, R_ARM_ABS32, 0);
	add(&s, 0, TEXT_SYM, R_ARM_ABS32, 0);
	add(&s, 16, 0, R_ARM_NONE, 0);
	find(&s, &x);
	CHECK_STR(found(&x, 0, 4), "1 2+0xa5a5a5a5");
	CHECK_STR(found(&x, 8, 4), "2 2+0xa5a5a5a5");
	CHECK_STR(found(&x, 16, 4), "4 2+0xa5a5a5a5");
	CHECK_STR(found(&x, 4, 4), "none");
	CHECK_STR(found(&x, 20, 4), "none");
}

TEST(relocations_in_several_sections_are_found)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(48));
	struct make_buf more = { 0 }, rel = { 0 }, other = { 0 };
	CLEANUP(finding_release) struct finding x = { 0 };

	add(&s, 0, TEXT_SYM, R_X86_64_64, 2);
	add(&s, 8, DATA_SYM, R_X86_64_64, 3);
	add(&s, 16, ABS_SYM, R_X86_64_64, 1);
	make_reloc(&s.m, &more, true, 32, TEXT_SYM, R_X86_64_64, 4);
	make_reloc(&s.m, &more, true, 24, TEXT_SYM, R_X86_64_NONE, 0);
	make_reloc(&s.m, &more, true, 24, DATA_SYM, R_X86_64_64, 5);
	make_reloc(&s.m, &more, true, 16, DATA_SYM, R_X86_64_64, 6);
	make_reloc(&s.m, &rel, false, 40, DATA_SYM, R_X86_64_64, 0);
	make_reloc(&s.m, &other, true, 40, DATA_SYM, R_X86_64_64, 0);
	make_relocs(&s.m, ".rela.text", true, 1, s.symtab, &other);
	make_relocs(&s.m, ".rela.debug_info", true, s.info, s.symtab, &s.relocs);
	make_relocs(&s.m, ".rela.debug_info", true, s.info, s.symtab, &more);
	make_relocs(&s.m, ".rel.debug_info", false, s.info, s.symtab, &rel);
	s.relocs.len = 0;
	find(&s, &x);
	CHECK_STR(found(&x, 0, 8), "1 1+0x2");
	CHECK_STR(found(&x, 8, 8), "2 1+0x3");
	CHECK_STR(found(&x, 24, 8), "2 1+0x5");
	CHECK_STR(found(&x, 32, 8), "1 1+0x4");
	/* it has the value of the second one, which is against another symbol */
	CHECK_STR(found(&x, 16, 8), "none");
	CHECK_STR(found(&x, 40, 8), "none");
}

TEST(a_difference_is_no_address)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_RISCV, true, pattern(24));
	CLEANUP(finding_release) struct finding x = { 0 };

	add(&s, 0, DATA_SYM, R_RISCV_ADD64, 0);
	add(&s, 0, TEXT_SYM, R_RISCV_SUB64, 0);
	add(&s, 8, DATA_SYM, R_RISCV_SET32, 0);
	add(&s, 8, TEXT_SYM, R_RISCV_SUB32, 0);
	add(&s, 16, DATA_SYM, R_RISCV_64, 0);
	add(&s, 16, 0, R_RISCV_RELAX, 0);
	find(&s, &x);
	CHECK_STR(found(&x, 0, 8), "none");
	CHECK_STR(found(&x, 8, 4), "none");
	CHECK_STR(found(&x, 16, 8), "2 2+0");
}

TEST(nothing_is_found_where_there_are_no_relocations)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(16));
	CLEANUP(finding_release) struct finding x = { 0 }, linked = { 0 };

	struct setup exec = s;
	exec.m.type = ET_EXEC;
	find(&s, &x);
	CHECK_STR(found(&x, 0, 8), "none");
	CHECK(!reloc_finder_is_rela(&x.f));

	add(&exec, 0, TEXT_SYM, R_X86_64_64, 0);
	find(&exec, &linked);
	CHECK_STR(found(&linked, 0, 8), "none");
}

/* --- a section that is not DWARF -------------------------------------------------- */

/* The word at @offset of .debug_btf, 16 bytes with two relocations. */
static uint64_t read_word(enum make_order order, uint16_t machine, bool rela, uint32_t type,
			  uint16_t file_type, size_t offset)
{
	enum make_class class = rela ? MAKE_64 : MAKE_32;
	struct setup s = begin(class, order, machine, rela, pattern(8));
	CLEANUP(object_close) struct object o = { 0 };
	struct make_buf data = { 0 }, one = { 0 }, two = { 0 };
	struct bytes read;
	uint8_t *own;

	make_int(&s.m, &data, 8, 0);
	make_int(&s.m, &data, rela ? 8 : 4, 3);
	make_reloc(&s.m, &one, rela, 0, TEXT_SYM, type, 0);
	make_reloc(&s.m, &two, rela, 8, DATA_SYM, type, 3);
	size_t btf = make_data(&s.m, ".debug_btf", make_view(&data));
	make_relocs(&s.m, ".rela.debug_btf", rela, btf, s.symtab, &one);
	make_relocs(&s.m, ".rela.debug_btf", rela, btf, s.symtab, &two);
	s.m.type = file_type;
	CHECK_OK(make_open(&s.m, &o));
	CHECK_OK(object_read_section(&o, btf, &read, &own));
	CHECK_EQ(read.len, data.len);
	CHECK_EQ(own == NULL, file_type != ET_REL);
	uint64_t ret = rela ? swap64(load64(read.ptr + offset), o.swap) :
			      swap32(load32(read.ptr + offset), o.swap);
	free(own);
	return ret;
}

TEST(any_section_is_read_with_its_relocations)
{
	CHECK_EQ(read_word(MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, ET_REL, 0), 0x10024);
	CHECK_EQ(read_word(MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, ET_REL, 8), 0x1004b);
	CHECK_EQ(read_word(MAKE_BIG, EM_S390, true, R_390_64, ET_REL, 8), 0x1004b);
	CHECK_EQ(read_word(MAKE_LITTLE, EM_386, false, R_386_32, ET_REL, 0), 0x10024);
	CHECK_EQ(read_word(MAKE_LITTLE, EM_386, false, R_386_32, ET_REL, 8), 0x1004b);
	CHECK_EQ(read_word(MAKE_BIG, EM_ARM, false, R_ARM_ABS32, ET_REL, 8), 0x1004b);
	CHECK_EQ(read_word(MAKE_LITTLE, EM_X86_64, true, R_X86_64_64, ET_EXEC, 8), 3);
}

TEST(any_section_is_refused_if_its_relocations_cannot_be_read)
{
	static const uint32_t types[] = { SHT_RELA, 0x40000014 };
	static const char *const errors[] = { ".debug_btf+0x4: relocation lies outside",
					      "('.rela.debug_btf'): relocations of type SHT_CREL" };

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true, pattern(8));
		CLEANUP(object_close) struct object o = { 0 };
		struct make_buf relocs = { 0 };
		struct bytes read;
		uint8_t *own = NULL;

		make_reloc(&s.m, &relocs, true, 4, TEXT_SYM, R_X86_64_64, 0);
		size_t btf = make_data(&s.m, ".debug_btf", pattern(8));
		size_t of = make_relocs(&s.m, ".rela.debug_btf", true, btf, s.symtab, &relocs);
		s.m.sections[of].type = types[i];
		CHECK_OK(make_open(&s.m, &o));
		CHECK_ERR_TEXT(object_read_section(&o, btf, &read, &own),
			       i ? ERR_UNSUPPORTED : ERR_FORMAT, errors[i]);
		CHECK(!own);
	}
}
