/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vec.h - a growable array: any struct with @items, @nr and @cap
 *
 *	CLEANUP(vec_release) VEC(struct thing) v = { 0 };
 *
 *	vec_push(&v, thing);
 *
 * The struct owns @items; free(v.items) or vec_release() releases it. A push can move the array, which
 * invalidates pointers into it.
 */
#ifndef BTFENC_BASE_VEC_H
#define BTFENC_BASE_VEC_H

#include "base/arena.h"

#include <stdlib.h>

/* The type of an array that has no other fields. */
#define VEC(type)               \
	struct {                \
		type *items;    \
		size_t nr, cap; \
	}

/* For CLEANUP: free the array of a local variable. @items must be its first field. */
static inline void vec_release(void *vec)
{
	mem_free(vec);
}

/* Sort by @order, as qsort(), which must not get the NULL of an empty array. */
#define vec_sort(v, order)                                                        \
	do {                                                                      \
		if ((v)->nr)                                                      \
			qsort((v)->items, (v)->nr, sizeof((v)->items[0]), order); \
	} while (0)

/* Room for @n more. */
#define vec_reserve(v, n)                                                           \
	do {                                                                        \
		if ((v)->cap - (v)->nr < (size_t)(n))                               \
			(v)->items = mem_grow((v)->items, &(v)->cap, (v)->nr + (n), \
					      sizeof((v)->items[0]));               \
	} while (0)

/* @x may use (v)->nr, the index of the new element. */
#define vec_push(v, x)                     \
	do {                               \
		vec_reserve(v, 1);         \
		(v)->items[(v)->nr] = (x); \
		(v)->nr++;                 \
	} while (0)

/* Append the @n elements at @from, which may be NULL if there are none. */
#define vec_append(v, from, n)                                                           \
	do {                                                                             \
		const __typeof__((v)->items) from_ = (from);                             \
		size_t n_ = (n);                                                         \
		if (n_) {                                                                \
			vec_reserve(v, n_);                                              \
			memcpy((v)->items + (v)->nr, from_, n_ * sizeof((v)->items[0])); \
			(v)->nr += n_;                                                   \
		}                                                                        \
	} while (0)

/* A pointer to one more element, which is not initialised. */
#define vec_add(v)                      \
	__extension__({                 \
		vec_reserve(v, 1);      \
		&(v)->items[(v)->nr++]; \
	})

#endif
