/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup.c - merge equal types, with libbpf's result
 *
 * Every unit of a program brings its own copy of each type it has seen, and often
 * less than the whole: one unit has the struct, another only its declaration. Two
 * copies are equal if their graphs are, where a declaration may stand for any struct
 * of its name. Graphs have cycles, so equality cannot be had bottom-up; it is assumed
 * and refuted. The rules are those of libbpf's btf__dedup() (version 1.7 and what
 * followed), down to which copy is kept: BTF made here must be what pahole would
 * have made, byte for byte. The exception is a defect of libbpf with arrays
 * (dedup_identical.c). The passes, in order:
 *
 *	dedup_prim    INT, FLOAT, FWD, ENUM, ENUM64: refer to nothing, compare words
 *	dedup_struct  STRUCT, UNION, TYPEDEF: compare graphs; bind declarations on the way
 *	dedup_fwd     FWDs left over, if only one struct has their name
 *	dedup_ref     PTR, CONST, FUNC, ARRAY, ...: now what they refer to is canonical,
 *	              so words decide again
 *	dedup_compact drop what was merged, number the rest, rewrite all ids
 *
 * The map says for each id which type replaces it. It changes only from "unset"
 * to an id, but for forward declarations (FWD, and ENUM without enumerators), which
 * are canonical at first and redirected when something better turns up.
 *
 * Equality with declarations is not transitive, hence the result depends on the order
 * of comparisons: ids ascend, and the candidates for one type come in the order of
 * libbpf's hash table (cand_table.h).
 *
 * libbpf recurses; types come from files, so here each walk has its own stack. One
 * of its walks can take exponential time, and ours does not (dedup_identical.c).
 */
#include "base/cleanup.h"
#include "dedup/dedup_internal.h"

#include <inttypes.h>
#include <stdlib.h>

const uint32_t dedup_void_rec[BTF_REC_WORDS];

uint64_t dedup_hash_words(const uint32_t *rec)
{
	return hash_words(rec, btf_rec_words(rec));
}

bool dedup_same_words(const uint32_t *a, const uint32_t *b)
{
	/* kind and vlen are in the info word, so the lengths agree if it does */
	return a[BTF_REC_INFO] == b[BTF_REC_INFO] && !memcmp(a, b, btf_rec_words(a) * sizeof(*a));
}

static void dedup_release(struct dedup *d)
{
	FREE_ALL(d->kind, d->map, d->hypot, d->hypot_ids.items, d->pairs.items,
		 d->identical.stack.items, d->identical.seen.items);
	hash_table_release(&d->identical.by_pair);
	free(d->ref_stack.items);
	cand_table_release(&d->cands);
	free(d->class_of);
	cand_table_release(&d->by_class);
}

struct err *dedup_gave_up(const struct dedup *d)
{
	return err_new(ERR_LIMIT,
		       "%" PRIu32 " types are so similar that %" PRIu64
		       " comparisons do not distinguish them",
		       d->end - 1, d->most_pairs);
}

void dedup_fetch_chain(struct dedup *d, uint64_t hash)
{
	uint32_t key = cand_key(hash);

	for (uint32_t i = HASH_FIND(&d->base->first, key, n, true); i;) {
		const struct base_entry *e = &d->base->entries.items[i];

		cand_table_add_at(&d->cands, key, e->id, e->end);
		i = e->next;
	}
}

static struct err *read_kinds(struct dedup *d)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		uint32_t kind = btf_rec_kind(dedup_rec(d, id));

		if (unlikely(!btf_kind_layout(kind)->words))
			return err_new(ERR_FORMAT, "type %" PRIu32 ": unknown kind %" PRIu32, id,
				       kind);
		d->kind[id] = (uint8_t)kind;
	}
	return NULL;
}

/* Count the types of the base as candidates. dedup_fetch_chain() adds them when they are needed. */
static struct err *prepare_base(struct dedup *d, struct base_index *own)
{
	d->base = d->opts->base;
	if (!d->base) {
		TRY(base_index_make(d->t->base, d->opts->base_typedefs, d->t, own));
		d->base = own;
	}
	assert(d->base->end == d->first && d->base->typedefs == d->opts->base_typedefs);
	memcpy(d->kind, d->base->kinds, d->first);
	cand_table_skip(&d->cands, d->base->counted);
	return NULL;
}

static void prepare_map(struct dedup *d)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		bool own = btf_kind_layouts[d->kind[id]].dedup == BTF_DEDUP_NEVER;

		d->map[id] = own ? id : ID_UNSET;
	}
}

/* See dedup_count_pair(). */
#define PAIRS_FREE ((uint64_t)1 << 32)
enum { PAIRS_PER_TYPE = 4096 };

struct err *dedup_run(struct btf_types *t, const struct dedup_opts *opts)
{
	uint32_t end = btf_types_end(t);
	CLEANUP(base_index_release) struct base_index base = { 0 };
	CLEANUP(dedup_release)
	struct dedup d = {
		.t = t,
		.opts = opts,
		.first = t->first,
		.end = end,
		.kind = mem_zalloc(end, sizeof(*d.kind)),
		.map = mem_zalloc(end, sizeof(*d.map)),
		.hypot = mem_zalloc(end, sizeof(*d.hypot)),
		.most_pairs = PAIRS_FREE + (uint64_t)PAIRS_PER_TYPE * end,
	};

	/* a guess between an already merged list and one with forty copies of each type */
	cand_table_init(&d.cands, t->start.nr < 400000 ? t->start.nr / 2 : 200000);
	TRY(read_kinds(&d));
	if (t->base)
		TRY(prepare_base(&d, &base));
	prepare_map(&d);
	dedup_prim(&d);
	TRY(dedup_struct(&d));
	dedup_fwd(&d);
	TRY(dedup_ref(&d));
	return dedup_compact(&d);
}
