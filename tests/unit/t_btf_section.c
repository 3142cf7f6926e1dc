/* SPDX-License-Identifier: GPL-2.0-only */
/* t_btf_section.c - the .BTF section, and relocations that do or do not belong to it */
#include "loader/btf/btf_section.h"

#include "base/cleanup.h"
#include "btf/btf_wire.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

#include <zlib.h>

/*
 * An object with .data of 0x40 bytes, whose symbols are
 *
 *	a at 8, b at 0x10, c.1 at 0x18 (all 4 bytes), an undefined one, a common one, an
 *	absolute one, one in a section that is not there, and that of the section itself
 *
 * and whose BTF has a DATASEC of the variables a, b, c and und. Their offsets are zero.
 */
enum {
	DATA = 1, /* the section */
	SYM_A = 1,
	SYM_B,
	SYM_C,
	SYM_UND,
	SYM_COMMON,
	SYM_ABS,
	SYM_BAD,
	SYM_DATA,
	NR_SYMS,
};
enum { VAR_A, VAR_B, VAR_C, VAR_UND, NR_VARS };

static const char strs[] = "\0int\0a\0b\0c\0und\0.data";
enum { STR_INT = 1, STR_A = 5, STR_B = 7, STR_C = 9, STR_UND = 11, STR_DATA = 15 };
enum {
	VAR_WORDS = 4,
	DATASEC_AT = BTF_HDR_CLASSIC + 4 * (4 + NR_VARS * VAR_WORDS),
	SLOT_0 = DATASEC_AT + 16, /* where the offset of the first variable stands */
	MEMBER_SIZE = DATASEC_AT + 12 + 12 * NR_VARS + sizeof(strs),
};

struct setup {
	struct elfmake m;
	struct make_buf btf, relocs;
	bool rela, no_locals, no_relocs;
	uint32_t link; /* in place of .symtab */
};

static struct setup begin(enum make_class class, enum make_order order, uint16_t machine, bool rela)
{
	struct setup s = { .m = make_elf(class, order, ET_REL, machine), .rela = rela };

	MAKE_SECTION(&s.m, .name = ".data", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_WRITE,
		     .align = 16, .data = make_fill(0x40, 1));
	return s;
}

static void put32(struct setup *s, uint32_t v)
{
	make_int(&s->m, &s->btf, 4, v);
}

static void put_member(struct setup *s, const char *datasec)
{
	static const uint32_t names[NR_VARS] = { STR_A, STR_B, STR_C, STR_UND };
	uint32_t type_len = 4 * (4 + VAR_WORDS * NR_VARS + 3 + 3 * NR_VARS);

	make_int(&s->m, &s->btf, 2, BTF_WIRE_MAGIC);
	make_int(&s->m, &s->btf, 2, s->m.big ? 0x100 : 1);
	put32(s, BTF_HDR_CLASSIC);
	put32(s, 0);
	put32(s, type_len);
	put32(s, type_len);
	put32(s, sizeof(strs));
	put32(s, STR_INT);
	put32(s, btf_info(BTF_INT, 0, false));
	put32(s, 4);
	put32(s, 0x01000020);
	for (size_t i = 0; i < NR_VARS; i++) {
		put32(s, names[i]);
		put32(s, btf_info(BTF_VAR, 0, false));
		put32(s, 1);
		put32(s, BTF_LINK_GLOBAL);
	}
	put32(s, datasec[0] ? STR_DATA : STR_INT);
	put32(s, btf_info(BTF_DATASEC, NR_VARS, false));
	put32(s, 0);
	for (uint32_t i = 0; i < NR_VARS; i++) {
		put32(s, 2 + i);
		put32(s, 0);
		put32(s, 4);
	}
	make_put(&s->btf, strs, sizeof(strs));
	CHECK_EQ(s->btf.len % MEMBER_SIZE, 0);
}

/* Where the offset of variable @var of member @member stands. */
static size_t slot(size_t member, size_t var)
{
	return member * MEMBER_SIZE + SLOT_0 + 12 * var;
}

