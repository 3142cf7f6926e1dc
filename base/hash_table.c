/* SPDX-License-Identifier: GPL-2.0-only */
/* hash_table.c - see hash_table.h */
#include "base/hash_table.h"

#include <stdlib.h>

enum { SLOTS_MIN = 64, SLOTS_KEPT = 512 };

/* Put @slot, which the table has room for, into the next free element. */
static void put(struct hash_table *t, uint64_t slot)
{
	size_t i = slot >> 32 & t->mask;

	while (t->slots[i])
		i = (i + 1) & t->mask;
	t->slots[i] = slot;
}

void hash_table_reserve(struct hash_table *t, size_t nr)
{
	struct hash_table old = *t;
	size_t old_slots = old.slots ? old.mask + 1 : 0, slots = old_slots ? old_slots : SLOTS_MIN;

	while (slots / 2 < old.nr + nr)
		slots *= 2;
	if (slots == old_slots)
		return;
	t->slots = mem_zalloc_table(slots, sizeof(*t->slots));
	t->mask = slots - 1;
	for (size_t i = 0; i < old_slots; i++) {
		if (old.slots[i])
			put(t, old.slots[i]);
	}
	free(old.slots);
}

void hash_table_add(struct hash_table *t, uint64_t hash, uint32_t number)
{
	assert(number);
	hash_table_reserve(t, 1);
	put(t, hash << 32 | number);
	t->nr++;
}

void hash_table_release(struct hash_table *t)
{
	free(t->slots);
	*t = (struct hash_table){ 0 };
}

void hash_table_clear(struct hash_table *t)
{
	if (t->mask >= SLOTS_KEPT && t->mask / 32 > t->nr)
		hash_table_release(t);
	else if (t->nr)
		memset(t->slots, 0, (t->mask + 1) * sizeof(*t->slots));
	t->nr = 0;
}

static uint32_t find_name(const struct name_ids *n, const char *name, uint64_t hash)
{
	return HASH_FIND(&n->by_text, hash, i, !strcmp(n->names.items[i - 1], name));
}

uint32_t name_ids_find(const struct name_ids *n, const char *name)
{
	return find_name(n, name, hash_bytes(name, strlen(name)));
}

uint32_t name_ids_add(struct name_ids *n, const char *name)
{
	uint64_t hash = hash_bytes(name, strlen(name));
	uint32_t id = find_name(n, name, hash);

	if (!id) {
		vec_push(&n->names, name);
		id = (uint32_t)n->names.nr;
		hash_table_add(&n->by_text, hash, id);
	}
	return id;
}

void name_ids_release(struct name_ids *n)
{
	free(n->names.items);
	hash_table_release(&n->by_text);
	*n = (struct name_ids){ 0 };
}
