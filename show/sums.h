/* SPDX-License-Identifier: GPL-2.0-only */
/* sums.h - the lines at the end of a struct: what it comes to */
#ifndef BTFENC_SHOW_SUMS_H
#define BTFENC_SHOW_SUMS_H

#include "show/print_internal.h"

/* What types of members have that is worth a line at the end. */
struct inner_sums {
	uint32_t nr_holey, holes;
	uint32_t nr_bit_holey, bit_holes;
	uint32_t nr_padded;
	uint64_t padding;
	uint32_t nr_bit_padded, bit_padding;
	uint32_t nr_flexible, nr_embedding;
};

/* What the members of a struct, and the holes between them, add up to. */
struct sums {
	uint64_t bytes, bits; /* of members, of bit fields */
	uint64_t hole_bytes, hole_bits;
	uint32_t nr_forced, nr_forced_holes; /* members with an attribute, and a hole before it */
	uint64_t forced_hole_bytes;
	struct inner_sums inner;
};

/* Print them below the members of a struct with the layout @l, which stand in @f. */
void print_sums(struct printer *p, const struct layout *l, const struct sums *s,
		const struct frame *f);

#endif