static void add(struct setup *s, uint64_t offset, uint32_t sym, uint32_t type, int64_t addend)
{
	make_reloc(&s->m, &s->relocs, s->rela, offset, sym, type, addend);
}

/* The word at @offset becomes @v: an addend, say. */
static void poke(struct setup *s, size_t offset, uint32_t v)
{
	struct make_buf b = { 0 };

	make_int(&s->m, &b, 4, v);
	memcpy(s->btf.ptr + offset, b.ptr, 4);
}

static void make_symbols(struct elfmake *m, bool no_locals)
{
	make_symbol(m, no_locals ? "" : "a", STT_OBJECT, DATA, 8, 4);
	make_symbol(m, no_locals ? "" : "b", STT_OBJECT, DATA, 0x10, 4);
	make_symbol(m, no_locals ? "" : "c.1", STT_OBJECT, DATA, 0x18, 4);
	make_symbol(m, "und", STT_NOTYPE, SHN_UNDEF, 0x20, 0);
	make_symbol(m, "a", STT_OBJECT, SHN_COMMON, 4, 4);
	make_symbol(m, "a", STT_OBJECT, SHN_ABS, 8, 4);
	make_symbol(m, "a", STT_OBJECT, 0x3333, 8, 4);
	make_symbol(m, "", STT_SECTION, DATA, 0, 0);
}

/* What came of it. */
struct result {
	struct object o;
	struct diagnostics diags;
	struct bytes btf;
	uint8_t *own;
	struct bytes stored;
};

static void release_result(struct result *r)
{
	free(r->own);
	diag_release(&r->diags);
	object_close(&r->o);
}

static struct err *finish(struct setup *s, struct result *r)
{
	make_symbols(&s->m, s->no_locals);
	size_t symtab = make_symtab(&s->m);
	size_t btf = make_data(&s->m, ".BTF", make_view(&s->btf));
	if (!s->no_relocs)
		make_relocs(&s->m, s->rela ? ".rela.BTF" : ".rel.BTF", s->rela, btf,
			    s->link ? s->link : symtab, &s->relocs);
	r->stored = make_view(&s->btf);
	TRY(object_open(make_file(make_bytes(&s->m)), &r->o));
	return btf_section_read(&r->o, &r->diags, &r->btf, &r->own);
}

/* The offset of a variable as it was read. */
static uint32_t offset_of(const struct result *r, size_t member, size_t var)
{
	return swap32(load32(r->btf.ptr + slot(member, var)), r->o.swap);
}

/* Nothing was applied, and nobody complains. */
static void check_untouched(const struct result *r)
{
	CHECK(make_equal(r->btf, r->stored));
	CHECK(!r->own);
	CHECK(!r->diags.first);
}

/* Nothing was applied, and one warning says why. */
static void check_stale(struct setup *s, const char *why)
{
	CLEANUP(release_result) struct result r = { 0 };

	CHECK_OK(finish(s, &r));
	CHECK(make_equal(r.btf, r.stored));
	CHECK(!r.own);
	CHECK(r.diags.first && !r.diags.first->next);
	CHECK_EQ(r.diags.first->level, DIAG_WARNING);
	CHECK(strstr(r.diags.first->text, r.o.path));
	CHECK(strstr(r.diags.first->text, s->rela ? "('.rela.BTF')" : "('.rel.BTF')"));
	if (!strstr(r.diags.first->text, why))
		test_fail(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"", r.diags.first->text,
			  why);
}

/* x86-64 with one member. */
static struct setup usual(void)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true);

	put_member(&s, ".data");
	return s;
}

struct machine_case {
	enum make_class class;
	enum make_order order;
	uint16_t machine;
	bool rela;
	uint32_t type;
};

