/* SPDX-License-Identifier: GPL-2.0-only */
/* t_btf_section.c - the .BTF section, and relocations that do or do not belong to it */
#include "loader/btf/btf_section.h"

#include "base/cleanup.h"
#include "btf/btf_serialize.h"
#include "tests/lib/btftext.h"
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
enum {
	VAR_WORDS = 4,
	DATASEC_AT = BTF_HDR_CLASSIC + 4 * (4 + NR_VARS * VAR_WORDS),
	SLOT_0 = DATASEC_AT + 16, /* where the offset of the first variable is */
	MEMBER_SIZE = DATASEC_AT + 12 + 12 * NR_VARS + sizeof("\0int\0a\0b\0c\0und\0.data"),
};

struct scene {
	struct elfmake m;
	struct make_buf stored, relocs; /* .BTF and its relocations */
	bool rela, no_locals, no_relocs;
	uint32_t type; /* of relocations */
	uint32_t link; /* instead of .symtab */

	struct object o;
	struct diagnostics diags;
	struct bytes btf;
	uint8_t *own;
};

static void scene_release(struct scene *s)
{
	free(s->own);
	diag_release(&s->diags);
	object_close(&s->o);
}

static void begin_for(struct scene *s, const struct make_target *t)
{
	*s = (struct scene){ .m = make_elf_for(t, ET_REL), .rela = t->rela, .type = t->abs32 };
	make_code(&s->m, ".data", make_fill(0x40, 1));
}

static void put_member(struct scene *s, const char *datasec)
{
	bool big_host = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint8_t *ptr;
	size_t len;
	VIEW(v);

	test_view_addf(&v,
		       "int; var a 1; var b 1; var c 1; var und 1; "
		       "datasec %s 0 {2 0 4, 3 0 4, 4 0 4, 5 0 4}",
		       datasec);
	CHECK_OK(btf_serialize(&v.view.types, v.view.strings,
			       &(struct btf_serialize_opts){ .swap = s->m.big != big_host }, &ptr,
			       &len));
	make_put(&s->stored, ptr, len);
	free(ptr);
}

/* x86-64 with one member. */
static void begin(struct scene *s)
{
	begin_for(s, &make_targets[0]);
	put_member(s, ".data");
	CHECK_EQ(s->stored.len, MEMBER_SIZE);
}

/* Where the offset of variable @var of member @member is. */
static size_t slot(size_t member, size_t var)
{
	return member * MEMBER_SIZE + SLOT_0 + 12 * var;
}

static void add(struct scene *s, uint64_t offset, uint32_t sym, int64_t addend)
{
	make_reloc(&s->m, &s->relocs, s->rela, offset, sym, s->type, addend);
}

/* The word at @offset becomes @v: an addend, for example. */
static void poke(struct scene *s, size_t offset, uint32_t v)
{
	struct make_buf b = { 0 };

	make_int(&s->m, &b, 4, v);
	memcpy(s->stored.ptr + offset, b.ptr, 4);
}

static void make_symbols(struct scene *s)
{
	struct elfmake *m = &s->m;

	make_symbol(m, s->no_locals ? "" : "a", STT_OBJECT, DATA, 8, 4);
	make_symbol(m, s->no_locals ? "" : "b", STT_OBJECT, DATA, 0x10, 4);
	make_symbol(m, s->no_locals ? "" : "c.1", STT_OBJECT, DATA, 0x18, 4);
	make_symbol(m, "und", STT_NOTYPE, SHN_UNDEF, 0x20, 0);
	make_symbol(m, "a", STT_OBJECT, SHN_COMMON, 4, 4);
	make_symbol(m, "a", STT_OBJECT, SHN_ABS, 8, 4);
	make_symbol(m, "a", STT_OBJECT, 0x3333, 8, 4);
	make_symbol(m, "", STT_SECTION, DATA, 0, 0);
}

/* Open the file of sections and symbols that are complete, and read its BTF. */
static struct err *read_made(struct scene *s)
{
	TRY(make_open(&s->m, &s->o));
	return btf_section_read(&s->o, &s->diags, &s->btf, &s->own);
}

