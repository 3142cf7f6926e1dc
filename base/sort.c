/* SPDX-License-Identifier: GPL-2.0-only */
/* sort.c - see sort.h: a radix sort */
#include "base/sort.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The bits that differ between any two keys, or 0 if the keys are sorted already. */
static uint64_t unsorted_bits(const struct sort_key *v, size_t nr)
{
	uint64_t differ = 0;
	bool sorted = true;

	for (size_t i = 1; i < nr; i++) {
		differ |= v[i].key ^ v[0].key;
		sorted &= v[i - 1].key <= v[i].key;
	}
	return sorted ? 0 : differ;
}

/* Copy @from to @to in the order of the byte at @shift of the keys. Stable. */
static void sort_by_byte(const struct sort_key *from, size_t nr, unsigned int shift,
			 struct sort_key *to)
{
	size_t at[257] = { 0 };

	for (size_t i = 0; i < nr; i++)
		at[(from[i].key >> shift & 0xff) + 1]++;
	for (size_t b = 0; b < 256; b++)
		at[b + 1] += at[b];
	for (size_t i = 0; i < nr; i++)
		to[at[from[i].key >> shift & 0xff]++] = from[i];
}

static void insertion_sort(struct sort_key *v, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		struct sort_key x = v[i];
		size_t k = i;

		for (; k > 0 && v[k - 1].key > x.key; k--)
			v[k] = v[k - 1];
		v[k] = x;
	}
}

/*
 * Least significant byte first. Rounds in which all bytes are equal are skipped; the keys of one unit
 * differ in two bytes only.
 */
void sort_by_key(struct sort_key *v, size_t nr)
{
	enum { FEW = 48 };
	struct sort_key *room, *from = v, *to;

	if (nr <= FEW) {
		insertion_sort(v, nr);
		return;
	}

	uint64_t differ = unsorted_bits(v, nr);
	if (!differ)
		return;
	room = to = mem_alloc(nr * sizeof(*room));
	for (unsigned int shift = 0; shift < 64; shift += 8) {
		if (!(differ >> shift & 0xff))
			continue;
		sort_by_byte(from, nr, shift, to);
		from = to;
		to = from == v ? room : v;
	}
	if (from != v)
		memcpy(v, from, nr * sizeof(*v));
	free(room);
}

int by_uint64(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}