TEST(offsets_of_every_machine_are_set)
{
	static const struct machine_case cases[] = {
		{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_32 },
		{ MAKE_64, MAKE_LITTLE, EM_X86_64, true, R_X86_64_32S },
		{ MAKE_32, MAKE_LITTLE, EM_386, false, R_386_32 },
		{ MAKE_64, MAKE_LITTLE, EM_AARCH64, true, R_AARCH64_ABS32 },
		{ MAKE_64, MAKE_BIG, EM_AARCH64, true, R_AARCH64_ABS32 },
		{ MAKE_32, MAKE_BIG, EM_ARM, false, R_ARM_ABS32 },
		{ MAKE_64, MAKE_BIG, EM_S390, true, R_390_32 },
		{ MAKE_64, MAKE_BIG, EM_PPC64, true, R_PPC64_ADDR32 },
		{ MAKE_64, MAKE_LITTLE, EM_RISCV, true, R_RISCV_32 },
		{ MAKE_32, MAKE_BIG, EM_MIPS, false, R_MIPS_32 },
		{ MAKE_64, MAKE_LITTLE, EM_BPF, false, 4 /* NODYLD32 */ },
		{ MAKE_64, MAKE_BIG, EM_BPF, false, 3 /* ABS32 */ },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct machine_case *c = &cases[i];
		CLEANUP(release_result) struct result r = { 0 };
		struct setup s = begin(c->class, c->order, c->machine, c->rela);

		put_member(&s, ".data");
		add(&s, slot(0, VAR_B), SYM_DATA, c->type, 0x10); /* in no order */
		if (!c->rela)
			poke(&s, slot(0, VAR_B), 0x10);
		add(&s, slot(0, VAR_A), SYM_A, c->type, 0);
		CHECK_OK(finish(&s, &r));
		CHECK(!r.diags.first && r.own == r.btf.ptr);
		CHECK_EQ(offset_of(&r, 0, VAR_A), 8);
		CHECK_EQ(offset_of(&r, 0, VAR_B), 0x10);
		/* and nothing else */
		memcpy(r.own + slot(0, VAR_A), r.stored.ptr + slot(0, VAR_A), 4);
		memcpy(r.own + slot(0, VAR_B), r.stored.ptr + slot(0, VAR_B), 4);
		CHECK(make_equal(r.btf, r.stored));
	}
}

TEST(what_the_object_does_not_define_is_left_alone)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	add(&s, slot(0, VAR_UND), SYM_UND, R_X86_64_32S, 4);
	add(&s, slot(0, VAR_A), SYM_COMMON, R_X86_64_32S, 0);
	CHECK_OK(finish(&s, &r));
	check_untouched(&r);
}

TEST(a_number_behind_the_name_of_a_symbol)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	add(&s, slot(0, VAR_C), SYM_DATA, R_X86_64_32S, 0x18);
	CHECK_OK(finish(&s, &r));
	CHECK_EQ(offset_of(&r, 0, VAR_C), 0x18);
}

TEST(the_name_of_the_section_where_local_symbols_are_gone)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual(), other = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true);

	s.no_locals = true;
	add(&s, slot(0, VAR_A), SYM_DATA, R_X86_64_32S, 8);
	CHECK_OK(finish(&s, &r));
	CHECK_EQ(offset_of(&r, 0, VAR_A), 8);

	other.no_locals = true;
	put_member(&other, "");
	add(&other, slot(0, VAR_A), SYM_DATA, R_X86_64_32S, 8);
	check_stale(&other, ": 'a' would be at .data+0x8, where it is not");
}

TEST(one_of_several_symbols_at_the_place)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	/* SYM_A and so on are numbers, so these are behind them */
	make_symbols(&s.m, false);
	make_symbol(&s.m, "in.c", STT_FILE, DATA, 0x10, 0);
	make_symbol(&s.m, ".LANCHOR0", STT_NOTYPE, DATA, 0x10, 0);
	make_symbol(&s.m, "alias", STT_TLS, DATA, 0x10, 4);
	add(&s, slot(0, VAR_B), NR_SYMS + 1, R_X86_64_32S, 0);
	CHECK_OK(finish(&s, &r));
	CHECK_EQ(offset_of(&r, 0, VAR_B), 0x10);
	CHECK(!r.diags.first);
}

