/* SPDX-License-Identifier: GPL-2.0-only */
/* filter.h - which structs and unions are listed */
#ifndef BTFENC_SHOW_FILTER_H
#define BTFENC_SHOW_FILTER_H

#include "show/types.h"

/* Zeroed lets pass all that have a name. */
struct filter {
	bool structs, unions, packed;   /* only these; @packed goes with @structs */
	bool flexible, embeds_flexible; /* only structs that end with, or hold, a flexible array */
	bool anonymous;                 /* also those without a name */
	const char *exclude, *include;  /* beginnings of names, NULL: none */
	/* only structs with as many holes, or holes, paddings as large */
	uint32_t holes, bit_holes, hole_size, padding;
};

/*
 * For each type the first typedef of it, which names what has no other name. Zeroed knows none.
 */
struct typedefs {
	uint32_t *first; /* by id; 0: none */
};

void typedefs_find(const struct show_types *t, struct typedefs *ret);
void typedefs_release(struct typedefs *td);

/* Does @id, a struct, union or forward declaration, pass? Calls types_fail() if it cannot tell. */
bool filter_passes(const struct filter *f, struct show_types *t, const struct typedefs *td,
		   uint32_t cacheline, uint32_t id);

#endif
