/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare_sites.c - how the sites of a section differ
 *
 * A kernel has hundreds of thousands, and a line of source more moves all behind it. So they are counted: sites of
 * one function belong together if they have the same places and offset, then if they have the same places, then
 * in any case.
 */
#include "btf/compare/btf_compare_internal.h"

#include <stdlib.h>

/* The parts of a site, in the order in which they are compared. */
enum { SITE_FUNC, SITE_PLACES, SITE_OFFSET, SITE_WORDS };

struct site {
	uint32_t words[SITE_WORDS];
};

struct sites {
	struct site *items;
	uint32_t nr;
};

static int compare_words(const struct site *a, const struct site *b, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		if (a->words[i] != b->words[i])
			return a->words[i] < b->words[i] ? -1 : 1;
	}
	return 0;
}

static int compare_sites(const void *a, const void *b)
{
	return compare_words(a, b, SITE_WORDS);
}

static void list_sites(const struct compare *c, uint32_t n, struct sites *ret)
{
	const struct type_graph *g = c->g;

	ret->nr = type_graph_vlen(g, n);
	ret->items = mem_zalloc(ret->nr, sizeof(*ret->items));
	for (uint32_t i = 0; i < ret->nr; i++) {
		uint32_t edge = type_graph_edges_before(g, n, i);
		uint32_t *words = ret->items[i].words;

		words[SITE_FUNC] = altered_class(c, &c->body, type_graph_edge(g, n, edge));
		words[SITE_PLACES] = altered_class(c, &c->body, type_graph_edge(g, n, edge + 1));
		words[SITE_OFFSET] = type_graph_element(g, n, i)[BTF_SITE_OFFSET];
	}
	qsort(ret->items, ret->nr, sizeof(*ret->items), compare_sites);
}

/* Remove pairs whose first @words words are the same; returns how many. The rest stays in order. */
static uint32_t remove_pairs(struct sites *a, struct sites *b, uint32_t words)
{
	uint32_t nr_a = a->nr, nr_b = b->nr, i = 0, k = 0, pairs = 0;

	a->nr = b->nr = 0;
	while (i < nr_a || k < nr_b) {
		int order = i == nr_a ? 1 :
			    k == nr_b ? -1 :
					compare_words(&a->items[i], &b->items[k], words);

		if (!order) {
			i++;
			k++;
			pairs++;
		} else if (order < 0) {
			a->items[a->nr++] = a->items[i++];
		} else {
			b->items[b->nr++] = b->items[k++];
		}
	}
	return pairs;
}

bool compare_find_sites(const struct compare *c, uint32_t first, uint32_t second,
			struct btf_site_changes *ret)
{
	struct sites a, b;

	list_sites(c, first, &a);
	list_sites(c, second, &b);
	remove_pairs(&a, &b, SITE_WORDS);
	ret->moved = remove_pairs(&a, &b, SITE_OFFSET);
	ret->places = remove_pairs(&a, &b, SITE_PLACES);
	ret->gone = a.nr;
	ret->fresh = b.nr;
	free(a.items);
	free(b.items);
	return ret->moved || ret->places || ret->gone || ret->fresh;
}