TEST(a_thread_local_variable_is_another_one)
{
	struct setup s = usual();

	s.no_locals = true;
	make_symbol(&s.m, "tls", STT_TLS, DATA, 0x20, 4);
	add(&s, slot(0, VAR_A), 1 + SYM_DATA, R_X86_64_32S, 0x20);
	check_stale(&s, "'a' would be at .data+0x20, where it is not");
}

TEST(relocations_of_a_linked_file_are_history)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	s.m.type = ET_EXEC;
	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	CHECK_OK(finish(&s, &r));
	check_untouched(&r);
}

TEST(no_relocations_and_those_that_do_nothing)
{
	CLEANUP(release_result) struct result none = { 0 }, empty = { 0 }, nop = { 0 };
	struct setup s = usual(), e = usual(), n = usual();

	s.no_relocs = true;
	CHECK_OK(finish(&s, &none));
	check_untouched(&none);
	CHECK_OK(finish(&e, &empty));
	check_untouched(&empty);
	add(&n, 3, SYM_BAD, R_X86_64_NONE, 0);
	CHECK_OK(finish(&n, &nop));
	check_untouched(&nop);
}

TEST(no_section_is_empty)
{
	struct elfmake m = make_x86_64(ET_REL);
	CLEANUP(release_result) struct result r = { 0 };

	make_data(&m, ".text", MAKE_TEXT("code"));
	CHECK_OK(make_open(&m, &r.o));
	r.btf = MAKE_TEXT("something");
	CHECK_OK(btf_section_read(&r.o, &r.diags, &r.btf, &r.own));
	CHECK_EQ(r.btf.len, 0);
	CHECK(!r.own && !r.diags.first);
}

TEST(other_places_mean_another_btf)
{
	static const size_t offsets[] = {
		0, BTF_HDR_CLASSIC, DATASEC_AT, SLOT_0 - 4, SLOT_0 + 1, SLOT_0 + 4, MEMBER_SIZE - 4,
	};

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct setup s = usual();

		/* then not even the one that would fit */
		add(&s, slot(0, VAR_B), SYM_B, R_X86_64_32S, 0);
		add(&s, offsets[i], SYM_A, R_X86_64_32S, 0);
		check_stale(&s,
			    make_text("does not belong to this .BTF: 2 of 2 relocations are "
				      "not applied; .BTF+%#zx: there is no offset of a variable",
				      offsets[i]));
	}
}

TEST(places_outside_of_all_members_mean_another_btf)
{
	static const uint64_t offsets[] = { MEMBER_SIZE, 0x10000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct setup s = usual();

		add(&s, offsets[i], SYM_A, R_X86_64_32S, 0);
		check_stale(&s, make_text(".BTF+%#jx: no BTF is there", (uintmax_t)offsets[i]));
	}
}

TEST(places_between_members_mean_another_btf)
{
	struct setup s = usual();

	while (s.btf.len % 8)
		make_put(&s.btf, "", 1);
	size_t gap = s.btf.len - 1;
	struct setup second = usual();
	make_put(&s.btf, second.btf.ptr, second.btf.len);
	add(&s, gap, SYM_A, R_X86_64_32S, 0);
	check_stale(&s, make_text(".BTF+%#zx: no BTF is there", gap));
}

TEST(two_relocations_of_one_place_mean_another_btf)
{
	struct setup s = usual();

	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&s, "there is no offset of a variable");
}

