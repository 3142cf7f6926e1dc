/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * partition.h - find the equivalent nodes of a graph by partition refinement
 *
 * Two nodes are equivalent if they have the same label, the same number of edges, and equivalent nodes
 * at the ends of corresponding edges. The result is the coarsest partition with this property
 * (bisimulation), so cycles need no special case.
 */
#ifndef BTFENC_BTF_COMPARE_PARTITION_H
#define BTFENC_BTF_COMPARE_PARTITION_H

#include <stdint.h>

/*
 * Nodes are 0..@nr-1, the edges of n are [edge_start[n], edge_start[n + 1]). Labels are below
 * @nr_labels; nodes of one label must have as many edges.
 */
struct partition_graph {
	uint32_t nr, nr_labels;
	const uint32_t *edge_start, *edges;
	const uint32_t *labels;
};

/* An edge by where it leads. */
struct in_edge {
	uint32_t from, index; /* it is edge number @index of @from */
};

/* All edges of @g: those to n are [start[n], start[n + 1]) of the result. The caller frees both arrays. */
struct in_edge *partition_in_edges(const struct partition_graph *g, uint32_t **ret_start);

/*
 * Store the number of the class of each node in @ret_classes and return the number of classes. Takes
 * O(edges * log(nodes)).
 */
uint32_t partition_refine(const struct partition_graph *g, uint32_t *ret_classes);

#endif
