/* SPDX-License-Identifier: GPL-2.0-only */
/* distill.h - of the base of split BTF, only what the split needs to find its types again */
#ifndef BTFENC_DEDUP_BASE_DISTILL_H
#define BTFENC_DEDUP_BASE_DISTILL_H

#include "btf/btf_view.h"

/* Owns everything. Does not move: @base is the base of @split. */
struct distilled {
	struct btf_types base, split;
	/* sections of strings; those of the split continue the base's */
	char *base_text, *split_text;
	size_t base_len, split_len;
};

/*
 * Distil the base of @split, which must have one. ERR_FORMAT if @split refers to something
 * in the base that is no type (a function, a variable, a tag on a declaration). ret->base has
 * one type at least, needed or not; ERR_LIMIT if nothing in the base can be found by its name.
 * *ret must be
 * zeroed and stay where it is; release it in any case. It borrows nothing from @split.
 */
MUST_CHECK struct err *distill(const struct btf_view *split, struct distilled *ret);
void distilled_release(struct distilled *d);

#endif
