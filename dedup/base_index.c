/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_index.c - see base_index.h
 *
 * A candidate whose outline is not equal to that of the type that is looked up is skipped without any effect
 * (docs/spec/dedup.md 3.5), and the outline contains the name. Equal names are equal offsets. This also holds for
 * what a declaration stands for: for a FWD the struct, for an empty enum the enum of its name. So for a single
 * split, a type with a name may be missing if the split does not have that name. A comparison of graphs reaches other
 * types of the base, entered or not: it follows ids and needs no candidates.
 *
 * All types without a name are entered. To enter only pointers to wanted types, and only structs and prototypes
 * with wanted names of members and parameters, takes 300 lines, and saves 5 % of the time of a small module.
 */
#include "dedup/base_index.h"

#include "base/cleanup.h"
#include "dedup/dedup_internal.h"
#include "dedup/name_filter.h"

#include <inttypes.h>
#include <stdlib.h>

static struct err *read_kinds(struct base_index *x)
{
	for (const struct btf_types *t = x->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++) {
			uint32_t kind = btf_info_kind(
				t->words.items[t->start.items[i] + BTF_REC_INFO]);
			uint32_t id = t->first + (uint32_t)i;

			if (unlikely(!btf_kind_layout(kind)->words))
				return err_new(ERR_FORMAT,
					       "type %" PRIu32 ": unknown kind %" PRIu32, id, kind);
			x->kinds[id] = (uint8_t)kind;
		}
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
static void add_type(struct base_index *x, const uint32_t *rec, uint32_t id, uint32_t nr)
{
	unsigned int end = cand_table_front_after(nr);

	switch ((enum btf_dedup)btf_kind_layouts[x->kinds[id]].dedup) {
	case BTF_DEDUP_ENUM:
		add(x, dedup_hash_enum(rec), id, end);
		add(x, dedup_hash_enum_alias(rec), id, end);
		break;
	case BTF_DEDUP_GRAPH:
		if (btf_kind_is_struct(x->kinds[id])) {
			add(x, dedup_hash_struct(x->types, rec), id, end);
			vec_push(&x->owners, ((struct base_owner){ rec[BTF_REC_NAME], id }));
		} else if (x->typedefs) {
			add(x, dedup_hash_typedef(rec), id, end);
		}
		break;
	case BTF_DEDUP_WORDS:
	case BTF_DEDUP_REFS:
		add(x, dedup_hash_words(rec), id, end);
		break;
	case BTF_DEDUP_NEVER:
		break;
	}
}

static bool is_candidate(uint8_t kind)
{
	return btf_kind_layouts[kind].dedup != BTF_DEDUP_NEVER;
}

/* A name and its name space. A declaration may be of a struct or of a union. */
static uint32_t name_in_space(const uint32_t *rec)
{
	enum btf_space space = btf_rec_space(rec);

	if (space == BTF_SPACE_UNION)
		space = BTF_SPACE_STRUCT;
	return rec[BTF_REC_NAME] ^ (uint32_t)space << 26;
}

/* The names of the types of @split. */
static void find_wanted(const struct btf_types *split, struct name_filter *ret)
{
	name_filter_init(ret, split->start.nr);
	for (uint32_t id = split->first; id < btf_types_end(split); id++) {
		const uint32_t *rec = btf_types_rec(split, id);

		name_filter_add(ret, name_in_space(rec));
	}
}

/* Add all types, or those without a name and those whose names are @wanted if that is not NULL. */
static void add_types(struct base_index *x, const struct name_filter *wanted)
{
	vec_push(&x->entries, (struct base_entry){ 0 });
	for (uint32_t id = 1; id < x->end; id++) {
		if (!is_candidate(x->kinds[id]))
			continue;

		const uint32_t *rec = btf_types_rec(x->types, id);
		uint32_t name = rec[BTF_REC_NAME];
		x->counted++;
		if (!wanted || !name || name_filter_has(wanted, name_in_space(rec)))
			add_type(x, rec, id, x->counted);
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

struct err *base_index_make(const struct btf_types *base, bool typedefs,
			    const struct btf_types *split, struct base_index *ret)
{
	CLEANUP(name_filter_release) struct name_filter wanted = { 0 };

	*ret = (struct base_index){ .types = base,
				    .end = btf_types_end(base),
				    .typedefs = typedefs };
	ret->kinds = mem_zalloc(ret->end, sizeof(ret->kinds[0]));
	TRY(read_kinds(ret));
	if (split)
		find_wanted(split, &wanted);
	add_types(ret, split ? &wanted : NULL);
	make_chains(ret);
	return NULL;
}

void base_index_release(struct base_index *x)
{
	FREE_ALL(x->kinds, x->entries.items, x->owners.items);
	hash_table_release(&x->first);
	*x = (struct base_index){ 0 };
}
