/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarfgen_tables.h - which DIEs, attributes, forms and names dwarfgen.h makes programs of */
#ifndef BTFENC_TESTS_DWARFGEN_TABLES_H
#define BTFENC_TESTS_DWARFGEN_TABLES_H

#include "loader/dwarf/dw_const.h"

#include <stdbool.h>
#include <stdint.h>

/* Sorts of values, each with the forms it can have. */
enum gen_class { GEN_NAME, GEN_REF, GEN_NUMBER, GEN_FLAG, GEN_ADDR, GEN_LOCATION, GEN_TEXT };

struct gen_attr {
	uint16_t attr;
	uint8_t class;
};

enum { GEN_MAX_ATTRS = 8 };

struct gen_tag {
	uint16_t tag;
	bool children;
	struct gen_attr attrs[GEN_MAX_ATTRS]; /* the last ones are 0 */
};

#define GEN_A(name, class)                \
	{                                 \
		DW_AT_##name, GEN_##class \
	}
#define GEN_REFERS(name)                     \
	{                                    \
		DW_TAG_##name##_type, false, \
		{                            \
			GEN_A(type, REF)     \
		}                            \
	}
#define GEN_COMPOSITE(what)                                                                    \
	{                                                                                      \
		DW_TAG_##what##_type, true,                                                    \
		{                                                                              \
			GEN_A(name, NAME), GEN_A(byte_size, NUMBER), GEN_A(declaration, FLAG), \
				GEN_A(signature, REF)                                          \
		}                                                                              \
	}

static const struct gen_tag gen_tags[] = {
	{ DW_TAG_base_type,
	  false,
	  { GEN_A(name, NAME), GEN_A(byte_size, NUMBER), GEN_A(encoding, NUMBER) } },
	{ DW_TAG_pointer_type, false, { GEN_A(type, REF), GEN_A(byte_size, NUMBER) } },
	{ DW_TAG_structure_type, true, { GEN_A(name, NAME), GEN_A(byte_size, NUMBER) } },
	{ DW_TAG_member,
	  false,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(data_member_location, NUMBER) } },
	{ DW_TAG_typedef, false, { GEN_A(name, NAME), GEN_A(type, REF) } },
	{ DW_TAG_member,
	  false,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(bit_size, NUMBER),
	    GEN_A(data_bit_offset, NUMBER) } },
	{ DW_TAG_member,
	  false,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(byte_size, NUMBER), GEN_A(bit_size, NUMBER),
	    GEN_A(bit_offset, NUMBER), GEN_A(data_member_location, LOCATION) } },
	{ DW_TAG_union_type, true, { GEN_A(name, NAME), GEN_A(byte_size, NUMBER) } },
	GEN_COMPOSITE(structure),
	GEN_COMPOSITE(union),
	GEN_COMPOSITE(class),
	GEN_COMPOSITE(enumeration),
	{ DW_TAG_enumeration_type,
	  true,
	  { GEN_A(name, NAME), GEN_A(byte_size, NUMBER), GEN_A(type, REF) } },
	{ DW_TAG_enumerator, false, { GEN_A(name, NAME), GEN_A(const_value, NUMBER) } },
	{ DW_TAG_array_type, true, { GEN_A(type, REF) } },
	{ DW_TAG_subrange_type, false, { GEN_A(type, REF), GEN_A(upper_bound, NUMBER) } },
	{ DW_TAG_subrange_type, false, { GEN_A(count, NUMBER) } },
	{ DW_TAG_subroutine_type, true, { GEN_A(type, REF), GEN_A(prototyped, FLAG) } },
	{ DW_TAG_formal_parameter, false, { GEN_A(type, REF) } },
	{ DW_TAG_formal_parameter,
	  false,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(location, LOCATION) } },
	{ DW_TAG_formal_parameter,
	  false,
	  { GEN_A(abstract_origin, REF), GEN_A(location, LOCATION) } },
	{ DW_TAG_unspecified_parameters, false, { { 0 } } },
	{ DW_TAG_subprogram,
	  true,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(low_pc, ADDR), GEN_A(external, FLAG),
	    GEN_A(prototyped, FLAG) } },
	{ DW_TAG_subprogram,
	  true,
	  { GEN_A(abstract_origin, REF), GEN_A(low_pc, ADDR), GEN_A(inline, NUMBER) } },
	{ DW_TAG_subprogram,
	  true,
	  { GEN_A(specification, REF), GEN_A(low_pc, ADDR), GEN_A(calling_convention, NUMBER),
	    GEN_A(declaration, FLAG) } },
	{ DW_TAG_variable,
	  false,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(location, LOCATION), GEN_A(external, FLAG),
	    GEN_A(declaration, FLAG) } },
	{ DW_TAG_variable, false, { GEN_A(specification, REF), GEN_A(location, LOCATION) } },
	GEN_REFERS(const),
	GEN_REFERS(volatile),
	GEN_REFERS(restrict),
	GEN_REFERS(atomic),
	GEN_REFERS(reference),
	GEN_REFERS(ptr_to_member),
	GEN_REFERS(unspecified),
	{ DW_TAG_subrange_type,
	  false,
	  { GEN_A(type, REF), GEN_A(lower_bound, NUMBER), GEN_A(upper_bound, NUMBER) } },
	{ DW_TAG_array_type,
	  true,
	  { GEN_A(name, NAME), GEN_A(type, REF), GEN_A(bit_stride, NUMBER),
	    GEN_A(ordering, NUMBER) } },
	{ DW_TAG_array_type, true, { GEN_A(type, REF), GEN_A(data_location, LOCATION) } },
	{ DW_TAG_subroutine_type, true, { GEN_A(type, REF), GEN_A(byte_size, NUMBER) } },
	{ DW_TAG_set_type, false, { GEN_A(name, NAME), GEN_A(byte_size, NUMBER) } },
	{ DW_TAG_variant_part, true, { { 0 } } },
	{ DW_TAG_variant, true, { GEN_A(discr_value, NUMBER) } },
	{ TAG_LLVM_ANNOTATION, false, { GEN_A(name, TEXT), GEN_A(const_value, TEXT) } },
	{ TAG_GNU_ANNOTATION,
	  false,
	  { GEN_A(name, TEXT), GEN_A(const_value, TEXT), { ATTR_GNU_ANNOTATION, GEN_REF } } },
	{ DW_TAG_lexical_block, true, { { 0 } } },
	{ DW_TAG_inlined_subroutine, true, { GEN_A(abstract_origin, REF) } },
	{ DW_TAG_inheritance, false, { GEN_A(type, REF), GEN_A(data_member_location, NUMBER) } },
	{ DW_TAG_namespace, true, { GEN_A(name, NAME) } },
	{ DW_TAG_imported_unit, false, { GEN_A(import, REF) } },
	{ DW_TAG_string_type, false, { GEN_A(byte_size, NUMBER) } },
	{ 0x4107, true, { GEN_A(name, NAME) } }, /* unknown */
};
#undef GEN_COMPOSITE
#undef GEN_REFERS

