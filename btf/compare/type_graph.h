/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_graph.h - the types of two BTFs as one graph, free of ids and string offsets
 *
 * A node is a type, an edge a reference to another one. The content of a type besides its references is
 * its words: those of its record, with a number for each name, the same for equal ones, and zero
 * for each type; then those of the DECL_TAGs on it, in an order that does not depend on
 * ids. Nodes with the same words have the same label. The third word of a FWD is zero, too, since
 * gcc 12 leaves nonsense in it.
 *
 * Node 0 is void. Types at the bottom of both graphs that are equal word by word have one node.
 */
#ifndef BTFENC_BTF_COMPARE_TYPE_GRAPH_H
#define BTFENC_BTF_COMPARE_TYPE_GRAPH_H

#include "btf/btf_kind.h"
#include "btf/btf_view.h"
#include "btf/compare/partition.h"

/* Of each DECL_TAG, behind the words of the record that it is on. */
enum { TAG_COMPONENT, TAG_NAME, TAG_INFO, TAG_WORDS };

/* Owns its arrays; the names are those of the views, which must stay. Zeroed is empty. */
struct type_graph {
	uint32_t nr; /* nodes */
	/*
	 * ids of the first BTF are nodes, those of the second, too, below @shared; others plus
	 * @shift
	 */
	uint32_t end_a, shared, shift;
	uint32_t *words, *word_start; /* of node n: [word_start[n], word_start[n + 1]) */
	/* likewise: where its references lead, in the order of btf_rec_each_type() */
	uint32_t *edges, *edge_start;
	uint32_t *labels, nr_labels;
	const char **names; /* by number; 0 is the empty one */
	uint32_t nr_names;
};

/*
 * Make the graph of all types that @a and @b have, those of their bases included. ERR_LIMIT if
 * there are too many. @ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *type_graph_make(const struct btf_view *a, const struct btf_view *b,
				       struct type_graph *ret);
void type_graph_release(struct type_graph *g);

/* The order of the TAG_WORDS of two DECL_TAGs on one type. */
int type_graph_compare_tags(const uint32_t *a, const uint32_t *b);

static inline struct partition_graph type_graph_partition(const struct type_graph *g)
{
	return (struct partition_graph){ .nr = g->nr,
					 .nr_labels = g->nr_labels,
					 .edge_start = g->edge_start,
					 .edges = g->edges,
					 .labels = g->labels };
}

/* The node of a type of the second BTF. */
static inline uint32_t type_graph_node_b(const struct type_graph *g, uint32_t id)
{
	return id < g->shared ? id : id + g->shift;
}

/*
 * Is a DECL_TAG, node @n, on @target a part of what @target says? Not of void, nor of what both
 * have as a base and only one of them tags.
 */
static inline bool type_graph_tag_is_attached(const struct type_graph *g, uint32_t n,
					      uint32_t target)
{
	return target && (target >= g->shared || n < g->shared);
}

static inline const uint32_t *type_graph_words(const struct type_graph *g, uint32_t n)
{
	return g->words + g->word_start[n];
}

/* BTF_UNKN for void */
static inline enum btf_kind type_graph_kind(const struct type_graph *g, uint32_t n)
{
	return n ? btf_rec_kind(type_graph_words(g, n)) : BTF_UNKN;
}

static inline enum btf_ctype type_graph_ctype(const struct type_graph *g, uint32_t n)
{
	return btf_ctype(type_graph_kind(g, n));
}

static inline uint32_t type_graph_vlen(const struct type_graph *g, uint32_t n)
{
	return n ? btf_rec_vlen(type_graph_words(g, n)) : 0;
}

/* How many references of @n come before those of element @i? */
static inline uint32_t type_graph_edges_before(const struct type_graph *g, uint32_t n, uint32_t i)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));

	return btf_kind_types_before(l) + i * l->elem_types;
}

/* The words of element @i. */
static inline const uint32_t *type_graph_element(const struct type_graph *g, uint32_t n, uint32_t i)
{
	const struct btf_kind_layout *s = btf_kind_layout(type_graph_kind(g, n));

	return type_graph_words(g, n) + s->words + (size_t)i * s->elem;
}

static inline const char *type_graph_name(const struct type_graph *g, uint32_t n)
{
	return n ? g->names[type_graph_words(g, n)[BTF_REC_NAME]] : "";
}

static inline uint32_t type_graph_nr_edges(const struct type_graph *g, uint32_t n)
{
	return g->edge_start[n + 1] - g->edge_start[n];
}

static inline uint32_t type_graph_edge(const struct type_graph *g, uint32_t n, uint32_t i)
{
	return g->edges[g->edge_start[n] + i];
}

#endif