static struct err *finish(struct scene *s)
{
	make_symbols(s);
	size_t symtab = make_symtab(&s->m);
	size_t btf = make_data(&s->m, ".BTF", make_view(&s->stored));
	if (!s->no_relocs)
		make_relocs(&s->m, s->rela ? ".rela.BTF" : ".rel.BTF", s->rela, btf,
			    s->link ? s->link : symtab, &s->relocs);
	return read_made(s);
}

/* The offset of a variable as it was read. */
static uint32_t offset_of(const struct scene *s, size_t member, size_t var)
{
	return swap32(load32(s->btf.ptr + slot(member, var)), s->o.swap);
}

/* No relocation is applied, without a message. */
static void check_untouched(struct scene *s)
{
	CHECK_OK(finish(s));
	CHECK(make_equal(s->btf, make_view(&s->stored)));
	CHECK(!s->own);
	CHECK(!s->diags.first);
}

/* No relocation is applied, and one warning gives the reason. */
static void check_stale(struct scene *s, const char *why)
{
	CHECK_OK(finish(s));
	CHECK(make_equal(s->btf, make_view(&s->stored)));
	CHECK(!s->own);
	CHECK(s->diags.first && !s->diags.first->next);
	CHECK_EQ(s->diags.first->level, DIAG_WARNING);
	CHECK(strstr(s->diags.first->text, s->o.path));
	CHECK(strstr(s->diags.first->text, s->rela ? "('.rela.BTF')" : "('.rel.BTF')"));
	if (!strstr(s->diags.first->text, why))
		test_fail(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"",
			  s->diags.first->text, why);
}

TEST(offsets_of_every_machine_are_set)
{
	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++) {
		const struct make_target *t = &make_targets[i];
		CLEANUP(scene_release) struct scene s;

		IN_ROW(make_target_name(t));
		begin_for(&s, t);
		put_member(&s, ".data");
		add(&s, slot(0, VAR_B), SYM_DATA, 0x10); /* in no order */
		if (!s.rela)
			poke(&s, slot(0, VAR_B), 0x10);
		add(&s, slot(0, VAR_A), SYM_A, 0);
		CHECK_OK(finish(&s));
		CHECK(!s.diags.first && s.own == s.btf.ptr);
		CHECK_EQ(offset_of(&s, 0, VAR_A), 8);
		CHECK_EQ(offset_of(&s, 0, VAR_B), 0x10);
		/* and nothing else */
		memcpy(s.own + slot(0, VAR_A), s.stored.ptr + slot(0, VAR_A), 4);
		memcpy(s.own + slot(0, VAR_B), s.stored.ptr + slot(0, VAR_B), 4);
		CHECK(make_equal(s.btf, make_view(&s.stored)));
	}
}

/* --- relocations that are applied, or ignored --- */

TEST_WITH(symbols_that_the_object_does_not_define_are_left_alone, scene, s)
{
	begin(s);
	add(s, slot(0, VAR_UND), SYM_UND, 4);
	add(s, slot(0, VAR_A), SYM_COMMON, 0);
	check_untouched(s);
}

TEST_WITH(a_number_behind_the_name_of_a_symbol, scene, s)
{
	begin(s);
	add(s, slot(0, VAR_C), SYM_DATA, 0x18);
	CHECK_OK(finish(s));
	CHECK_EQ(offset_of(s, 0, VAR_C), 0x18);
}

TEST_WITH(the_name_of_the_section_where_local_symbols_are_gone, scene, s)
{
	begin(s);
	s->no_locals = true;
	add(s, slot(0, VAR_A), SYM_DATA, 8);
	CHECK_OK(finish(s));
	CHECK_EQ(offset_of(s, 0, VAR_A), 8);
}

TEST_WITH(one_of_several_symbols_at_the_address, scene, s)
{
	begin(s);
	/* SYM_A and so on are numbers, so these are behind them */
	make_symbols(s);
	make_symbol(&s->m, "in.c", STT_FILE, DATA, 0x10, 0);
	make_symbol(&s->m, ".LANCHOR0", STT_NOTYPE, DATA, 0x10, 0);
	make_symbol(&s->m, "alias", STT_TLS, DATA, 0x10, 4);
	add(s, slot(0, VAR_B), NR_SYMS + 1, 0);
	CHECK_OK(finish(s));
	CHECK_EQ(offset_of(s, 0, VAR_B), 0x10);
	CHECK(!s->diags.first);
}

