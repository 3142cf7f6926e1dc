/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shuffled.h - the same types in another order
 *
 * Ids and string offsets are random; some strings are there twice, some are of no use, and some
 * names are the end of another string.
 */
#ifndef BTFENC_TESTS_SHUFFLED_H
#define BTFENC_TESTS_SHUFFLED_H

#include "btf/btf_kind.h"
#include "btf/btf_view.h"
#include "tests/lib/rand.h"

#include <stdlib.h>
#include <string.h>

/* Owns all, the strings of @view included. */
struct shuffled {
	struct btf_view view;
	struct {
		char *items;
		size_t nr, cap;
	} text;
	uint32_t *ids; /* by old id */
};

static inline void shuffled_release(struct shuffled *s)
{
	btf_types_release(&s->view.types);
	free(s->text.items);
	free(s->ids);
}

/* @from has no base. */
void shuffle(const struct btf_view *from, uint64_t seed, struct shuffled *ret);

#endif
