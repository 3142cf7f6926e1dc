/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare_elements.c - which elements of two records are the same
 *
 * Members, enumerators and variables are matched by their names; of several that have one name, the first ones
 * belong together, then the second ones. Members of a struct or union without a name and without a tag belong to
 * the struct around it, as in C and for CO-RE. -fms-extensions allow the inner struct to have a tag. Its members
 * are compared where it is defined, unless only one side has it.
 *
 * Parameters are matched by their order, because callers and programs find them by their numbers: of all matches
 * that keep the order, the one with most names and types in common.
 */
#include "btf/compare/btf_compare_internal.h"

#include "base/cleanup.h"
#include "base/vec.h"

#include <stdlib.h>

/* --- the elements ------------------------------------------------------------------------ */

/*
 * The struct or union without a tag that the type of an unnamed member is; with @tagged, also one that has a tag. 0 if
 * it is no such type.
 */
static uint32_t inner_struct(const struct compare *c, uint32_t type, bool tagged)
{
	const struct type_graph *g = c->g;

	for (uint32_t i = 0; i < STEPS_MAX; i++) {
		enum btf_ctype ctype = type_graph_ctype(g, type);

		if (ctype == BTF_C_STRUCT)
			return tagged || !has_name(c, type) ? type : 0;
		if (ctype != BTF_C_QUALIFIER && !(tagged && ctype == BTF_C_TYPEDEF))
			return 0;
		type = type_graph_edge(g, type, 0);
	}
	return 0;
}

/* Of what has no name, the type is the name: of a variable in a section, its VAR. */
static uint32_t key_of(const struct compare *c, uint32_t n, uint32_t i)
{
	const struct type_graph *g = c->g;
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));
	uint32_t name = l->elem_name < 0 ? 0 : type_graph_element(g, n, i)[l->elem_name];

	return name ? name : g->nr_names + altered_class(c, &c->body, element_type(g, n, i));
}

static bool is_unnamed_member(const struct compare *c, uint32_t n, uint32_t i)
{
	return type_graph_ctype(c->g, n) == BTF_C_STRUCT && !type_graph_element(c->g, n, i)[0];
}

/* NOLINTBEGIN(misc-no-recursion): no deeper than STEPS_MAX */

static void add_elements(struct compare *c, uint32_t n, uint32_t offset, uint32_t depth,
			 struct elements *ret);

static void add_element(struct compare *c, const struct element *e, uint32_t depth, bool tagged,
			struct elements *ret)
{
	uint32_t inner = 0;

	if (is_unnamed_member(c, e->owner, e->index) && depth < STEPS_MAX && c->left)
		inner = inner_struct(c, element_type(c->g, e->owner, e->index), tagged);
	if (inner)
		add_elements(c, inner,
			     e->offset + btf_member_location(c->g, e->owner, e->index).offset,
			     depth + 1, ret);
	else
		vec_push(ret, *e);
}

static void add_elements(struct compare *c, uint32_t n, uint32_t offset, uint32_t depth,
			 struct elements *ret)
{
	uint32_t nr = type_graph_vlen(c->g, n);

	for (uint32_t i = 0; i < nr; i++) {
		struct element e = { .owner = n, .index = i, .offset = offset };

		e.key = key_of(c, n, i);
		if (depth && c->left)
			c->left--;
		add_element(c, &e, depth, false, ret);
	}
}

/* NOLINTEND(misc-no-recursion) */

static bool is_unmatched(const struct compare *c, const struct element *e)
{
	return !e->match && is_unnamed_member(c, e->owner, e->index);
}

static bool any_unmatched(const struct compare *c, const struct elements *v)
{
	for (size_t i = 0; i < v->nr; i++) {
		if (is_unmatched(c, &v->items[i]))
			return true;
	}
	return false;
}

/* Replace inner structs with a tag that the other side does not have by their members. No element is matched then. */
static void expand_unmatched(struct compare *c, struct elements *v)
{
	struct elements old = TAKE(*v);

	for (size_t i = 0; i < old.nr; i++) {
		struct element e = old.items[i];
		bool expand = is_unmatched(c, &e);

		e.match = 0;
		add_element(c, &e, 1, expand, v);
	}
	free(old.items);
}

/* --- matches by name --------------------------------------------------------------------- */

