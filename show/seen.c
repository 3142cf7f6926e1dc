/* SPDX-License-Identifier: GPL-2.0-only */
/* seen.c - see seen.h */
#include "show/seen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Structs of one name, size and number of members. Each is compared with the first ones in turn. Further ones are found
 * by the names of their members; there a member without a name matches only one without.
 */
enum { COMPARED = 16 };

/* The struct has a name: see seen_first(). */
static const char *name_of(const struct show_types *t, uint32_t id)
{
	const char *name = types_raw_name(t, id);

	assert(name);
	return name;
}

static uint64_t hash_of(const struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);

	return hash_mix(hash_string(name_of(t, id)),
			rec[BTF_REC_SIZE_TYPE] | (uint64_t)types_vlen(t, id) << 32);
}

/* Of the members, too. */
static uint64_t full_hash(const struct show_types *t, uint32_t id, uint64_t hash)
{
	const uint32_t *rec = types_rec(t, id);

	for (uint32_t i = 0; i < types_vlen(t, id); i++) {
		struct types_member m = types_member(rec, i);
		const char *name = types_raw_str(t, m.name);

		hash = hash_mix(hash, m.bit_offset | (uint64_t)m.bitfield_size << 32);
		hash = hash_mix(hash, name ? hash_string(name) : 0);
	}
	return hash;
}

/* A member without a name matches any name, as in pahole. */
static bool same_name(const char *a, const char *b)
{
	return !a || !b || !strcmp(a, b);
}

static bool is_like(const struct seen_struct *s, const struct show_types *t, uint32_t id)
{
	const uint32_t *a = types_rec(s->types, s->id), *b = types_rec(t, id);
	uint32_t nr = btf_rec_vlen(a);

	if (a == b)
		return true;
	if (nr != btf_rec_vlen(b) || a[BTF_REC_SIZE_TYPE] != b[BTF_REC_SIZE_TYPE] ||
	    strcmp(name_of(s->types, s->id), name_of(t, id)) != 0)
		return false;
	for (uint32_t i = 0; i < nr; i++) {
		struct types_member x = types_member(a, i), y = types_member(b, i);

		if (x.bit_offset != y.bit_offset || x.bitfield_size != y.bitfield_size ||
		    !same_name(types_raw_str(s->types, x.name), types_raw_str(t, y.name)))
			return false;
	}
	return true;
}

/* The number of the first one like @id, which is added if there is none. */
static uint32_t see(struct seen *s, const struct show_types *t, uint32_t id)
{
	uint64_t hash = hash_of(t, id);
	size_t nr = 0;
	uint32_t known = HASH_FIND(&s->index, hash, i, (nr++, is_like(&s->items[i - 1], t, id)));

	if (!known && nr >= COMPARED) {
		hash = full_hash(t, id, hash);
		known = HASH_FIND(&s->index, hash, i, is_like(&s->items[i - 1], t, id));
	}
	if (known) {
		s->items[known - 1].times++;
		return known;
	}
	vec_push(s, ((struct seen_struct){ .types = t, .id = id, .times = 1 }));
	hash_table_add(&s->index, hash, (uint32_t)s->nr);
	return (uint32_t)s->nr;
}

bool seen_first(struct seen *s, const struct show_types *t, uint32_t id)
{
	size_t before = s->nr;

	return see(s, t, id) > before;
}

bool seen_first_or_again(struct seen *s, const struct show_types *t, uint32_t id)
{
	uint32_t number = see(s, t, id);
	const struct seen_struct *first = &s->items[number - 1];

	return first->types == t && first->id == id;
}

void seen_release(struct seen *s)
{
	free(s->items);
	hash_table_release(&s->index);
	*s = (struct seen){ 0 };
}
