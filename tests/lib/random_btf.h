/* SPDX-License-Identifier: GPL-2.0-only */
/* random_btf.h - units of random_units.h as one BTF */
#ifndef BTFENC_TESTS_RANDOM_BTF_H
#define BTFENC_TESTS_RANDOM_BTF_H

#include "btf/btf_view.h"
#include "tests/lib/random_units.h"

/* Names are numbers of random_name(); here they are offsets in this text. */
struct random_btf {
	struct btf_view view;
	char text[64];
	uint32_t offsets[RANDOM_NAMES + 1];
};

/* What @nr_units of @p say, and sites of their functions. */
void random_btf(struct random_program *p, uint32_t nr_units, struct random_btf *ret);

static inline void random_btf_release(struct random_btf *b)
{
	btf_types_release(&b->view.types);
}

#endif
