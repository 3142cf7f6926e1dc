/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_compare_path.c - where two types differ
 *
 * A path leads from a type through what has no name: members of structs and unions, parameters, and
 * the pointers, arrays and qualifiers between. It ends in the last record of the former sort, for
 * "const char * instead of char *" says more than "a CONST that is none".
 */
#include "btf/compare/btf_compare_internal.h"

#include "base/vec.h"
#include "btf/print/type_text.h"

#include <stdlib.h>

/* Deeper, and round cycles that only C++ can make, the last type that was reached is named. */
enum { STEPS_MAX = 64 };

/* Has @kind elements with types? */
static bool has_parts(enum btf_kind kind)
{
	return btf_kind_layout(kind)->elem_types;
}

static void end_at(struct btf_difference *d, enum btf_difference_what what, uint32_t index)
{
	d->what = what;
	d->index = index;
}

static void add_step(struct compare *c, uint32_t a, uint32_t b, uint32_t index)
{
	vec_push(&c->ret->steps, ((struct btf_difference_step){ a, b, index }));
}

/* --- one record and another -------------------------------------------------------------- */

/* The first reference of both from @from to @to that looks different, else @to. */
static uint32_t differing_edge(const struct compare *c, uint32_t a, uint32_t b, uint32_t from,
			       uint32_t to)
{
	for (; from < to; from++) {
		if (altered_class(c, &c->body, type_graph_edge(c->g, a, from)) !=
		    altered_class(c, &c->body, type_graph_edge(c->g, b, from)))
			break;
	}
	return from;
}

/* The name of an element; if it has none, that of its first type: in a section, of the variable. */
static uint32_t element_name(const struct compare *c, uint32_t n, uint32_t i)
{
	const struct btf_kind_layout *l = btf_kind_layout(type_graph_kind(c->g, n));
	uint32_t edge = type_graph_edges_before(c->g, n, i);

	if (l->elem_name >= 0)
		return type_graph_element(c->g, n, i)[l->elem_name];
	return l->elem_types ? altered_class(c, &c->body, type_graph_edge(c->g, n, edge)) : 0;
}

/* How many elements of @n, from @from on, are called @name? */
static uint32_t count_elements(const struct compare *c, uint32_t n, uint32_t from, uint32_t name)
{
	uint32_t vlen = type_graph_vlen(c->g, n), nr = 0;

	for (uint32_t i = from; i < vlen; i++)
		nr += element_name(c, n, i) == name;
	return nr;
}

/*
 * The names of element @i differ. An element is new if the other side has fewer of its name and goes
 * on with the next; if elements have only changed their order, neither is new or gone.
 */
static void end_at_name(const struct compare *c, struct btf_difference *d, uint32_t i)
{
	uint32_t a = element_name(c, d->at_a, i), b = element_name(c, d->at_b, i);
	uint32_t a_in_a = count_elements(c, d->at_a, i, a),
		 a_in_b = count_elements(c, d->at_b, i, a);
	uint32_t b_in_a = count_elements(c, d->at_a, i, b),
		 b_in_b = count_elements(c, d->at_b, i, b);

	if (a_in_b && b_in_b > b_in_a)
		end_at(d, WHAT_ELEMENT_NEW, i);
	else if (b_in_a && a_in_a > a_in_b)
		end_at(d, WHAT_ELEMENT_OLD, i);
	else
		end_at(d, WHAT_ELEMENT_NAME, i);
}

/* Compare the words of an element that are no types, whose name is the same. */
static bool same_element_data(const struct compare *c, const struct btf_difference *d, uint32_t i)
{
	size_t nr = btf_kind_layout(type_graph_kind(c->g, d->at_a))->elem;

	return !memcmp(type_graph_element(c->g, d->at_a, i), type_graph_element(c->g, d->at_b, i),
		       nr * sizeof(uint32_t));
}

