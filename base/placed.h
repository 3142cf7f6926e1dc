/* SPDX-License-Identifier: GPL-2.0-only */
/* placed.h - ids in the order of their places in the input */
#ifndef BTFENC_BASE_PLACED_H
#define BTFENC_BASE_PLACED_H

#include <stddef.h>
#include <stdint.h>

/* Something known by an id, and where the input has it first. */
struct placed {
	uint64_t place;
	uint32_t id;
};

/* Sort by place; what has the same stays in its order. Linear. */
void placed_sort(struct placed *v, size_t nr);

#endif
