/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_kind.c - the table of kinds
 *
 * The third word of a FWD is no type. libbpf treats it as one, which has no effect while it is
 * zero. GCC 12 writes garbage there, which must not be used as an id.
 */
#include "btf/btf_kind.h"

#include "base/compiler.h"

#include <assert.h>
#include <string.h>

/* BTF_REC_SIZE_TYPE: a size, or not used; or a type id. */
enum { SIZE, TYPE };

/*
 * @main: SIZE or TYPE. @fixed_nr words follow the common ones, the first @fixed_type_nr of which are type ids.
 * Then elements of @elem_nr words: @name_at, @type_at and @elem_type_nr as elem_name, elem_type and
 * elem_types, which is at most 2. A kind with fixed types has none in its elements.
 */
/* clang-format off */
#define LAYOUT(main, fixed_nr, fixed_type_nr, elem_nr, name_at, type_at, elem_type_nr) \
	.words = BTF_REC_WORDS + (fixed_nr), .fixed = (fixed_nr), .elem = (elem_nr), \
	.first_type = (main) ? BTF_REC_SIZE_TYPE : \
		(fixed_type_nr) ? BTF_REC_WORDS : \
		(elem_type_nr) ? BTF_REC_WORDS + (fixed_nr) + (type_at) : 0, \
	.main_is_type = (main), .fixed_types = (fixed_type_nr), \
	.elem_name = (name_at), .elem_type = (type_at), .elem_types = (elem_type_nr), \
	.step = (fixed_type_nr) ? 1 : \
		(main) ? 1 + (fixed_nr) + (type_at) : \
		(elem_type_nr) == 2 ? 1 : (elem_nr), \
	.then = (uint8_t)((elem_type_nr) < 2 ? (elem_nr) : (main) ? 1 : (elem_nr) - 1), \
	.turn = (uint8_t)((elem_type_nr) < 2 ? 0 : 1 ^ ((elem_nr) - 1))
/* clang-format on */
#define FIXED(nr) LAYOUT(SIZE, nr, 0, 0, -1, -1, 0)
#define REFERS(nr) LAYOUT(TYPE, nr, 0, 0, -1, -1, 0)

/* Sets of kinds. */
#define BIT(kind) (1U << (kind))
#define SIZED                                                                              \
	(BIT(BTF_INT) | BIT(BTF_PTR) | BIT(BTF_ARRAY) | BIT(BTF_STRUCT) | BIT(BTF_UNION) | \
	 BIT(BTF_ENUM) | BIT(BTF_TYPEDEF) | BIT(BTF_VOLATILE) | BIT(BTF_CONST) |           \
	 BIT(BTF_RESTRICT) | BIT(BTF_FLOAT) | BIT(BTF_TYPE_TAG) | BIT(BTF_ENUM64))
#define VOID BIT(BTF_UNKN)
#define ANY_TYPE (VOID | SIZED | BIT(BTF_FWD) | BIT(BTF_FUNC_PROTO))

/* clang-format off */
#define MEMBERS LAYOUT(SIZE, 0, 0, 3, 0, 1, 1), .element = "member"
#define ENUMERATORS(nr) LAYOUT(SIZE, 0, 0, nr, 0, -1, 0), .element = "enumerator"
#define QUALIFIER(word) REFERS(0), .ctype = BTF_C_QUALIFIER, .dedup = BTF_DEDUP_REFS, \
	.targets = ANY_TYPE, .has_size = true, .keyword = (word)

_Static_assert(sizeof(void *) != 8 || sizeof(struct btf_kind_layout) == 64, "a shift finds a row");

