/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slow_compare.h - what btf_compare() must find in two BTFs, computed in the simplest way
 *
 * Assumes that all types are equal, and drops a pair when the records, the tags, or the types that
 * they refer to differ. It repeats this over all pairs until no pair changes. It shares no code
 * with btf_compare*.c; the time is at least the square of the number of types.
 */
#ifndef BTFENC_TESTS_SLOW_COMPARE_H
#define BTFENC_TESTS_SLOW_COMPARE_H

#include "btf/btf_view.h"

#include <stdlib.h>

struct slow_compare {
	const struct btf_view *views[2]; /* without a base */
	uint32_t nr, first_b;            /* types of both, 1..nr-1; the second's from @first_b on */
	bool *same;                      /* of each with each */
};

static inline bool *slow_same(const struct slow_compare *c, uint32_t a, uint32_t b)
{
	return &c->same[(size_t)a * c->nr + b];
}

void slow_compare_init(struct slow_compare *c, const struct btf_view *a, const struct btf_view *b);

static inline void slow_compare_release(struct slow_compare *c)
{
	free(c->same);
}

/* The number of types that the first BTF, or the second, has more often than the other. */
uint32_t slow_compare_more(const struct slow_compare *c, bool second);

#endif
