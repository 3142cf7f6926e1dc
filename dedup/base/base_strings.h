/* SPDX-License-Identifier: GPL-2.0-only */
/* base_strings.h - an index of the strings of a base */
#ifndef BTFENC_DEDUP_BASE_BASE_STRINGS_H
#define BTFENC_DEDUP_BASE_BASE_STRINGS_H

#include "btf/btf_view.h"
#include "dedup/pool/string_index.h"

/*
 * Enter the strings of @base, and of the bases below it. @wanted: only those that string_index_find() may find for
 * this pool, which is faster for a single one; NULL: all. @ret must be zeroed; release it. It borrows the strings.
 */
void base_strings_index(const struct btf_view *base, const struct str_pool *wanted,
			struct string_index *ret);

#endif
