/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarfhard.c - debug information on which a reader can take forever: dwarfhard SHAPE N OUT
 *
 * Each is some bytes for each of N things, and well formed, or nearly. What grows with the square of
 * N, or takes a multiple of the file in memory, if nobody thinks of it:
 *
 *	tables     N units, each of whose tables of abbreviations is the rest of the one before
 *	turns      N units that take turns with two long tables
 *	lines      N abbreviations, no two of them alike
 *	specs      an abbreviation with N attributes that take no bytes, N times
 *	aliases    N _Atomic types, each of the next, and as many typedefs of them
 *	typedefs   N typedefs, each of the next, and as many variables and parameters of them
 *	bits       the same with bit fields as DWARF 2 has them
 *	origins    N functions, each a copy of the next, with parameters that are as well
 *	tags       N annotations, each of the next, and as many types that begin with one of them
 *	nested     N structs, each in the one before
 *	bytes      N entries of one byte: const void
 *	members    a struct with N members that say nothing
 *	params     a function with N parameters that say nothing
 *	names      N types whose names end alike, each longer than the next
 *	symbols    N symbols whose names do
 *	copies     N symbols of one function, and as many entries for it
 *	lists      N parameters with one list of N places
 *	parts      N units, each of which needs N others
 *	skeletons  N units that are elsewhere, all of them in the file "skeletons", which has as many
 *	sections   N sections of relocations that lie at one place
 *	inflated   N bytes, compressed as far as they can be
 */
#include "tests/lib/dwarfmake.h"

#include <zlib.h>

struct program {
	struct elfmake elf;
	struct dwarfmake d;
	struct make_buf loclists;
	uint32_t n;
};

enum { UNIT = 1, FIRST };

static struct make_buf *info(struct program *p)
{
	return &p->d.info;
}

static void begin(struct program *p, unsigned int version)
{
	dw_unit_begin(&p->d, version);
	dw_uleb(info(p), UNIT);
	dw_text(info(p), "hard.c");
	dw_int(info(p), 1, DW_LANG_C11);
}

static void end(struct program *p)
{
	dw_int(info(p), 1, 0);
	dw_unit_end(&p->d);
}

static void declare_unit(struct program *p)
{
	dw_abbrev_decl(&p->d, UNIT, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string,
		       DW_AT_language, DW_FORM_data1, 0);
}

/* The table of the unit at hand starts at @table. */
static void use_table(struct program *p, uint32_t table)
{
	dw_patch(&p->d.info, p->d.unit + 8, table);
}

/* --- abbreviations ----------------------------------------------------------------------- */

static void add_tables(struct program *p)
{
	for (uint32_t i = 0; i < p->n; i++) {
		/* one line of seven bytes, from which all units can start */
		dw_abbrev_decl(&p->d, UNIT, DW_TAG_compile_unit, false, DW_AT_language,
			       DW_FORM_data1, 0);
		dw_unit_begin(&p->d, 5);
		use_table(p, 7 * i);
		dw_uleb(info(p), UNIT);
		dw_int(info(p), 1, DW_LANG_C11);
		dw_unit_end(&p->d);
	}
}

static void add_turns(struct program *p)
{
	uint32_t table[2];

	for (uint32_t t = 0; t < 2; t++) {
		table[t] = (uint32_t)p->d.abbrev.len;
		dw_abbrev_decl(&p->d, UNIT, DW_TAG_compile_unit, false, DW_AT_language,
			       DW_FORM_data1, 0);
		for (uint32_t i = 0; i < p->n; i++)
			dw_abbrev_decl(&p->d, FIRST + i, DW_TAG_const_type, false, 0);
		dw_int(&p->d.abbrev, 1, 0);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		dw_unit_begin(&p->d, 5);
		use_table(p, table[i & 1]);
		dw_uleb(info(p), UNIT);
		dw_int(info(p), 1, DW_LANG_C11);
		dw_unit_end(&p->d);
	}
}

static void add_lines(struct program *p)
{
	declare_unit(p);
	for (uint32_t i = 0; i < p->n; i++)
		dw_abbrev_decl(&p->d, FIRST + i, 0x4090 + i, false, 0);
	begin(p, 5);
	end(p);
}

