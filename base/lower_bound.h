/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_bound.h - binary search for a place among what is in order; bsearch() finds items only
 *
 *	size_t at = LOWER_BOUND(0, nr, i, items[i].key < key);
 */
#ifndef BTFENC_BASE_LOWER_BOUND_H
#define BTFENC_BASE_LOWER_BOUND_H

#include <stddef.h>

/*
 * The first index from @first on of which @before, an expression about index @i, is false; @end if
 * there is none. It must be true of all before that index and false of all behind it.
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
