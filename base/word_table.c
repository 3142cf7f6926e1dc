/* SPDX-License-Identifier: GPL-2.0-only */
/* word_table.c - see word_table.h */
#include "base/word_table.h"

#include "base/hash.h"

#include <stdlib.h>

enum { SLOTS_MIN = 64 };

/* Twice the room; numbers stay. */
static void grow(struct word_table *t)
{
	size_t slots = t->slots ? 2 * (t->mask + 1) : SLOTS_MIN;

	free(t->slots);
	t->slots = mem_zalloc_table(slots, sizeof(*t->slots));
	t->mask = slots - 1;
	for (size_t n = 0; n < t->entries.nr; n++) {
		size_t i = t->entries.items[n].hash & t->mask;

		while (t->slots[i])
			i = (i + 1) & t->mask;
		t->slots[i] = (uint32_t)n + 1;
	}
}

uint32_t word_table_put(struct word_table *t, const uint32_t *words, uint32_t nr)
{
	uint32_t hash = (uint32_t)hash_words(words, nr);

	if (!t->slots || t->entries.nr > t->mask / 2)
		grow(t);

	size_t i = hash & t->mask;
	for (; t->slots[i]; i = (i + 1) & t->mask) {
		const struct word_sequence *s = &t->entries.items[t->slots[i] - 1];

		if (s->hash == hash && s->nr == nr &&
		    (!nr || !memcmp(s->words, words, nr * sizeof(*words))))
			return t->slots[i] - 1;
	}
	vec_push(&t->entries, ((struct word_sequence){ words, nr, hash }));
	t->slots[i] = (uint32_t)t->entries.nr;
	return t->slots[i] - 1;
}

void word_table_release(struct word_table *t)
{
	free(t->entries.items);
	free(t->slots);
	*t = (struct word_table){ 0 };
}
