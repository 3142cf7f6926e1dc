/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * array_lookalikes.c - types that libbpf may merge although they differ
 *
 * If a unit has a type twice, libbpf compares the copies by dedup_identical(), which has two blind spots
 * (docs/spec/dedup.md 3.7): it follows 16 levels of structs and prototypes, and of two arrays it
 * compares the lengths and not the elements. Example:
 *
 *	struct { int x[4], y[4]; }	one array type, referenced twice
 *	struct { int x[4]; char *y[4]; }	two array types
 *
 * libbpf maps the second struct to the first, because "char *[4]" meets an array that was already
 * compared with "int [4]". In the opposite order it keeps both. So the result depends on the order of the
 * types, and units with such types need exact dedup.
 *
 * Types that can be confused have equal relaxed hashes, which leave out the elements of arrays.
 * may_be_confused() compares two such types.
 *
 * A record in the pool refers to lower pool ids, except by name. So one pass in the order of ids
 * visits each type after those that it refers to.
 */
#include "base/cleanup.h"
#include "base/hash.h"
#include "dedup/ambiguous/ambiguous_internal.h"

#include <stdlib.h>

/* libbpf compares 16 levels. Types near the limit count as too deep. */
enum { MAX_LEVELS = 14 };

/* Of each type, by pool id. */
struct below {
	uint8_t levels; /* how many levels that libbpf counts are below it */
	bool arrays;    /* it is an array, or leads to one */
};

static struct below look_below(const uint32_t *rec, const struct below *below)
{
	struct below ret = { .arrays = btf_info_kind(rec[BTF_REC_INFO]) == BTF_ARRAY };
	pool_ref r;

	each_ref(rec, r)
	{
		if (!ref_is_id(r))
			continue;
		ret.arrays |= below[r].arrays;
		if (below[r].levels > ret.levels)
			ret.levels = below[r].levels;
	}
	return ret;
}

/* Is the record too deep, or a unique placeholder for what the pool cannot represent? Counts its own level. */
static bool irregular_by_itself(const uint32_t *rec, struct below *below)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (btf_kind_is_struct(kind) || kind == BTF_FUNC_PROTO) {
		if (below->levels >= MAX_LEVELS)
			return true;
		below->levels++;
	}
	return kind == BTF_UNKN;
}

static bool is_anonymous_enum(const uint32_t *rec)
{
	return btf_kind_is_enum(btf_info_kind(rec[BTF_REC_INFO])) && !rec[BTF_REC_NAME];
}

/*
 * A hash that is equal for two types if libbpf may merge them. Only arrays are compared by less than all they refer
 * to, so a type that leads to none is merged with itself only: its hash is that of its id.
 */
static uint64_t relaxed_hash(const uint32_t *rec, const uint64_t *relaxed)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = hash_pair(rec[BTF_REC_INFO], rec[BTF_REC_NAME]);
	pool_ref r;

	switch (kind) {
	case BTF_ARRAY: /* without the elements */
		return hash_mix(h, rec[BTF_REC_WORDS + 2]);
	case BTF_STRUCT:
	case BTF_UNION:
		h = hash_mix(h, rec[BTF_REC_SIZE_TYPE]);
		for (uint32_t i = 0; i < vlen; i++)
			h = hash_mix(h, (uint64_t)rec[BTF_REC_WORDS + i * 3] << 32 |
						rec[BTF_REC_WORDS + i * 3 + 2]);
		break;
	case BTF_FUNC_PROTO:
		for (uint32_t i = 0; i < vlen; i++)
			h = hash_mix(h, rec[BTF_REC_WORDS + i * 2]);
		break;
	default: /* a pointer or a modifier */
		break;
	}
	each_ref(rec, r) h = hash_mix(h, ref_is_id(r) ? relaxed[r] : r);
	return h;
}

/*
 * Walk two types with equal relaxed hashes in step. Return whether one array of the first type
 * corresponds to two different arrays of the second, or the other way round. Also true if the walk is
 * too long.
 */
