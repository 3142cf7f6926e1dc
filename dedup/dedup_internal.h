/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_internal.h - the state the passes of dedup share; for dedup*.c only
 *
 * All arrays are indexed by id, the base's ids included.
 */
#ifndef BTFENC_DEDUP_DEDUP_INTERNAL_H
#define BTFENC_DEDUP_DEDUP_INTERNAL_H

#include "base/hash.h"
#include "btf/btf_kind.h"
#include "dedup/base_index.h"
#include "dedup/cand_table.h"
#include "dedup/dedup.h"

/* In the map, instead of an id. */
enum { ID_UNSET = UINT32_MAX, ID_IN_PROGRESS = UINT32_MAX - 1 };

/* Type ids to compare in turn: @left pairs, @step words apart. */
struct pair_run {
	const uint32_t *a, *b;
	int step;
	uint32_t left;
};

/* The next pair of @r; false if none is left. */
ALWAYS_INLINE bool pair_run_next(struct pair_run *r, uint32_t *a, uint32_t *b)
{
	if (!r->left)
		return false;
	*a = *r->a;
	*b = *r->b;
	if (--r->left) {
		r->a += r->step;
		r->b += r->step;
	}
	return true;
}

struct pair_stack {
	struct pair_run *items;
	size_t nr, cap;
};

/* A pair that dedup_identical() has visited, in walk @walk, with @depth levels left. */
struct seen_pair {
	uint32_t a, b;
	uint64_t walk;
	uint32_t depth;
};

struct identical_state {
	struct {
		struct identical_run *items;
		size_t nr, cap;
	} stack;
	struct {
		struct seen_pair *items;
		size_t nr, cap;
	} seen;                    /* in this call */
	struct hash_table by_pair; /* indexes of @seen, plus one */
	uint64_t walk;             /* number of the walk, over all calls */
};

struct dedup {
	struct btf_types *t;
	const struct dedup_opts *opts;
	uint32_t first, end; /* own ids */
	uint8_t *kind;
	/*
	 * The canonical type, maybe over several steps; or ID_*. 0 stands for the id itself, so that the
	 * entries of void and of the base need not be written.
	 */
	uint32_t *map;
	struct cand_table cands;       /* through dedup_chain() and dedup_keep() */
	const struct base_index *base; /* NULL: no base */

	/*
	 * The struct pass: by type of the candidate's graph, the type that it is assumed to be equal to. 0
	 * for none: void is equal to void only, which needs no hypothesis.
	 */
	uint32_t *hypot;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} hypot_ids;       /* the indexes of @hypot that are set, in the order of the walk */
	bool adjusts_base; /* equal only if a FWD of the base became a struct */
	struct pair_stack pairs;
	struct identical_state identical;
	uint64_t nr_pairs, most_pairs; /* compared so far, and the limit */
	uint64_t nr_wasted;            /* of these, in comparisons of different types */
	/* by id: only types with equal numbers can be equal; NULL until dedup_classify() */
	uint32_t *class_of;
	struct cand_table by_class; /* then, the candidates of the struct pass, by class */

	struct {
		struct ref_frame *items;
		size_t nr, cap;
	} ref_stack;
};

extern const uint32_t dedup_void_rec[BTF_REC_WORDS];

/* The record of @id, 0 included. */
ALWAYS_INLINE const uint32_t *dedup_rec(const struct dedup *d, uint32_t id)
{
	if (likely(id >= d->first))
		return d->t->words.items + d->t->start.items[id - d->first];
	return id ? btf_types_rec(d->t->base, id) : dedup_void_rec;
}

ALWAYS_INLINE bool dedup_is_mapped(const struct dedup *d, uint32_t id)
{
	return d->map[id] < ID_IN_PROGRESS;
}

/* The end of the chain of mappings from @id: the best known canonical type. */
ALWAYS_INLINE uint32_t dedup_resolve(const struct dedup *d, uint32_t id)
{
	for (;;) {
		uint32_t next = d->map[id];

		if (!next || next == id || next >= ID_IN_PROGRESS)
			return id;
		id = next;
	}
}

