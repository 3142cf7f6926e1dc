/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * candidate_filter.c - see candidate_filter.h
 *
 * A candidate that is not equal in outline to the type that is looked up is passed over
 * without any effect (docs/spec/dedup.md 3.5), so a candidate which is in outline equal to
 * nothing in the split may as well be missing. An outline has:
 *
 *   - a name. Equal names are equal offsets, and a type with a name can only be one that
 *     has it, too. That holds for what stands for a declaration as well: for a FWD the
 *     struct, for an empty enum the enum of its name.
 *   - without a name, structs, unions and enums have names inside, which all have to be the
 *     split's. Without those, too, or if the split has a declaration without a name, which no
 *     compiler makes, they may be anything.
 *   - a pointer, a qualifier, an array, a prototype: what it refers to, word for word. By
 *     the time they are looked up, these are ids of canonical types: void, or one of the
 *     base that some type of the split has turned out to be (hence one that is wanted), or
 *     one that the split referred to as the base's from the start.
 *
 * Comparing two graphs leads to other types of the base, whether they are wanted or not: that
 * goes by ids and needs no candidates. Types that it maps to each other have the same name and outline.
 *
 * To want too much costs time and changes nothing. So names are looked up in a filter of bits
 * by hash, which may take a name for one of the split's that is not.
 */
#include "dedup/candidate_filter.h"

#include "base/cleanup.h"
#include "base/hash.h"
#include "btf/btf_kind.h"

#include <stdlib.h>

struct name_filter {
	uint64_t *words;
	unsigned int shift;
};

/* A reference that is not yet known to be wanted, and the highest id that it refers to. */
struct open_ref {
	uint32_t id, highest;
};

struct candidate_filter {
	struct base_index *x;
	struct name_filter names, parts; /* of types, and of what is inside */
	bool *wanted;                    /* by id */
	bool any_nameless;
	struct {
		struct open_ref *items;
		size_t nr, cap;
	} open;
};

static void candidate_filter_release(struct candidate_filter *w)
{
	FREE_ALL(w->names.words, w->parts.words, w->wanted, w->open.items);
}

/* --- what the split says -------------------------------------------------------------- */

/*
 * A name with the class of the kind: what stands for a declaration is of another kind, but of one class. A FWD, whatever
 * it declares, is in the class of structs, and so are unions.
 */
ALWAYS_INLINE uint32_t name_in_class(uint32_t name, enum btf_kind kind)
{
	uint32_t space = btf_kind_layouts[kind].space;

	return name ^ (space == BTF_SPACE_UNION ? BTF_SPACE_STRUCT : space) << 26;
}

ALWAYS_INLINE uint32_t filter_bit(const struct name_filter *f, uint32_t name)
{
	return name * 0x9e3779b1u >> f->shift;
}

ALWAYS_INLINE void filter_add(struct name_filter *f, uint32_t name)
{
	uint32_t bit = filter_bit(f, name);

	f->words[bit / 64] |= (uint64_t)1 << bit % 64;
}

ALWAYS_INLINE bool filter_has(const struct name_filter *f, uint32_t name)
{
	uint32_t bit = filter_bit(f, name);

	return f->words[bit / 64] >> bit % 64 & 1;
}

/* A filter for @nr names; to have none is always known. */
static void filter_init(struct name_filter *f, size_t nr)
{
	unsigned int bits = 12;

	while (bits < 20 && (size_t)1 << bits < nr * 16)
		bits++;
	f->words = mem_zalloc(((size_t)1 << bits) / 64, sizeof(f->words[0]));
	f->shift = 32 - bits;
	filter_add(f, 0);
}

/* A declaration without a name stands for any nameless struct, union or enum. */
static bool is_nameless_declaration(const uint32_t *rec)
{
	enum btf_ctype c = btf_ctype(btf_rec_kind(rec));

	if (rec[BTF_REC_NAME])
		return false;
	return c == BTF_C_FORWARD || (c == BTF_C_ENUM && !btf_rec_vlen(rec));
}

static void read_record(struct candidate_filter *w, const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_rec_layout(rec);
	uint32_t vlen = btf_rec_vlen(rec), end = w->x->end;
	const uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;

	filter_add(&w->names, name_in_class(rec[BTF_REC_NAME], btf_rec_kind(rec)));
	w->any_nameless |= is_nameless_declaration(rec);
	for (uint32_t i = 0; l->elem_name >= 0 && i < vlen; i++, elem += l->elem)
		filter_add(&w->parts, elem[l->elem_name]);
	btf_rec_each_type(rec, type)
	{
		if (*type < end)
			w->wanted[*type] = true;
	}
}

static void read_split(struct candidate_filter *w, const struct btf_types *split)
{
	filter_init(&w->names, split->start.nr);
	/* of three words, one is a name at most, and most names are there many times */
	filter_init(&w->parts, split->words.nr / 6);
	w->wanted[0] = true;
	for (uint32_t id = split->first; id < btf_types_end(split); id++)
		read_record(w, btf_types_rec(split, id));
}

/* --- what of the base can be the same --------------------------------------------------- */

/* Are the names of the first few elements known? All of them have to be. */
ALWAYS_INLINE bool knows_elements(const struct candidate_filter *w, const struct btf_kind_layout *l,
				  const uint32_t *rec)
{
	uint32_t vlen = l->elem_name < 0 ? 0 : btf_rec_vlen(rec);
	const uint32_t *name = rec + l->words + l->elem_name;

	for (uint32_t i = 0; i < vlen && i < 4; i++, name += l->elem) {
		if (!filter_has(&w->parts, *name))
			return false;
	}
	return true;
}

