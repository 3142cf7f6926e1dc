/* SPDX-License-Identifier: GPL-2.0-only */
/* string_index.c - see string_index.h */
#include "dedup/string_index.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* The first free slot for @hash: what was entered before comes before it. */
static struct string_index_slot *free_slot(const struct string_index *x, uint32_t hash)
{
	size_t i = hash & x->mask;

	while (x->slots[i].offset)
		i = (i + 1) & x->mask;
	return &x->slots[i];
}

/* Room for @nr more. */
static void reserve(struct string_index *x, size_t nr)
{
	struct string_index_slot *old = x->slots;
	size_t old_slots = old ? x->mask + 1 : 0, slots = 64;

	while (slots < 2 * (x->used + nr))
		slots *= 2;
	if (slots == old_slots)
		return;
	x->slots = mem_zalloc_table(slots, sizeof(x->slots[0]));
	x->mask = slots - 1;
	/* equal strings stay in their order: they are found from where the table is empty on */
	size_t first = 0;
	while (first < old_slots && old[first].offset)
		first++;
	for (size_t n = 0; n < old_slots; n++) {
		const struct string_index_slot *s = &old[(first + n) & (old_slots - 1)];

		if (s->offset)
			*free_slot(x, s->hash) = *s;
	}
	free(old);
}

static size_t count_strings(const char *text, size_t len)
{
	size_t nr = 0;

	for (const char *s = text, *end = text + len; s < end; nr++)
		s = (const char *)memchr(s, '\0', (size_t)(end - s)) + 1;
	return nr;
}

void string_index_add(struct string_index *x, const char *text, uint32_t len, uint32_t start)
{
	assert(x->nr_sections < STRING_INDEX_SECTIONS && (!len || !text[len - 1]));
	x->sections[x->nr_sections].text = text;
	x->sections[x->nr_sections].start = start;
	x->sections[x->nr_sections++].len = len;
	reserve(x, count_strings(text, len));
	for (uint32_t pos = 0; pos < len;) {
		uint32_t n = (uint32_t)strlen(text + pos);
		uint32_t hash = (uint32_t)hash_bytes(text + pos, n);

		if (n) {
			*free_slot(x, hash) = (struct string_index_slot){ hash, start + pos + 1 };
			x->used++;
		}
		pos += n + 1;
	}
}

void string_index_release(struct string_index *x)
{
	free(x->slots);
	*x = (struct string_index){ 0 };
}

static bool is_at(const struct string_index *x, uint32_t offset, const struct str_entry *e)
{
	for (size_t i = 0; i < x->nr_sections; i++) {
		uint32_t pos = offset - x->sections[i].start;

		if (offset >= x->sections[i].start && pos < x->sections[i].len)
			return e->len < x->sections[i].len - pos &&
			       !memcmp(x->sections[i].text + pos, e->text, e->len + (size_t)1);
	}
	return false;
}

void string_index_find(const struct string_index *x, struct str_pool *p)
{
	uint32_t end = atomic_load(&p->end);

	for (uint32_t id = 1; id < end && x->used; id++) {
		struct str_entry *e = str_pool_at(p, id);

		if (!str_entry_is_used(e))
			continue;
		uint32_t hash = (uint32_t)hash_bytes(e->text, e->len);
		for (size_t i = hash & x->mask; x->slots[i].offset; i = (i + 1) & x->mask) {
			const struct string_index_slot *s = &x->slots[i];

			if (s->hash == hash && is_at(x, s->offset - 1, e)) {
				str_entry_set_in_base(e, s->offset - 1);
				break;
			}
		}
	}
}
