/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_kind.c - the table of record layouts
 *
 * The third word of a FWD is no type. libbpf treats it as one, which has no effect while it is
 * zero. GCC 12 writes garbage there, which must not be used as an id.
 */
#include "btf/btf_kind.h"

#include "base/compiler.h"

#include <assert.h>
#include <string.h>

/* Fixed words follow the common ones, or elements do. */
#define FIXED(nr) .words = BTF_REC_WORDS + (nr), .fixed = (nr), .elem_name = -1, .elem_type = -1
#define ELEMENTS(nr, name_at, type_at) \
	.words = BTF_REC_WORDS, .elem = (nr), .elem_name = (name_at), .elem_type = (type_at)
/* Where the type ids begin. */
#define MAIN_IS_TYPE .main_is_type = true, .first_type = BTF_REC_SIZE_TYPE
#define IN_ELEMENTS(type_at) .first_type = BTF_REC_WORDS + (type_at)

const struct btf_kind_layout btf_kind_layouts[128] = {
	[BTF_UNKN] = { "UNKNOWN", FIXED(0) },
	[BTF_INT] = { "INT", FIXED(1) },
	[BTF_PTR] = { "PTR", FIXED(0), MAIN_IS_TYPE },
	[BTF_ARRAY] = { "ARRAY", FIXED(3), .fixed_types = 2, .first_type = BTF_REC_WORDS },
	[BTF_STRUCT] = { "STRUCT", ELEMENTS(3, 0, 1), IN_ELEMENTS(1) },
	[BTF_UNION] = { "UNION", ELEMENTS(3, 0, 1), IN_ELEMENTS(1) },
	[BTF_ENUM] = { "ENUM", ELEMENTS(2, 0, -1) },
	[BTF_FWD] = { "FWD", FIXED(0) },
	[BTF_TYPEDEF] = { "TYPEDEF", FIXED(0), MAIN_IS_TYPE },
	[BTF_VOLATILE] = { "VOLATILE", FIXED(0), MAIN_IS_TYPE },
	[BTF_CONST] = { "CONST", FIXED(0), MAIN_IS_TYPE },
	[BTF_RESTRICT] = { "RESTRICT", FIXED(0), MAIN_IS_TYPE },
	/* vlen is the linkage: there are no elements to count */
	[BTF_FUNC] = { "FUNC", FIXED(0), MAIN_IS_TYPE },
	[BTF_FUNC_PROTO] = { "FUNC_PROTO", ELEMENTS(2, 0, 1), MAIN_IS_TYPE },
	[BTF_VAR] = { "VAR", FIXED(1), MAIN_IS_TYPE },
	[BTF_DATASEC] = { "DATASEC", ELEMENTS(3, -1, 0), IN_ELEMENTS(0) },
	[BTF_FLOAT] = { "FLOAT", FIXED(0) },
	[BTF_DECL_TAG] = { "DECL_TAG", FIXED(1), MAIN_IS_TYPE },
	[BTF_TYPE_TAG] = { "TYPE_TAG", FIXED(0), MAIN_IS_TYPE },
	[BTF_ENUM64] = { "ENUM64", ELEMENTS(3, 0, -1) },
};

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
