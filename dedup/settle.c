/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle.c - see settle.h
 *
 * A record in the pool refers to older ids only, for it could not be made before what it
 * refers to. So one walk in the order of ids sees everything before what depends on it,
 * and only names, which may refer to what comes later, make another walk necessary.
 */
#include "dedup/settle.h"

#include "base/hash.h"

#include <stdlib.h>

/* What is known of a name, by string id. */
enum {
	NAME_STRUCT = 1 << 0,         /* a struct or union of this name is defined */
	NAME_STRUCT_UNCLEAR = 1 << 1, /* ... and it does not tell which */
	NAME_ENUM = 1 << 2,
	NAME_ENUM_FWD = 1 << 3,
	NAME_ENUM_UNCLEAR = 1 << 4,
};

/* libbpf compares 16 levels; one level of doubt is one too many */
enum { MAX_LEVELS = 14 };

struct walk {
	const struct type_pool *types;
	uint32_t end;   /* one past the highest pool id */
	uint8_t *names; /* by string id */
	struct settled *s;
	bool changed;
};

/* Call @fn for each reference of @rec; the index type of arrays is none. */
#define each_ref(rec, r) for (struct ref_iter it_ = ref_iter_start(rec); ref_iter_next(&it_, &(r));)

struct ref_iter {
	const uint32_t *pos, *elem;
	uint32_t left, step;
};

static struct ref_iter ref_iter_start(const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	struct ref_iter it = { 0 };

	if (!l)
		return it;
	if (l->main_is_type)
		it.pos = &rec[BTF_REC_SIZE_TYPE];
	else if (l->fixed_types)
		it.pos = &rec[BTF_REC_WORDS]; /* ARRAY: its elements */
	if (l->elem_type >= 0) {
		it.elem = rec + BTF_REC_WORDS + l->fixed + l->elem_type;
		it.left = btf_info_vlen(rec[BTF_REC_INFO]);
		it.step = l->elem;
	}
	return it;
}

ALWAYS_INLINE bool ref_iter_next(struct ref_iter *it, pool_ref *ret)
{
	if (it->pos) {
		*ret = *it->pos;
		it->pos = NULL;
		return true;
	}
	if (!it->left)
		return false;
	*ret = *it->elem;
	it->elem += it->step;
	it->left--;
	return true;
}

static bool is_su(uint32_t kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION;
}

static bool is_enum(uint32_t kind)
{
	return kind == BTF_ENUM || kind == BTF_ENUM64;
}

/* Who owns each name, and is it one? */
static void find_owners(struct walk *w)
{
	for (uint32_t id = 1; id < w->end; id++) {
		const struct pool_type *t = type_pool_at(w->types, id);
		uint32_t kind = btf_info_kind(t->rec[BTF_REC_INFO]);
		uint32_t name = t->rec[BTF_REC_NAME];
		uint8_t *known = &w->names[name];
		bool forward = !btf_info_vlen(t->rec[BTF_REC_INFO]);

		if (!name || !atomic_load_explicit(&t->unplaced, memory_order_relaxed))
			continue;
		if (kind == BTF_FWD) {
			pool_ref r = pool_ref_to(t->rec, id);
			uint32_t *owner = &w->s->named[pool_ref_space(r)][name];

			if (!*owner)
				*owner = id;
		} else if (is_su(kind)) {
			if (*known & NAME_STRUCT)
				*known |= NAME_STRUCT_UNCLEAR;
			*known |= NAME_STRUCT;
			w->s->named[kind == BTF_UNION ? POOL_UNION : POOL_STRUCT][name] = id;
		} else if (is_enum(kind)) {
			uint8_t bit = forward ? NAME_ENUM_FWD : NAME_ENUM;

			if (*known & bit)
				*known |= NAME_ENUM_UNCLEAR;
			if (!forward || !(*known & NAME_ENUM))
				w->s->named[POOL_ENUM][name] = id;
			*known |= bit;
		}
	}
}

static void mark(struct walk *w, uint32_t id)
{
	const uint32_t *rec = type_pool_at(w->types, id)->rec;
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	uint8_t *known = &w->names[rec[BTF_REC_NAME]];

	if (w->s->unclear[id])
		return;
	w->s->unclear[id] = true;
	w->s->any = true;
	if (!rec[BTF_REC_NAME])
		return;

	uint8_t bit = is_su(kind) ? NAME_STRUCT_UNCLEAR : is_enum(kind) ? NAME_ENUM_UNCLEAR : 0;
	if (bit & ~*known) {
		*known |= bit;
		w->changed = true;
	}
}

