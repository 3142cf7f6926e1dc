/* SPDX-License-Identifier: GPL-2.0-only */
/* compat.c - see compat.h */
#include "encoder/unit/compat.h"

#include "base/compiler.h"
#include "encoder/unit/encode_opts.h"

#include <string.h>

static const struct compat table[] = {
	[COMPAT_NONE] = {
		.name = "none",
		.pahole = "1.32",
		.version = 132,
		.addresses_first = true,
		.inlined_may_differ = true,
		.skip_inlined = true,
		.enum_funcs = true,
		.own_symbols = true,
		.keep_kfuncs = true,
		.whole_vars = true,
	},
	[COMPAT_1_32] = {
		.name = "1.32",
		.pahole = "1.32",
		.version = 132,
		.stored = 132,
		.lacks = FEATURE_INLINE | FEATURE_INLINE_APART,
		.addresses_first = true,
		.inlined_may_differ = true,
		.skip_inlined = true,
		.enum_funcs = true,
		.registers_in_turn = true,
		.c_types = true,
	},
	[COMPAT_1_31] = {
		.name = "1.31",
		.pahole = "1.31",
		.version = 131,
		.stored = 131,
		.lacks = FEATURE_FORCE_CU_MERGING | FEATURE_INLINE | FEATURE_INLINE_APART,
		.flat_arrays = true,
		.long_header = true,
		.registers_in_turn = true,
		.lto_note_decides = true,
		.c_types = true,
	},
};

const char compat_names[] = "none, 1.31 and 1.32";

const struct compat *compat_get(enum compat_level level)
{
	return &table[level];
}

bool compat_find(const char *name, enum compat_level *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!strcmp(table[i].name, name)) {
			*ret = (enum compat_level)i;
			return true;
		}
	}
	return false;
}

const char *compat_stored_name(uint32_t stored)
{
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (table[i].stored == stored)
			return table[i].name;
	}
	return "unknown";
}
