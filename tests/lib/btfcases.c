/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/btfcases.h"

#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"

const char btf_case_names[] = "\0int\0char\0fwd\0v\0double\0s\0x\0y\0f\0a b\0"
			      "1x\0.data\0\abc\0\xc3\xa9\0.L\0";

#define GOOD(name_, ...) BAD_ANY(name_, NR_RULES, 0, 0, NULL, __VA_ARGS__)
/* Record @id_ breaks a rule, as a whole or in one element. */
#define BAD_ANY(name_, rule_, id_, element_, function_, ...)                            \
	{                                                                               \
		.name = (name_), .rule = (rule_), .function = (function_), .id = (id_), \
		.element = (element_), __VA_ARGS__                                      \
	}
/* The first own record does. */
#define BAD(name_, rule_, ...) BAD_ANY(name_, rule_, OWN, NOT_ONE, __VA_ARGS__)
#define BAD_IN(name_, rule_, element_, ...) BAD_ANY(name_, rule_, OWN, element_, __VA_ARGS__)
#define BAD_AT(name_, rule_, id_, ...) BAD_ANY(name_, rule_, id_, NOT_ONE, __VA_ARGS__)
#define BAD_HEADER(name_, rule_, ...) BAD_ANY(name_, rule_, 0, NOT_ONE, __VA_ARGS__)

/* Places of parameters, and sites. */
#define NEW(...) __VA_ARGS__, .version = LINUX(7, 4)
#define PLACE(name_, rule_, types_) BAD(name_, rule_, "btf_loc_param_check_meta", NEW(types_))
#define PLACES(name_, rule_, types_) BAD(name_, rule_, "btf_loc_proto_check_meta", NEW(types_))
#define SITES(name_, rule_, types_) BAD(name_, rule_, "btf_locsec_check_meta", NEW(types_))
/* In types 9 to 14: a function of one parameter, places for none, one, and two; and the site. */
#define SITE(name_, rule_, function_, site_)                                            \
	BAD_ANY(name_, rule_, 14, 0, function_,                                         \
		NEW("func_proto 0 {x 1}; func f 9; loc_proto {12}; loc_param 4 8 {5}; " \
		    "loc_proto {12, 0}; locsec inline.text {" site_ "}"))

#define LINUX(major, minor) ((uint32_t)(major) << 16 | (minor))
#define NAME_OF_16 "aaaaaaaaaaaaaaaa"
#define NAME_OF_128 \
	NAME_OF_16 NAME_OF_16 NAME_OF_16 NAME_OF_16 NAME_OF_16 NAME_OF_16 NAME_OF_16 NAME_OF_16

