/* SPDX-License-Identifier: GPL-2.0-only */
/* base_lookalikes.c - see base_lookalikes.h */
#include "dedup/base/base_lookalikes.h"

#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "dedup/pool/bloom_filter.h"
#include "dedup/pool/pool_refs.h"

#include <stdlib.h>

void shallow_signatures_release(struct shallow_signatures *o)
{
	free(o->items);
	*o = (struct shallow_signatures){ 0 };
}

/* Kind, number of members, size, and how the name of the first member begins. */
static uint64_t signature_key(const uint32_t *rec, const char *name, size_t room)
{
	uint64_t start = load_start(name, room);

	return hash_mix(hash_pair(rec[BTF_REC_INFO], rec[BTF_REC_SIZE_TYPE]),
			up_to_zero(start, zero_bytes(start)));
}

void shallow_signatures_add(struct shallow_signatures *o, const struct btf_view *base,
			    const uint32_t *rec, uint32_t id)
{
	if (likely(!has_shallow_signature(rec)))
		return;

	const char *name = btf_view_str(base, base->base, rec[BTF_REC_WORDS]);
	vec_push(o, ((struct shallow_signature){ signature_key(rec, name, strlen(name)), id }));
}

static int by_key(const void *a, const void *b)
{
	const struct shallow_signature *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

void shallow_signatures_sort(struct shallow_signatures *o)
{
	if (o->nr)
		qsort(o->items, o->nr, sizeof(o->items[0]), by_key);
}

/* How many arrays does @rec lead to? Two are as good as more. It refers to lower ids only. */
static uint8_t count_arrays(const uint32_t *rec, const uint8_t *arrays)
{
	unsigned int nr = 0;
	pool_ref r;

	if (btf_info_kind(rec[BTF_REC_INFO]) == BTF_ARRAY)
		return 1;
	each_ref(rec, r) nr += ref_is_id(r) ? arrays[r] : 0;
	return nr < 2 ? (uint8_t)nr : 2;
}

void base_lookalikes_list(const struct type_pool *types, const struct str_pool *strings,
			  struct shallow_signatures *ret)
{
	uint32_t end = atomic_load(&types->end);
	uint8_t *arrays = mem_zalloc(end, sizeof(*arrays));

	for (uint32_t id = 1; id < end; id++) {
		const uint32_t *rec = type_pool_at(types, id)->rec;

		arrays[id] = count_arrays(rec, arrays);
		if (arrays[id] < 2 || !has_shallow_signature(rec))
			continue;

		const struct str_entry *e = str_pool_at(strings, rec[BTF_REC_WORDS]);
		vec_push(ret,
			 ((struct shallow_signature){ signature_key(rec, e->text, e->len), id }));
	}
	free(arrays);
}

/* More lookalikes, or more arrays in them, are not compared one by one: they may be confused. */
enum { MAX_GROUP = 32, MAX_ARRAYS = 1024 };

/* Of the pairs that were met: does one array of the base replace two of the pool? */
static bool arrays_are_confused(const struct base_match *a)
{
	struct assumed arrays[MAX_ARRAYS];
	size_t nr = 0;

	for (size_t i = 0; i < a->assumed.nr; i++) {
		const struct assumed p = a->assumed.items[i];

		if (btf_info_kind(type_pool_at(a->types, p.id)->rec[BTF_REC_INFO]) != BTF_ARRAY)
			continue;
		if (nr == ARRAY_SIZE(arrays))
			return true;
		for (size_t j = 0; j < nr; j++) {
			if (arrays[j].base == p.base && arrays[j].id != p.id)
				return true;
		}
		arrays[nr++] = p;
	}
	return false;
}

static bool may_be_confused(struct base_match *a, uint32_t id, uint32_t base)
{
	bool alike = base_match_walk(a, id, base);
	bool ret = a->assumed.nr >= BASE_MAX_ASSUMED || (alike && arrays_are_confused(a));

	base_match_forget(a, true);
	return ret;
}

bool base_has_lookalike(struct base_match *a, const struct shallow_signature *asked,
			const struct shallow_signatures *found)
{
	size_t first = LOWER_BOUND(0, found->nr, k, found->items[k].key < asked->key), i = first;

	for (; i < found->nr && found->items[i].key == asked->key; i++) {
		if (i - first == MAX_GROUP || may_be_confused(a, asked->id, found->items[i].id))
			return true;
	}
	return false;
}