/* True if the difference is in the elements; then @d says which. */
static bool compare_elements(const struct compare *c, struct btf_difference *d)
{
	uint32_t nr_a = type_graph_vlen(c->g, d->at_a), nr_b = type_graph_vlen(c->g, d->at_b);
	uint32_t nr = nr_a < nr_b ? nr_a : nr_b;

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t from = type_graph_edges_before(c->g, d->at_a, i);
		uint32_t to = type_graph_edges_before(c->g, d->at_a, i + 1), edge;

		if (element_name(c, d->at_a, i) != element_name(c, d->at_b, i)) {
			end_at_name(c, d, i);
			return true;
		}
		if (!same_element_data(c, d, i)) {
			end_at(d, WHAT_ELEMENT_DATA, i);
			return true;
		}
		edge = differing_edge(c, d->at_a, d->at_b, from, to);
		if (edge < to) {
			end_at(d, WHAT_TYPE, edge);
			return true;
		}
	}
	if (nr_a != nr_b)
		end_at(d, nr_a < nr_b ? WHAT_ELEMENT_NEW : WHAT_ELEMENT_OLD, nr);
	return nr_a != nr_b;
}

static bool same_tags(const struct compare *c, uint32_t a, uint32_t b)
{
	const struct type_graph *g = c->g;
	const uint32_t *x = type_graph_words(g, a), *y = type_graph_words(g, b);
	size_t nr_x = btf_rec_words(x), nr_y = btf_rec_words(y);
	size_t len_x = g->word_start[a + 1] - g->word_start[a] - nr_x;
	size_t len_y = g->word_start[b + 1] - g->word_start[b] - nr_y;

	return len_x == len_y && !memcmp(x + nr_x, y + nr_y, len_x * sizeof(*x));
}

/* Compare everything except elements and references. */
static void compare_rest(const struct compare *c, struct btf_difference *d)
{
	const uint32_t *a = type_graph_words(c->g, d->at_a), *b = type_graph_words(c->g, d->at_b);

	if (a[BTF_REC_SIZE_TYPE] != b[BTF_REC_SIZE_TYPE])
		end_at(d, WHAT_SIZE, 0);
	else if (btf_rec_kflag(a) != btf_rec_kflag(b))
		end_at(d, WHAT_FLAG, 0);
	else if (!same_tags(c, d->at_a, d->at_b))
		end_at(d, WHAT_TAGS, 0);
	else
		end_at(d, WHAT_OTHER, 0);
}

/*
 * The first difference of the records @d->at_a and @d->at_b, in the order in which C has its parts.
 */
static void compare_records(const struct compare *c, struct btf_difference *d)
{
	enum btf_kind kind = type_graph_kind(c->g, d->at_a);
	const struct btf_kind_layout *l = btf_kind_layout(kind);
	const uint32_t *a = type_graph_words(c->g, d->at_a), *b = type_graph_words(c->g, d->at_b);
	uint32_t plain = btf_kind_types_before(l), edge;

	if (kind != type_graph_kind(c->g, d->at_b)) {
		end_at(d, WHAT_KIND, 0);
		return;
	}
	if (kind == BTF_LOCSEC && compare_find_sites(c, d)) {
		end_at(d, WHAT_SITES, 0);
		return;
	}
	/* of an INT, a variable, a tag */
	if ((!l->fixed_types &&
	     memcmp(a + BTF_REC_WORDS, b + BTF_REC_WORDS, l->fixed * sizeof(*a)) != 0) ||
	    (l->vlen_is_linkage && btf_rec_vlen(a) != btf_rec_vlen(b))) {
		end_at(d, WHAT_DATA, 0);
		return;
	}
	edge = differing_edge(c, d->at_a, d->at_b, 0, plain);
	if (edge < plain)
		end_at(d, WHAT_TYPE, edge);
	else if (!l->elem || !compare_elements(c, d))
		compare_rest(c, d);
}

/* --- the way there ----------------------------------------------------------------------- */

/*
 * The reference @d->index of both leads to types that look different. Follow it as long as they are
 * of one sort; true if they are records with parts, where the search goes on.
 */