TEST_WITH(relocations_of_a_linked_file_are_history, scene, s)
{
	begin(s);
	s->m.type = ET_EXEC;
	add(s, slot(0, VAR_A), SYM_A, 0);
	check_untouched(s);
}

TEST_WITH(no_table_of_relocations, scene, s)
{
	begin(s);
	s->no_relocs = true;
	check_untouched(s);
}

TEST_WITH(an_empty_table_of_relocations, scene, s)
{
	begin(s);
	check_untouched(s);
}

TEST_WITH(a_relocation_that_does_nothing, scene, s)
{
	begin(s);
	s->type = R_X86_64_NONE;
	add(s, 3, SYM_BAD, 0);
	check_untouched(s);
}

TEST_WITH(no_section_is_empty, scene, s)
{
	s->m = make_x86_64(ET_REL);
	make_data(&s->m, ".text", MAKE_TEXT("code"));
	s->btf = MAKE_TEXT("something");
	CHECK_OK(read_made(s));
	CHECK_EQ(s->btf.len, 0);
	CHECK(!s->own && !s->diags.first);
}

TEST_WITH(two_tables_for_one_section, scene, s)
{
	struct make_buf first = { 0 };

	begin(s);
	make_reloc(&s->m, &first, true, slot(0, VAR_A), SYM_A, s->type, 0);
	add(s, slot(0, VAR_B), SYM_B, 0);
	make_symbols(s);
	size_t symtab = make_symtab(&s->m), btf = make_data(&s->m, ".BTF", make_view(&s->stored));
	make_relocs(&s->m, ".rela.BTF", true, btf, symtab, &first);
	make_relocs(&s->m, ".rela.BTF", true, btf, symtab, &s->relocs);
	CHECK_OK(read_made(s));
	CHECK_EQ(offset_of(s, 0, VAR_A), 8);
	CHECK_EQ(offset_of(s, 0, VAR_B), 0x10);
}

TEST_WITH(a_compressed_section_is_inflated_first, scene, s)
{
	uLongf len = 4096;
	struct make_buf packed = { 0 };
	uint8_t *p = make_alloc(len);

	begin(s);
	add(s, slot(0, VAR_B), SYM_B, 0);
	CHECK(compress(p, &len, s->stored.ptr, s->stored.len) == Z_OK);
	make_int(&s->m, &packed, 8, ELFCOMPRESS_ZLIB);
	make_int(&s->m, &packed, 8, s->stored.len);
	make_int(&s->m, &packed, 8, 1);
	make_put(&packed, p, len);

	make_symbols(s);
	size_t symtab = make_symtab(&s->m);
	size_t btf = make_data(&s->m, ".BTF", make_view(&packed));
	s->m.sections[btf].flags = SHF_COMPRESSED;
	make_relocs(&s->m, ".rela.BTF", true, btf, symtab, &s->relocs);
	CHECK_OK(read_made(s));
	CHECK(s->own && s->btf.ptr == s->own && s->btf.len == s->stored.len);
	CHECK_EQ(offset_of(s, 0, VAR_B), 0x10);
	memset(s->own + slot(0, VAR_B), 0, 4);
	CHECK(make_equal(s->btf, make_view(&s->stored)));
}

/* --- relocations that belong to another BTF --- */

