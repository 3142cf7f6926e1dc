/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.h - offsets of the members of a struct, the holes between them, and attributes
 *
 * Everything is derived from BTF. BTF has no attributes, so the rules of pahole 1.31 guess them; since v1.27
 * pahole derives alignments from the space before a member.
 */
#ifndef BTFENC_SHOW_LAYOUT_H
#define BTFENC_SHOW_LAYOUT_H

#include "show/types.h"

struct layout_member {
	uint32_t name, type;
	uint32_t bit_offset;  /* from the start of the struct, as in the record */
	uint32_t byte_offset; /* of a bit field: of the storage unit that it starts in */
	uint64_t size;        /* bytes; of a bit field those of its storage unit */
	uint64_t unit;        /* bytes, for reorganize.c: its position in one does not change */
	uint8_t bitfield_size, bitfield_offset;
	uint32_t alignment;    /* an attribute that explains its offset; 0: none is needed */
	int64_t hole;          /* bytes between it and the next, less than 0 if they overlap */
	unsigned int bit_hole; /* bits of its unit between it and the next */
};

/* Sums of the space that members leave free. */
struct layout_gaps {
	/* behind the last one */
	uint32_t padding;
	unsigned int bit_padding;
	uint32_t nr_holes, nr_bit_holes;
};

/* Owns @items. */
struct layout {
	struct layout_member *items;
	size_t nr, cap;
	uint32_t size;      /* of it all, bytes */
	uint32_t alignment; /* as in a member */
	/* before the first member */
	int64_t pre_hole;
	unsigned int pre_bit_hole;
	struct layout_gaps gaps;
};

/*
 * The layout of @id, a struct or union; of a forward declaration it is empty. A union has no
 * holes. *ret must be zeroed, and is to be released. @cacheline: bytes of a cache line.
 */
void layout_find(struct show_types *t, uint32_t id, uint32_t cacheline, struct layout *ret);
void layout_release(struct layout *l);
/* Find the holes of @l, the layout of a struct, after a change of its members or its size. */
void layout_find_holes(struct layout *l);

/* The gaps of @id, found once; the struct counts as guessed (below). @cacheline is always the same. */
struct layout_gaps layout_gaps(struct show_types *t, uint32_t id, uint32_t cacheline);

/*
 * Which structs were declared packed? BTF does not contain it. A struct without holes and padding counts as
 * packed if the alignment of a member does not fit its offset, or the largest alignment does not fit the
 * size; a struct with holes, if its alignment does not fit its offset in another struct, or the size of a
 * union that contains it.
 *
 * The second kind is visible only from the outer type. pahole 1.31 looks there when it prints the outer
 * type, and keeps the result, so that its output for a struct can depend on what it printed before.
 * type_facts keeps the results here, for the same text.
 */

/* Is the struct @id, whose layout is @l, packed? */
bool packed_guess(struct show_types *t, uint32_t id, const struct layout *l);
/* Find packed structs in a struct with the layout @l, or in the union @id. */
void packed_look_into_struct(struct show_types *t, const struct layout *l);
void packed_look_into_union(struct show_types *t, uint32_t id);

#endif
