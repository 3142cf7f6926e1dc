/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sorted.h - structs and unions by name, for --sort
 *
 * If a name has several types, their sizes come next, then their numbers of members, and then the members: name, offset,
 * width and type of each. As in pahole, the members come first if two types of the listing differ only in types of
 * members. Types that have all of this in common are one type, also if they come from several files. So the text does
 * not depend on ids, and the BTF of a file gives the same text as its DWARF.
 */
#ifndef BTFENC_SHOW_SORTED_H
#define BTFENC_SHOW_SORTED_H

#include "show/print.h"

struct sorted_type {
	struct show_types *types; /* borrowed */
	uint32_t id;
	uint32_t at; /* its index before */
	struct sorted *of;
};

/* Zeroed is empty. Owns @items and @names. */
struct sorted {
	struct sorted_type *items;
	size_t nr, cap;
	bool members_first;
	struct text names; /* of the types of the two members that are compared */
	struct print_limits limits;
};

/* Add @id, which has a name. */
void sorted_add(struct sorted *s, struct show_types *t, uint32_t id);
/*
 * Sort, and remove repeated types. @size: bytes of the BTF of all files. ERR_FORMAT or ERR_LIMIT if the names of types
 * are too long to be compared.
 */
MUST_CHECK struct err *sorted_finish(struct sorted *s, size_t size);
void sorted_release(struct sorted *s);

#endif