static uint32_t highest_ref(const struct btf_kind_layout *l, const uint32_t *rec)
{
	uint32_t highest = 0;

	if (l->main_is_type && !l->elem) /* most have one reference */
		return rec[BTF_REC_SIZE_TYPE];
	btf_rec_each_type(rec, type) highest = *type > highest ? *type : highest;
	return highest;
}

/* Are all types that @rec refers to wanted? */
static bool leads_to_wanted(const struct candidate_filter *w, const uint32_t *rec)
{
	btf_rec_each_type(rec, type)
	{
		if (!w->wanted[*type])
			return false;
	}
	return true;
}

/* A pointer, qualifier, array or prototype. */
ALWAYS_INLINE void look_at_reference(struct candidate_filter *w, const struct btf_kind_layout *l,
				     const uint32_t *rec, uint32_t id)
{
	uint32_t highest;

	if (!knows_elements(w, l, rec))
		return;
	highest = highest_ref(l, rec);
	if (unlikely(w->wanted[highest]) && leads_to_wanted(w, rec))
		w->wanted[id] = true;
	else
		vec_push(&w->open, ((struct open_ref){ id, highest }));
}

ALWAYS_INLINE void look_at_type(struct candidate_filter *w, const uint32_t *rec, uint32_t id)
{
	enum btf_kind kind = w->x->kinds[id];
	const struct btf_kind_layout *l = &btf_kind_layouts[kind];
	uint32_t name = rec[BTF_REC_NAME];

	if (!name && l->dedup == BTF_DEDUP_REFS)
		look_at_reference(w, l, rec, id);
	else if (name ? filter_has(&w->names, name_in_class(name, kind)) :
			w->any_nameless || knows_elements(w, l, rec))
		w->wanted[id] |= l->dedup != BTF_DEDUP_NEVER &&
				 (kind != BTF_TYPEDEF || w->x->typedefs);
}

static struct err *look_at_types(struct candidate_filter *w)
{
	vec_reserve(&w->open, w->x->end);
	for (const struct btf_types *t = w->x->types; t; t = t->base) {
		for (size_t i = 0; i < t->start.nr; i++) {
			const uint32_t *rec = t->words.items + t->start.items[i];
			uint32_t id = t->first + (uint32_t)i;

			TRY(base_index_read_kind(w->x, rec, id));
			look_at_type(w, rec, id);
		}
	}
	return NULL;
}

/* One reference of w->open.items[@from] to a type that is not wanted. */
struct open_edge {
	uint32_t to, from;
};

static int by_target(const void *a, const void *b)
{
	const struct open_edge *x = a, *y = b;

	return (x->to > y->to) - (x->to < y->to);
}

/* The index of the first edge to @to or a type after it. @edges is sorted. */
static size_t first_edge_to(const struct open_edge *edges, size_t nr, uint32_t to)
{
	size_t low = 0;

	while (low < nr) {
		size_t middle = low + (nr - low) / 2;

		if (edges[middle].to < to)
			low = middle + 1;
		else
			nr = middle;
	}
	return low;
}

/* Each reference that gets wanted is looked for among those that refer to it. n log n for any order of the types. */
static void follow_edges(struct candidate_filter *w)
{
	CLEANUP(vec_release) VEC(struct open_edge) edges = { 0 };
	CLEANUP(vec_release) VEC(uint32_t) found = { 0 };
	CLEANUP(mem_free) uint32_t *missing = mem_zalloc(w->open.nr, sizeof(*missing));

	for (uint32_t i = 0; i < w->open.nr; i++) {
		btf_rec_each_type(btf_types_rec(w->x->types, w->open.items[i].id), type)
		{
			if (w->wanted[*type])
				continue;
			vec_push(&edges, ((struct open_edge){ *type, i }));
			missing[i]++;
		}
		if (!missing[i])
			vec_push(&found, i);
	}
	vec_sort(&edges, by_target);
	while (found.nr) {
		uint32_t id = w->open.items[found.items[--found.nr]].id;
		size_t e = first_edge_to(edges.items, edges.nr, id);

		w->wanted[id] = true;
		for (; e < edges.nr && edges.items[e].to == id; e++) {
			if (!--missing[edges.items[e].from])
				vec_push(&found, edges.items[e].from);
		}
	}
}

/* Rounds over all open references, before their edges are sorted. */
enum { ROUNDS = 8 };

/*
 * Until no more are found. The target of a reference may have a higher id as well as a lower
 * one, but chains are short, so a few rounds do. Nearly all references are not wanted, and
 * one comparison recognizes most of those: types that everything uses (void, int) have low ids.
 */
static void close_over_references(struct candidate_filter *w)
{
	for (int round = 0; round < ROUNDS; round++) {
		size_t left = 0, before = w->open.nr;

		for (size_t i = 0; i < before; i++) {
			struct open_ref r = w->open.items[i];

			if (w->wanted[r.highest] &&
			    leads_to_wanted(w, btf_types_rec(w->x->types, r.id)))
				w->wanted[r.id] = true;
			else
				w->open.items[left++] = r;
		}
		w->open.nr = left;
		if (left == before)
			return;
	}
	follow_edges(w);
}

struct err *filter_candidates(struct base_index *x, const struct btf_types *split, bool **ret)
{
	CLEANUP(candidate_filter_release) struct candidate_filter w = {
		.x = x,
		.wanted = mem_zalloc(x->end, sizeof(w.wanted[0])),
	};

	read_split(&w, split);
	TRY(look_at_types(&w));
	close_over_references(&w);
	*ret = TAKE(w.wanted);
	return NULL;
}
