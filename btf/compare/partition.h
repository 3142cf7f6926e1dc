/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * partition.h - which nodes of a graph cannot be told apart
 *
 * Two nodes are alike if they have the same label, as many edges, and the edges in the same
 * places lead to nodes that are alike; of all answers that fit this, the one that tells the fewest
 * apart. In other words: whoever starts at one of them and follows edges never learns at
 * which of them. Loops need no special care.
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

/*
 * Classes of nodes that are alike: numbers from 0 up, one for each node, in @ret_classes. Returns
 * how many there are. Takes O(edges * log(nodes)).
 */
uint32_t partition_refine(const struct partition_graph *g, uint32_t *ret_classes);

#endif
