/* SPDX-License-Identifier: GPL-2.0-only */
/* placed.c - see placed.h */
#include "base/placed.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Which bits differ between any two places? 0 also if all is sorted already. */
static uint64_t unsorted_bits(const struct placed *v, size_t nr)
{
	uint64_t differ = 0;
	bool sorted = true;

	for (size_t i = 1; i < nr; i++) {
		differ |= v[i].place ^ v[0].place;
		sorted &= v[i - 1].place <= v[i].place;
	}
	return sorted ? 0 : differ;
}

/* @from in the order of the byte at @shift of their places, and of @from where that is the same. */
static void sort_by_byte(const struct placed *from, size_t nr, unsigned int shift,
			 struct placed *to)
{
	size_t at[257] = { 0 };

	for (size_t i = 0; i < nr; i++)
		at[(from[i].place >> shift & 0xff) + 1]++;
	for (size_t b = 0; b < 256; b++)
		at[b + 1] += at[b];
	for (size_t i = 0; i < nr; i++)
		to[at[from[i].place >> shift & 0xff]++] = from[i];
}

/*
 * Least significant byte first; each round keeps the order of the one before. Steps of one
 * unit differ in two bytes, so there are not many rounds.
 */
void placed_sort(struct placed *v, size_t nr)
{
	uint64_t differ = unsorted_bits(v, nr);
	struct placed *room, *from = v, *to;

	if (!differ)
		return;
	room = to = mem_alloc(nr * sizeof(*room));
	for (unsigned int shift = 0; shift < 64; shift += 8) {
		if (!(differ >> shift & 0xff))
			continue; /* all alike: nothing to move */
		sort_by_byte(from, nr, shift, to);
		from = to;
		to = from == v ? room : v;
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
	free(room);
}