static void add_specs(struct program *p)
{
	declare_unit(p);
	dw_uleb(&p->d.abbrev, FIRST);
	dw_uleb(&p->d.abbrev, DW_TAG_enumerator);
	dw_int(&p->d.abbrev, 1, 0);
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(&p->d.abbrev, DW_AT_const_value);
		dw_uleb(&p->d.abbrev, DW_FORM_implicit_const);
		dw_uleb(&p->d.abbrev, 0x3fffffffff); /* more than 32 bits */
	}
	dw_int(&p->d.abbrev, 2, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_enumeration_type, true, 0);
	begin(p, 5);
	dw_uleb(info(p), FIRST + 1);
	for (uint32_t i = 0; i < p->n; i++)
		dw_uleb(info(p), FIRST);
	dw_int(info(p), 1, 0);
	end(p);
}

/* --- chains ------------------------------------------------------------------------------ */

/* N entries of @code with a reference to the next, the last one's to nothing; where the first is. */
static uint32_t add_chain(struct program *p, unsigned int code, const char *name)
{
	uint32_t first = dw_here(&p->d), size = 1 + (name ? (uint32_t)strlen(name) + 1 : 0) + 4;

	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), code);
		if (name)
			dw_text(info(p), name);
		dw_int(info(p), 4, first + (i + 1) * size);
	}
	return first;
}

static void add_refs(struct program *p, unsigned int code, uint32_t to)
{
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), code);
		dw_int(info(p), 4, to);
	}
}

static void add_aliases(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_atomic_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_const_type, false, DW_AT_type, DW_FORM_ref4, 0);
	begin(p, 5);
	add_refs(p, FIRST + 1, add_chain(p, FIRST, NULL));
	end(p);
}

static void add_typedefs(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_typedef, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(&p->d, FIRST + 2, DW_TAG_formal_parameter, false, DW_AT_type, DW_FORM_ref4,
		       0);
	begin(p, 5);
	uint32_t first = add_chain(p, FIRST, "t");
	dw_uleb(info(p), FIRST + 1);
	dw_text(info(p), "f");
	add_refs(p, FIRST + 2, first);
	dw_int(info(p), 1, 0);
	end(p);
}

static void add_bits(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_typedef, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_structure_type, true, 0);
	dw_abbrev_decl(&p->d, FIRST + 2, DW_TAG_member, false, DW_AT_type, DW_FORM_ref4,
		       DW_AT_bit_size, DW_FORM_data1, DW_AT_bit_offset, DW_FORM_data1, 0);
	begin(p, 2);
	uint32_t first = add_chain(p, FIRST, "t");
	dw_uleb(info(p), FIRST + 1);
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST + 2);
		dw_int(info(p), 4, first);
		dw_int(info(p), 2, 0x0101);
	}
	dw_int(info(p), 1, 0);
	end(p);
}

static void add_origins(struct program *p)
{
	uint32_t first, size = 1 + 4 + 1 + 4 + 1;

	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_subprogram, true, DW_AT_abstract_origin, DW_FORM_ref4,
		       0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_formal_parameter, false, DW_AT_abstract_origin,
		       DW_FORM_ref4, 0);
	begin(p, 5);
	first = dw_here(&p->d);
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST);
		dw_int(info(p), 4, first + (i + 1) * size);
		dw_uleb(info(p), FIRST + 1);
		dw_int(info(p), 4, first + (i + 1) * size + 5);
		dw_int(info(p), 1, 0);
	}
	end(p);
}

static void add_tags(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, TAG_GNU_ANNOTATION, false, DW_AT_name, DW_FORM_strp,
		       DW_AT_const_value, DW_FORM_strp, ATTR_GNU_ANNOTATION, DW_FORM_ref4, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_structure_type, false, ATTR_GNU_ANNOTATION,
		       DW_FORM_ref4, 0);
	dw_text(&p->d.str, "btf_decl_tag");
	begin(p, 5);
	uint32_t first = dw_here(&p->d), size = 13;
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST);
		dw_int(info(p), 8, 0);
		dw_int(info(p), 4, first + (i + 1) * size);
	}
	add_refs(p, FIRST + 1, first);
	end(p);
}

/* --- memory ------------------------------------------------------------------------------ */

static void add_nested(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_structure_type, true, 0);
	begin(p, 5);
	for (uint32_t i = 0; i < p->n; i++)
		dw_uleb(info(p), FIRST);
	dw_unit_end(&p->d);
}

static void add_single(struct program *p, unsigned int tag, unsigned int in)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, tag, false, 0);
	if (in)
		dw_abbrev_decl(&p->d, FIRST + 1, in, true, DW_AT_name, DW_FORM_string, 0);
	begin(p, 5);
	if (in) {
		dw_uleb(info(p), FIRST + 1);
		dw_text(info(p), "f");
	}
	for (uint32_t i = 0; i < p->n; i++)
		dw_uleb(info(p), FIRST);
	dw_unit_end(&p->d);
}

