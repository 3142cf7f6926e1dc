/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare_changes.c - all changes of a type
 *
 * The types behind two elements, or behind other references, are compared as long as they have no name: through
 * pointers, arrays and qualifiers to a struct, union, enum or prototype, whose changes are then changes of the type
 * with a name. Else both types are the change, for "const char *, was char *" says more than "a CONST is gone".
 */
#include "btf/compare/btf_compare_internal.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "btf/print/type_text.h"

#include <stdlib.h>

struct btf_location btf_member_location(const struct type_graph *g, uint32_t n, uint32_t i)
{
	uint32_t word = type_graph_element(g, n, i)[2];

	if (!btf_rec_kflag(type_graph_words(g, n)))
		return (struct btf_location){ word, 0 };
	return (struct btf_location){ word & 0xffffff, word >> 24 };
}

uint64_t btf_enumerator_value(const struct type_graph *g, uint32_t n, uint32_t i)
{
	const uint32_t *e = type_graph_element(g, n, i);
	bool is_signed = btf_rec_kflag(type_graph_words(g, n));

	if (type_graph_kind(g, n) == BTF_ENUM64)
		return e[1] | (uint64_t)e[2] << 32;
	return is_signed ? (uint64_t)(int32_t)e[1] : e[1];
}

uint32_t btf_edge_element(const struct type_graph *g, uint32_t n, uint32_t index)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, n));
	uint32_t before = btf_kind_types_before(l);

	return index < before ? NO_ELEMENT : (index - before) / l->elem_types;
}

/* The search for the changes of one type. */
struct lister {
	struct compare *c;
	struct btf_difference *d;
	VEC(struct btf_difference_step) path; /* to the records that are compared */
	size_t prefix;                        /* steps that the caller gave */
};

/* Two records that are compared. */
struct records {
	struct lister *l;
	uint32_t a, b;
	size_t step; /* of their changes, once there is one; SIZE_MAX before */
};

static struct btf_change *add_change(struct records *r, enum btf_change_sort sort)
{
	struct btf_comparison *ret = r->l->c->ret;

	if (r->step == SIZE_MAX) {
		r->step = ret->steps.nr;
		vec_append(&ret->steps, r->l->path.items, r->l->path.nr);
	}
	vec_push(&ret->changes,
		 ((struct btf_change){ .sort = sort,
				       .step = r->step,
				       .nr_steps = r->l->path.nr,
				       .at_a = r->a,
				       .at_b = r->b,
				       .a = { .node = r->a, .index = NO_ELEMENT },
				       .b = { .node = r->b, .index = NO_ELEMENT } }));
	return &ret->changes.items[ret->changes.nr - 1];
}

/* --- references -------------------------------------------------------------------------- */

static bool differ(const struct compare *c, uint32_t a, uint32_t b)
{
	return altered_class(c, &c->body, a) != altered_class(c, &c->body, b);
}

/* The first reference of @a and @b from @from to @to that looks different, else @to. */
static uint32_t differing_edge(const struct compare *c, uint32_t a, uint32_t b, uint32_t from,
			       uint32_t to)
{
	while (from < to &&
	       !differ(c, type_graph_edge(c->g, a, from), type_graph_edge(c->g, b, from)))
		from++;
	return from;
}

/* False if the budget for types without a name is used up. */
static bool take_from_budget(struct lister *l, size_t nr_elements)
{
	size_t cost = l->path.nr + nr_elements;

	if (l->c->left < cost)
		return false;
	l->c->left -= (uint32_t)cost;
	return true;
}

/*
 * Follow links from @a and @b, which differ, as long as they are of one sort. True if they lead to records with parts,
 * which are to be compared; else *ret has the types to be printed, and CHANGE_INDEX if they count an array.
 */
static bool follow_links(struct lister *l, uint32_t *a, uint32_t *b, enum btf_change_sort *ret)
{
	struct compare *c = l->c;
	const struct type_graph *g = c->g;
	uint32_t x = *a, y = *b;

	*ret = CHANGE_TYPE;
	while (l->path.nr - l->prefix < STEPS_MAX && !has_name(c, x) && !has_name(c, y) &&
	       type_graph_kind(g, x) == type_graph_kind(g, y)) {
		enum btf_kind kind = type_graph_kind(g, x);
		uint32_t edge;

		if (btf_kind_layout(kind)->elem_types) {
			*a = x;
			*b = y;
			return take_from_budget(l, type_graph_vlen(g, x));
		}
		if (!type_text_is_link(kind) || g->labels[x] != g->labels[y])
			break;
		edge = differing_edge(c, x, y, 0, type_graph_nr_edges(g, x));
		vec_push(&l->path, ((struct btf_difference_step){ x, y, edge }));
		x = type_graph_edge(g, x, edge);
		y = type_graph_edge(g, y, edge);
		if (kind == BTF_ARRAY && edge == 1) {
			*ret = CHANGE_INDEX;
			*a = x;
			*b = y;
			break;
		}
	}
	return false;
}

