/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_classes.c - classes of types, such that only types of one class can be equal
 *
 * Two types may differ only at the end of long chains of references. If many types do, dedup_struct() would
 * follow the chain from each of them to each candidate. Instead it gets a class for each type, and does not
 * compare types of different classes. The classes are those of the coarsest partition in which two types of a
 * class have the same outline, and what they refer to is in the same classes. partition_refine() finds them
 * in time proportional to n log n for n references.
 *
 * An equivalence relation cannot express what the rules of libbpf accept: a declaration is equal to
 * different structs. So the classes ignore
 *
 *   - all of a struct but its name and kind, where a type refers to it, if some type refers to a
 *     declaration of this name. As a type that is compared itself, the struct still has its members;
 *   - all of an enum but its name, if the name is declared.
 *
 * Then all pairs of a confirmed hypothesis, all pairs that dedup_identical() accepts, and all that the map maps
 * have the same class as targets of references. The relation that these pairs generate has equal outlines and
 * equal targets, so it is a part of the partition.
 */
#include "base/cleanup.h"
#include "base/hash_table.h"
#include "btf/compare/partition.h"
#include "dedup/dedup_internal.h"

#include <stdlib.h>

struct classes {
	const struct dedup *d;
	uint64_t *declared; /* bits by name: of a FWD that types refer to, or of an empty enum */
	uint32_t nr_names;
	uint64_t *outlines; /* by id: a hash of the outline, and of targets without an edge */
	uint32_t *labels;   /* by id: a number for the outline and the number of edges */
	struct {
		uint32_t *items; /* ids of targets */
		size_t nr, cap;
	} edges;
	uint32_t *edge_start; /* by id, and one more */
};

static void classes_release(struct classes *c)
{
	FREE_ALL(c->declared, c->outlines, c->labels, c->edges.items, c->edge_start);
}

/* --- names that are declared ------------------------------------------------------------- */

static bool is_declaration(const struct dedup *d, uint32_t id)
{
	return d->kind[id] == BTF_FWD ||
	       (btf_kind_is_enum(d->kind[id]) && !btf_info_vlen(dedup_rec(d, id)[BTF_REC_INFO]));
}

static void declare(struct classes *c, uint32_t id)
{
	uint32_t name = dedup_rec(c->d, id)[BTF_REC_NAME];

	c->declared[name / 64] |= (uint64_t)1 << name % 64;
}

static bool is_declared(const struct classes *c, uint32_t name)
{
	return name < c->nr_names && (c->declared[name / 64] >> name % 64 & 1);
}

static void find_declared(struct classes *c)
{
	const struct dedup *d = c->d;

	for (uint32_t id = 1; id < d->end; id++) {
		if (is_declaration(d, id) && dedup_rec(d, id)[BTF_REC_NAME] >= c->nr_names)
			c->nr_names = dedup_rec(d, id)[BTF_REC_NAME] + 1;
	}
	c->declared = mem_zalloc(c->nr_names / 64 + 1, sizeof(*c->declared));
	for (uint32_t id = 1; id < d->end; id++) {
		if (btf_kind_is_enum(d->kind[id]) && is_declaration(d, id))
			declare(c, id);
		btf_rec_each_type(dedup_rec(d, id), to)
		{
			if (d->kind[*to] == BTF_FWD)
				declare(c, *to);
		}
	}
}

/* --- labels and edges ---------------------------------------------------------------------- */

/* As declarations have it. */
static uint64_t declaration_label(uint32_t name, enum btf_kind kind)
{
	return hash_mix((uint64_t)name << 32 | kind, BTF_FWD);
}

/* Of what a comparison of two types compares without following references. */
static uint64_t outline(const struct classes *c, uint32_t id)
{
	const uint32_t *rec = dedup_rec(c->d, id);
	enum btf_kind kind = c->d->kind[id];
	uint64_t name = rec[BTF_REC_NAME], name_info = name << 32 | rec[BTF_REC_INFO];
	uint64_t h = hash_mix(name_info, kind);

	switch (btf_ctype(kind)) {
	case BTF_C_INT:
	case BTF_C_FLOAT:
		return dedup_hash_words(rec);
	case BTF_C_FORWARD:
		return declaration_label(rec[BTF_REC_NAME], dedup_fwd_kind(rec));
	case BTF_C_ENUM:
		return is_declared(c, rec[BTF_REC_NAME]) ? hash_mix(name, BTF_ENUM) :
							   dedup_hash_words(rec);
	case BTF_C_STRUCT:
		return dedup_hash_outline(rec);
	case BTF_C_ARRAY:
		return hash_mix(h, rec[BTF_REC_WORDS + 2]);
	case BTF_C_FUNCTION:
		for (uint32_t i = 0; i < btf_rec_vlen(rec); i++)
			h = hash_mix(h, rec[BTF_REC_WORDS + 2 * i]);
		return h;
	case BTF_C_POINTER:
	case BTF_C_TYPEDEF:
	case BTF_C_QUALIFIER:
	case BTF_C_VOID:
	case BTF_C_NONE:
		break;
	}
	return dedup_only_refers(kind) ? h : kind;
}