static const struct gen_attr gen_extra[] = {
	GEN_A(sibling, REF),       GEN_A(decl_line, NUMBER),  GEN_A(byte_size, LOCATION),
	GEN_A(artificial, FLAG),   GEN_A(virtuality, NUMBER), GEN_A(const_value, NUMBER),
	GEN_A(location, LOCATION), GEN_A(alignment, NUMBER),  GEN_A(type, REF),
	GEN_A(name, NAME),         GEN_A(declaration, FLAG),  { ATTR_GNU_ANNOTATION, GEN_REF },
};
#undef GEN_A

/* Of each class first the one that compilers use. */
static const struct {
	uint8_t nr, forms[12];
} gen_forms[] = {
	[GEN_NAME] = { 10,
		       { DW_FORM_strp, DW_FORM_string, DW_FORM_line_strp, DW_FORM_strx,
			 DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3, DW_FORM_strx4,
			 DW_FORM_indirect, DW_FORM_data1 } },
	[GEN_REF] = { 8,
		      { DW_FORM_ref4, DW_FORM_ref_addr, DW_FORM_ref_udata, DW_FORM_ref1,
			DW_FORM_ref2, DW_FORM_ref8, DW_FORM_ref_sig8, DW_FORM_indirect } },
	[GEN_NUMBER] = { 11,
			 { DW_FORM_data1, DW_FORM_implicit_const, DW_FORM_data2, DW_FORM_data4,
			   DW_FORM_data8, DW_FORM_udata, DW_FORM_sdata, DW_FORM_data16,
			   DW_FORM_exprloc, DW_FORM_indirect, DW_FORM_sec_offset } },
	[GEN_FLAG] = { 4,
		       { DW_FORM_flag_present, DW_FORM_flag, DW_FORM_implicit_const,
			 DW_FORM_indirect } },
	[GEN_ADDR] = { 5,
		       { DW_FORM_addr, DW_FORM_addrx, DW_FORM_addrx1, DW_FORM_addrx2,
			 DW_FORM_data8 } },
	[GEN_LOCATION] = { 7,
			   { DW_FORM_exprloc, DW_FORM_block1, DW_FORM_sec_offset, DW_FORM_loclistx,
			     DW_FORM_block, DW_FORM_block2, DW_FORM_block4 } },
	[GEN_TEXT] = { 3, { DW_FORM_strp, DW_FORM_string, DW_FORM_strx1 } },
};

