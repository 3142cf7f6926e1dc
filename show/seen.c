/* SPDX-License-Identifier: GPL-2.0-only */
/* seen.c - see seen.h */
#include "show/seen.h"

#include "base/hash.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_LEAST = 1024 };

/* Of a struct that has one: see seen_first(). */
static const char *name_of(const struct show_types *t, uint32_t id)
{
	const char *name = types_name(t, id);

	assert(name);
	return name;
}

static uint64_t hash_of(const struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);
	const char *name = name_of(t, id);

	return hash_mix(hash_bytes(name, strlen(name)),
			rec[BTF_REC_SIZE_TYPE] | (uint64_t)types_vlen(t, id) << 32);
}

/* Where one of two has no name nothing speaks against the other's. */
static bool same_name(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

static bool is_like(const struct seen_struct *s, const struct show_types *t, uint32_t id)
{
	const uint32_t *a = types_rec(s->types, s->id), *b = types_rec(t, id);
	uint32_t nr = btf_info_vlen(a[BTF_REC_INFO]);

	if (nr != btf_info_vlen(b[BTF_REC_INFO]) || a[BTF_REC_SIZE_TYPE] != b[BTF_REC_SIZE_TYPE] ||
	    strcmp(name_of(s->types, s->id), name_of(t, id)) != 0)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		struct types_member x = types_member(a, i), y = types_member(b, i);

		if (x.bit_offset != y.bit_offset || x.bitfield_size != y.bitfield_size ||
		    !same_name(types_str(s->types, x.name), types_str(t, y.name)))
			return false;
	}
	return true;
}

static void put(struct seen *s, uint32_t index)
{
	size_t i = s->items[index].hash & s->mask;

	while (s->table[i])
		i = (i + 1) & s->mask;
	s->table[i] = index + 1;
}

/* Half of the table stays free. */
static void make_room(struct seen *s)
{
	size_t size = s->mask ? 2 * (s->mask + 1) : TABLE_LEAST;

	if (s->mask && 2 * (s->nr + 1) <= s->mask + 1)
		return;
	free(s->table);
	s->table = mem_zalloc(size, sizeof(*s->table));
	s->mask = size - 1;
	for (uint32_t i = 0; i < s->nr; i++)
		put(s, i);
}

bool seen_first(struct seen *s, const struct show_types *t, uint32_t id)
{
	uint64_t hash = hash_of(t, id);

	make_room(s);
	for (size_t i = hash & s->mask; s->table[i]; i = (i + 1) & s->mask) {
		struct seen_struct *known = &s->items[s->table[i] - 1];

		if (known->hash == hash && is_like(known, t, id)) {
			known->times++;
			return false;
		}
	}
	vec_push(s, ((struct seen_struct){ .types = t, .id = id, .times = 1, .hash = hash }));
	put(s, (uint32_t)s->nr - 1);
	return true;
}

void seen_release(struct seen *s)
{
	free(s->items);
	free(s->table);
	*s = (struct seen){ 0 };
}
