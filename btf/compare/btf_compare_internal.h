/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_compare_internal.h - what the files btf_compare*.c share */
#ifndef BTFENC_BTF_COMPARE_BTF_COMPARE_INTERNAL_H
#define BTFENC_BTF_COMPARE_BTF_COMPARE_INTERNAL_H

#include "btf/compare/btf_compare.h"

#include <stdbool.h>

/*
 * The same types: a class of the whole graph. How many of each side, and the first of each, or 0.
 */
struct same_types {
	uint32_t own_a, own_b;   /* that are compared */
	uint32_t base_a, base_b; /* that are only referred to */
	uint32_t a, b;           /* one that is compared if there is one */
};

/* The result for a class, depending on the number of its types on each side. */
enum fate {
	FATE_EQUAL,    /* both sides have the same number */
	FATE_NUMBER,   /* the other side has no namesake to compare it with */
	FATE_CHANGED,  /* has a partner with another body */
	FATE_THROUGH,  /* of a partner with the same body, or what explains itself: no cause */
	FATE_ANOTHER,  /* as FATE_CHANGED, the bodies being the same */
	FATE_NAMELESS, /* not known yet: a type without a name */
};

/*
 * The classes of a graph in which references to some nodes lead to leaves instead: those to node n lead to
 * the leaf stands_for[n], counted from 1, unless that is 0.
 */
struct altered {
	uint32_t *stands_for; /* by node; 0: the node itself */
	uint32_t nr_leaves;
	uint32_t *classes; /* by node, then by leaf */
};

struct compare {
	const struct btf_side *sides[2];
	struct type_graph *g;
	struct btf_comparison *ret;
	uint32_t nr_classes;
	uint32_t *classes;       /* by node */
	struct same_types *same; /* by class */
	/* by class: */
	enum fate *fates;
	uint32_t *partners; /* the other side's class, plus one */
	/* references to what has a name lead to the name: what a type is, but for those */
	struct altered body;
	/* references to causes lead to what both sides are taken for */
	struct altered settled;
	uint32_t
		left; /* so many elements and steps, in types without a name, may still be compared */
};

/* Longer paths, also those round cycles that only C++ can make, are not followed. */
enum { STEPS_MAX = 64 };

/*
 * Structs without a name that many types share could make the list of changes much longer than the input. So it is
 * limited by the size of the input; where that is not enough, types are listed, and not their changes. A
 * comparison of two versions of Linux needs 1 % of the limit.
 */
static inline uint32_t nameless_budget(const struct type_graph *g)
{
	enum { LEAST = 1 << 12 };

	return g->word_start[g->nr] < UINT32_MAX - LEAST ? g->word_start[g->nr] + LEAST :
							   UINT32_MAX;
}

/* How a reference to @n looks. */
static inline uint32_t altered_class(const struct compare *c, const struct altered *v, uint32_t n)
{
	return v->classes[v->stands_for[n] ? c->g->nr + v->stands_for[n] - 1 : n];
}

static inline bool has_name(const struct compare *c, uint32_t n)
{
	return c->body.stands_for[n] != 0;
}

/* Fill in @c->classes and @c->body of the graph. */
void compare_find_classes(struct compare *c);
void compare_find_bodies(struct compare *c);
void compare_release(struct compare *c);

/* Find partners for classes, and their fates, as far as that shows without types without a name. */
void compare_pair(struct compare *c);
/* The fates of types without a name. */
void compare_nameless(struct compare *c);

/* An element of one of two records that are compared. */
struct element {
	uint32_t owner,
		index;   /* element @index of @owner, the record or a struct without a name in it */
	uint32_t offset; /* of @owner, in bits from the start of the record */
	uint32_t key;    /* elements with the same key are the same */
	uint32_t match;  /* its counterpart in the other list, plus 1; 0: there is none */
};

struct elements {
	struct element *items;
	size_t nr, cap;
};

/* The type of an element; void if it has none. */
static inline uint32_t element_type(const struct type_graph *g, uint32_t n, uint32_t i)
{
	if (!btf_kind_layout(type_graph_kind(g, n))->elem_types)
		return 0;
	return type_graph_edge(g, n, type_graph_edges_before(g, n, i));
}

/* List the elements of records @a and @b, which are of one sort, and find out which are the same. */
void compare_match_elements(struct compare *c, uint32_t a, uint32_t b, struct elements *ret_a,
			    struct elements *ret_b);

/*
 * Append the changes of records @a and @b, whose bodies differ, to those of @d, which begin where those of the
 * comparison end. The steps of the comparison from @step on lead to them.
 */
void compare_list_changes(struct compare *c, uint32_t a, uint32_t b, size_t step,
			  struct btf_difference *d);
/* Count how the sites of the LOCSECs @a and @b differ; false if only their order does. */
bool compare_find_sites(const struct compare *c, uint32_t a, uint32_t b,
			struct btf_site_changes *ret);
/*
 * The bodies of @d->a and @d->b are the same: do they refer to types of the same name that are not
 * explained by differences elsewhere? If so, append the change. @visited: by node, zeroed before
 * the first call; @stamp: another one for each call, not 0.
 */
bool compare_find_another(struct compare *c, uint32_t *visited, uint32_t stamp,
			  struct btf_difference *d);

#endif