static void add_bytes(struct program *p)
{
	add_single(p, DW_TAG_const_type, 0);
}

static void add_members(struct program *p)
{
	add_single(p, DW_TAG_member, DW_TAG_structure_type);
}

static void add_params(struct program *p)
{
	add_single(p, DW_TAG_formal_parameter, DW_TAG_subprogram);
}

/* --- strings and symbols ------------------------------------------------------------------ */

static void add_names(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_strp, 0);
	begin(p, 5);
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST);
		dw_int(info(p), 4, i);
		make_put(&p->d.str, "n", 1);
	}
	dw_int(&p->d.str, 1, 0);
	end(p);
}

static void add_symbols(struct program *p)
{
	add_single(p, DW_TAG_const_type, 0);
	make_put(&p->elf.strings, "", 1);
	make_raw_symbol(&p->elf, 0, 0, 0, 0, 0);
	for (uint32_t i = 0; i < p->n; i++) {
		make_raw_symbol(&p->elf, i + 1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_ABS,
				0x1000, 1);
		make_put(&p->elf.strings, "n", 1);
	}
	make_put(&p->elf.strings, "", 1);
}

static void add_copies(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_subprogram, false, DW_AT_name, DW_FORM_strp,
		       DW_AT_low_pc, DW_FORM_addr, 0);
	dw_text(&p->d.str, "f");
	begin(p, 5);
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST);
		dw_int(info(p), 4, 0);
		dw_int(info(p), 8, 0x2000);
		make_symbol(&p->elf, "f.isra.0", STT_FUNC, SHN_ABS, 0x1000, 1);
	}
	end(p);
}

static void add_lists(struct program *p)
{
	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_formal_parameter, false, DW_AT_location,
		       DW_FORM_sec_offset, 0);
	begin(p, 5);
	dw_uleb(info(p), FIRST);
	dw_text(info(p), "f");
	for (uint32_t i = 0; i < p->n; i++) {
		dw_uleb(info(p), FIRST + 1);
		dw_int(info(p), 4, 0);
		dw_int(&p->loclists, 1, DW_LLE_offset_pair);
		dw_int(&p->loclists, 2, 0x0100);
		dw_int(&p->loclists, 2, 0x5001); /* one byte: DW_OP_reg0 */
	}
	dw_int(info(p), 1, 0);
	end(p);
}

/* --- more than one place ------------------------------------------------------------------ */

static void add_parts(struct program *p)
{
	uint32_t first;

	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_partial_unit, true, 0);
	dw_abbrev_decl(&p->d, FIRST + 1, DW_TAG_const_type, false, DW_AT_type, DW_FORM_ref_addr, 0);
	/* 12 bytes of header, the unit, a reference to the one in the next, and the end */
	for (uint32_t i = 0; i < p->n; i++) {
		dw_unit_begin(&p->d, 5);
		dw_uleb(info(p), FIRST);
		dw_uleb(info(p), FIRST + 1);
		first = (i + 1) % p->n * 19 + 13;
		dw_int(info(p), 4, first);
		end(p);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		begin(p, 5);
		dw_uleb(info(p), FIRST + 1);
		dw_int(info(p), 4, 13);
		end(p);
	}
}

/* A unit whose header has the id @id. */
static void begin_with_id(struct program *p, unsigned int type, uint64_t id)
{
	dw_unit_begin(&p->d, 5);
	p->d.info.ptr[p->d.unit + 6] = (uint8_t)type;
	dw_int(info(p), 8, id);
}

static void add_skeletons(struct program *p)
{
	struct make_buf split, abbrevs;

	declare_unit(p);
	dw_abbrev_decl(&p->d, FIRST, DW_TAG_skeleton_unit, false, DW_AT_dwo_name, DW_FORM_string,
		       0);
	for (uint32_t i = 0; i < p->n; i++) {
		begin_with_id(p, DW_UT_split_compile, i);
		dw_uleb(info(p), UNIT);
		dw_text(info(p), "hard.c");
		dw_int(info(p), 1, DW_LANG_C11);
		end(p);
	}
	split = p->d.info;
	p->d.info = (struct make_buf){ 0 };
	abbrevs = p->d.abbrev;
	p->d.abbrev = (struct make_buf){ 0 };
	make_put(&p->d.abbrev, abbrevs.ptr, abbrevs.len);
	dw_int(&abbrevs, 1, 0);
	make_data(&p->elf, ".debug_info.dwo", make_view(&split));
	make_data(&p->elf, ".debug_abbrev.dwo", make_view(&abbrevs));
	for (uint32_t i = 0; i < p->n; i++) {
		begin_with_id(p, DW_UT_skeleton, i);
		dw_uleb(info(p), FIRST);
		dw_text(info(p), "skeletons");
		dw_unit_end(&p->d);
	}
}

