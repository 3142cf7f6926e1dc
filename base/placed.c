/* SPDX-License-Identifier: GPL-2.0-only */
/* placed.c - see placed.h */
#include "base/placed.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Least significant byte first; each round keeps the order of the one before. */
void placed_sort(struct placed *v, size_t nr)
{
	struct placed *room = mem_alloc(nr * sizeof(*room));

	for (unsigned int shift = 0; shift < 64; shift += 8) {
		size_t at[257] = { 0 };

		for (size_t i = 0; i < nr; i++)
			at[(v[i].place >> shift & 0xff) + 1]++;
		if (nr && at[(v[0].place >> shift & 0xff) + 1] == nr)
			continue; /* all alike: nothing to move */
		for (size_t b = 0; b < 256; b++)
			at[b + 1] += at[b];
		for (size_t i = 0; i < nr; i++)
			room[at[v[i].place >> shift & 0xff]++] = v[i];
		if (nr)
			memcpy(v, room, nr * sizeof(*v));
	}
	free(room);
}
