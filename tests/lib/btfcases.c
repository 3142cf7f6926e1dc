/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/btfcases.h"

#include "tests/lib/btfbuild.h"

const char btf_case_names[] = "\0int\0char\0fwd\0v\0double\0s\0x\0y\0f\0a b\0"
			      "1x\0.data\0\abc\0\xc3\xa9\0.L\0";

#define GOOD(name_, ...)                                       \
	{                                                      \
		.name = (name_), .rule = NR_RULES, __VA_ARGS__ \
	}
/* The last own record breaks a rule, as a whole or in one element. */
#define BAD(name_, rule_, function_, ...)                                             \
	{                                                                             \
		.name = (name_), .rule = (rule_), .function = (function_), .id = OWN, \
		.element = NOT_ONE, __VA_ARGS__                                       \
	}
#define BAD_IN(name_, rule_, element_, function_, ...)                                \
	{                                                                             \
		.name = (name_), .rule = (rule_), .function = (function_), .id = OWN, \
		.element = (element_), __VA_ARGS__                                    \
	}
#define BAD_HEADER(name_, rule_, function_, ...)                                               \
	{                                                                                      \
		.name = (name_), .rule = (rule_), .function = (function_), .element = NOT_ONE, \
		__VA_ARGS__                                                                    \
	}

static void btf_case_begin(struct btf_types *t)
{
	add_int(t, N_INT);
	ADD(t, N_CHAR, BI(INT, 0), 1, 8);
	add_ptr(t, 0);
	add_fwd(t, N_FWD, false);
	ADD(t, 0, BI(FUNC_PROTO, 0), 0);
	ADD(t, N_V, BI(VAR, 0), 1, BTF_LINK_GLOBAL);
	ADD(t, N_DOUBLE, BI(FLOAT, 0), 8);
	ADD(t, N_S, BI(STRUCT, 2), 8, N_X, 1, 0, N_Y, 2, 32);
}

/* @nr structs, each with the next one in it, and an int in the last. */
static void btf_case_nest(struct btf_types *t, uint32_t nr)
{
	for (uint32_t i = 1; i <= nr; i++)
		ADD(t, 0, BI(STRUCT, 1), 4, N_X, i < nr ? btf_types_end(t) + 1 : 1, 0);
}

/* @nr of them, each of the next, the last of an int. */
static void btf_case_chain(struct btf_types *t, uint32_t nr)
{
	for (uint32_t i = 1; i <= nr; i++)
		ADD(t, 0, BI(CONST, 0), i < nr ? btf_types_end(t) + 1 : 1);
}

/* Pointers, up to this id. */
static void btf_case_fill(struct btf_types *t, uint32_t last)
{
	while (btf_types_end(t) <= last)
		add_ptr(t, 0);
}

/* An enum with so many of them. */
static void btf_case_elements(struct btf_types *t, uint32_t nr)
{
	uint32_t *rec = btf_types_add(t, BTF_REC_WORDS + 2 * (size_t)nr);

	rec[0] = 0;
	rec[1] = btf_info(BTF_ENUM, nr, false);
	rec[2] = 4;
	for (uint32_t i = 0; i < nr; i++) {
		rec[BTF_REC_WORDS + 2 * i] = N_X;
		rec[BTF_REC_WORDS + 2 * i + 1] = i;
	}
}