static bool follows_references(enum btf_kind kind)
{
	return btf_kind_is_struct(kind) || kind == BTF_ARRAY || btf_ctype(kind) == BTF_C_FUNCTION ||
	       dedup_only_refers(kind);
}

/* If the references of @id do not matter to what refers to it, return a hash of what does; else 0. */
static uint64_t target_label(const struct classes *c, uint32_t id)
{
	const uint32_t *rec = dedup_rec(c->d, id);
	enum btf_kind kind = c->d->kind[id];

	if (btf_kind_is_struct(kind) && is_declared(c, rec[BTF_REC_NAME]))
		return declaration_label(rec[BTF_REC_NAME], kind) | 1;
	return follows_references(kind) ? 0 : outline(c, id) | 1;
}

static void add_outline(struct classes *c, uint32_t id)
{
	struct btf_refs refs = btf_rec_refs(dedup_rec(c->d, id));
	uint64_t h = outline(c, id);

	while (follows_references(c->d->kind[id]) && refs.left) {
		uint32_t to = *btf_refs_next(&refs);
		uint64_t label = target_label(c, to);

		h = hash_mix(h, label);
		if (!label)
			vec_push(&c->edges, to);
	}
	c->outlines[id] = h;
	c->edge_start[id + 1] = (uint32_t)c->edges.nr;
}

static uint32_t nr_edges(const struct classes *c, uint32_t id)
{
	return c->edge_start[id + 1] - c->edge_start[id];
}

/* Fill @labels and return how many there are. Two outlines with one hash only make a class larger. */
static uint32_t number_outlines(struct classes *c)
{
	CLEANUP(hash_table_release) struct hash_table first = { 0 };
	uint32_t nr = 1;

	for (uint32_t id = 1; id < c->d->end; id++) {
		uint64_t h = c->outlines[id];
		uint32_t same = HASH_FIND(&first, h, i,
					  c->outlines[i] == h && nr_edges(c, i) == nr_edges(c, id));

		if (!same)
			hash_table_add(&first, h, id);
		c->labels[id] = same ? c->labels[same] : nr++;
	}
	return nr;
}

/* Move the candidates of the struct pass to a table by class, in the same order. */
static void sort_candidates(struct dedup *d)
{
	const struct cand_table *t = &d->cands;

	for (size_t i = 1; d->base && i < d->base->entries.nr; i++)
		dedup_chain(d, (uint64_t)d->base->entries.items[i].key << 32);
	cand_table_init(&d->by_class, d->end / 4);
	for (size_t i = 0; i <= t->mask; i++) {
		for (uint32_t node = t->chains[i].end[t->front]; node; node = cand_next(t, node)) {
			uint32_t id = cand_id(t, node);

			if (dedup_in_struct_pass(d->kind[id]))
				cand_table_add_at(&d->by_class, cand_key(dedup_hash_class(d, id)),
						  id, !t->front);
		}
	}
}

void dedup_classify(struct dedup *d)
{
	CLEANUP(classes_release)
	struct classes c = {
		.d = d,
		.outlines = mem_zalloc(d->end, sizeof(*c.outlines)),
		.labels = mem_zalloc(d->end, sizeof(*c.labels)),
		.edge_start = mem_zalloc((size_t)d->end + 1, sizeof(*c.edge_start)),
	};

	find_declared(&c);
	for (uint32_t id = 1; id < d->end; id++)
		add_outline(&c, id);

	const struct partition_graph g = {
		.nr = d->end,
		.nr_labels = number_outlines(&c),
		.edge_start = c.edge_start,
		.edges = c.edges.items,
		.labels = c.labels,
	};
	d->class_of = mem_alloc(d->end * sizeof(*d->class_of));
	partition_refine(&g, d->class_of);
	sort_candidates(d);
}