MUST_CHECK NEVER_NULL struct err *dedup_gave_up(const struct dedup *d);

/* Put the base's candidates of @hash into their chain, which is empty. */
void dedup_fetch_chain(struct dedup *d, uint64_t hash);

/*
 * The candidates of @hash, for cand_each(). All reads of a chain and all additions to one call this
 * first, because it adds the candidates of the base (base_index.h).
 */
ALWAYS_INLINE const struct cand_table *dedup_chain(struct dedup *d, uint64_t hash)
{
	if (d->base && !cand_first(&d->cands, hash))
		dedup_fetch_chain(d, hash);
	return &d->cands;
}

/*
 * Count a comparison of two types. Programs need up to 14 for each type (a kernel of clang). Types that
 * differ only at the ends of long chains can need up to the cube of their number, where classes do not
 * distinguish them (dedup_classes.c). ERR_LIMIT after 2^32 comparisons, which take about a minute, and 4,096
 * for each type.
 */
ALWAYS_INLINE struct err *dedup_count_pair(struct dedup *d)
{
	return likely(++d->nr_pairs < d->most_pairs) ? NULL : dedup_gave_up(d);
}

/* Keep @id as a canonical type of its own. */
static inline void dedup_keep(struct dedup *d, uint64_t hash, uint32_t id)
{
	d->map[id] = id;
	dedup_chain(d, hash);
	cand_table_add(&d->cands, hash, id);
}

/* Is a record of @kind three words, of which the third is a type? */
static inline bool dedup_only_refers(enum btf_kind kind)
{
	const struct btf_kind_layout *l = &btf_kind_layouts[kind];

	return l->main_is_type && !l->fixed && !l->elem;
}

/* Does the struct pass merge types of @kind? */
static inline bool dedup_in_struct_pass(enum btf_kind kind)
{
	return btf_kind_layouts[kind].dedup == BTF_DEDUP_GRAPH;
}

/* The kind that a FWD stands for. */
static inline uint8_t dedup_fwd_kind(const uint32_t *fwd)
{
	return btf_info_kflag(fwd[BTF_REC_INFO]) ? BTF_UNION : BTF_STRUCT;
}

/* One pass each, see dedup.c. */
void dedup_prim(struct dedup *d);
struct err *dedup_struct(struct dedup *d);
void dedup_fwd(struct dedup *d);
struct err *dedup_ref(struct dedup *d);
struct err *dedup_compact(struct dedup *d);
/* Fill @class_of and @by_class. */
void dedup_classify(struct dedup *d);

/* The key of @id in @by_class. The numbers of classes as keys would be one run of slots, which a search walks. */
ALWAYS_INLINE uint64_t dedup_hash_class(const struct dedup *d, uint32_t id)
{
	return hash_mix(d->class_of[id], 0);
}

/* The two keys of an enum; the one of a struct or union; that of a typedef. */
uint64_t dedup_hash_enum(const uint32_t *rec);
uint64_t dedup_hash_enum_alias(const uint32_t *rec);
uint64_t dedup_hash_struct(const struct btf_types *t, const uint32_t *rec);
uint64_t dedup_hash_typedef(const uint32_t *rec);
/* Of a struct or union, without the types of its members. */
uint64_t dedup_hash_outline(const uint32_t *rec);

/* Enums are equal, or one of them is a forward declaration of the other. */
bool dedup_compat_enum(const uint32_t *a, const uint32_t *b);
/*
 * Are two records of one kind equal but for the types that they refer to? *rest: the pairs of these, in the order in
 * which libbpf compares them. A kind that is no type is equal to none.
 */
bool dedup_shallow(enum btf_kind kind, const uint32_t *a, const uint32_t *b, struct pair_run *rest);

/*
 * Are @a and @b copies of one type in one unit? ERR_FORMAT if both are cycles of references without a
 * struct, where libbpf does not terminate.
 */
struct err *dedup_identical(struct dedup *d, uint32_t a, uint32_t b, bool *ret);

#endif
