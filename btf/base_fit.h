/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_fit.h - find out whether split BTF belongs to a base
 *
 * Split BTF does not name its base. It refers to the base's types and strings by number, and its own
 * numbers continue those of the base. Over another base, such as the next build of the same
 * kernel, these numbers mean other types and strings, and most of the BTF makes no sense.
 */
#ifndef BTFENC_BTF_BASE_FIT_H
#define BTFENC_BTF_BASE_FIT_H

#include "btf/btf_view.h"

/* How many of the references of split BTF cannot be right over its base. */
struct base_fit {
	uint32_t nr_names;
	uint32_t bad_names; /* begin in the middle of a string, or behind the last one */
	uint32_t nr_types;
	uint32_t bad_types; /* lead to no type, or to one of a kind that cannot be there */
	bool needs_none;    /* its strings begin as those of BTF without a base */
};

/* @v consists of whole records and has a base. Its references may be out of range. */
struct base_fit base_fit_measure(const struct btf_view *v);

/* Are so many references wrong that the BTF belongs to another base? One or a few are damage. */
bool base_fit_is_wrong(const struct base_fit *f);
/* The error message, which names @base (NULL: unknown). The caller frees it. */
MALLOC_LIKE char *base_fit_text(const struct base_fit *f, const char *base);

#endif
