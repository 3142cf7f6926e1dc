/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * seen.h - structs and unions that were printed before
 *
 * As in pahole, two are the same if their names, sizes and numbers of members are the same, and the name,
 * offset and width of each member. Types of members do not count, nor whether it is a struct or a union. A member
 * without a name is like any other, unless many structs have the name.
 */
#ifndef BTFENC_SHOW_SEEN_H
#define BTFENC_SHOW_SEEN_H

#include "base/hash_table.h"
#include "show/types.h"

struct seen_struct {
	const struct show_types *types; /* borrowed: must outlive the set */
	uint32_t id;
	uint32_t times; /* how often one like it was met */
};

/* In the order of meeting. Zeroed is empty. Owns its arrays. */
struct seen {
	struct seen_struct *items;
	size_t nr, cap;
	struct hash_table index; /* of items, plus 1 */
};

/* Is @id, which has a name, the first of its kind? Counts it in any case. */
bool seen_first(struct seen *s, const struct show_types *t, uint32_t id);
/* The same, or is it the first itself, once more? */
bool seen_first_or_again(struct seen *s, const struct show_types *t, uint32_t id);
void seen_release(struct seen *s);

#endif