static const char btf_case_good[] =
	"int; int char 1 8; ptr 0; fwd fwd; func_proto 0; var v 1; float double 8;"
	"struct s 8 {x 1, y 2 32}";

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
	     "array 8 1 3; typedef x 9; volatile 10; restrict 3; type_tag f 1; ptr 13; "
	     "func_proto 1 {x 14, 0}; func f 15 global; datasec .data 4 {6 0 4}; "
	     "decl_tag 'a b' 16 0; enum! x 4 {y -1}; enum64 y 8 {s 0x100000000}; "
	     "union! s 4 {x 1 0:3, y 2}"),
	GOOD("all-kinds-7.4",
	     "func_proto 0 {x 1, y 1, 0}; func f 9; loc_param 4 8 {5}; loc_proto {11, 0, 0}; "
	     "loc_proto {0, 0, 0}; locsec inline.text {10 12 0, 10 13 0}; func v 5; loc_proto; "
	     "locsec inline.init.text {15 16 4294967295}; locsec inline.exit.text",
	     .version = LINUX(7, 4)),
	/* clang-format on */
	GOOD("names-of-ints", "int 'a b' 4 32; float '\abc' 4"),
	GOOD("dots-in-names", "struct .L 0"),
	GOOD("section-names", "datasec 'a b' 4 {6 0 4}"),
	GOOD("bit-fields", "struct! s 4 {x 1 0:5, y 1 5:27}"),
	GOOD("odd-int", "int '' 4 0x30005; struct s 4 {x 9 8}"),
	GOOD("int128", "int '' 16 128"),
	GOOD("empty-array-at-the-end", "array 1 1 0; struct s 4 {x 1, y 9 32}"),
	GOOD("pointer-to-itself-by-a-struct", "struct s 8 {x 10}; ptr 9"),
	GOOD("pointer-to-a-resolved-function", "func f 5; ptr 9"),
	GOOD("typedef-of-void", "typedef x 0; ptr 9"),
	GOOD("array-of-pointers", "array 3 2 7"),
	GOOD("enum-bit-field", "enum 1 {x 1}; struct! s 4 {x 9 0:20}"),
	GOOD("nesting-of-32", .add = btf_case_nest, .nr = 32),
	GOOD("chain-of-32", .add = btf_case_chain, .nr = 32),
	GOOD("ids-to-the-last", .add = btf_case_fill, .nr = 0xffffe),
	GOOD("elements-to-the-last", .add = btf_case_elements, .nr = 0xffff),
	GOOD("tags-before-modifiers", "const 1; type_tag x 9; type_tag y 10"),
	GOOD("tags-before-a-pointer", "const 1; type_tag x 9; type_tag y 10; ptr 11"),
	GOOD("declared-union", "fwd! s"),
	GOOD("type-tag-with-a-space", "type_tag 'a b' 1"),
	GOOD("two-variables", "var y 1; datasec .data 8 {6 0 4, 9 4 4}"),
	GOOD("nameless-parameter", "func_proto 0 {x 1, 1}"),
	GOOD("component-tag", "decl_tag x 8 0; decl_tag x 8 1"),
	GOOD("what-a-compiler-writes",
	     "struct s 16 {x 1, y 10 64}; ptr 11; const 9; array 9 1 4; typedef y 12; "
	     "func_proto 0 {x 10, 0}; func x 14 global; var y 13; datasec 'a b' 64 {16 0 64}; "
	     "decl_tag y 15 0; "
	     "type_tag y 11; enum! 4 {x -1}; enum64 f 8 {y 0x100000001}; float 'a b' 8; fwd! f"),

	/* --- nothing is wrong for a later or an earlier kernel --- */
	GOOD("layout", .long_header = true, .layout = LAYOUT_OF_60, .version = LINUX(7, 1)),
	GOOD("layout-behind-the-strings", .long_header = true, .layout = LAYOUT_OF_60,
	     .layout_at = BEHIND_STRINGS, .version = LINUX(7, 1)),
	GOOD("long-header", .long_header = true),
	GOOD("offset-of-no-layout", .long_header = true, .header = { 24, 4, 6 },
	     .version = LINUX(7, 1)),
	GOOD("elements-of-17-bits", .add = btf_case_elements, .nr = 0x1ffff,
	     .version = LINUX(7, 2)),
	GOOD("tags-with-kind-flag", "type_tag! x 1; decl_tag! x 6", .version = LINUX(6, 15)),
	GOOD("tag-behind-a-modifier-7.2", "type_tag x 1; const 9", .version = LINUX(7, 2)),
	GOOD("tag-behind-a-modifier-5.18", "type_tag x 1; const 9", .version = LINUX(5, 18)),
	BAD_HEADER("returns-a-variable-6.0", RULE_TWICE_UNKNOWN, "duplicate", "func_proto 6",
		   .version = LINUX(6, 0)),
	GOOD("name-of-128", "typedef " NAME_OF_128 " 1", .version = LINUX(6, 0)),
	GOOD("name-of-129", "typedef x" NAME_OF_128 " 1", .version = LINUX(6, 1)),
	GOOD("section-without-variables", "datasec .data 4", .version = LINUX(5, 13)),

	/* --- what an earlier kernel has not, or an earlier one had --- */
	BAD_AT("float-5.12", RULE_KIND_FLOAT, 7, "btf_check_meta", .version = LINUX(5, 12)),
	BAD("decl-tag-5.15", RULE_KIND_DECL_TAG, "btf_check_meta", "decl_tag x 6",
	    .version = LINUX(5, 15)),
	BAD("type-tag-5.16", RULE_KIND_TYPE_TAG, "btf_check_meta", "type_tag x 1",
	    .version = LINUX(5, 16)),
	BAD("enum64-5.19", RULE_KIND_ENUM64, "btf_check_meta", "enum64 x 8 {y 1}",
	    .version = LINUX(5, 19)),
	BAD("loc-param-7.3", RULE_KIND_LOC_PARAM, "btf_check_meta",
	    WORDS(0, BI(LOC_PARAM, 1), 4, BTF_LOC_REG, 5), .version = LINUX(7, 3)),
	BAD("loc-proto-7.3", RULE_KIND_LOC_PROTO, "btf_check_meta",
	    WORDS(0, BI(LOC_PROTO, 1), 0, 0), .version = LINUX(7, 3)),
	BAD("locsec-7.3", RULE_KIND_LOCSEC, "btf_check_meta", "locsec inline.text",
	    .version = LINUX(7, 3)),
	GOOD("places-7.4",
	     "loc_param 1 2 {1}; loc_param 4 3 {4294967295, 4294967295}; loc_param 8 6 {1, 0}; "
	     "loc_param 8 7 {1, 0}; loc_param 16 8 {0, 1}; loc_param 3 8 {0}; loc_param 16 24 {7}; "
	     "loc_param 8 40 {7, 8}; loc_param 8 41 {7, 4294967295, 4294967295}; "
	     "loc_param 8 56 {4294967295, 8}; loc_param 8 57 {7, 8, 0}",
	     .version = LINUX(7, 4)),
	/* the functions of sites may have namesakes */
	GOOD("site-beside-a-body-7.4",
	     "func f 5 global; func f 5; loc_proto; locsec inline.text {10 11 4}",
	     .version = LINUX(7, 4)),
	BAD("enum-with-kind-flag-5.19", RULE_KIND_FLAG_ENUM, "btf_enum_check_meta",
	    "enum! x 4 {y 1}", .version = LINUX(5, 19)),
	BAD("name-of-129-6.0", RULE_NAME_LONG, "btf_ref_type_check_meta",
	    "typedef x" NAME_OF_128 " 1", .version = LINUX(6, 0)),
	BAD_IN("parameter-name-of-129-6.0", RULE_NAME_LONG, 0, "btf_func_proto_check",
	       "func_proto 0 {x" NAME_OF_128 " 1}", .version = LINUX(6, 0)),
	BAD("section-name-with-a-space-6.8", RULE_NAME_SECTION_IDENTIFIER, "btf_datasec_check_meta",
	    "datasec 'a b' 4 {6 0 4}", .version = LINUX(6, 8)),
	BAD_AT("section-without-variables-5.11", RULE_SECTION_NO_VARS, 1, "btf_datasec_check_meta",
	       "datasec .data 4", .alone = true, .version = LINUX(5, 11)),
	BAD_AT("pointer-to-a-resolved-function-5.17", RULE_NO_TYPE_FUNC, 10, "btf_ptr_resolve",
	       "func f 5; ptr 9", .version = LINUX(5, 17)),
	BAD("chain-of-33-5.18", RULE_DEPTH, "btf_resolve", .add = btf_case_chain, .nr = 33,
	    .version = LINUX(5, 18)),
	BAD("typedef-of-itself-5.18", RULE_LOOP, "btf_resolve", "typedef x 9",
	    .version = LINUX(5, 18)),
	BAD("chain-of-33-7.2", RULE_CHAIN, "btf_check_modifier_chain_length", .add = btf_case_chain,
	    .nr = 33, .version = LINUX(7, 2)),
	BAD_HEADER("layout-7.0", RULE_HEADER_UNKNOWN, "btf_parse_hdr", .long_header = true,
		   .layout = LAYOUT_OF_60, .version = LINUX(7, 0), .more = true),
	BAD_HEADER("layout-of-half-an-entry", RULE_LAYOUT_SHORT, "btf_parse_layout_sec",
		   .long_header = true, .layout = 2, .version = LINUX(7, 1)),
	BAD_HEADER("layout-of-odd-length", RULE_LAYOUT_SIZE, "btf_parse_layout_sec",
		   .long_header = true, .layout = 6, .version = LINUX(7, 1)),
	BAD_HEADER("layout-not-aligned", RULE_LAYOUT_ALIGNMENT, "btf_parse_layout_sec",
		   .long_header = true, .layout = LAYOUT_OF_60, .layout_at = UNALIGNED,
		   .version = LINUX(7, 1)),
	BAD_HEADER("layout-outside", RULE_SECTION_OUTSIDE, "btf_check_sec_info",
		   .long_header = true, .layout = LAYOUT_OF_60, .header = { 28, 4, 0x10000 },
		   .version = LINUX(7, 1)),
	BAD_HEADER("layout-and-types-overlap", RULE_SECTION_OVERLAP, "btf_check_sec_info",
		   .long_header = true, .layout = LAYOUT_OF_60, .header = { 24, 4, -4u },
		   .version = LINUX(7, 1)),
	BAD_HEADER("gap-before-the-layout", RULE_SECTION_GAP, "btf_check_sec_info",
		   .long_header = true, .layout = LAYOUT_OF_60, .gap = 4, .version = LINUX(7, 1)),
	/* records of kind 60 are stepped over, and the references to them are no other breach */
	BAD("kinds-60-in-the-layout", RULE_KIND, "btf_check_meta",
	    WORDS(N_S, 60u << 24 | 2, 4, 77, 88, 99, 0, BI(PTR, 0), 9, N_S, 60u << 24, 4, 77, N_X,
		  BI(STRUCT, 1), 4, N_Y, 9, 0),
	    .long_header = true, .layout = LAYOUT_OF_60, .version = LINUX(7, 1)),

	GOOD("section-before-its-typedef-6.3",
	     "datasec .data 12 {10 0 8, 11 8 4}; var x 13; var y 12; typedef t 1; struct u 8 {x 1 0}",
	     .version = LINUX(6, 3)),
	GOOD("section-before-its-typedef-first-6.2",
	     "datasec .data 12 {11 0 4, 10 4 8}; var x 13; var y 12; typedef t 1; struct u 8 {x 1 0}",
	     .version = LINUX(6, 2)),
	GOOD("section-behind-its-typedef-6.2",
	     "typedef t 1; datasec .data 12 {11 0 8, 12 8 4}; var x 13; var y 9; struct u 8 {x 1 0}",
	     .version = LINUX(6, 2)),
	GOOD("section-before-its-structs-6.2",
	     "datasec .data 16 {10 0 8, 11 8 8}; var x 12; var y 13; struct t 8 {x 1 0}; struct u 8 {x 1 0}",
	     .version = LINUX(6, 2)),

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

	/* --- places of parameters, and sites --- */
	BAD("place-cut", RULE_RECORD_CUT, "btf_loc_param_check_meta",
	    NEW(WORDS(0, BI(LOC_PARAM, 2), 4, 8, 5))),
	BAD("places-cut", RULE_RECORD_CUT, "btf_loc_proto_check_meta",
	    NEW(WORDS(0, BI(LOC_PROTO, 1), 0))),
	BAD("sites-cut", RULE_RECORD_CUT, "btf_locsec_check_meta",
	    NEW(WORDS(N_S, BI(LOCSEC, 1), 0, 9, 9))),
	PLACE("place-with-a-name", RULE_NAME_UNWANTED, "loc_param x 4 8 {5}"),
	PLACE("place-with-kind-flag", RULE_KIND_FLAG, "loc_param! 4 8 {5}"),
	PLACE("place-of-0-bytes", RULE_PLACE_SIZE, "loc_param 0 8 {5}"),
	PLACE("place-of-17-bytes", RULE_PLACE_SIZE, "loc_param 17 8 {5}"),
	PLACE("constant-of-17-bytes", RULE_PLACE_SIZE, "loc_param 17 2 {5, 6}"),
	PLACE("place-without-words", RULE_PLACE_WORDS, "loc_param 4 8"),
	PLACE("place-without-flags", RULE_PLACE_FLAGS, "loc_param 4 0 {5}"),
	PLACE("place-of-signed-register", RULE_PLACE_FLAGS, "loc_param 4 9 {5}"),
	PLACE("place-of-signed-memory", RULE_PLACE_FLAGS, "loc_param 4 25 {5}"),
	PLACE("place-of-address-alone", RULE_PLACE_FLAGS, "loc_param 4 4 {5}"),
	PLACE("place-of-unknown-flag", RULE_PLACE_FLAGS, "loc_param 4 72 {5}"),
	PLACE("constant-of-3-words", RULE_PLACE_WORDS, "loc_param 8 2 {5, 6, 7}"),
	PLACE("constant-of-5-bytes-in-a-word", RULE_PLACE_WORDS, "loc_param 5 2 {5}"),
	PLACE("constant-of-9-bytes", RULE_PLACE_CONSTANT, "loc_param 9 2 {5, 6}"),
	PLACE("three-registers", RULE_PLACE_WORDS, "loc_param 16 8 {5, 6, 7}"),
	PLACE("memory-at-two-registers", RULE_PLACE_WORDS, "loc_param 4 24 {5, 6}"),
	PLACE("offset-without-a-word", RULE_PLACE_WORDS, "loc_param 4 41 {5}"),
	PLACE("offset-of-three-words", RULE_PLACE_WORDS, "loc_param 4 57 {5, 6, 7, 8}"),
	PLACES("places-with-a-name", RULE_NAME_UNWANTED, "loc_proto x"),
	PLACES("places-with-kind-flag", RULE_KIND_FLAG, "loc_proto!"),
	PLACES("places-with-a-type", RULE_PLACES_TYPE_WORD, "loc_proto 1"),
	BAD_IN("places-of-types", RULE_PLACES_NO_PLACE, 1, "btf_resolve", NEW("loc_proto {0, 1}")),
	BAD_IN("places-of-places", RULE_PLACES_NO_PLACE, 0, "btf_resolve",
	       NEW("loc_proto {10}; loc_proto")),
	BAD_IN("place-that-is-missing", RULE_TYPE_MISSING, 1, "btf_resolve",
	       NEW("loc_proto {0, 99}")),
	BAD_IN("place-as-a-member", RULE_MEMBER_SIZE, 0, "btf_struct_resolve",
	       NEW("struct x 4 {x 10}; loc_param 4 8 {5}")),
	SITES("sites-without-a-name", RULE_NAME_MISSING, "locsec"),
	BAD("sites-with-a-bell", RULE_NAME_SECTION, "btf_locsec_check_meta",
	    NEW("locsec 'inline\abc'")),
	SITES("sites-with-kind-flag", RULE_KIND_FLAG, "locsec! inline.text"),
	SITES("sites-with-a-type", RULE_PLACES_TYPE_WORD, "locsec inline.text 1"),
	BAD("sites-without-prefix", RULE_SITES_PREFIX, "inline sites", NEW("locsec .text")),
	SITE("site-without-a-function", RULE_SITE_VOID, "btf_locsec_check_meta", "0 11 0"),
	SITE("site-without-places", RULE_SITE_VOID, "btf_locsec_check_meta", "10 0 0"),
	SITE("site-of-a-struct", RULE_SITE_FUNC, "btf_resolve", "8 11 0"),
	SITE("site-of-a-prototype", RULE_SITE_FUNC, "btf_resolve", "9 11 0"),
	SITE("site-with-a-place", RULE_SITE_PLACES, "btf_resolve", "10 12 0"),
	SITE("site-with-more-places", RULE_SITE_NUMBER, "btf_resolve", "10 13 0"),
	SITE("site-of-a-missing-function", RULE_TYPE_MISSING, "btf_resolve", "99 11 0"),
	SITE("site-with-missing-places", RULE_TYPE_MISSING, "btf_resolve", "10 99 0"),

	/* --- records as such --- */
	BAD("record-cut", RULE_RECORD_CUT, "btf_check_meta", WORDS(0, BI(PTR, 0))),
	BAD("struct-cut", RULE_RECORD_CUT, "btf_struct_check_meta",
	    WORDS(N_S, BI(STRUCT, 2), 4, N_X, 1, 0)),
	BAD("int-cut", RULE_RECORD_CUT, "btf_int_check_meta", WORDS(N_S, BI(INT, 0), 4)),
	BAD("kind-0", RULE_KIND, "btf_check_meta", WORDS(N_S, BI(UNKN, 0), 4)),
	BAD("kind-23", RULE_KIND, "btf_check_meta", WORDS(N_S, BTF_NR_KINDS << 24, 4)),
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
	BAD("pointer-to-nowhere", RULE_TYPE_MISSING, "btf_ptr_resolve", "ptr 10"),
	BAD("array-of-nothing", RULE_TYPE_MISSING, "btf_array_resolve", "array 77 1 1"),
	BAD_IN("member-of-no-type", RULE_TYPE_MISSING, 0, "btf_struct_resolve",
	       "struct s 4 {x 500}"),
	BAD("function-without-a-type", RULE_TYPE_MISSING, "btf_func_check", "func f 10"),
	BAD_IN("parameter-of-no-type", RULE_TYPE_MISSING, 0, "btf_func_proto_check",
	       "func_proto 0 {x 10}"),
	BAD_IN("section-of-no-variable", RULE_TYPE_MISSING, 0, "btf_datasec_resolve",
	       "datasec .data 4 {10 0 4}"),

	/* --- what a record says of itself --- */
	BAD("pointer-with-elements", RULE_ELEMENTS, "btf_ref_type_check_meta", "ptr/1 1"),
	BAD("typedef-with-elements", RULE_ELEMENTS, "btf_ref_type_check_meta", "typedef/1 x 1"),
	BAD("int-with-elements", RULE_ELEMENTS, "btf_int_check_meta", "int/1 x 4 32"),
	BAD("typedef-with-kind-flag", RULE_KIND_FLAG, "btf_ref_type_check_meta", "typedef! x 1"),
	BAD("const-with-kind-flag", RULE_KIND_FLAG, "btf_ref_type_check_meta", "const! 1"),
	BAD("float-with-kind-flag", RULE_KIND_FLAG, "btf_float_check_meta", "float! x 4"),
	BAD("function-with-kind-flag", RULE_KIND_FLAG, "btf_func_check_meta", "func! f 5"),
	BAD("type-tag-with-kind-flag", RULE_KIND_FLAG_TAG, "btf_ref_type_check_meta",
	    "type_tag! x 1"),
	BAD("decl-tag-with-kind-flag", RULE_KIND_FLAG_TAG, "btf_decl_tag_check_meta",
	    "decl_tag! x 6"),
	BAD("pointer-with-a-name", RULE_NAME_UNWANTED, "btf_ref_type_check_meta", "ptr x 1"),
	BAD("array-with-a-name", RULE_NAME_UNWANTED, "btf_array_check_meta", "array x 1 1 1"),
	BAD("prototype-with-a-name", RULE_NAME_UNWANTED, "btf_func_proto_check_meta",
	    "func_proto x 0"),
	BAD("typedef-without-a-name", RULE_NAME_MISSING, "btf_ref_type_check_meta", "typedef 1"),
	BAD("declaration-without-a-name", RULE_NAME_MISSING, "btf_fwd_check_meta", "fwd"),
	BAD("variable-without-a-name", RULE_NAME_MISSING, "btf_var_check_meta", "var 1 static"),
	BAD("section-without-a-name", RULE_NAME_MISSING, "btf_datasec_check_meta", "datasec 4"),
	BAD("struct-name-with-a-space", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    "struct 'a b' 4"),
	BAD("declaration-name-with-a-space", RULE_NAME_IDENTIFIER, "btf_fwd_check_meta",
	    "fwd 'a b'"),
	BAD("struct-name-with-a-digit-first", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    "struct '1x' 0"),
	BAD("struct-name-empty", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    WORDS(N_NOTHING, BI(STRUCT, 0), 4)),
	BAD("union-name-with-a-digit-first", RULE_NAME_IDENTIFIER, "btf_struct_check_meta",
	    "union '1x' 4"),
	BAD("function-name-in-utf8", RULE_NAME_IDENTIFIER, "btf_func_check_meta",
	    "func '\xc3\xa9' 5"),
	BAD("section-name-not-printable", RULE_NAME_SECTION, "btf_datasec_check_meta",
	    "datasec '\abc' 4"),
	BAD("tag-empty", RULE_NAME_VALUE, "btf_ref_type_check_meta", "type_tag 1"),
	BAD("decl-tag-empty", RULE_NAME_VALUE, "btf_decl_tag_check_meta",
	    WORDS(N_NOTHING, BI(DECL_TAG, 0), 6, UINT32_MAX)),
	BAD("int-with-unused-bits", RULE_INT_UNUSED, "btf_int_check_meta", "int x 4 0x10000020"),
	BAD("int-over-128-bits", RULE_INT_BITS, "btf_int_check_meta", "int x 32 0x10080"),
	BAD("int-larger-than-its-size", RULE_INT_SIZE, "btf_int_check_meta", "int x 2 32"),
	BAD("int-of-9-bits-in-a-byte", RULE_INT_SIZE, "btf_int_check_meta", "int x 1 9"),
	BAD("int-signed-and-bool", RULE_INT_ENCODING, "btf_int_check_meta", "int x 4 0x5000020"),
	BAD("int-signed-and-char", RULE_INT_ENCODING, "btf_int_check_meta", "int x 1 0x3000008"),
	BAD("int-of-unknown-encoding", RULE_INT_ENCODING, "btf_int_check_meta",
	    "int x 4 0x8000020"),
	BAD("array-with-a-size", RULE_ARRAY_SIZE_WORD, "btf_array_check_meta",
	    WORDS(0, BI(ARRAY, 0), 4, 1, 1, 1)),
	BAD("array-of-void", RULE_ARRAY_VOID, "btf_array_check_meta", "array 0 1 1"),
	BAD("array-by-void", RULE_ARRAY_INDEX_VOID, "btf_array_check_meta", "array 1 0 1"),
	BAD_IN("member-name-with-a-space", RULE_MEMBER_NAME, 0, "btf_struct_check_meta",
	       "struct s 4 {'a b' 1}"),
	BAD_IN("member-name-with-a-digit-first", RULE_MEMBER_NAME, 1, "btf_struct_check_meta",
	       "struct s 8 {x 1, '1x' 1 32}"),
	BAD_IN("member-void", RULE_MEMBER_VOID, 0, "btf_struct_check_meta", "struct s 4 {x 0}"),
	BAD_IN("union-with-an-offset", RULE_UNION_OFFSET, 1, "btf_struct_check_meta",
	       "union s 8 {x 1, y 1 32}"),
	BAD_IN("union-with-an-offset-first", RULE_UNION_OFFSET, 0, "btf_struct_check_meta",
	       "union s 16 {x 1 32}"),
	BAD_IN("members-out-of-order", RULE_MEMBER_ORDER, 1, "btf_struct_check_meta",
	       "struct s 8 {x 1 32, y 1}"),
	BAD_IN("member-behind-its-struct", RULE_MEMBER_START, 0, "btf_struct_check_meta",
	       "struct s 4 {x 1 40}"),
	BAD("enum-of-3-bytes", RULE_ENUM_SIZE, "btf_enum_check_meta", "enum 3"),
	BAD("enum-of-0-bytes", RULE_ENUM_SIZE, "btf_enum_check_meta", "enum 0"),
	BAD("enum64-of-16-bytes", RULE_ENUM_SIZE, "btf_enum64_check_meta", "enum64 16"),
	BAD_IN("enumerator-without-a-name", RULE_ENUMERATOR_NAME, 0, "btf_enum_check_meta",
	       "enum 4 {1}"),
	BAD_IN("second-enumerator-without-a-name", RULE_ENUMERATOR_NAME, 1, "btf_enum_check_meta",
	       "enum 4 {x 1, 2}"),
	BAD_IN("second-enumerator-of-64-bits-1x", RULE_ENUMERATOR_NAME, 1, "btf_enum64_check_meta",
	       "enum64 8 {x 0x100000001, '1x' 0x200000002}"),
	BAD_IN("enumerator-of-64-bits-1x", RULE_ENUMERATOR_NAME, 0, "btf_enum64_check_meta",
	       "enum64 8 {'1x' 1}"),
	BAD("float-of-10-bytes", RULE_FLOAT_SIZE, "btf_float_check_meta", "float x 10"),
	BAD("declaration-with-a-type", RULE_FWD_TYPE_WORD, "btf_fwd_check_meta", "fwd x 1"),
	BAD("function-extern", RULE_FUNC_LINKAGE, "btf_func_check_meta", "func f 5 extern"),
	BAD("variable-void", RULE_VAR_VOID, "btf_var_check_meta", "var x 0 static"),
	BAD("variable-extern", RULE_VAR_LINKAGE, "btf_var_check_meta", "var x 1 extern"),
	BAD("section-empty", RULE_SECTION_EMPTY, "btf_datasec_check_meta", "datasec .data 0"),
	BAD_IN("section-of-void", RULE_SECTION_VAR_VOID, 0, "btf_datasec_check_meta",
	       "datasec .data 4 {0 0 4}"),
	BAD_IN("section-overlap", RULE_SECTION_VAR_OVERLAP, 1, "btf_datasec_check_meta",
	       "datasec .data 8 {6 0 4, 10 3 4}; var x 1 static"),
	BAD_IN("section-variables-too-long-together", RULE_SECTION_VAR_END, 1,
	       "btf_datasec_check_meta", "datasec .data 8 {6 0 4, 10 5 4}; var x 1"),
	BAD_IN("section-out-of-order", RULE_SECTION_VAR_OVERLAP, 1, "btf_datasec_check_meta",
	       "datasec .data 8 {6 4 4, 10 0 4}; var x 1 static"),
	BAD_IN("section-variable-of-no-size", RULE_SECTION_VAR_SIZE, 0, "btf_datasec_check_meta",
	       "datasec .data 8 {6 0 0}"),
	BAD_IN("section-variable-behind-it", RULE_SECTION_VAR_END, 0, "btf_datasec_check_meta",
	       "datasec .data 8 {6 6 4}"),
	BAD_IN("section-variable-behind-4-gib", RULE_SECTION_VAR_WRAP, 0, "btf_datasec_check_meta",
	       "datasec .data -1 {6 0xfffffffc 8}"),
	BAD_IN("section-variable-wraps", RULE_SECTION_VAR_END, 0, "btf_datasec_check_meta",
	       "datasec .data 8 {6 0xfffffffc 8}"),
	BAD("tag-component-negative", RULE_TAG_COMPONENT, "btf_decl_tag_check_meta",
	    "decl_tag x 8 -2"),
	BAD_AT("tag-behind-a-modifier", RULE_TAG_ORDER, 10, "btf_check_type_tags",
	       "type_tag x 1; const 9"),
	BAD("chain-of-33", RULE_CHAIN, "btf_check_type_tags", .add = btf_case_chain, .nr = 33),
	BAD("typedef-of-itself", RULE_CHAIN, "btf_check_type_tags", "typedef x 9"),

	/* --- where references lead --- */
	BAD("pointer-to-a-variable", RULE_NO_TYPE, "btf_ptr_resolve", "ptr 6"),
	BAD("const-of-a-section", RULE_NO_TYPE, "btf_modifier_resolve",
	    "const 10; datasec .data 4 {6 0 4}"),
	BAD("pointer-to-a-function", RULE_NO_TYPE, "btf_ptr_resolve", "ptr 10; func f 5"),
	BAD("variable-of-a-declaration", RULE_VAR_SIZE, "btf_var_resolve", "var x 4 static"),
	BAD("variable-of-const-void", RULE_VAR_SIZE, "btf_var_resolve", "var x 10 static; const 0"),
	BAD("struct-in-itself", RULE_LOOP, "btf_resolve", "struct s 4 {x 9}"),
	BAD("struct-in-itself-by-an-array", RULE_LOOP, "btf_resolve",
	    "struct s 4 {x 10}; array 9 1 1"),
	BAD("struct-in-itself-by-an-array-of-const", RULE_LOOP, "btf_resolve",
	    "struct s 8 {x 10}; array 11 1 1; const 9"),
	BAD("pointer-to-itself", RULE_LOOP, "btf_resolve", "ptr 10; const 9"),
	BAD("nesting-of-33", RULE_DEPTH, "btf_resolve", .add = btf_case_nest, .nr = 33),
	BAD("nesting-of-1000", RULE_DEPTH, "btf_resolve", .add = btf_case_nest, .nr = 1000,
	    .more = true),
	BAD("array-by-a-pointer", RULE_ARRAY_INDEX, "btf_array_resolve", "array 1 3 1"),
	BAD("array-by-odd-bits", RULE_ARRAY_INDEX, "btf_array_resolve", "array 1 10 1; int x 4 24"),
	BAD("array-of-declarations", RULE_ARRAY_ELEMENT, "btf_array_resolve", "array 4 1 1"),
	BAD("array-of-functions", RULE_ARRAY_ELEMENT, "btf_array_resolve", "array 5 1 1"),
	BAD("array-of-odd-bits", RULE_ARRAY_BITS, "btf_array_resolve", "array 10 1 1; int x 4 31"),
	BAD("array-of-4-gib", RULE_ARRAY_HUGE, "btf_array_resolve", "array 1 1 0x40000000"),
	BAD_IN("member-a-declaration", RULE_MEMBER_SIZE, 0, "btf_struct_resolve",
	       "struct s 4 {x 4}"),
	BAD_IN("member-const-void", RULE_MEMBER_SIZE, 0, "btf_struct_resolve",
	       "struct s 4 {x 10}; const 0"),
	BAD_IN("member-int-ends-behind", RULE_MEMBER_END, 0, "btf_int_check_member",
	       "struct s 4 {x 1 8}"),
	BAD_IN("member-pointer-ends-behind", RULE_MEMBER_END, 0, "btf_ptr_check_member",
	       "struct s 4 {x 3}"),
	BAD_IN("member-array-ends-behind", RULE_MEMBER_END, 0, "btf_array_check_member",
	       "struct s 4 {x 10}; array 1 1 2"),
	BAD_IN("member-struct-ends-behind", RULE_MEMBER_END, 1, "btf_struct_check_member",
	       "struct s 8 {x 1, y 8 32}"),
	BAD_IN("member-float-ends-behind", RULE_MEMBER_END, 0, "btf_float_check_member",
	       "struct s 4 {x 7}"),
	BAD_IN("member-by-a-typedef-ends-behind", RULE_MEMBER_END, 0, "btf_int_check_member",
	       "struct s 2 {x 10}; typedef x 1"),
	BAD_IN("bit-field-ends-behind", RULE_MEMBER_END, 1, "btf_int_check_kflag_member",
	       "struct! s 4 {x 1 0:20, y 1 20:20}"),
	BAD_IN("enum-bit-field-ends-behind", RULE_MEMBER_END, 0, "btf_enum_check_kflag_member",
	       "struct! s 4 {x 10 20:20}; enum 4"),
	BAD_IN("member-not-at-a-byte", RULE_MEMBER_BYTE, 0, "btf_ptr_check_member",
	       "struct s 16 {x 3 4}"),
	BAD_IN("member-int-not-at-a-byte", RULE_MEMBER_BYTE, 0, "btf_int_check_kflag_member",
	       "struct! s 16 {x 1 4}"),
	BAD_IN("member-out-of-reach", RULE_MEMBER_REACH, 0, "btf_int_check_member",
	       "struct s -1 {x 10 0xfffffff8}; int '' 4 0x80008"),
	BAD_IN("bit-field-of-a-pointer", RULE_BITS_TYPE, 0, "btf_generic_check_kflag_member",
	       "struct! s 8 {x 3 0:3}"),
	BAD_IN("bit-field-of-odd-bits", RULE_BITS_TYPE, 0, "btf_int_check_kflag_member",
	       "struct! s 8 {x 10 0:3}; int '' 4 5"),
	BAD_IN("bit-field-wider-than-int", RULE_BITS_WIDE, 0, "btf_int_check_kflag_member",
	       "struct! s 8 {x 1 0:33}"),
	BAD_IN("bit-field-of-an-enum-wide", RULE_BITS_WIDE, 0, "btf_enum_check_kflag_member",
	       "struct! s 8 {x 10 0:33}; enum 4"),
	BAD_IN("bit-field-over-128-bits", RULE_BITS_SPAN, 0, "btf_int_check_kflag_member",
	       "struct! s 32 {x 10 1:128}; int '' 16 128"),
	BAD_IN("float-not-aligned", RULE_FLOAT_ALIGNMENT, 0, "btf_float_check_member",
	       "struct s 16 {x 7 32}"),
	BAD_IN("enum-packed", RULE_ENUM_PACKED, 0, "btf_enum_check_kflag_member",
	       "struct! s 1 {x 10}; enum 1"),
	BAD_IN("enum64-in-four-bytes", RULE_ENUM_END, 0, "btf_enum_check_kflag_member",
	       "struct! s 4 {x 10}; enum64 8"),
	BAD_IN("enum64-bit-field", RULE_ENUM_PACKED, 0, "btf_enum_check_kflag_member",
	       "struct! s 8 {x 10 0:40}; enum64 8"),
	BAD_IN("section-of-an-int", RULE_SECTION_NO_VAR, 0, "btf_datasec_resolve",
	       "datasec .data 4 {1 0 4}"),
	BAD_IN("section-variable-too-small", RULE_SECTION_VAR_SMALL, 0, "btf_datasec_resolve",
	       "datasec .data 4 {6 0 3}"),
	BAD_IN("section-variable-too-small-behind-it", RULE_SECTION_VAR_PASSED, 0,
	       "btf_datasec_resolve", "datasec .data 4 {10 0 3}; var x 1 static"),
	BAD_IN("section-before-its-typedef-6.2", RULE_SECTION_VAR_ORDER, 1, "btf_datasec_resolve",
	       "datasec .data 12 {10 0 8, 11 8 4}; var x 13; var y 12; typedef t 1; struct u 8 {x 1 0}",
	       .version = LINUX(6, 2)),
	BAD_IN("section-before-its-typedef-behind-a-pointer", RULE_SECTION_VAR_ORDER, 1,
	       "btf_datasec_resolve",
	       "datasec .data 12 {10 0 8, 11 8 4}; var x 13; var y 12; typedef t 1; ptr 1",
	       .version = LINUX(5, 13)),
	BAD_IN("section-before-its-struct-and-too-small-6.2", RULE_SECTION_VAR_SMALL, 1,
	       "btf_datasec_resolve",
	       "datasec .data 12 {10 0 8, 11 8 4}; var x 12; var y 12; struct t 8 {x 1 0}",
	       .version = LINUX(6, 2)),
	BAD("tag-about-an-int", RULE_TAG_TARGET, "btf_decl_tag_resolve", "decl_tag x 1"),
	BAD("tag-about-void", RULE_TAG_TARGET, "btf_decl_tag_resolve", "decl_tag x 0"),
	BAD("tag-component-of-a-variable", RULE_TAG_NO_COMPONENTS, "btf_decl_tag_resolve",
	    "decl_tag x 6 0"),
	BAD("tag-component-missing", RULE_TAG_COMPONENT_MISSING, "btf_decl_tag_resolve",
	    "decl_tag x 8 2"),
	BAD("tag-parameter-missing", RULE_TAG_COMPONENT_MISSING, "btf_decl_tag_resolve",
	    "decl_tag x 10 0; func f 5"),
	BAD("function-of-an-int", RULE_FUNC_PROTO, "btf_func_check", "func f 1"),
	BAD("function-with-a-nameless-parameter", RULE_FUNC_PARAM_NAME, "btf_func_check",
	    "func f 10; func_proto 0 {1}"),
	BAD_IN("parameter-name-with-a-space", RULE_PARAM_NAME, 0, "btf_func_proto_check",
	       "func_proto 0 {'a b' 1}"),
	BAD_IN("parameter-void", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       "func_proto 0 {0, x 1}"),
	BAD_IN("parameter-a-declaration", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       "func_proto 0 {x 4}"),
	BAD_IN("parameter-a-variable", RULE_PARAM_SIZE, 0, "btf_func_proto_check",
	       "func_proto 0 {x 6}"),
	BAD("returns-a-variable", RULE_RETURN_VAR, "btf_func_proto_check", "func_proto 6"),
	BAD("returns-a-function", RULE_RETURN_SIZE, "btf_func_proto_check", "func_proto 5"),
	BAD_AT("returns-a-declaration", RULE_RETURN_SIZE, 10, "btf_func_proto_check",
	       "fwd s; func_proto 9"),
	BAD_IN("dots-with-a-name", RULE_DOTS_NAME, 1, "btf_func_proto_check",
	       "func_proto 0 {x 1, y 0}"),
	BAD_IN("dots-with-a-name-alone", RULE_DOTS_NAME, 0, "btf_func_proto_check",
	       "func_proto 0 {x 0}"),

	/* --- twice: the kernel does not mind --- */
	BAD("int-twice", RULE_TWICE, "duplicate", "int"),
	BAD("struct-twice", RULE_TWICE, "duplicate", "struct s 8 {x 1, y 2 32}"),
	BAD_AT("structs-twice-in-a-cycle", RULE_TWICE, 11, "duplicate",
	       "struct f 8 {x 10}; ptr 9; struct f 8 {x 12}; ptr 11"),
	BAD_AT("function-twice", RULE_TWICE, 10, "duplicate", "func f 5; func f 5"),
	BAD_AT("functions-of-one-name", RULE_TWICE_FUNC, 11, "duplicate",
	       "func_proto 1; func f 5; func f 9"),
	BAD_AT("sections-of-one-name", RULE_TWICE_SECTION, 10, "duplicate",
	       "datasec .data 4; datasec .data 8"),
	BAD_AT("sites-of-one-section", RULE_TWICE_SECTION, 10, "duplicate",
	       NEW("locsec inline.text; locsec inline.text")),
	BAD_AT("place-twice", RULE_TWICE, 10, "duplicate",
	       NEW("loc_param 4 8 {5}; loc_param 4 8 {5}")),
	BAD_AT("places-twice", RULE_TWICE, 10, "duplicate", NEW("loc_proto {0}; loc_proto {0}")),
	BAD_IN("variable-in-two-sections", RULE_TWICE_VAR, 1, "duplicate",
	       "datasec .data 8 {6 0 4, 6 4 4}"),
	/* the int is there twice, but a pointer to an array of itself stops deduplication */
	BAD_HEADER("twice-beside-a-cycle", RULE_TWICE_UNKNOWN, "duplicate",
		   "ptr 10; array 9 1 4; int"),
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
	VIEW(v);
	struct btf_types *t = &v.view.types;

	test_view_init(&v);
	for (size_t at = 1; at < sizeof(btf_case_names) - 1; at += strlen(btf_case_names + at) + 1)
		test_name_again(&v, btf_case_names + at);
	if (!c->alone)
		test_view_add(&v, btf_case_good);
	if (c->types)
		test_view_add(&v, c->types);
	btf_case_append(t, c->words, c->nr_words);
	if (c->add)
		c->add(t, c->nr);

	struct btf_case_strings s = { v.names.items, v.names.nr };
	if (c->strings.ptr)
		s = c->strings;

	bool between = c->layout_at == BEHIND_TYPES;
	size_t types = t->words.nr * sizeof(uint32_t), str_off = types + c->gap;
	size_t zeros = between ? 0 : -s.len % 4 + (c->layout_at == UNALIGNED);
	struct btf_wire_header h = {
		.magic = BTF_WIRE_MAGIC,
		.version = BTF_WIRE_VERSION,
		.hdr_len = c->long_header ? BTF_HDR_LAYOUT : BTF_HDR_CLASSIC,
		.type_len = (uint32_t)types,
		.str_off = (uint32_t)(str_off + (between ? c->layout : 0)),
		.str_len = (uint32_t)(s.len + zeros),
		.layout_off = c->layout ? (uint32_t)(str_off + (between ? 0 : s.len + zeros)) : 0,
		.layout_len = c->layout,
	};
	size_t len = h.hdr_len + str_off + s.len + zeros + c->layout + c->extra;
	uint8_t *image = mem_alloc(len), *start = image + h.hdr_len;

	memset(image, 0xa5, len);
	memcpy(image, &h, h.hdr_len);
	if (types)
		memcpy(start, t->words.items, types);
	if (s.len)
		memcpy(start + h.str_off, s.ptr, s.len);
	memset(start + h.str_off + s.len, 0, zeros);
	memset(start + h.layout_off, 0, c->layout);
	if (c->layout == LAYOUT_OF_60)
		memcpy(start + h.layout_off + LAYOUT_OF_60 - BTF_LAYOUT_ENTRY, (uint8_t[]){ 4, 4 },
		       2);
	btf_case_damage(image + c->header.at, c->header.size, c->header.by);
	return (struct bytes){ image, c->len ? c->len : len };
}