TEST(a_relocation_that_does_not_fit_its_place_means_another_btf)
{
	static const struct {
		size_t var;
		uint32_t sym, type;
		int64_t addend;
		const char *why;
	} cases[] = {
		{ VAR_A, SYM_B, R_X86_64_32S, 0, "'a' would be at .data+0x10, where it is not" },
		{ VAR_A, SYM_A, R_X86_64_32S, 4, "'a' would be at .data+0xc, where it is not" },
		{ VAR_A, SYM_DATA, R_X86_64_32S, 4, "'a' would be at .data+0x4, where it is not" },
		{ VAR_A, SYM_DATA, R_X86_64_32S, 0x3d, "'a' would be at .data+0x3d, outside" },
		{ VAR_A, SYM_DATA, R_X86_64_32S, -8, "outside of it" },
		{ VAR_A, SYM_A, R_X86_64_64, 0, "relocation type 1 of machine 62 for an offset" },
		{ VAR_A, SYM_A, R_X86_64_PC32, 0, "relocation type 2 of machine 62" },
		{ VAR_A, SYM_A, R_X86_64_DTPOFF32, 0, "relocation type 21 of machine 62" },
		{ VAR_A, SYM_A, 0x12345, 0, "relocation type 74565 of machine 62" },
		{ VAR_A, SYM_UND, R_X86_64_32S, 0, "'a' gets the offset of 'und'" },
		{ VAR_A, SYM_ABS, R_X86_64_32S, 0, "'a' would be in section 0x1000fff1" },
		{ VAR_A, SYM_BAD, R_X86_64_32S, 0, "'a' would be in section 0x3333" },
		{ VAR_A, 0, R_X86_64_32S, 8, "relocation against symbol 0 of 9" },
		{ VAR_A, NR_SYMS, R_X86_64_32S, 0, "relocation against symbol 9 of 9" },
		{ VAR_A, UINT32_MAX, R_X86_64_32S, 0, "relocation against symbol 4294967295 of 9" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct setup s = usual();

		add(&s, slot(0, cases[i].var), cases[i].sym, cases[i].type, cases[i].addend);
		check_stale(&s, cases[i].why);
	}
}

TEST(an_addend_in_place_is_not_added_twice)
{
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_BPF, false);

	put_member(&s, ".data");
	poke(&s, slot(0, VAR_A), 8); /* somebody did it already */
	add(&s, slot(0, VAR_A), SYM_A, 4, 0);
	check_stale(&s, "'a' would be at .data+0x10, where it is not");
}

TEST(each_member_is_judged_alone)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = begin(MAKE_64, MAKE_LITTLE, EM_X86_64, true);

	for (size_t i = 0; i < 4; i++)
		put_member(&s, ".data");
	add(&s, slot(0, VAR_B), SYM_B, R_X86_64_32S, 0);
	add(&s, slot(1, VAR_A), SYM_A, R_X86_64_32S, 0);
	add(&s, slot(1, VAR_B), SYM_C, R_X86_64_32S, 0); /* stale, and so the one before */
	add(&s, slot(3, VAR_A), SYM_B, R_X86_64_32S, 0); /* stale, but not the first */
	add(&s, slot(2, VAR_C), SYM_C, R_X86_64_32S, 0);
	CHECK_OK(finish(&s, &r));
	CHECK_EQ(offset_of(&r, 0, VAR_B), 0x10);
	CHECK_EQ(offset_of(&r, 1, VAR_A), 0);
	CHECK_EQ(offset_of(&r, 1, VAR_B), 0);
	CHECK_EQ(offset_of(&r, 2, VAR_C), 0x18);
	CHECK_EQ(offset_of(&r, 3, VAR_A), 0);
	CHECK(r.diags.first && !r.diags.first->next);
	CHECK(strstr(r.diags.first->text,
		     make_text("3 of 5 relocations are not applied; .BTF+%#zx: 'b' would be at "
			       ".data+0x18, where it is not",
			       slot(1, VAR_B))));
}

TEST(btf_that_cannot_be_read_is_somebody_elses_error)
{
	struct setup no_magic = usual(), bad_record = usual();

	no_magic.btf.ptr[0] = 0;
	add(&no_magic, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&no_magic, "no BTF is there");
	poke(&bad_record, BTF_HDR_CLASSIC + 4, 0x7f000000);
	add(&bad_record, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&bad_record, "type 1: unknown kind 127");
}

TEST(a_datasec_of_what_is_no_variable)
{
	struct setup s = usual(), none = usual();

	poke(&s, slot(0, VAR_A) - 4, 1);
	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&s, "there is no offset of a variable");
	poke(&none, slot(0, VAR_A) - 4, 0);
	add(&none, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&none, "there is no offset of a variable");
}

