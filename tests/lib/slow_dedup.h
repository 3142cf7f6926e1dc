/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slow_dedup.h - what dedup_run() must return, computed in the simplest way
 *
 * Applies the rules of libbpf's btf__dedup() one after the other. Comparisons recurse, hypotheses
 * are a list that is searched, and all types share one list of candidates, since a candidate that
 * is not equal is skipped anyway. It shares no code with dedup/. Time is quadratic, and
 * exponential where libbpf's is, up to a budget: use it for a few hundred types.
 */
#ifndef BTFENC_TESTS_SLOW_DEDUP_H
#define BTFENC_TESTS_SLOW_DEDUP_H

#include "btf/btf_types.h"

enum slow_end {
	SLOW_DONE,
	SLOW_REFUSED, /* a cycle of references, or a VAR, DATASEC or DECL_TAG used as a type */
	SLOW_GAVE_UP, /* the budget is used up */
};

/* As dedup_run(); @budget is the number of steps. */
enum slow_end slow_dedup(struct btf_types *t, bool base_typedefs, uint64_t budget);

#endif