/* One relocation of x86-64, of variable a. */
/* clang-format off */
static const struct {
	const char *name;
	uint32_t sym;
	int64_t addend;
	uint32_t type; /* 0: R_X86_64_32S */
	const char *why;
} misfits[] = {
	{ "the symbol of another variable", SYM_B, 0, 0, "'a' would be at .data+0x10, where it is not" },
	{ "behind its symbol", SYM_A, 4, 0, "'a' would be at .data+0xc, where it is not" },
	{ "no symbol is there", SYM_DATA, 4, 0, "'a' would be at .data+0x4, where it is not" },
	{ "its end is outside", SYM_DATA, 0x3d, 0, "'a' would be at .data+0x3d, outside" },
	{ "before the section", SYM_DATA, -8, 0, "outside of it" },
	{ "64 bits", SYM_A, 0, R_X86_64_64, "relocation type 1 of machine 62 for an offset" },
	{ "a distance", SYM_A, 0, R_X86_64_PC32, "relocation type 2 of machine 62" },
	{ "thread-local storage", SYM_A, 0, R_X86_64_DTPOFF32, "relocation type 21 of machine 62" },
	{ "an unknown type", SYM_A, 0, 0x12345, "relocation type 74565 of machine 62" },
	{ "an undefined symbol", SYM_UND, 0, 0, "'a' gets the offset of 'und'" },
	{ "an absolute symbol", SYM_ABS, 0, 0, "'a' would be in section 0x1000fff1" },
	{ "a section that is not there", SYM_BAD, 0, 0, "'a' would be in section 0x3333" },
	{ "no symbol", 0, 8, 0, "relocation against symbol 0 of 9" },
	{ "behind the last symbol", NR_SYMS, 0, 0, "relocation against symbol 9 of 9" },
	{ "the largest symbol", UINT32_MAX, 0, 0, "relocation against symbol 4294967295 of 9" },
};
/* clang-format on */

TEST_EACH(a_relocation_that_does_not_fit_its_offset_means_another_btf, misfits, row)
{
	CLEANUP(scene_release) struct scene s;

	begin(&s);
	s.type = row->type ? row->type : R_X86_64_32S;
	add(&s, slot(0, VAR_A), row->sym, row->addend);
	check_stale(&s, row->why);
}

/* A relocation of variable a that fits, of BTF with word @value at @at, or with another symbol table. */
/* clang-format off */
static const struct {
	const char *name;
	size_t at;
	uint32_t value, link;
	const char *why;
} others[] = {
	{ "no magic number", 0, 0x0001eb00, 0, "no BTF is there" },
	{ "a record that cannot be read", BTF_HDR_CLASSIC + 4, 0x7f000000, 0, "type 1: unknown kind 127" },
	{ "a DATASEC of an INT", SLOT_0 - 4, 1, 0, "there is no offset of a variable" },
	{ "a DATASEC of void", SLOT_0 - 4, 0, 0, "there is no offset of a variable" },
	{ "a section that is no symbol table", 0, 0x0001eb9f, DATA, "section 1 is no symbol table" },
	{ "no section", 0, 0x0001eb9f, 5000, "section 5000 is no symbol table" },
};
/* clang-format on */

TEST_EACH(a_btf_without_the_variable_or_without_symbols_is_another_one, others, row)
{
	CLEANUP(scene_release) struct scene s;

	begin(&s);
	poke(&s, row->at, row->value);
	s.link = row->link;
	add(&s, slot(0, VAR_A), SYM_A, 0);
	check_stale(&s, row->why);
}

TEST(other_offsets_mean_another_btf)
{
	static const size_t offsets[] = {
		0, BTF_HDR_CLASSIC, DATASEC_AT, SLOT_0 - 4, SLOT_0 + 1, SLOT_0 + 4, MEMBER_SIZE - 4,
	};

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		CLEANUP(scene_release) struct scene s;

		begin(&s);
		add(&s, slot(0, VAR_B), SYM_B, 0); /* it fits, but is not applied either */
		add(&s, offsets[i], SYM_A, 0);
		check_stale(&s,
			    make_text("does not belong to this .BTF: 2 of 2 relocations are "
				      "not applied; .BTF+%#zx: there is no offset of a variable",
				      offsets[i]));
	}
}

TEST(offsets_outside_of_all_members_mean_another_btf)
{
	static const uint64_t offsets[] = { MEMBER_SIZE, 0x10000, UINT64_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		CLEANUP(scene_release) struct scene s;

		begin(&s);
		add(&s, offsets[i], SYM_A, 0);
		check_stale(&s, make_text(".BTF+%#jx: no BTF is there", (uintmax_t)offsets[i]));
	}
}

TEST_WITH(offsets_between_members_mean_another_btf, scene, s)
{
	begin(s);
	while (s->stored.len % 8)
		make_put(&s->stored, "", 1);
	size_t gap = s->stored.len - 1;
	put_member(s, ".data");
	add(s, gap, SYM_A, 0);
	check_stale(s, make_text(".BTF+%#zx: no BTF is there", gap));
}