struct keyed {
	uint32_t key, at;
};

static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static struct keyed *sort_by_key(const struct elements *v)
{
	struct keyed *sorted = mem_alloc(v->nr * sizeof(*sorted));

	for (uint32_t i = 0; i < v->nr; i++)
		sorted[i] = (struct keyed){ v->items[i].key, i };
	if (v->nr)
		qsort(sorted, v->nr, sizeof(*sorted), compare_keyed);
	return sorted;
}

static void join_elements(struct elements *a, uint32_t i, struct elements *b, uint32_t k)
{
	a->items[i].match = k + 1;
	b->items[k].match = i + 1;
}

static void match_by_key(struct elements *a, struct elements *b)
{
	CLEANUP(mem_free) struct keyed *x = sort_by_key(a);
	CLEANUP(mem_free) struct keyed *y = sort_by_key(b);
	size_t i = 0, k = 0;

	while (i < a->nr && k < b->nr) {
		if (x[i].key == y[k].key)
			join_elements(a, x[i++].at, b, y[k++].at);
		else if (x[i].key < y[k].key)
			i++;
		else
			k++;
	}
}

/* --- matches by order -------------------------------------------------------------------- */

/* The time is the product of both numbers. A function with more parameters is matched by their numbers. */
enum { ORDERED_MAX = 255 };

/* How much do two parameters have in common? 0: they cannot be the same. */
static uint32_t common(const struct compare *c, const struct element *x, const struct element *y)
{
	const struct type_graph *g = c->g;
	uint32_t name_x = type_graph_element(g, x->owner, x->index)[0];
	uint32_t name_y = type_graph_element(g, y->owner, y->index)[0];
	bool same_type = altered_class(c, &c->body, element_type(g, x->owner, x->index)) ==
			 altered_class(c, &c->body, element_type(g, y->owner, y->index));

	return (name_x && name_x == name_y ? 4U : 0) + (same_type ? 3U : 0) +
	       (!name_x || !name_y ? 1U : 0);
}

static void match_in_order(const struct compare *c, struct elements *a, struct elements *b)
{
	size_t row = b->nr + 1;
	/* [i * row + k]: the most that those from i and k on can have in common */
	CLEANUP(mem_free) uint32_t *most = mem_zalloc((a->nr + 1) * row, sizeof(*most));

	for (size_t i = a->nr; i-- > 0;) {
		for (size_t k = b->nr; k-- > 0;) {
			uint32_t both = common(c, &a->items[i], &b->items[k]);
			uint32_t best = both ? both + most[(i + 1) * row + k + 1] : 0;

			if (most[(i + 1) * row + k] > best)
				best = most[(i + 1) * row + k];
			if (most[i * row + k + 1] > best)
				best = most[i * row + k + 1];
			most[i * row + k] = best;
		}
	}
	for (uint32_t i = 0, k = 0; i < a->nr && k < b->nr;) {
		uint32_t both = common(c, &a->items[i], &b->items[k]);

		if (both && most[i * row + k] == both + most[(i + 1) * row + k + 1])
			join_elements(a, i++, b, k++);
		else if (most[i * row + k] == most[(i + 1) * row + k])
			i++;
		else
			k++;
	}
}

static void match_by_number(struct elements *a, struct elements *b)
{
	for (uint32_t i = 0; i < a->nr && i < b->nr; i++)
		join_elements(a, i, b, i);
}

void compare_match_elements(struct compare *c, uint32_t a, uint32_t b, struct elements *ret_a,
			    struct elements *ret_b)
{
	add_elements(c, a, 0, 0, ret_a);
	add_elements(c, b, 0, 0, ret_b);
	if (type_graph_ctype(c->g, a) == BTF_C_FUNCTION) {
		if (ret_a->nr > ORDERED_MAX || ret_b->nr > ORDERED_MAX)
			match_by_number(ret_a, ret_b);
		else
			match_in_order(c, ret_a, ret_b);
		return;
	}
	match_by_key(ret_a, ret_b);
	if (any_unmatched(c, ret_a) || any_unmatched(c, ret_b)) {
		expand_unmatched(c, ret_a);
		expand_unmatched(c, ret_b);
		match_by_key(ret_a, ret_b);
	}
}