/* Records that are unclear by themselves: too deep, lonely, or an anonymous enum of nothing. */
static void mark_odd(struct walk *w)
{
	uint8_t *levels = mem_zalloc(w->end, 1);
	bool empty_enum = false;

	for (uint32_t id = 1; id < w->end; id++) {
		const uint32_t *rec = type_pool_at(w->types, id)->rec;
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
		uint8_t deepest = 0;
		pool_ref r;

		if (kind == BTF_UNKN)
			mark(w, id);
		if (is_enum(kind) && !rec[BTF_REC_NAME] && !btf_info_vlen(rec[BTF_REC_INFO]))
			empty_enum = true;
		each_ref(rec, r)
		{
			if (!pool_ref_is_named(r) && r != POOL_REF_INDEX && levels[r] > deepest)
				deepest = levels[r];
		}
		levels[id] = deepest;
		if (is_su(kind) || kind == BTF_FUNC_PROTO) {
			if (deepest >= MAX_LEVELS)
				mark(w, id);
			else
				levels[id]++;
		}
	}
	free(levels);
	for (uint32_t id = 1; empty_enum && id < w->end; id++) {
		const uint32_t *rec = type_pool_at(w->types, id)->rec;

		if (is_enum(btf_info_kind(rec[BTF_REC_INFO])) && !rec[BTF_REC_NAME])
			mark(w, id);
	}
}

/* A hash that is equal for any two types which libbpf may take for equal. */
static uint64_t loose_hash(const uint32_t *rec, const uint64_t *loose, pool_ref self)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);
	uint64_t h = hash_mix(rec[BTF_REC_INFO], rec[BTF_REC_NAME]);
	pool_ref r;

	switch (kind) {
	case BTF_ARRAY: /* the number of elements, and not what they are */
		return hash_mix(h, rec[BTF_REC_WORDS + 2]);
	case BTF_STRUCT:
	case BTF_UNION:
		h = hash_mix(h, rec[BTF_REC_SIZE_TYPE]);
		for (uint32_t i = 0; i < vlen; i++)
			h = hash_mix(h, (uint64_t)rec[BTF_REC_WORDS + i * 3] << 32 |
						rec[BTF_REC_WORDS + i * 3 + 2]);
		break;
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_TYPEDEF:
	case BTF_TYPE_TAG:
	case BTF_FUNC_PROTO:
		break;
	default:
		return hash_mix(h, self);
	}
	each_ref(rec, r) h = hash_mix(h, pool_ref_is_named(r) ? r : loose[r]);
	return h;
}

struct loose {
	uint64_t hash;
	uint32_t id;
};

static int by_hash(const void *a, const void *b)
{
	const struct loose *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Types that libbpf merges by their shape and that differ in what arrays are of. */
static void mark_lookalikes(struct walk *w)
{
	uint64_t *loose = mem_zalloc(w->end, sizeof(*loose));
	struct loose *found = mem_alloc(w->end * sizeof(*found));
	size_t nr = 0;

	for (uint32_t id = 1; id < w->end; id++) {
		const uint32_t *rec = type_pool_at(w->types, id)->rec;
		uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

		loose[id] = loose_hash(rec, loose, id);
		/* two of one name are unclear already */
		if (kind == BTF_TYPEDEF || (is_su(kind) && !rec[BTF_REC_NAME]))
			found[nr++] = (struct loose){ loose[id], id };
	}
	qsort(found, nr, sizeof(*found), by_hash);
	for (size_t i = 1; i < nr; i++) {
		if (found[i].hash == found[i - 1].hash) {
			mark(w, found[i].id);
			mark(w, found[i - 1].id);
		}
	}
	free(found);
	free(loose);
}

static bool ref_unclear(const struct walk *w, pool_ref r)
{
	if (!pool_ref_is_named(r))
		return r != POOL_REF_INDEX && w->s->unclear[r];
	return w->names[pool_ref_name(r)] &
	       (pool_ref_space(r) == POOL_ENUM ? NAME_ENUM_UNCLEAR : NAME_STRUCT_UNCLEAR);
}

/* What is unclear spreads to all that refers to it. */
static void spread(struct walk *w)
{
	do {
		w->changed = false;
		for (uint32_t id = 1; id < w->end; id++) {
			const uint32_t *rec = type_pool_at(w->types, id)->rec;
			bool unclear = false;
			pool_ref r;

			if (w->s->unclear[id])
				continue;
			r = pool_ref_to(rec, id);
			if (pool_ref_is_named(r))
				unclear = ref_unclear(w, r);
			if (!unclear) {
				each_ref(rec, r) unclear |= ref_unclear(w, r);
			}
			if (unclear)
				mark(w, id);
		}
	} while (w->changed);
}

void settle(const struct type_pool *types, const struct str_pool *strings, const pool_ref *crowded,
	    size_t nr_crowded, struct settled *ret)
{
	struct walk w = {
		.types = types,
		.end = atomic_load(&types->end),
		.s = ret,
	};
	uint32_t nr_names = atomic_load(&strings->end);

	*ret = (struct settled){ .unclear = mem_zalloc(w.end, sizeof(ret->unclear[0])) };
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		ret->named[i] = mem_zalloc(nr_names, sizeof(ret->named[i][0]));
	w.names = mem_zalloc(nr_names, 1);

	find_owners(&w);
	for (size_t i = 0; i < nr_crowded; i++)
		w.names[pool_ref_name(crowded[i])] |= pool_ref_space(crowded[i]) == POOL_ENUM ?
							      NAME_ENUM_UNCLEAR :
							      NAME_STRUCT_UNCLEAR;
	mark_odd(&w);
	mark_lookalikes(&w);
	spread(&w);
	free(w.names);
}

void settled_release(struct settled *s)
{
	free(s->unclear);
	for (size_t i = 0; i < POOL_NR_SPACES; i++)
		free(s->named[i]);
	*s = (struct settled){ 0 };
}