TEST_WITH(two_relocations_at_one_offset_mean_another_btf, scene, s)
{
	begin(s);
	add(s, slot(0, VAR_A), SYM_A, 0);
	add(s, slot(0, VAR_A), SYM_A, 0);
	check_stale(s, "there is no offset of a variable");
}

TEST_WITH(a_datasec_of_another_name_is_another_section, scene, s)
{
	begin_for(s, &make_targets[0]);
	put_member(s, "int");
	s->no_locals = true;
	add(s, slot(0, VAR_A), SYM_DATA, 8);
	check_stale(s, ": 'a' would be at .data+0x8, where it is not");
}

TEST_WITH(a_thread_local_variable_is_another_one, scene, s)
{
	begin(s);
	s->no_locals = true;
	make_symbol(&s->m, "tls", STT_TLS, DATA, 0x20, 4);
	add(s, slot(0, VAR_A), 1 + SYM_DATA, 0x20);
	check_stale(s, "'a' would be at .data+0x20, where it is not");
}

TEST_WITH(an_addend_in_place_is_not_added_twice, scene, s)
{
	const struct make_target bpf = { MAKE_64, MAKE_LITTLE, EM_BPF, false, 2, 4, 0, 0, 0 };

	begin_for(s, &bpf);
	put_member(s, ".data");
	poke(s, slot(0, VAR_A), 8); /* a linker added it already */
	add(s, slot(0, VAR_A), SYM_A, 0);
	check_stale(s, "'a' would be at .data+0x10, where it is not");
}

TEST_WITH(each_member_is_judged_alone, scene, s)
{
	begin_for(s, &make_targets[0]);
	for (size_t i = 0; i < 4; i++)
		put_member(s, ".data");
	add(s, slot(0, VAR_B), SYM_B, 0);
	add(s, slot(1, VAR_A), SYM_A, 0);
	add(s, slot(1, VAR_B), SYM_C, 0); /* stale, and so the one before */
	add(s, slot(3, VAR_A), SYM_B, 0); /* stale, but not the first */
	add(s, slot(2, VAR_C), SYM_C, 0);
	CHECK_OK(finish(s));
	CHECK_EQ(offset_of(s, 0, VAR_B), 0x10);
	CHECK_EQ(offset_of(s, 1, VAR_A), 0);
	CHECK_EQ(offset_of(s, 1, VAR_B), 0);
	CHECK_EQ(offset_of(s, 2, VAR_C), 0x18);
	CHECK_EQ(offset_of(s, 3, VAR_A), 0);
	CHECK(s->diags.first && !s->diags.first->next);
	CHECK(strstr(s->diags.first->text,
		     make_text("3 of 5 relocations are not applied; .BTF+%#zx: 'b' would be at "
			       ".data+0x18, where it is not",
			       slot(1, VAR_B))));
}

/* --- damage --- */

TEST_WITH(a_broken_table_is_an_error, scene, s)
{
	begin(s);
	add(s, slot(0, VAR_A), SYM_A, 0);
	s->relocs.len--;
	CHECK_ERR_TEXT(finish(s), ERR_FORMAT, "': section 5 ('.rela.BTF'): 23 bytes");
	CHECK(!s->own);
}

TEST_WITH(broken_symbols_are_an_error, scene, s)
{
	begin(s);
	make_symbols(s);
	make_raw_symbol(&s->m, 0x7777, 0, DATA, 0, 0);
	add(s, slot(0, VAR_A), SYM_A, 0);
	CHECK_ERR_TEXT(finish(s), ERR_FORMAT, "name at 0x7777");
	CHECK(!s->own);
}

TEST_WITH(a_broken_compressed_section_is_an_error, scene, s)
{
	s->m = make_x86_64(ET_REL);
	s->m.sections[make_data(&s->m, ".BTF", MAKE_TEXT("not compressed"))].flags = SHF_COMPRESSED;
	CHECK_OK(make_open(&s->m, &s->o));
	CHECK_ERR_TEXT(btf_section_read(&s->o, &s->diags, &s->btf, &s->own), ERR_FORMAT, s->o.path);
	CHECK(!s->own && !s->btf.ptr);
}
