/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_copies.h - find out why a name has several definitions in one BTF
 *
 * Two structs of one name may be copies of each other that differ only in a type five pointers away.
 * To make one struct of the two, a developer must change that type.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_COPIES_H
#define BTFENC_BTF_COMPARE_BTF_COPIES_H

#include "btf/compare/btf_compare.h"

#include <stdbool.h>

/* Zeroed is empty. */
struct btf_copies {
	struct btf_comparison found; /* its graph, whose nodes are ids, and steps */
	struct compare *inside;
	size_t left; /* so many pairs may still be looked at */
};

/*
 * Prepare for questions about types that @v has, those of its bases included. ERR_LIMIT if there are
 * more than anyone can number. *ret must be zeroed; release it in any case, and @v later.
 */
MUST_CHECK struct err *btf_copies_open(const struct btf_view *v, struct btf_copies *ret);
void btf_copies_release(struct btf_copies *c);

/* Are @a and @b, which have one name, the same but for what types with a name are? */
bool btf_copies_alike(const struct btf_copies *c, uint32_t a, uint32_t b);

/*
 * Where do @a and @b, which have one name, differ? False if they do not. The way to it is the shortest
 * one, and leads through types with a name as well; if it is too far to be found, the difference is
 * DIFFERENCE_ANOTHER, and where the way begins. The changes of *ret are good until the next question.
 */
bool btf_copies_differ(struct btf_copies *c, uint32_t a, uint32_t b, struct btf_difference *ret);

#endif