/* NOLINTBEGIN(misc-no-recursion): follow_links() ends at STEPS_MAX */

static void compare_records(struct lister *l, uint32_t a, uint32_t b);

/*
 * References @edge_a and @edge_b of places @x and @y lead to types that differ. True if these are the change, and
 * not changes in them.
 */
static bool compare_types(struct records *r, const struct btf_place *x, uint32_t edge_a,
			  const struct btf_place *y, uint32_t edge_b)
{
	struct lister *l = r->l;
	const struct type_graph *g = l->c->g;
	uint32_t a = type_graph_edge(g, x->node, edge_a), b = type_graph_edge(g, y->node, edge_b);
	size_t length = l->path.nr;
	enum btf_change_sort sort;
	struct btf_change *change;
	bool inside;

	vec_push(&l->path, ((struct btf_difference_step){ x->node, y->node, edge_b }));
	inside = follow_links(l, &a, &b, &sort);
	if (inside)
		compare_records(l, a, b);
	l->path.nr = length;
	if (inside)
		return false;
	change = add_change(r, sort);
	change->a = *x;
	change->b = *y;
	change->type_a = a;
	change->type_b = b;
	return true;
}

/* --- elements ---------------------------------------------------------------------------- */

static struct btf_place place_of(const struct compare *c, const struct element *e)
{
	struct btf_place p = { e->owner, e->index, 0 };

	if (type_graph_ctype(c->g, e->owner) == BTF_C_STRUCT)
		p.offset = e->offset + btf_member_location(c->g, e->owner, e->index).offset;
	return p;
}

/* Are the words that are neither name nor type different? */
static bool is_moved(const struct compare *c, const struct btf_place *x, const struct btf_place *y)
{
	const struct type_graph *g = c->g;
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, x->node));
	const uint32_t *a = type_graph_element(g, x->node, x->index);
	const uint32_t *b = type_graph_element(g, y->node, y->index);
	bool moved = false;

	if (l->ctype == BTF_C_STRUCT)
		return x->offset != y->offset ||
		       btf_member_location(g, x->node, x->index).width !=
			       btf_member_location(g, y->node, y->index).width;
	if (l->ctype == BTF_C_ENUM)
		return btf_enumerator_value(g, x->node, x->index) !=
		       btf_enumerator_value(g, y->node, y->index);
	for (uint32_t i = 0; i < l->elem; i++)
		moved |= (int)i != l->elem_name && !btf_elem_is_type(l, i) && a[i] != b[i];
	return moved;
}

static void compare_pair_of_elements(struct records *r, const struct element *x,
				     const struct element *y)
{
	const struct compare *c = r->l->c;
	const struct type_graph *g = c->g;
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(g, x->owner));
	const struct btf_place a = place_of(c, x), b = place_of(c, y);
	uint32_t before_a = type_graph_edges_before(g, x->owner, x->index);
	uint32_t before_b = type_graph_edges_before(g, y->owner, y->index);
	struct btf_change *change;
	bool other_type = false;

	for (uint32_t i = 0; i < l->elem_types; i++) {
		if (differ(c, type_graph_edge(g, a.node, before_a + i),
			   type_graph_edge(g, b.node, before_b + i)))
			other_type |= compare_types(r, &a, before_a + i, &b, before_b + i);
	}
	bool moved = is_moved(c, &a, &b);

	if (other_type || (!moved && x->key == y->key))
		return;
	if (!moved && l->ctype != BTF_C_FUNCTION)
		return;
	if (!moved &&
	    type_graph_element(g, a.node, a.index)[0] == type_graph_element(g, b.node, b.index)[0])
		return;
	change = add_change(r, moved ? CHANGE_MOVED : CHANGE_NAME);
	change->a = a;
	change->b = b;
}

static void compare_elements(struct records *r)
{
	struct compare *c = r->l->c;
	CLEANUP(vec_release) struct elements x = { 0 };
	CLEANUP(vec_release) struct elements y = { 0 };

	compare_match_elements(c, r->a, r->b, &x, &y);
	for (size_t i = 0; i < x.nr; i++) {
		if (!x.items[i].match)
			add_change(r, CHANGE_GONE)->a = place_of(c, &x.items[i]);
	}
	for (size_t i = 0; i < y.nr; i++) {
		if (y.items[i].match)
			compare_pair_of_elements(r, &x.items[y.items[i].match - 1], &y.items[i]);
		else
			add_change(r, CHANGE_NEW)->b = place_of(c, &y.items[i]);
	}
}

/* --- records ----------------------------------------------------------------------------- */

