/* SPDX-License-Identifier: GPL-2.0-only */
/* filter.h - which structs and unions are listed */
#ifndef BTFENC_SHOW_FILTER_H
#define BTFENC_SHOW_FILTER_H

#include "show/types.h"

/* If zeroed, all structs and unions with a name pass. */
struct filter {
	bool structs, unions, packed;   /* only these; @packed goes with @structs */
	bool flexible, embeds_flexible; /* only structs that end in, or contain, a flexible array */
	bool packable;                  /* only structs that reorganize.h makes smaller */
	bool anonymous;                 /* also those without a name */
	const char *exclude, *include;  /* beginnings of names, NULL: none */
	const char *decl_exclude;       /* beginning of the files of declarations to leave out */
	/* only structs with at least as many holes, or with a hole or padding of at least that size */
	uint32_t holes, bit_holes, hole_size, padding;
};

/*
 * The first typedef of each type, for types that have no other name. Zeroed is empty.
 */
struct typedefs {
	uint32_t *first; /* by id; 0: none */
};

void typedefs_find(const struct show_types *t, struct typedefs *ret);
void typedefs_release(struct typedefs *td);

/* Does @id pass? Calls types_fail() for an invalid type. */
bool filter_passes(const struct filter *f, struct show_types *t, const struct typedefs *td,
		   uint32_t cacheline, uint32_t id);

#endif