const struct btf_kind_layout btf_kind_layouts[128] = {
	[BTF_UNKN] = { "UNKNOWN", FIXED(0), .ctype = BTF_C_VOID, .keyword = "" },
	[BTF_INT] = { "INT", FIXED(1), .ctype = BTF_C_INT, .space = BTF_SPACE_BASE,
		.dedup = BTF_DEDUP_WORDS, .has_size = true, .keyword = "" },
	[BTF_PTR] = { "PTR", REFERS(0), .ctype = BTF_C_POINTER, .dedup = BTF_DEDUP_REFS,
		.name_rule = BTF_NAME_NONE, .has_size = true, .targets = ANY_TYPE, .keyword = "" },
	[BTF_ARRAY] = { "ARRAY", LAYOUT(SIZE, 3, 2, 0, -1, -1, 0), .ctype = BTF_C_ARRAY,
		.dedup = BTF_DEDUP_REFS, .name_rule = BTF_NAME_NONE, .has_size = true,
		.targets = SIZED, .keyword = "" },
	[BTF_STRUCT] = { "STRUCT", MEMBERS, .ctype = BTF_C_STRUCT, .space = BTF_SPACE_STRUCT,
		.dedup = BTF_DEDUP_GRAPH, .name_rule = BTF_NAME_OPTIONAL, .kflag = true,
		.has_size = true, .targets = SIZED, .keyword = "struct " },
	[BTF_UNION] = { "UNION", MEMBERS, .ctype = BTF_C_STRUCT, .space = BTF_SPACE_UNION,
		.dedup = BTF_DEDUP_GRAPH, .name_rule = BTF_NAME_OPTIONAL, .kflag = true,
		.has_size = true, .targets = SIZED, .keyword = "union " },
	[BTF_ENUM] = { "ENUM", ENUMERATORS(2), .ctype = BTF_C_ENUM, .space = BTF_SPACE_ENUM,
		.dedup = BTF_DEDUP_ENUM, .name_rule = BTF_NAME_OPTIONAL, .has_size = true,
		.keyword = "enum " },
	[BTF_FWD] = { "FWD", FIXED(0), .ctype = BTF_C_FORWARD, .space = BTF_SPACE_STRUCT,
		.dedup = BTF_DEDUP_WORDS, .name_rule = BTF_NAME_IDENTIFIER, .kflag = true,
		.keyword = "struct " },
	[BTF_TYPEDEF] = { "TYPEDEF", REFERS(0), .ctype = BTF_C_TYPEDEF,
		.space = BTF_SPACE_TYPEDEF, .dedup = BTF_DEDUP_GRAPH,
		.name_rule = BTF_NAME_IDENTIFIER, .has_size = true, .targets = ANY_TYPE,
		.keyword = "" },
	[BTF_VOLATILE] = { "VOLATILE", QUALIFIER("volatile "), .name_rule = BTF_NAME_NONE },
	[BTF_CONST] = { "CONST", QUALIFIER("const "), .name_rule = BTF_NAME_NONE },
	[BTF_RESTRICT] = { "RESTRICT", QUALIFIER("restrict "), .name_rule = BTF_NAME_NONE },
	[BTF_FUNC] = { "FUNC", REFERS(0), .space = BTF_SPACE_FUNC, .dedup = BTF_DEDUP_REFS,
		.name_rule = BTF_NAME_IDENTIFIER, .vlen_is_linkage = true,
		.targets = BIT(BTF_FUNC_PROTO), .keyword = "func " },
	[BTF_FUNC_PROTO] = { "FUNC_PROTO", LAYOUT(TYPE, 0, 0, 2, 0, 1, 1),
		.element = "parameter", .ctype = BTF_C_FUNCTION, .dedup = BTF_DEDUP_REFS,
		.name_rule = BTF_NAME_NONE, .targets = SIZED | VOID, .keyword = "" },
	[BTF_VAR] = { "VAR", REFERS(1), .space = BTF_SPACE_VAR,
		.name_rule = BTF_NAME_IDENTIFIER, .has_size = true, .is_no_type = true,
		.targets = SIZED | VOID | BIT(BTF_FWD), .keyword = "var " },
	[BTF_DATASEC] = { "DATASEC", LAYOUT(SIZE, 0, 0, 3, -1, 0, 1), .element = "variable",
		.elem_fields = (const char *const[]){ NULL, "offset ", "size " }, .elem_unit = " bytes",
		.space = BTF_SPACE_SECTION, .name_rule = BTF_NAME_SECTION, .has_size = true,
		.is_no_type = true, .targets = BIT(BTF_VAR) | BIT(BTF_FUNC), .keyword = "section " },
	[BTF_FLOAT] = { "FLOAT", FIXED(0), .ctype = BTF_C_FLOAT, .space = BTF_SPACE_BASE,
		.dedup = BTF_DEDUP_WORDS, .has_size = true, .keyword = "" },
	[BTF_DECL_TAG] = { "DECL_TAG", REFERS(1), .dedup = BTF_DEDUP_REFS,
		.name_rule = BTF_NAME_VALUE, .is_no_type = true,
		.targets = BIT(BTF_STRUCT) | BIT(BTF_UNION) | BIT(BTF_TYPEDEF) | BIT(BTF_FUNC) |
			BIT(BTF_VAR), .keyword = "decl_tag " },
	[BTF_TYPE_TAG] = { "TYPE_TAG", QUALIFIER(""), .name_rule = BTF_NAME_VALUE },
	[BTF_ENUM64] = { "ENUM64", ENUMERATORS(3), .ctype = BTF_C_ENUM, .space = BTF_SPACE_ENUM,
		.dedup = BTF_DEDUP_ENUM, .name_rule = BTF_NAME_OPTIONAL, .kflag = true,
		.has_size = true, .keyword = "enum " },
	[BTF_LOC_PARAM] = { "LOC_PARAM", LAYOUT(SIZE, 1, 0, 1, -1, -1, 0), .element = "word",
		.elem_fields = (const char *const[]){ "" }, .elem_unit = "",
		.dedup = BTF_DEDUP_WORDS, .name_rule = BTF_NAME_NONE, .is_no_type = true, .keyword = "place " },
	[BTF_LOC_PROTO] = { "LOC_PROTO", LAYOUT(SIZE, 0, 0, 1, -1, 0, 1), .element = "parameter",
		.dedup = BTF_DEDUP_REFS, .name_rule = BTF_NAME_NONE, .is_no_type = true,
		.targets = VOID | BIT(BTF_LOC_PARAM), .keyword = "places " },
	[BTF_LOCSEC] = { "LOCSEC", LAYOUT(SIZE, 0, 0, BTF_SITE_WORDS, -1, BTF_SITE_FUNC, 2), .element = "site",
		.elem_fields = (const char *const[]){ NULL, NULL, "offset " }, .elem_unit = " bytes",
		.space = BTF_SPACE_SITES, .name_rule = BTF_NAME_SECTION, .is_no_type = true,
		.targets = BIT(BTF_FUNC) | BIT(BTF_LOC_PROTO), .keyword = "sites " },
};
/* clang-format on */

size_t btf_file_rec_words(const uint32_t *rec, struct bytes layout)
{
	uint32_t kind = btf_rec_kind(rec);

	if (kind == BTF_UNKN)
		return 0;
	if (kind < BTF_NR_KINDS)
		return btf_rec_words(rec);
	if (layout.len / BTF_LAYOUT_ENTRY <= kind)
		return 0;

	const uint8_t *entry = layout.ptr + (size_t)kind * BTF_LAYOUT_ENTRY;
	if (entry[BTF_LAYOUT_FIXED] % sizeof(*rec) || entry[BTF_LAYOUT_ELEM] % sizeof(*rec))
		return 0;
	return BTF_REC_WORDS + entry[BTF_LAYOUT_FIXED] / sizeof(*rec) +
	       (size_t)btf_rec_vlen(rec) * (entry[BTF_LAYOUT_ELEM] / sizeof(*rec));
}

uint32_t *btf_rec_name(uint32_t *rec, size_t i)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);

	if (i == 0)
		return rec + BTF_REC_NAME;
	if (l->elem_name < 0 || i > btf_rec_vlen(rec))
		return NULL;
	return rec + BTF_REC_WORDS + l->fixed + (i - 1) * l->elem + (size_t)l->elem_name;
}
