/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vec.h - a growable array: any struct with @items, @nr and @cap
 *
 *	struct { struct thing *items; size_t nr, cap; } v = { 0 };
 *
 * The struct owns @items; free(v.items) releases it. A push can move the array, which invalidates
 * pointers into it.
 */
#ifndef BTFENC_BASE_VEC_H
#define BTFENC_BASE_VEC_H

#include "base/arena.h"

/* Room for @n more. */
#define vec_reserve(v, n)                                                           \
	do {                                                                        \
		if ((v)->cap - (v)->nr < (size_t)(n))                               \
			(v)->items = mem_grow((v)->items, &(v)->cap, (v)->nr + (n), \
					      sizeof((v)->items[0]));               \
	} while (0)

#define vec_push(v, x)                       \
	do {                                 \
		vec_reserve(v, 1);           \
		(v)->items[(v)->nr++] = (x); \
	} while (0)

/* A pointer to one more element, which is not initialised. */
#define vec_add(v)                      \
	__extension__({                 \
		vec_reserve(v, 1);      \
		&(v)->items[(v)->nr++]; \
	})

#endif
