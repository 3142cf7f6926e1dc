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
#include "btf/btf_kind.h"
#include "dedup/name_filter.h"

#include <stdlib.h>

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
	name_filter_release(&w->names);
	name_filter_release(&w->parts);
	FREE_ALL(w->wanted, w->open.items);
}

/* --- what the split says -------------------------------------------------------------- */

/* A name as types have it: what stands for a declaration is of another kind, but of one class. */
ALWAYS_INLINE uint32_t name_in_class(uint32_t name, uint32_t kind)
{
	switch (kind) {
	case BTF_UNION:
	case BTF_FWD:
		kind = BTF_STRUCT;
		break;
	case BTF_ENUM64:
		kind = BTF_ENUM;
		break;
	default:
		break;
	}
	return name ^ kind << 26;
}

/* A declaration without a name stands for any nameless struct, union or enum. */
static bool is_nameless_declaration(const uint32_t *rec)
{
	uint32_t info = rec[BTF_REC_INFO], kind = btf_info_kind(info);

	if (rec[BTF_REC_NAME])
		return false;
	return kind == BTF_FWD || (btf_kind_is_enum(kind) && !btf_info_vlen(info));
}

static void read_record(struct candidate_filter *w, const uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]), end = w->x->end;
	const uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;

	name_filter_add(&w->names,
			name_in_class(rec[BTF_REC_NAME], btf_info_kind(rec[BTF_REC_INFO])));
	w->any_nameless |= is_nameless_declaration(rec);
	for (uint32_t i = 0; l->elem_name >= 0 && i < vlen; i++, elem += l->elem)
		name_filter_add(&w->parts, elem[l->elem_name]);
	btf_rec_each_type(rec, type)
	{
		if (*type < end)
			w->wanted[*type] = true;
	}
}

static void read_split(struct candidate_filter *w, const struct btf_types *split)
{
	name_filter_init(&w->names, split->start.nr);
	/* of three words, one is a name at most, and most names are there many times */
	name_filter_init(&w->parts, split->words.nr / 6);
	name_filter_add(&w->names, 0);
	name_filter_add(&w->parts, 0);
	w->wanted[0] = true;
	for (uint32_t id = split->first; id < btf_types_end(split); id++)
		read_record(w, btf_types_rec(split, id));
}

/* --- what of the base can be the same --------------------------------------------------- */

/* Are the names of the first few elements known? All of them have to be. */
ALWAYS_INLINE bool knows_elements(const struct candidate_filter *w, const uint32_t *rec,
				  uint32_t step)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	for (uint32_t i = 0; i < vlen && i < 4; i++) {
		if (!name_filter_has(&w->parts, rec[BTF_REC_WORDS + i * step]))
			return false;
	}
	return true;
}

static bool knows_nameless(const struct candidate_filter *w, const uint32_t *rec, uint8_t kind)
{
	if (w->any_nameless)
		return true;
	switch (kind) {
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_ENUM64:
		return knows_elements(w, rec, 3);
	case BTF_ENUM:
		return knows_elements(w, rec, 2);
	default:
		return true;
	}
}

static uint32_t highest_ref(const uint32_t *rec, uint8_t kind)
{
	uint32_t highest = 0;

	if (kind != BTF_ARRAY && kind != BTF_FUNC_PROTO) /* most have one reference */
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

static void look_at_type(struct candidate_filter *w, const uint32_t *rec, uint32_t id)
{
	uint8_t kind = w->x->kinds[id];
	uint32_t highest;

	switch (kind) {
	case BTF_FUNC_PROTO:
		if (!knows_elements(w, rec, 2))
			break;
		/* fall through */
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_ARRAY:
		highest = highest_ref(rec, kind);
		if (w->wanted[highest] && leads_to_wanted(w, rec))
			w->wanted[id] = true;
		else
			vec_push(&w->open, ((struct open_ref){ id, highest }));
		break;
	case BTF_TYPEDEF:
		w->wanted[id] |= w->x->typedefs &&
				 name_filter_has(&w->names, name_in_class(rec[BTF_REC_NAME], kind));
		break;
	case BTF_VAR:
	case BTF_DATASEC:
		break;
	default:
		if (rec[BTF_REC_NAME])
			w->wanted[id] |= name_filter_has(&w->names,
							 name_in_class(rec[BTF_REC_NAME], kind));
		else
			w->wanted[id] |= knows_nameless(w, rec, kind);
		break;
	}
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
