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

#define NO_NAME .elem_name = -1
#define NO_TYPE .elem_type = -1
#define PLAIN NO_NAME, NO_TYPE

static const struct btf_kind_layout layouts[] = {
	[BTF_UNKN] = { "UNKNOWN", PLAIN },
	[BTF_INT] = { "INT", .fixed = 1, PLAIN },
	[BTF_PTR] = { "PTR", .main_is_type = true, PLAIN },
	[BTF_ARRAY] = { "ARRAY", .fixed = 3, .fixed_types = 2, PLAIN },
	[BTF_STRUCT] = { "STRUCT", .elem = 3, .elem_name = 0, .elem_type = 1 },
	[BTF_UNION] = { "UNION", .elem = 3, .elem_name = 0, .elem_type = 1 },
	[BTF_ENUM] = { "ENUM", .elem = 2, .elem_name = 0, NO_TYPE },
	[BTF_FWD] = { "FWD", PLAIN },
	[BTF_TYPEDEF] = { "TYPEDEF", .main_is_type = true, PLAIN },
	[BTF_VOLATILE] = { "VOLATILE", .main_is_type = true, PLAIN },
	[BTF_CONST] = { "CONST", .main_is_type = true, PLAIN },
	[BTF_RESTRICT] = { "RESTRICT", .main_is_type = true, PLAIN },
	/* vlen is the linkage: there are no elements to count */
	[BTF_FUNC] = { "FUNC", .main_is_type = true, PLAIN },
	[BTF_FUNC_PROTO] = { "FUNC_PROTO", .main_is_type = true, .elem = 2, .elem_name = 0,
			     .elem_type = 1 },
	[BTF_VAR] = { "VAR", .main_is_type = true, .fixed = 1, PLAIN },
	[BTF_DATASEC] = { "DATASEC", .elem = 3, NO_NAME, .elem_type = 0 },
	[BTF_FLOAT] = { "FLOAT", PLAIN },
	[BTF_DECL_TAG] = { "DECL_TAG", .main_is_type = true, .fixed = 1, PLAIN },
	[BTF_TYPE_TAG] = { "TYPE_TAG", .main_is_type = true, PLAIN },
	[BTF_ENUM64] = { "ENUM64", .elem = 3, .elem_name = 0, NO_TYPE },
};

_Static_assert(ARRAY_SIZE(layouts) == BTF_NR_KINDS, "every kind has a layout");

#define SIZE(fixed, elem)                       \
	{                                       \
		BTF_REC_WORDS + (fixed), (elem) \
	}

const struct btf_kind_size btf_kind_sizes[128] = {
	[BTF_UNKN] = SIZE(0, 0),     [BTF_INT] = SIZE(1, 0),        [BTF_PTR] = SIZE(0, 0),
	[BTF_ARRAY] = SIZE(3, 0),    [BTF_STRUCT] = SIZE(0, 3),     [BTF_UNION] = SIZE(0, 3),
	[BTF_ENUM] = SIZE(0, 2),     [BTF_FWD] = SIZE(0, 0),        [BTF_TYPEDEF] = SIZE(0, 0),
	[BTF_VOLATILE] = SIZE(0, 0), [BTF_CONST] = SIZE(0, 0),      [BTF_RESTRICT] = SIZE(0, 0),
	[BTF_FUNC] = SIZE(0, 0),     [BTF_FUNC_PROTO] = SIZE(0, 2), [BTF_VAR] = SIZE(1, 0),
	[BTF_DATASEC] = SIZE(0, 3),  [BTF_FLOAT] = SIZE(0, 0),      [BTF_DECL_TAG] = SIZE(1, 0),
	[BTF_TYPE_TAG] = SIZE(0, 0), [BTF_ENUM64] = SIZE(0, 3),
};

const struct btf_kind_layout *btf_kind_layout(uint32_t kind)
{
	return kind < BTF_NR_KINDS ? &layouts[kind] : NULL;
}

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

/* The layout of a record whose kind was checked. */
static const struct btf_kind_layout *layout_of(const uint32_t *rec)
{
	uint32_t kind = btf_rec_kind(rec);

	assert(kind < BTF_NR_KINDS);
	return &layouts[kind];
}

struct btf_refs btf_rec_refs(const uint32_t *rec)
{
	const struct btf_kind_layout *l = layout_of(rec);
	uint32_t before = (uint32_t)l->main_is_type + l->fixed_types;
	uint32_t elems = l->elem_type < 0 ? 0 : btf_rec_vlen(rec);
	uint32_t first = l->main_is_type ? BTF_REC_SIZE_TYPE :
			 l->fixed_types  ? BTF_REC_WORDS :
					   BTF_REC_WORDS + (uint32_t)l->elem_type;

	return (struct btf_refs){ (uint32_t *)rec + first, before + elems, l->elem ? l->elem : 1 };
}

uint32_t *btf_rec_name(uint32_t *rec, size_t i)
{
	const struct btf_kind_layout *l = layout_of(rec);

	if (i == 0)
		return rec + BTF_REC_NAME;
	if (l->elem_name < 0 || i > btf_rec_vlen(rec))
		return NULL;
	return rec + BTF_REC_WORDS + l->fixed + (i - 1) * l->elem + (size_t)l->elem_name;
}