static bool follow_links(struct compare *c, struct btf_difference *d)
{
	const struct type_graph *g = c->g;
	uint32_t a = type_graph_edge(g, d->at_a, d->index);
	uint32_t b = type_graph_edge(g, d->at_b, d->index);
	size_t steps = c->ret->steps.nr;

	d->type_a = a;
	d->type_b = b;
	add_step(c, d->at_a, d->at_b, d->index);
	while (c->ret->steps.nr - d->step < STEPS_MAX && !has_name(c, a) && !has_name(c, b) &&
	       type_graph_kind(g, a) == type_graph_kind(g, b)) {
		enum btf_kind kind = type_graph_kind(g, a);
		uint32_t edge;

		if (has_parts(kind)) {
			d->at_a = a;
			d->at_b = b;
			return true;
		}
		if (!type_text_is_link(kind) || g->labels[a] != g->labels[b])
			break;
		edge = differing_edge(c, a, b, 0, type_graph_nr_edges(g, a));
		add_step(c, a, b, edge);
		a = type_graph_edge(g, a, edge);
		b = type_graph_edge(g, b, edge);
		if (kind == BTF_ARRAY && edge == 1) {
			d->what = WHAT_INDEX;
			d->type_a = a;
			d->type_b = b;
			break;
		}
	}
	c->ret->steps.nr = steps;
	return false;
}

void compare_find_changed(struct compare *c, struct btf_difference *d)
{
	do
		compare_records(c, d);
	while (d->what == WHAT_TYPE && follow_links(c, d));
}

/* --- types that are the same by name only ------------------------------------------------ */

/* Are two types of one name different because of what is said elsewhere? */
static bool is_explained(const struct compare *c, uint32_t a, uint32_t b)
{
	uint32_t x = c->classes[a], y = c->classes[b];

	if (c->partners[x] == y + 1)
		return true;
	return (c->fates[x] == FATE_NUMBER && !c->same[x].b) ||
	       (c->fates[y] == FATE_NUMBER && !c->same[y].a);
}

/* The last step that leads on from a record with parts, or from where the path began. */
static void cut_path(struct compare *c, struct btf_difference *d)
{
	const struct btf_difference_step *last = NULL;

	do
		last = &c->ret->steps.items[--c->ret->steps.nr];
	while (type_text_is_link(type_graph_kind(c->g, last->a)) && c->ret->steps.nr > d->step);
	d->at_a = last->a;
	d->at_b = last->b;
	end_at(d, WHAT_TYPE, last->index);
}

bool compare_find_another(struct compare *c, uint32_t *visited, uint32_t stamp,
			  struct btf_difference *d)
{
	const struct type_graph *g = c->g;
	size_t bottom = c->ret->steps.nr;

	add_step(c, d->a, d->b, 0);
	visited[d->a] = stamp;
	while (c->ret->steps.nr > bottom) {
		struct btf_difference_step *top = &c->ret->steps.items[c->ret->steps.nr - 1];
		uint32_t a, b;

		if (top->index == type_graph_nr_edges(g, top->a)) {
			c->ret->steps.nr--;
			if (c->ret->steps.nr > bottom)
				c->ret->steps.items[c->ret->steps.nr - 1].index++;
			continue;
		}
		a = type_graph_edge(g, top->a, top->index);
		b = type_graph_edge(g, top->b, top->index);
		if (altered_class(c, &c->settled, a) == altered_class(c, &c->settled, b) ||
		    visited[a] == stamp) {
			top->index++;
		} else if (!has_name(c, a) && c->ret->steps.nr - bottom < STEPS_MAX) {
			visited[a] = stamp;
			add_step(c, a, b, 0);
		} else if (has_name(c, a) && is_explained(c, a, b)) {
			top->index++;
		} else {
			d->type_a = a;
			d->type_b = b;
			cut_path(c, d);
			return true;
		}
	}
	return false;
}
