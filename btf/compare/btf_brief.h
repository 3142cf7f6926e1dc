/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_brief.h - split BTF with only a few types of its base
 *
 * The types of a module are few, and those that they lead to in its base are most of a kernel. A comparison that
 * ignores changes of the base needs only the names of the types there.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_BRIEF_H
#define BTFENC_BTF_COMPARE_BTF_BRIEF_H

#include "base/text.h"
#include "btf/compare/btf_compare.h"

/* Zeroed is empty. Does not move once it is made, because @view points into it. */
struct btf_brief {
	struct btf_view view; /* without a base */
	uint32_t first;       /* the id of the first type that is not of the base */
	struct text strings;
};

/*
 * Copy the types of @side and those of its base that they refer to. A struct, union, function or variable of the
 * base, and an enum, becomes its name alone; types without a name, base types and typedefs of the base are copied
 * as a whole. A @side without a view has no types. *ret must be zeroed; release it in any case.
 */
void btf_brief_make(const struct btf_side *side, struct btf_brief *ret);
void btf_brief_release(struct btf_brief *b);

#endif
