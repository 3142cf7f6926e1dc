/* SPDX-License-Identifier: GPL-2.0-only */
/* sort.h - sort ids by a key, and search in what is sorted */
#ifndef BTFENC_BASE_SORT_H
#define BTFENC_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_key {
	uint64_t key;
	uint32_t id;
};

/* The order of two numbers of type uint64_t, for vec_sort(), qsort() and bsearch(). */
int by_uint64(const void *a, const void *b);

/* Sort by key. The sort is stable and takes linear time. */
void sort_by_key(struct sort_key *v, size_t nr);

/*
 * Binary search for a position, where bsearch() finds elements only:
 *
 *	size_t at = LOWER_BOUND(0, nr, i, items[i].key < key);
 *
 * Returns the first index from @first for which the expression @before is false, or @end. @before must
 * be true for all indexes before that one, and false for all behind it.
 */
#define LOWER_BOUND(first, end, i, before)                    \
	__extension__({                                       \
		size_t low_ = (first), high_ = (end);         \
		while (low_ < high_) {                        \
			size_t i = low_ + (high_ - low_) / 2; \
			if (before)                           \
				low_ = i + 1;                 \
			else                                  \
				high_ = i;                    \
		}                                             \
		low_;                                         \
	})

#endif