const struct btf_case btf_cases[] = {
	/* --- nothing is wrong --- */
	GOOD("as-it-is"),
	/* clang-format off */
	GOOD("all-kinds",
	     WORDS(0, BI(ARRAY, 0), 0, 8, 1, 3,
		   N_X, BI(TYPEDEF, 0), 9,
		   0, BI(VOLATILE, 0), 10,
		   0, BI(RESTRICT, 0), 3,
		   N_F, BI(TYPE_TAG, 0), 1,
		   0, BI(PTR, 0), 13,
		   0, BI(FUNC_PROTO, 2), 1, N_X, 14, 0, 0,
		   N_F, BI(FUNC, BTF_LINK_GLOBAL), 15,
		   N_DATA, BI(DATASEC, 1), 4, 6, 0, 4,
		   N_SPACE, BI(DECL_TAG, 0), 16, 0,
		   N_X, BK(ENUM, 1), 4, N_Y, UINT32_MAX,
		   N_Y, BI(ENUM64, 1), 8, N_S, 0, 1,
		   N_S, BK(UNION, 2), 4, N_X, 1, 3u << 24, N_Y, 2, 0)),
	/* clang-format on */
	GOOD("names-of-ints", WORDS(N_SPACE, BI(INT, 0), 4, 32, N_BELL, BI(FLOAT, 0), 4)),
	GOOD("dots-in-names", WORDS(N_DOT, BI(STRUCT, 0), 0)),
	GOOD("section-names", WORDS(N_SPACE, BI(DATASEC, 1), 4, 6, 0, 4)),
	GOOD("bit-fields", WORDS(N_S, BK(STRUCT, 2), 4, N_X, 1, 5u << 24, N_Y, 1, 27u << 24 | 5)),
	GOOD("odd-int", WORDS(0, BI(INT, 0), 4, 5 | 3 << 16, N_S, BI(STRUCT, 1), 4, N_X, 9, 8)),
	GOOD("int128", WORDS(0, BI(INT, 0), 16, 128)),
	GOOD("empty-array-at-the-end",
	     WORDS(0, BI(ARRAY, 0), 0, 1, 1, 0, N_S, BI(STRUCT, 2), 4, N_X, 1, 0, N_Y, 9, 32)),
	GOOD("pointer-to-itself-by-a-struct",
	     WORDS(N_S, BI(STRUCT, 1), 8, N_X, 10, 0, 0, BI(PTR, 0), 9)),
	GOOD("pointer-to-a-resolved-function", WORDS(N_F, BI(FUNC, 0), 5, 0, BI(PTR, 0), 9)),
	GOOD("typedef-of-void", WORDS(N_X, BI(TYPEDEF, 0), 0, 0, BI(PTR, 0), 9)),
	GOOD("array-of-pointers", WORDS(0, BI(ARRAY, 0), 0, 3, 2, 7)),
	GOOD("enum-bit-field",
	     WORDS(0, BI(ENUM, 1), 1, N_X, 1, N_S, BK(STRUCT, 1), 4, N_X, 9, 20u << 24)),
	GOOD("nesting-of-32", .add = btf_case_nest, .nr = 32),
	GOOD("chain-of-32", .add = btf_case_chain, .nr = 32),
	GOOD("ids-to-the-last", .add = btf_case_fill, .nr = 0xffffe),
	GOOD("elements-to-the-last", .add = btf_case_elements, .nr = 0xffff),
	GOOD("tags-before-modifiers",
	     WORDS(0, BI(CONST, 0), 1, N_X, BI(TYPE_TAG, 0), 9, N_Y, BI(TYPE_TAG, 0), 10)),

	/* --- header and sections --- */
	BAD_HEADER("header-cut", RULE_HEADER_CUT, "btf_parse_hdr", .len = 7),
	BAD_HEADER("header-cut-in-sections", RULE_HEADER_LEN, "btf_parse_hdr", .len = 20),
	BAD_HEADER("header-longer-than-all", RULE_HEADER_LEN, "btf_parse_hdr",
		   .header = { 4, 4, 1 << 20 }),
	BAD_HEADER("header-short", RULE_HEADER_SHORT, "btf_parse_hdr", .header = { 4, 4, -4u },
		   .more = true),
	BAD_HEADER("header-without-strings", RULE_HEADER_SHORT, "btf_parse_hdr",
		   .header = { 4, 4, -8u }, .more = true),
	BAD_HEADER("header-takes-in-types", RULE_HEADER_UNKNOWN, "btf_parse_hdr",
		   .header = { 4, 4, 8 }, .more = true),
	BAD_HEADER("header-alone", RULE_NO_DATA, "btf_parse_hdr", .len = 24),
	BAD_HEADER("magic", RULE_MAGIC, "btf_parse_hdr", .header = { 0, 1, 1 }),
	BAD_HEADER("version", RULE_VERSION, "btf_parse_hdr", .header = { 2, 1, 1 }),
	BAD_HEADER("flags", RULE_FLAGS, "btf_parse_hdr", .header = { 3, 1, 1 }),
	BAD_HEADER("types-outside", RULE_SECTION_OUTSIDE, "btf_check_sec_info",
		   .header = { 12, 4, 0x10000 }),
	BAD_HEADER("strings-outside", RULE_SECTION_OUTSIDE, "btf_check_sec_info",
		   .header = { 20, 4, 1 }),
	BAD_HEADER("types-length-wraps", RULE_SECTION_OUTSIDE, "btf_check_sec_info",
		   .header = { 12, 4, 0x80000000 }),
	BAD_HEADER("types-and-strings-overlap", RULE_SECTION_OVERLAP, "btf_check_sec_info",
		   .header = { 12, 4, 4 }),
	BAD_HEADER("types-start-late", RULE_SECTION_GAP, "btf_check_sec_info",
		   .header = { 8, 4, 4 }, .more = true),
	BAD_HEADER("gap-between-sections", RULE_SECTION_GAP, "btf_check_sec_info", .gap = 4),
	BAD_HEADER("bytes-behind-the-strings", RULE_SECTION_GAP, "btf_check_sec_info", .extra = 5),
	BAD_HEADER("last-string-has-no-end", RULE_STRINGS_END, "btf_parse_str_sec",
		   .strings = { "\0int", 4 }),
	BAD_HEADER("first-string-not-empty", RULE_STRINGS_FIRST, "btf_parse_str_sec",
		   .strings = { "int\0x", 6 }),
	BAD_HEADER("no-strings", RULE_STRINGS_NONE, "btf_parse_str_sec", .strings = { "", 0 }),
	BAD_HEADER("no-types", RULE_NO_TYPES, "btf_parse_type_sec", .alone = true),
	BAD_HEADER("ids-exhausted", RULE_TYPES_MANY, "btf_add_type", .add = btf_case_fill,
		   .nr = 0xfffff),

	/* --- records as such --- */
	BAD("record-cut", RULE_RECORD_CUT, "btf_check_meta", WORDS(0, BI(PTR, 0))),
	BAD("struct-cut", RULE_RECORD_CUT, "btf_struct_check_meta",
	    WORDS(N_S, BI(STRUCT, 2), 4, N_X, 1, 0)),
	BAD("int-cut", RULE_RECORD_CUT, "btf_int_check_meta", WORDS(N_S, BI(INT, 0), 4)),
	BAD("kind-0", RULE_KIND, "btf_check_meta", WORDS(N_S, BI(UNKN, 0), 4)),
	BAD("kind-20", RULE_KIND, "btf_check_meta", WORDS(N_S, 20u << 24, 4)),
	BAD("kind-of-7-bits", RULE_KIND, "btf_check_meta", WORDS(0, BI(PTR, 0) | 1u << 29, 1)),
	BAD("elements-more-than-16-bits", RULE_ELEMENTS_MANY, "btf_check_meta",
	    .add = btf_case_elements, .nr = 0x10000),
	BAD("name-outside", RULE_STRING_OUTSIDE, "btf_check_meta",
	    WORDS(sizeof(btf_case_names), BI(STRUCT, 0), 4)),
	BAD_IN("member-name-outside", RULE_STRING_OUTSIDE, 0, "btf_struct_check_meta",
	       WORDS(N_S, BI(STRUCT, 1), 4, 4000, 1, 0)),
	BAD_IN("parameter-name-outside", RULE_STRING_OUTSIDE, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 1), 0, 4000, 1)),
	BAD_IN("enumerator-name-outside", RULE_STRING_OUTSIDE, 1, "btf_enum_check_meta",
	       WORDS(0, BI(ENUM, 2), 4, N_X, 1, 4000, 2)),
	BAD("pointer-to-nowhere", RULE_TYPE_MISSING, "btf_ptr_resolve", WORDS(0, BI(PTR, 0), 10)),
	BAD("array-of-nothing", RULE_TYPE_MISSING, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 77, 1, 1)),
	BAD_IN("member-of-no-type", RULE_TYPE_MISSING, 0, "btf_struct_resolve",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 500, 0)),
	BAD("function-without-a-type", RULE_TYPE_MISSING, "btf_func_check",
	    WORDS(N_F, BI(FUNC, 0), 10)),
	BAD_IN("parameter-of-no-type", RULE_TYPE_MISSING, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 1), 0, N_X, 10)),
	BAD_IN("section-of-no-variable", RULE_TYPE_MISSING, 0, "btf_datasec_resolve",
	       WORDS(N_DATA, BI(DATASEC, 1), 4, 10, 0, 4)),

	/* --- what a record says of itself --- */
	BAD("pointer-with-elements", RULE_ELEMENTS, "btf_ref_type_check_meta",
	    WORDS(0, BI(PTR, 1), 1)),
	BAD("int-with-elements", RULE_ELEMENTS, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 1), 4, 32)),
	BAD("typedef-with-kind-flag", RULE_KIND_FLAG, "btf_ref_type_check_meta",
	    WORDS(N_X, BK(TYPEDEF, 0), 1)),
	BAD("function-with-kind-flag", RULE_KIND_FLAG, "btf_func_check_meta",
	    WORDS(N_F, BK(FUNC, 0), 5)),
	BAD("type-tag-with-kind-flag", RULE_KIND_FLAG_TAG, "btf_ref_type_check_meta",
	    WORDS(N_X, BK(TYPE_TAG, 0), 1)),
	BAD("decl-tag-with-kind-flag", RULE_KIND_FLAG_TAG, "btf_decl_tag_check_meta",
	    WORDS(N_X, BK(DECL_TAG, 0), 6, UINT32_MAX)),
	BAD("pointer-with-a-name", RULE_NAME_UNWANTED, "btf_ref_type_check_meta",
	    WORDS(N_X, BI(PTR, 0), 1)),
	BAD("array-with-a-name", RULE_NAME_UNWANTED, "btf_array_check_meta",
	    WORDS(N_X, BI(ARRAY, 0), 0, 1, 1, 1)),
	BAD("typedef-without-a-name", RULE_NAME_MISSING, "btf_ref_type_check_meta",
	    WORDS(0, BI(TYPEDEF, 0), 1)),
	BAD("declaration-without-a-name", RULE_NAME_MISSING, "btf_fwd_check_meta",
	    WORDS(0, BI(FWD, 0), 0)),
	BAD("variable-without-a-name", RULE_NAME_MISSING, "btf_var_check_meta",
	    WORDS(0, BI(VAR, 0), 1, 0)),
	BAD("struct-name-with-a-space", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    WORDS(N_SPACE, BI(STRUCT, 0), 4)),
	BAD("struct-name-empty", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    WORDS(N_NOTHING, BI(STRUCT, 0), 4)),
	BAD("union-name-with-a-digit-first", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    WORDS(N_DIGIT, BI(UNION, 0), 4)),
	BAD("function-name-in-utf8", RULE_NAME_IDENTIFIER, "btf_func_check_meta",
	    WORDS(N_UTF8, BI(FUNC, 0), 5)),
	BAD("section-name-not-printable", RULE_NAME_SECTION, "btf_datasec_check_meta",
	    WORDS(N_BELL, BI(DATASEC, 0), 4)),
	BAD("tag-empty", RULE_NAME_VALUE, "btf_ref_type_check_meta", WORDS(0, BI(TYPE_TAG, 0), 1)),
	BAD("decl-tag-empty", RULE_NAME_VALUE, "btf_decl_tag_check_meta",
	    WORDS(N_NOTHING, BI(DECL_TAG, 0), 6, UINT32_MAX)),
	BAD("int-with-unused-bits", RULE_INT_UNUSED, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 0), 4, 0x10000020)),
	BAD("int-over-128-bits", RULE_INT_BITS, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 0), 32, 128 | 1 << 16)),
	BAD("int-larger-than-its-size", RULE_INT_SIZE, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 0), 2, 32)),
	BAD("int-signed-and-bool", RULE_INT_ENCODING, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 0), 4, 0x05000020)),
	BAD("int-of-unknown-encoding", RULE_INT_ENCODING, "btf_int_check_meta",
	    WORDS(N_X, BI(INT, 0), 4, 0x08000020)),
	BAD("array-with-a-size", RULE_ARRAY_SIZE_WORD, "btf_array_check_meta",
	    WORDS(0, BI(ARRAY, 0), 4, 1, 1, 1)),
	BAD("array-of-void", RULE_ARRAY_VOID, "btf_array_check_meta",
	    WORDS(0, BI(ARRAY, 0), 0, 0, 1, 1)),
	BAD("array-by-void", RULE_ARRAY_INDEX_VOID, "btf_array_check_meta",
	    WORDS(0, BI(ARRAY, 0), 0, 1, 0, 1)),
	BAD_IN("member-name-with-a-space", RULE_MEMBER_NAME, 0, "btf_struct_check_meta",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_SPACE, 1, 0)),
	BAD_IN("member-void", RULE_MEMBER_VOID, 0, "btf_struct_check_meta",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 0, 0)),
	BAD_IN("union-with-an-offset", RULE_UNION_OFFSET, 1, "btf_struct_check_meta",
	       WORDS(N_S, BI(UNION, 2), 8, N_X, 1, 0, N_Y, 1, 32)),
	BAD_IN("members-out-of-order", RULE_MEMBER_ORDER, 1, "btf_struct_check_meta",
	       WORDS(N_S, BI(STRUCT, 2), 8, N_X, 1, 32, N_Y, 1, 0)),
	BAD_IN("member-behind-its-struct", RULE_MEMBER_START, 0, "btf_struct_check_meta",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 1, 40)),
	BAD("enum-of-3-bytes", RULE_ENUM_SIZE, "btf_enum_check_meta", WORDS(0, BI(ENUM, 0), 3)),
	BAD("enum-of-0-bytes", RULE_ENUM_SIZE, "btf_enum_check_meta", WORDS(0, BI(ENUM, 0), 0)),
	BAD("enum64-of-16-bytes", RULE_ENUM_SIZE, "btf_enum64_check_meta",
	    WORDS(0, BI(ENUM64, 0), 16)),
	BAD_IN("enumerator-without-a-name", RULE_ENUMERATOR_NAME, 0, "btf_enum_check_meta",
	       WORDS(0, BI(ENUM, 1), 4, 0, 1)),
	BAD_IN("enumerator-of-64-bits-1x", RULE_ENUMERATOR_NAME, 0, "btf_enum64_check_meta",
	       WORDS(0, BI(ENUM64, 1), 8, N_DIGIT, 1, 0)),
	BAD("float-of-10-bytes", RULE_FLOAT_SIZE, "btf_float_check_meta",
	    WORDS(N_X, BI(FLOAT, 0), 10)),
	BAD("declaration-with-a-type", RULE_FWD_TYPE_WORD, "btf_fwd_check_meta",
	    WORDS(N_X, BI(FWD, 0), 1)),
	BAD("function-extern", RULE_FUNC_LINKAGE, "btf_func_check_meta",
	    WORDS(N_F, BI(FUNC, BTF_LINK_EXTERN), 5)),
	BAD("variable-void", RULE_VAR_VOID, "btf_var_check_meta", WORDS(N_X, BI(VAR, 0), 0, 0)),
	BAD("variable-extern", RULE_VAR_LINKAGE, "btf_var_check_meta",
	    WORDS(N_X, BI(VAR, 0), 1, BTF_LINK_EXTERN)),
	BAD("section-empty", RULE_SECTION_EMPTY, "btf_datasec_check_meta",
	    WORDS(N_DATA, BI(DATASEC, 0), 0)),
	BAD_IN("section-of-void", RULE_SECTION_VAR_VOID, 0, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 1), 4, 0, 0, 4)),
	BAD_IN("section-overlap", RULE_SECTION_VAR_OVERLAP, 1, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 2), 8, 6, 0, 4, 10, 3, 4, N_X, BI(VAR, 0), 1, 0)),
	BAD_IN("section-out-of-order", RULE_SECTION_VAR_OVERLAP, 1, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 2), 8, 6, 4, 4, 10, 0, 4, N_X, BI(VAR, 0), 1, 0)),
	BAD_IN("section-variable-of-no-size", RULE_SECTION_VAR_SIZE, 0, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 1), 8, 6, 0, 0)),
	BAD_IN("section-variable-behind-it", RULE_SECTION_VAR_END, 0, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 1), 8, 6, 6, 4)),
	BAD_IN("section-variable-behind-4-gib", RULE_SECTION_VAR_WRAP, 0, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 1), UINT32_MAX, 6, 0xfffffffc, 8)),
	BAD_IN("section-variable-wraps", RULE_SECTION_VAR_END, 0, "btf_datasec_check_meta",
	       WORDS(N_DATA, BI(DATASEC, 1), 8, 6, 0xfffffffc, 8)),
	BAD("tag-component-negative", RULE_TAG_COMPONENT, "btf_decl_tag_check_meta",
	    WORDS(N_X, BI(DECL_TAG, 0), 8, -2u)),
	{ .name = "tag-behind-a-modifier",
	  .rule = RULE_TAG_ORDER,
	  .function = "btf_check_type_tags",
	  .id = 10,
	  .element = NOT_ONE,
	  WORDS(N_X, BI(TYPE_TAG, 0), 1, 0, BI(CONST, 0), 9) },
	BAD("chain-of-33", RULE_CHAIN, "btf_check_type_tags", .add = btf_case_chain, .nr = 33),
	BAD("typedef-of-itself", RULE_CHAIN, "btf_check_type_tags", WORDS(N_X, BI(TYPEDEF, 0), 9)),

	/* --- where references lead --- */
	BAD("pointer-to-a-variable", RULE_NO_TYPE, "btf_ptr_resolve", WORDS(0, BI(PTR, 0), 6)),
	BAD("const-of-a-section", RULE_NO_TYPE, "btf_modifier_resolve",
	    WORDS(0, BI(CONST, 0), 10, N_DATA, BI(DATASEC, 1), 4, 6, 0, 4)),
	BAD("pointer-to-a-function", RULE_NO_TYPE, "btf_ptr_resolve",
	    WORDS(0, BI(PTR, 0), 10, N_F, BI(FUNC, 0), 5)),
	BAD("variable-of-a-declaration", RULE_VAR_SIZE, "btf_var_resolve",
	    WORDS(N_X, BI(VAR, 0), 4, 0)),
	BAD("variable-of-const-void", RULE_VAR_SIZE, "btf_var_resolve",
	    WORDS(N_X, BI(VAR, 0), 10, 0, 0, BI(CONST, 0), 0)),
	BAD("struct-in-itself", RULE_LOOP, "btf_resolve", WORDS(N_S, BI(STRUCT, 1), 4, N_X, 9, 0)),
	BAD("struct-in-itself-by-an-array", RULE_LOOP, "btf_resolve",
	    WORDS(N_S, BI(STRUCT, 1), 4, N_X, 10, 0, 0, BI(ARRAY, 0), 0, 9, 1, 1)),
	BAD("pointer-to-itself", RULE_LOOP, "btf_resolve",
	    WORDS(0, BI(PTR, 0), 10, 0, BI(CONST, 0), 9)),
	BAD("nesting-of-33", RULE_DEPTH, "btf_resolve", .add = btf_case_nest, .nr = 33),
	BAD("array-by-a-pointer", RULE_ARRAY_INDEX, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 1, 3, 1)),
	BAD("array-by-odd-bits", RULE_ARRAY_INDEX, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 1, 10, 1, N_X, BI(INT, 0), 4, 24)),
	BAD("array-of-declarations", RULE_ARRAY_ELEMENT, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 4, 1, 1)),
	BAD("array-of-functions", RULE_ARRAY_ELEMENT, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 5, 1, 1)),
	BAD("array-of-odd-bits", RULE_ARRAY_BITS, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 10, 1, 1, N_X, BI(INT, 0), 4, 31)),
	BAD("array-of-4-gib", RULE_ARRAY_HUGE, "btf_array_resolve",
	    WORDS(0, BI(ARRAY, 0), 0, 1, 1, 1u << 30)),
	BAD_IN("member-a-declaration", RULE_MEMBER_SIZE, 0, "btf_struct_resolve",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 4, 0)),
	BAD_IN("member-const-void", RULE_MEMBER_SIZE, 0, "btf_struct_resolve",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 10, 0, 0, BI(CONST, 0), 0)),
	BAD_IN("member-int-ends-behind", RULE_MEMBER_END, 0, "btf_int_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 1, 8)),
	BAD_IN("member-pointer-ends-behind", RULE_MEMBER_END, 0, "btf_ptr_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 3, 0)),
	BAD_IN("member-array-ends-behind", RULE_MEMBER_END, 0, "btf_array_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 10, 0, 0, BI(ARRAY, 0), 0, 1, 1, 2)),
	BAD_IN("member-struct-ends-behind", RULE_MEMBER_END, 1, "btf_struct_check_member",
	       WORDS(N_S, BI(STRUCT, 2), 8, N_X, 1, 0, N_Y, 8, 32)),
	BAD_IN("member-float-ends-behind", RULE_MEMBER_END, 0, "btf_float_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 4, N_X, 7, 0)),
	BAD_IN("member-by-a-typedef-ends-behind", RULE_MEMBER_END, 0, "btf_int_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 2, N_X, 10, 0, N_X, BI(TYPEDEF, 0), 1)),
	BAD_IN("bit-field-ends-behind", RULE_MEMBER_END, 1, "btf_int_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 2), 4, N_X, 1, 20u << 24, N_Y, 1, 20u << 24 | 20)),
	BAD_IN("enum-bit-field-ends-behind", RULE_MEMBER_END, 0, "btf_enum_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 4, N_X, 10, 20u << 24 | 20, 0, BI(ENUM, 0), 4)),
	BAD_IN("member-not-at-a-byte", RULE_MEMBER_BYTE, 0, "btf_ptr_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 16, N_X, 3, 4)),
	BAD_IN("member-int-not-at-a-byte", RULE_MEMBER_BYTE, 0, "btf_int_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 16, N_X, 1, 4)),
	BAD_IN("member-out-of-reach", RULE_MEMBER_REACH, 0, "btf_int_check_member",
	       WORDS(N_S, BI(STRUCT, 1), UINT32_MAX, N_X, 10, 0xfffffff8, 0, BI(INT, 0), 4,
		     8 | 8 << 16)),
	BAD_IN("bit-field-of-a-pointer", RULE_BITS_TYPE, 0, "btf_generic_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 8, N_X, 3, 3u << 24)),
	BAD_IN("bit-field-of-odd-bits", RULE_BITS_TYPE, 0, "btf_int_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 8, N_X, 10, 3u << 24, 0, BI(INT, 0), 4, 5)),
	BAD_IN("bit-field-wider-than-int", RULE_BITS_WIDE, 0, "btf_int_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 8, N_X, 1, 33u << 24)),
	BAD_IN("bit-field-of-an-enum-wide", RULE_BITS_WIDE, 0, "btf_enum_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 8, N_X, 10, 33u << 24, 0, BI(ENUM, 0), 4)),
	BAD_IN("bit-field-over-128-bits", RULE_BITS_SPAN, 0, "btf_int_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 32, N_X, 10, 128u << 24 | 1, 0, BI(INT, 0), 16, 128)),
	BAD_IN("float-not-aligned", RULE_FLOAT_ALIGNMENT, 0, "btf_float_check_member",
	       WORDS(N_S, BI(STRUCT, 1), 16, N_X, 7, 32)),
	BAD_IN("enum-packed", RULE_ENUM_PACKED, 0, "btf_enum_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 1, N_X, 10, 0, 0, BI(ENUM, 0), 1)),
	BAD_IN("enum64-in-four-bytes", RULE_ENUM_END, 0, "btf_enum_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 4, N_X, 10, 0, 0, BI(ENUM64, 0), 8)),
	BAD_IN("enum64-bit-field", RULE_ENUM_PACKED, 0, "btf_enum_check_kflag_member",
	       WORDS(N_S, BK(STRUCT, 1), 8, N_X, 10, 40u << 24, 0, BI(ENUM64, 0), 8)),
	BAD_IN("section-of-an-int", RULE_SECTION_NO_VAR, 0, "btf_datasec_resolve",
	       WORDS(N_DATA, BI(DATASEC, 1), 4, 1, 0, 4)),
	BAD_IN("section-variable-too-small", RULE_SECTION_VAR_SMALL, 0, "btf_datasec_resolve",
	       WORDS(N_DATA, BI(DATASEC, 1), 4, 6, 0, 3)),
	BAD_IN("section-variable-too-small-behind-it", RULE_SECTION_VAR_PASSED, 0,
	       "btf_datasec_resolve",
	       WORDS(N_DATA, BI(DATASEC, 1), 4, 10, 0, 3, N_X, BI(VAR, 0), 1, 0)),
	BAD("tag-about-an-int", RULE_TAG_TARGET, "btf_decl_tag_resolve",
	    WORDS(N_X, BI(DECL_TAG, 0), 1, UINT32_MAX)),
	BAD("tag-about-void", RULE_TAG_TARGET, "btf_decl_tag_resolve",
	    WORDS(N_X, BI(DECL_TAG, 0), 0, UINT32_MAX)),
	BAD("tag-component-of-a-variable", RULE_TAG_NO_COMPONENTS, "btf_decl_tag_resolve",
	    WORDS(N_X, BI(DECL_TAG, 0), 6, 0)),
	BAD("tag-component-missing", RULE_TAG_COMPONENT_MISSING, "btf_decl_tag_resolve",
	    WORDS(N_X, BI(DECL_TAG, 0), 8, 2)),
	BAD("tag-parameter-missing", RULE_TAG_COMPONENT_MISSING, "btf_decl_tag_resolve",
	    WORDS(N_X, BI(DECL_TAG, 0), 10, 0, N_F, BI(FUNC, 0), 5)),
	BAD("function-of-an-int", RULE_FUNC_PROTO, "btf_func_check", WORDS(N_F, BI(FUNC, 0), 1)),
	BAD("function-with-a-nameless-parameter", RULE_FUNC_PARAM_NAME, "btf_func_check",
	    WORDS(N_F, BI(FUNC, 0), 10, 0, BI(FUNC_PROTO, 1), 0, 0, 1)),
	BAD_IN("parameter-name-with-a-space", RULE_PARAM_NAME, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 1), 0, N_SPACE, 1)),
	BAD_IN("parameter-void", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 2), 0, 0, 0, N_X, 1)),
	BAD_IN("parameter-a-declaration", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 1), 0, N_X, 4)),
	BAD_IN("parameter-a-variable", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 1), 0, N_X, 6)),
	BAD("returns-a-function", RULE_RETURN_SIZE, "btf_func_proto_check",
	    WORDS(0, BI(FUNC_PROTO, 0), 5)),
	BAD_IN("dots-with-a-name", RULE_DOTS_NAME, 1, "btf_func_proto_check",
	       WORDS(0, BI(FUNC_PROTO, 2), 0, N_X, 1, N_Y, 0)),

	/* --- twice: the kernel does not mind --- */
	BAD("int-twice", RULE_TWICE, "duplicate", WORDS(N_INT, BI(INT, 0), 4, 0x01000020)),
	BAD("struct-twice", RULE_TWICE, "duplicate",
	    WORDS(N_S, BI(STRUCT, 2), 8, N_X, 1, 0, N_Y, 2, 32)),
	{ .name = "structs-twice-in-a-circle",
	  .rule = RULE_TWICE,
	  .function = "duplicate",
	  .id = 11,
	  .element = NOT_ONE,
	  WORDS(N_F, BI(STRUCT, 1), 8, N_X, 10, 0, 0, BI(PTR, 0), 9, N_F, BI(STRUCT, 1), 8, N_X, 12,
		0, 0, BI(PTR, 0), 11) },
	{ .name = "function-twice",
	  .rule = RULE_TWICE,
	  .function = "duplicate",
	  .id = 10,
	  .element = NOT_ONE,
	  WORDS(N_F, BI(FUNC, 0), 5, N_F, BI(FUNC, 0), 5) },
	{ .name = "functions-of-one-name",
	  .rule = RULE_TWICE_FUNC,
	  .function = "duplicate",
	  .id = 11,
	  .element = NOT_ONE,
	  WORDS(0, BI(FUNC_PROTO, 0), 1, N_F, BI(FUNC, 0), 5, N_F, BI(FUNC, 0), 9) },
	{ .name = "sections-of-one-name",
	  .rule = RULE_TWICE_SECTION,
	  .function = "duplicate",
	  .id = 10,
	  .element = NOT_ONE,
	  WORDS(N_DATA, BI(DATASEC, 0), 4, N_DATA, BI(DATASEC, 0), 8) },
	BAD_IN("variable-in-two-places", RULE_TWICE_VAR, 1, "duplicate",
	       WORDS(N_DATA, BI(DATASEC, 2), 8, 6, 0, 4, 6, 4, 4)),
	/* the int is there twice, but a pointer to an array of itself stops deduplication */
	BAD_HEADER("twice-beside-a-loop", RULE_TWICE_UNKNOWN, "duplicate",
		   WORDS(0, BI(PTR, 0), 10, 0, BI(ARRAY, 0), 0, 9, 1, 4, N_INT, BI(INT, 0), 4,
			 0x01000020)),
};

const size_t nr_btf_cases = sizeof(btf_cases) / sizeof(btf_cases[0]);

/* Words that need not be whole records. */
static void btf_case_append(struct btf_types *t, const uint32_t *words, size_t nr)
{
	vec_reserve(&t->words, nr);
	if (nr)
		memcpy(t->words.items + t->words.nr, words, nr * sizeof(*words));
	t->words.nr += nr;
}

/* Add to a number of 1 to 4 bytes. */
static void btf_case_damage(uint8_t *at, size_t size, uint32_t by)
{
	uint32_t v = 0;

	memcpy(&v, at, size);
	v += by;
	memcpy(at, &v, size);
}

struct bytes btf_case_make(const struct btf_case *c)
{
	struct btf_case_strings s = { btf_case_names, sizeof(btf_case_names) - 1 };
	struct btf_types t;

	if (c->strings.ptr)
		s = c->strings;
	btf_types_init(&t, NULL);
	if (!c->alone)
		btf_case_begin(&t);
	btf_case_append(&t, c->words, c->nr_words);
	if (c->add)
		c->add(&t, c->nr);

	size_t types = t.words.nr * sizeof(uint32_t), at = BTF_HDR_CLASSIC + types + c->gap;
	struct btf_wire_header h = {
		.magic = BTF_WIRE_MAGIC,
		.version = BTF_WIRE_VERSION,
		.hdr_len = BTF_HDR_CLASSIC,
		.type_len = (uint32_t)types,
		.str_off = (uint32_t)(types + c->gap),
		.str_len = (uint32_t)s.len,
	};
	size_t len = at + s.len + c->extra;
	uint8_t *image = mem_alloc(len);

	memset(image, 0xa5, len);
	memcpy(image, &h, BTF_HDR_CLASSIC);
	if (types)
		memcpy(image + BTF_HDR_CLASSIC, t.words.items, types);
	if (s.len)
		memcpy(image + at, s.ptr, s.len);
	btf_case_damage(image + c->header.at, c->header.size, c->header.by);
	btf_types_release(&t);
	return (struct bytes){ image, c->len ? c->len : len };
}
