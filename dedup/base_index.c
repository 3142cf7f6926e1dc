/* SPDX-License-Identifier: GPL-2.0-only */
/* base_index.c - see base_index.h */
#include "dedup/base_index.h"

#include "base/cleanup.h"
#include "dedup/candidate_filter.h"
#include "dedup/dedup_internal.h"

#include <inttypes.h>
#include <stdlib.h>

struct err *base_index_read_kind(struct base_index *x, const uint32_t *rec, uint32_t id)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	if (unlikely(!btf_kind_layout(kind)))
		return err_new(ERR_FORMAT, "type %" PRIu32 ": unknown kind %" PRIu32, id, kind);
	x->kinds[id] = (uint8_t)kind;
	return NULL;
}

static struct err *read_kinds(struct base_index *x)
{
	for (const struct btf_types *t = x->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++)
			TRY(base_index_read_kind(x, t->words.items + t->start.items[i],
						 t->first + (uint32_t)i));
	}
	return NULL;
}

static void add(struct base_index *x, uint64_t hash, uint32_t id, unsigned int end)
{
	vec_push(&x->entries,
		 ((struct base_entry){
			 .key = cand_key(hash), .id = id & INT32_MAX, .end = end & 1 }));
}

/* Add an entry for each key of type @id, which is number @nr of the base's candidates. */
static void add_type(struct base_index *x, uint32_t id, uint32_t nr)
{
	const uint32_t *rec = btf_types_rec(x->types, id);
	unsigned int end = cand_table_front_after(nr);

	switch (x->kinds[id]) {
	case BTF_ENUM:
	case BTF_ENUM64:
		add(x, dedup_hash_enum(rec), id, end);
		add(x, dedup_hash_enum_alias(rec), id, end);
		break;
	case BTF_STRUCT:
	case BTF_UNION:
		add(x, dedup_hash_struct(x->types, rec), id, end);
		vec_push(&x->owners, ((struct base_owner){ rec[BTF_REC_NAME], id }));
		break;
	case BTF_TYPEDEF:
		if (x->typedefs)
			add(x, dedup_hash_typedef(rec), id, end);
		break;
	default:
		add(x, dedup_hash_words(rec), id, end);
		break;
	}
}

/* VAR and DATASEC are never deduplicated (docs/spec/dedup.md 3). */
static bool is_candidate(uint8_t kind)
{
	return kind != BTF_VAR && kind != BTF_DATASEC && kind != BTF_UNKN;
}

/* Add all types, or those of @wanted if it is not NULL. */
static void add_types(struct base_index *x, const bool *wanted)
{
	vec_push(&x->entries, (struct base_entry){ 0 });
	for (uint32_t id = 1; id < x->end; id++) {
		x->counted += is_candidate(x->kinds[id]);
		if (is_candidate(x->kinds[id]) && (!wanted || wanted[id]))
			add_type(x, id, x->counted);
	}
}

/* Prepend the entries in descending order, so that the ids in each chain ascend. */
static void make_chains(struct base_index *x)
{
	hash_table_reserve(&x->first, x->entries.nr);
	for (size_t i = x->entries.nr - 1; i > 0; i--) {
		struct base_entry *e = &x->entries.items[i];
		uint64_t *slot = HASH_SLOT(&x->first, e->key, n, true);

		e->next = (uint32_t)*slot;
		hash_table_set(&x->first, slot, e->key, (uint32_t)i);
	}
}

static struct err *make(const struct btf_types *base, const struct btf_types *split, bool typedefs,
			struct base_index *x)
{
	bool *wanted = NULL;

	*x = (struct base_index){ .types = base, .end = btf_types_end(base), .typedefs = typedefs };
	x->kinds = mem_zalloc(x->end, sizeof(x->kinds[0]));
	if (split)
		TRY(filter_candidates(x, split, &wanted));
	else
		TRY(read_kinds(x));
	add_types(x, wanted);
	free(wanted);
	make_chains(x);
	return NULL;
}

struct err *base_index_all(const struct btf_types *base, bool typedefs, struct base_index *ret)
{
	return make(base, NULL, typedefs, ret);
}

struct err *base_index_for(const struct btf_types *split, bool typedefs, struct base_index *ret)
{
	return make(split->base, split, typedefs, ret);
}

void base_index_release(struct base_index *x)
{
	FREE_ALL(x->kinds, x->entries.items, x->owners.items);
	hash_table_release(&x->first);
	*x = (struct base_index){ 0 };
}