static bool may_be_confused(const struct resolver *s, uint32_t a, uint32_t b)
{
	struct pairs todo = { 0 }, arrays = { 0 };
	bool confused = false;

	vec_push(&todo, ((struct pair){ a, b }));
	for (size_t steps = 0; todo.nr && !confused; steps++) {
		struct pair p = todo.items[--todo.nr];

		if (steps > MAX_STEPS)
			confused = true;
		if (resolver_kind(s, p.a) == BTF_ARRAY) {
			vec_push(&arrays, p);
			confused |= arrays.nr > MAX_PAIRS;
			continue;
		}
		struct btf_refs ia = btf_rec_refs(resolver_rec(s, p.a));
		struct btf_refs ib = btf_rec_refs(resolver_rec(s, p.b));
		pool_ref ra, rb;
		while (pool_refs_next(&ia, &ra) && pool_refs_next(&ib, &rb)) {
			if (ref_is_id(ra) && ref_is_id(rb))
				vec_push(&todo, ((struct pair){ ra, rb }));
		}
	}
	for (size_t i = 0; i < arrays.nr && !confused; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct pair *x = &arrays.items[i], *y = &arrays.items[j];

			confused |= (x->a == y->a) != (x->b == y->b);
		}
	}
	free(todo.items);
	free(arrays.items);
	return confused;
}

static int by_hash(const void *a, const void *b)
{
	const struct relaxed *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Drop most types without an equal hash, before sorting. Returns how many stay. */
static size_t drop_singles(struct relaxed *v, size_t nr)
{
	size_t slots = 64, left = 0;

	while (slots < nr * 8)
		slots *= 2;

	/* how many have this hash, by its low bits: 0, 1, or more */
	uint8_t *seen = mem_zalloc(slots, sizeof(*seen));
	for (size_t i = 0; i < nr; i++) {
		uint8_t *n = &seen[v[i].hash & (slots - 1)];

		*n = (uint8_t)(*n + (*n < 2));
	}
	for (size_t i = 0; i < nr; i++) {
		if (seen[v[i].hash & (slots - 1)] == 2)
			v[left++] = v[i];
	}
	free(seen);
	return left;
}

/* In larger groups, all types are tainted without comparing them in pairs. */
enum { MAX_GROUP = 32 };

void lookalikes_release(struct lookalikes *l)
{
	free(l->items);
}

static bool is_looked_at(const struct resolver *s, enum lookalike_scope look, uint32_t id)
{
	const uint32_t *rec = resolver_rec(s, id);
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	return look == LOOK_ALL || kind == BTF_TYPEDEF ||
	       (btf_kind_is_struct(kind) &&
		(!rec[BTF_REC_NAME] || (look == LOOK_NAMES && s->def_of[id])));
}

void find_lookalikes(const struct resolver *s, enum lookalike_scope look, struct lookalikes *ret)
{
	*ret = (struct lookalikes){ mem_alloc(s->end * sizeof(*ret->items)), 0 };
	for (uint32_t id = 1; id < s->end; id++) {
		if (is_looked_at(s, look, id))
			ret->items[ret->nr++] = (struct relaxed){ s->relaxed[id], id };
	}
	ret->nr = drop_singles(ret->items, ret->nr);
	if (look != LOOK_ALL)
		qsort(ret->items, ret->nr, sizeof(*ret->items), by_hash);
}

/* Definitions of one name are no concern here: the name is ambiguous already. */
static void mark_lookalikes(struct resolver *s)
{
	CLEANUP(lookalikes_release) struct lookalikes l = { 0 };
	const struct relaxed *found;

	find_lookalikes(s, LOOK_SHAPES, &l);
	found = l.items;
	for (size_t i = 1; i < l.nr; i++) {
		for (size_t j = i; j-- > 0 && found[j].hash == found[i].hash;) {
			if (i - j > MAX_GROUP || may_be_confused(s, found[i].id, found[j].id))
				s->tainted[found[i].id] = s->tainted[found[j].id] = true;
			if (i - j > MAX_GROUP)
				break;
		}
	}
}

void taint_lookalikes(struct resolver *s)
{
	CLEANUP(mem_free) struct below *below = mem_zalloc(s->end, sizeof(*below));
	bool empty_enum = false;

	s->relaxed = mem_alloc(s->end * sizeof(s->relaxed[0]));
	for (uint32_t id = 1; id < s->end; id++) {
		const uint32_t *rec = resolver_rec(s, id);

		below[id] = look_below(rec, below);
		s->relaxed[id] = below[id].arrays ? relaxed_hash(rec, s->relaxed) : hash_word(id);
		s->tainted[id] |= irregular_by_itself(rec, &below[id]);
		empty_enum |= is_anonymous_enum(rec) && !btf_info_vlen(rec[BTF_REC_INFO]);
	}
	/* a declaration without a name is compatible with any enum without a name (docs/spec/dedup.md 3.2) */
	for (uint32_t id = 1; empty_enum && id < s->end; id++)
		s->tainted[id] |= is_anonymous_enum(resolver_rec(s, id));
	mark_lookalikes(s);
}