TEST(relocations_without_symbols_are_stale)
{
	struct setup s = usual(), far = usual();

	s.link = DATA;
	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&s, "section 1 is no symbol table");
	far.link = 5000;
	add(&far, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	check_stale(&far, "section 5000 is no symbol table");
}

TEST(a_broken_table_is_an_error)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	s.relocs.len--;
	CHECK_ERR_TEXT(finish(&s, &r), ERR_FORMAT, "': section 5 ('.rela.BTF'): 23 bytes");
	CHECK(!r.own);
}

TEST(broken_symbols_are_an_error)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();

	make_symbols(&s.m, false);
	make_raw_symbol(&s.m, 0x7777, 0, DATA, 0, 0);
	add(&s, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	CHECK_ERR_TEXT(finish(&s, &r), ERR_FORMAT, "name at 0x7777");
	CHECK(!r.own);
}

TEST(a_broken_compressed_section_is_an_error)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct elfmake m = make_x86_64(ET_REL);
	size_t btf = make_data(&m, ".BTF", MAKE_TEXT("not compressed"));

	m.sections[btf].flags = SHF_COMPRESSED;
	CHECK_OK(make_open(&m, &r.o));
	CHECK_ERR_TEXT(btf_section_read(&r.o, &r.diags, &r.btf, &r.own), ERR_FORMAT, r.o.path);
	CHECK(!r.own && !r.btf.ptr);
}

TEST(two_tables_for_one_section)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual();
	struct make_buf first = { 0 };

	make_reloc(&s.m, &first, true, slot(0, VAR_A), SYM_A, R_X86_64_32S, 0);
	add(&s, slot(0, VAR_B), SYM_B, R_X86_64_32S, 0);
	make_symbols(&s.m, false);
	size_t symtab = make_symtab(&s.m), btf = make_data(&s.m, ".BTF", make_view(&s.btf));
	make_relocs(&s.m, ".rela.BTF", true, btf, symtab, &first);
	make_relocs(&s.m, ".rela.BTF", true, btf, symtab, &s.relocs);
	CHECK_OK(make_open(&s.m, &r.o));
	CHECK_OK(btf_section_read(&r.o, &r.diags, &r.btf, &r.own));
	CHECK_EQ(offset_of(&r, 0, VAR_A), 8);
	CHECK_EQ(offset_of(&r, 0, VAR_B), 0x10);
}

TEST(a_compressed_section_is_inflated_first)
{
	CLEANUP(release_result) struct result r = { 0 };
	struct setup s = usual(), plain = usual();
	uLongf len = 4096;
	struct make_buf packed = { 0 };
	uint8_t *p = make_alloc(len);

	add(&s, slot(0, VAR_B), SYM_B, R_X86_64_32S, 0);
	CHECK(compress(p, &len, s.btf.ptr, s.btf.len) == Z_OK);
	make_int(&s.m, &packed, 8, ELFCOMPRESS_ZLIB);
	make_int(&s.m, &packed, 8, s.btf.len);
	make_int(&s.m, &packed, 8, 1);
	make_put(&packed, p, len);

	make_symbols(&s.m, false);
	size_t symtab = make_symtab(&s.m);
	size_t btf = make_data(&s.m, ".BTF", make_view(&packed));
	s.m.sections[btf].flags = SHF_COMPRESSED;
	make_relocs(&s.m, ".rela.BTF", true, btf, symtab, &s.relocs);
	CHECK_OK(make_open(&s.m, &r.o));
	CHECK_OK(btf_section_read(&r.o, &r.diags, &r.btf, &r.own));
	CHECK(r.own && r.btf.ptr == r.own && r.btf.len == plain.btf.len);
	CHECK_EQ(offset_of(&r, 0, VAR_B), 0x10);
	memset(r.own + slot(0, VAR_B), 0, 4);
	CHECK(make_equal(r.btf, make_view(&plain.btf)));
}
