/* SPDX-License-Identifier: GPL-2.0-only */
/* word_table.h - numbers for sequences of words: the same sequence gets the same number */
#ifndef BTFENC_BASE_WORD_TABLE_H
#define BTFENC_BASE_WORD_TABLE_H

#include "base/vec.h"

/* Zeroed is empty. Borrows the sequences; they are compared, not only their hashes. */
struct word_table {
	struct {
		struct word_sequence {
			const uint32_t *words;
			uint32_t nr, hash;
		} * items;
		size_t nr, cap;
	} entries;       /* by number */
	uint32_t *slots; /* numbers, plus one; 0: empty */
	size_t mask;
};

/* The number of the @nr words at @words: 0 for the first sequence, then 1, ... */
uint32_t word_table_put(struct word_table *t, const uint32_t *words, uint32_t nr);
void word_table_release(struct word_table *t);

#endif