enum { WIDTH_OFFSET = 0xfe, WIDTH_ULEB = 0xff }; /* else bytes; 0 is one */

enum gen_sort {
	SORT_NUMBER,
	SORT_NOTHING, /* the abbreviation has it */
	SORT_INDIRECT,
	SORT_SLEB,
	SORT_ADDR,
	SORT_TEXT,
	SORT_TEXT_OFFSET,
	SORT_TEXT_INDEX,
	SORT_REF,
	SORT_EXPR, /* behind its length */
	SORT_LIST, /* of locations */
};

/* A form that is not listed has a number of one byte. */
static const struct gen_layout {
	uint8_t sort, width;
} gen_layouts[] = {
	[DW_FORM_flag_present] = { SORT_NOTHING, 0 },
	[DW_FORM_implicit_const] = { SORT_NOTHING, 0 },
	[DW_FORM_indirect] = { SORT_INDIRECT, 0 },
	[DW_FORM_sdata] = { SORT_SLEB, 0 },
	[DW_FORM_addr] = { SORT_ADDR, 0 },
	[DW_FORM_data2] = { SORT_NUMBER, 2 },
	[DW_FORM_addrx2] = { SORT_NUMBER, 2 },
	[DW_FORM_addrx3] = { SORT_NUMBER, 3 },
	[DW_FORM_data4] = { SORT_NUMBER, 4 },
	[DW_FORM_addrx4] = { SORT_NUMBER, 4 },
	[DW_FORM_data8] = { SORT_NUMBER, 8 },
	[DW_FORM_data16] = { SORT_NUMBER, 16 },
	[DW_FORM_udata] = { SORT_NUMBER, WIDTH_ULEB },
	[DW_FORM_addrx] = { SORT_NUMBER, WIDTH_ULEB },
	[DW_FORM_rnglistx] = { SORT_NUMBER, WIDTH_ULEB },
	[DW_FORM_string] = { SORT_TEXT, 0 },
	[DW_FORM_strp] = { SORT_TEXT_OFFSET, WIDTH_OFFSET },
	[DW_FORM_line_strp] = { SORT_TEXT_OFFSET, WIDTH_OFFSET },
	[DW_FORM_strp_sup] = { SORT_TEXT_OFFSET, WIDTH_OFFSET },
	[DW_FORM_strx] = { SORT_TEXT_INDEX, WIDTH_ULEB },
	[DW_FORM_strx1] = { SORT_TEXT_INDEX, 1 },
	[DW_FORM_strx2] = { SORT_TEXT_INDEX, 2 },
	[DW_FORM_strx3] = { SORT_TEXT_INDEX, 3 },
	[DW_FORM_strx4] = { SORT_TEXT_INDEX, 4 },
	[DW_FORM_ref1] = { SORT_REF, 1 },
	[DW_FORM_ref2] = { SORT_REF, 2 },
	[DW_FORM_ref4] = { SORT_REF, 4 },
	[DW_FORM_ref_sup4] = { SORT_REF, 4 },
	[DW_FORM_ref8] = { SORT_REF, 8 },
	[DW_FORM_ref_sig8] = { SORT_REF, 8 },
	[DW_FORM_ref_sup8] = { SORT_REF, 8 },
	[DW_FORM_ref_udata] = { SORT_REF, WIDTH_ULEB },
	[DW_FORM_ref_addr] = { SORT_REF, WIDTH_OFFSET },
	[DW_FORM_exprloc] = { SORT_EXPR, WIDTH_ULEB },
	[DW_FORM_block] = { SORT_EXPR, WIDTH_ULEB },
	[DW_FORM_block1] = { SORT_EXPR, 1 },
	[DW_FORM_block2] = { SORT_EXPR, 2 },
	[DW_FORM_block4] = { SORT_EXPR, 4 },
	[DW_FORM_sec_offset] = { SORT_LIST, WIDTH_OFFSET },
	[DW_FORM_loclistx] = { SORT_LIST, WIDTH_ULEB },
};

static const char *const gen_names[] = {
	"int",
	"char",
	"s",
	"next",
	"a",
	"b",
	"u",
	"e",
	"f",
	"main",
	"g",
	"v",
	"percpu",
	"t",
	"int",
	"",
	"long unsigned int",
	"f.isra.0",
	"bpf_kfunc",
	"x",
	"btf_decl_tag",
	"btf_type_tag",
	"user",
	"tag",
};
/* Annotations are worth nothing under another name. */
enum { GEN_FIRST_TEXT = 20 };

#endif
