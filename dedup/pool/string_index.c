/* SPDX-License-Identifier: GPL-2.0-only */
/* string_index.c - see string_index.h */
#include "dedup/pool/string_index.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const char *text_at(const struct string_index *x, uint32_t offset)
{
	size_t i = x->nr_sections - 1;

	while (offset < x->sections[i].start)
		i--;
	return x->sections[i].text + (offset - x->sections[i].start);
}

static struct string_index_slot *slot_at(const struct string_index *x, uint32_t hash)
{
	return &x->slots[hash & x->mask];
}

static struct string_index_slot *slot_behind(const struct string_index *x,
					     const struct string_index_slot *s)
{
	return &x->slots[(size_t)(s - x->slots + 1) & x->mask];
}

/* The slot of the string @s, or the free one that it would have. */
static struct string_index_slot *slot_of(const struct string_index *x, const char *s, uint32_t hash)
{
	struct string_index_slot *slot = slot_at(x, hash);

	for (; slot->offset; slot = slot_behind(x, slot)) {
		if (slot->hash == hash && !strcmp(text_at(x, slot->offset - 1), s))
			break;
	}
	return slot;
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
	for (size_t i = 0; i < old_slots; i++) {
		struct string_index_slot *s = slot_at(x, old[i].hash);

		if (!old[i].offset)
			continue;
		while (s->offset)
			s = slot_behind(x, s);
		*s = old[i];
	}
	free(old);
}

static size_t count_strings(const char *text, size_t len)
{
	size_t nr = 0;

	for (size_t pos = 0; pos < len; nr++)
		pos = (size_t)((const char *)memchr(text + pos, '\0', len - pos) - text) + 1;
	return nr;
}

static void add(struct string_index *x, const char *s, size_t len, uint32_t offset)
{
	uint32_t hash = (uint32_t)hash_bytes(s, len);
	struct string_index_slot *slot = slot_of(x, s, hash);

	if (slot->offset) {
		x->repeats = true;
		return;
	}
	*slot = (struct string_index_slot){ hash, offset + 1 };
	x->used++;
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

		if (n)
			add(x, text + pos, n, start + pos);
		pos += n + 1;
	}
}

void string_index_release(struct string_index *x)
{
	free(x->slots);
	*x = (struct string_index){ 0 };
}

uint32_t string_index_first(const struct string_index *x, uint32_t offset)
{
	const char *s = text_at(x, offset);

	return *s ? slot_of(x, s, (uint32_t)hash_bytes(s, strlen(s)))->offset - 1 : 0;
}

/* A string that is looked for, among others: what it needs from memory is on its way meanwhile. */
struct wanted {
	struct str_entry *e;
	uint32_t hash;
};

enum { BATCH = 16 };

static void find_some(const struct string_index *x, const struct wanted *w, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t offset = slot_at(x, w[i].hash)->offset;

		if (offset)
			__builtin_prefetch(text_at(x, offset - 1));
	}
	for (size_t i = 0; i < nr; i++) {
		const struct string_index_slot *slot = slot_of(x, w[i].e->text, w[i].hash);

		if (slot->offset)
			str_entry_set_in_base(w[i].e, slot->offset - 1);
	}
}

void string_index_find(const struct string_index *x, struct str_pool *p)
{
	uint32_t end = atomic_load(&p->end);
	struct wanted some[BATCH];
	size_t nr = 0;

	if (!x->used)
		return;
	for (; p->looked_up < end; p->looked_up++) {
		struct str_entry *e = str_pool_at(p, p->looked_up);

		some[nr] = (struct wanted){ e, (uint32_t)hash_bytes(e->text, e->len) };
		__builtin_prefetch(slot_at(x, some[nr++].hash));
		if (nr == BATCH) {
			find_some(x, some, nr);
			nr = 0;
		}
	}
	find_some(x, some, nr);
}
