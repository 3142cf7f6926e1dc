/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * id_list.h - packed lists of pool ids
 *
 * The types of all units of a kernel are 4.3 million ids, 17 MB. Half of that suffices, because the pool numbers types
 * in the order in which units add them: an id is mostly near the id before it. So a list stores 16-bit differences,
 * and ids that are too far away in full. Reading it takes no more time than reading the ids.
 *
 * Not done: differences of one to three bytes. They need 1.3 bytes for each id, but reading them takes twice as long,
 * because the processor cannot predict their lengths.
 */
#ifndef BTFENC_DEDUP_POOL_ID_LIST_H
#define BTFENC_DEDUP_POOL_ID_LIST_H

#include "base/bytes.h"
#include "base/vec.h"

/* Borrows its words. */
struct id_list {
	const int16_t *words;
	size_t nr; /* of ids */
};

/* The words of one list or of several. */
struct id_words {
	int16_t *items;
	size_t nr, cap;
};

/* Instead of a difference: two words follow, which are the id. */
enum { ID_LIST_FAR = INT16_MIN };

/* Append the words of a list of @nr ids. */
void id_list_pack(const uint32_t *ids, size_t nr, struct id_words *to);
/* Write the ids of @l to @to. */
void id_list_unpack(struct id_list l, uint32_t *to);

struct id_reader {
	const int16_t *pos;
	size_t nr, index; /* @index of the present one */
	uint32_t id;      /* the present one */
};

static inline struct id_reader id_reader_begin(struct id_list l)
{
	return (struct id_reader){ .pos = l.words, .nr = l.nr, .index = SIZE_MAX };
}

/* Go to the next id; false at the end. */
ALWAYS_INLINE bool id_reader_next(struct id_reader *r)
{
	if (++r->index == r->nr)
		return false;

	int32_t step = *r->pos++;
	if (likely(step != ID_LIST_FAR)) {
		r->id += (uint32_t)step;
	} else {
		r->id = load32(r->pos);
		r->pos += 2;
	}
	return true;
}

/* Walk list @l: @r.id is each id in turn, and @r.index its index. */
#define id_list_each(l, r) for (struct id_reader r = id_reader_begin(l); id_reader_next(&(r));)

#endif