static bool same_tags(const struct type_graph *g, uint32_t a, uint32_t b)
{
	const uint32_t *x = type_graph_words(g, a), *y = type_graph_words(g, b);
	size_t nr_x = btf_rec_words(x), nr_y = btf_rec_words(y);
	size_t len_x = g->word_start[a + 1] - g->word_start[a] - nr_x;
	size_t len_y = g->word_start[b + 1] - g->word_start[b] - nr_y;

	return len_x == len_y && !memcmp(x + nr_x, y + nr_y, len_x * sizeof(*x));
}

/* Compare the parts before the elements: a linkage, the type of a typedef, the result of a function. */
static void compare_fixed(struct records *r, const struct btf_kind_layout *l)
{
	const struct compare *c = r->l->c;
	const uint32_t *a = type_graph_words(c->g, r->a), *b = type_graph_words(c->g, r->b);
	uint32_t plain = btf_kind_types_before(l);

	if ((!l->fixed_types &&
	     memcmp(a + BTF_REC_WORDS, b + BTF_REC_WORDS, l->fixed * sizeof(*a)) != 0) ||
	    (l->vlen_is_linkage && btf_rec_vlen(a) != btf_rec_vlen(b)))
		add_change(r, CHANGE_DATA);
	for (uint32_t edge = differing_edge(c, r->a, r->b, 0, plain); edge < plain;
	     edge = differing_edge(c, r->a, r->b, edge + 1, plain)) {
		const struct btf_place x = { r->a, NO_ELEMENT, 0 }, y = { r->b, NO_ELEMENT, 0 };

		compare_types(r, &x, edge, &y, edge);
	}
}

/* Compare everything except elements and references. @none: these do not differ. */
static void compare_rest(struct records *r, bool none)
{
	const struct type_graph *g = r->l->c->g;
	const uint32_t *a = type_graph_words(g, r->a), *b = type_graph_words(g, r->b);
	bool tags = same_tags(g, r->a, r->b), size = a[BTF_REC_SIZE_TYPE] == b[BTF_REC_SIZE_TYPE];

	if (!tags)
		add_change(r, CHANGE_TAGS);
	if (!size)
		add_change(r, CHANGE_SIZE);
	none &= tags && size;
	/* the kind flag of a struct means that members may be bit fields, and follows from them */
	if (btf_rec_kflag(a) != btf_rec_kflag(b) &&
	    (none || type_graph_ctype(g, r->a) == BTF_C_ENUM))
		add_change(r, CHANGE_FLAG);
	else if (none)
		add_change(r, type_graph_vlen(g, r->a) ? CHANGE_ORDER : CHANGE_OTHER);
}

static void compare_records(struct lister *l, uint32_t a, uint32_t b)
{
	const struct compare *c = l->c;
	struct records r = { l, a, b, SIZE_MAX };
	const struct btf_kind_layout *kind = btf_kind_layout(type_graph_kind(c->g, a));
	size_t before = c->ret->changes.nr;
	bool has_elements = kind->elem;

	if (kind != btf_kind_layout(type_graph_kind(c->g, b))) {
		add_change(&r, CHANGE_KIND);
		if (kind->ctype != BTF_C_ENUM || type_graph_ctype(c->g, b) != BTF_C_ENUM)
			return;
	} else {
		compare_fixed(&r, kind);
	}
	if (kind->ctype == BTF_C_NONE && type_graph_kind(c->g, a) == BTF_LOCSEC) {
		if (compare_find_sites(c, a, b, &l->d->sites))
			add_change(&r, CHANGE_SITES);
		has_elements = false;
	}
	if (has_elements)
		compare_elements(&r);
	compare_rest(&r, c->ret->changes.nr == before);
}

/* NOLINTEND(misc-no-recursion) */

/* Sort the changes of @d; those of one sort stay in order. */
static void sort_changes(struct btf_comparison *ret, const struct btf_difference *d)
{
	struct btf_change *changes = ret->changes.items + d->change;
	CLEANUP(mem_free) struct btf_change *copy = mem_alloc(d->nr_changes * sizeof(*copy));
	size_t starts[NR_CHANGE_SORTS + 1] = { 0 };

	memcpy(copy, changes, d->nr_changes * sizeof(*copy));
	for (size_t i = 0; i < d->nr_changes; i++)
		starts[copy[i].sort + 1]++;
	for (size_t i = 0; i < NR_CHANGE_SORTS; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < d->nr_changes; i++)
		changes[starts[copy[i].sort]++] = copy[i];
}

void compare_list_changes(struct compare *c, uint32_t a, uint32_t b, size_t step,
			  struct btf_difference *d)
{
	struct lister l = { .c = c, .d = d, .prefix = c->ret->steps.nr - step };

	if (l.prefix)
		vec_append(&l.path, c->ret->steps.items + step, l.prefix);
	d->change = c->ret->changes.nr;
	compare_records(&l, a, b);
	d->nr_changes = c->ret->changes.nr - d->change;
	sort_changes(c->ret, d);
	free(l.path.items);
}