static void add_sections(struct program *p)
{
	struct make_buf relocs = { 0 };

	add_single(p, DW_TAG_const_type, 0);
	p->elf.type = ET_REL;
	for (uint32_t i = 0; i < p->n; i++)
		make_reloc(&p->elf, &relocs, true, 0, 0, R_X86_64_NONE, 0);
	make_symbol(&p->elf, "f", STT_FUNC, SHN_ABS, 0, 1);
	size_t symtab = make_symtab(&p->elf);
	size_t target = make_data(&p->elf, ".debug_info", make_view(&p->d.info));
	size_t one = make_relocs(&p->elf, ".rela.debug_info", true, target, symtab, &relocs);
	for (uint32_t i = 0; i < p->n; i++) {
		struct make_section s = p->elf.sections[one];

		s.offset = 64 + (p->n + 7) * sizeof(Elf64_Shdr);
		s.size = s.data.len;
		s.data = (struct bytes){ 0 };
		make_section(&p->elf, s);
	}
}

static void add_inflated(struct program *p)
{
	struct make_buf zeros = { mem_zalloc(1, p->n), p->n, p->n }, out = { 0 };
	Elf64_Chdr head = { .ch_type = ELFCOMPRESS_ZLIB, .ch_size = p->n, .ch_addralign = 1 };
	uLongf len = compressBound(p->n);
	uint8_t *packed = make_alloc(len);

	if (compress2(packed, &len, zeros.ptr, p->n, 9) != Z_OK)
		abort();
	make_put(&out, &head, sizeof(head));
	make_put(&out, packed, len);
	MAKE_SECTION(&p->elf, .name = ".debug_info", .type = SHT_PROGBITS, .flags = SHF_COMPRESSED,
		     .align = 1, .data = make_view(&out));
	free(zeros.ptr);
}

static const struct {
	const char *name;
	void (*add)(struct program *p);
} shapes[] = {
	{ "tables", add_tables },     { "turns", add_turns },       { "lines", add_lines },
	{ "specs", add_specs },       { "aliases", add_aliases },   { "typedefs", add_typedefs },
	{ "bits", add_bits },         { "origins", add_origins },   { "tags", add_tags },
	{ "nested", add_nested },     { "bytes", add_bytes },       { "members", add_members },
	{ "params", add_params },     { "names", add_names },       { "symbols", add_symbols },
	{ "copies", add_copies },     { "lists", add_lists },       { "parts", add_parts },
	{ "sections", add_sections }, { "inflated", add_inflated }, { "skeletons", add_skeletons },
};

/* What the shape has not put in itself. */
static void finish(struct program *p)
{
	bool has_symbols = false, has_info = false;

	for (size_t i = 1; i < p->elf.nr; i++) {
		has_symbols |= !strcmp(p->elf.sections[i].name, ".symtab");
		has_info |= !strcmp(p->elf.sections[i].name, ".debug_info");
	}
	dw_int(&p->d.abbrev, 1, 0);
	make_data(&p->elf, ".debug_abbrev", make_view(&p->d.abbrev));
	if (!has_info)
		make_data(&p->elf, ".debug_info", make_view(&p->d.info));
	if (p->d.str.len)
		make_data(&p->elf, ".debug_str", make_view(&p->d.str));
	if (p->loclists.len)
		make_data(&p->elf, ".debug_loclists", make_view(&p->loclists));
	if (!p->elf.syms.len)
		make_symbol(&p->elf, "f", STT_FUNC, SHN_ABS, 0x1000, 1);
	if (!has_symbols)
		make_symtab(&p->elf);
}

int main(int argc, char **argv)
{
	struct program p = { .elf = make_x86_64(ET_EXEC) };
	bool known = false;

	p.n = argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	for (size_t i = 0; p.n && i < ARRAY_SIZE(shapes); i++) {
		if (strcmp(shapes[i].name, argv[1]) != 0)
			continue;
		shapes[i].add(&p);
		known = true;
	}
	if (!known) {
		fprintf(stderr, "dwarfhard: give SHAPE, N and OUT\n");
		return EXIT_FAILURE;
	}
	finish(&p);

	struct make_buf out = make_bytes(&p.elf);
	FILE *f = fopen(argv[3], "wb");
	if (!f || fwrite(out.ptr, 1, out.len, f) != out.len || fclose(f)) {
		perror(argv[3]);
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
