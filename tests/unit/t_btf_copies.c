/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_copies.c - why a name has several definitions
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_copies
 */
#include "btf/compare/btf_copies.h"

#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "tests/lib/btftext.h"
#include "tests/lib/random_btf.h"
#include "tests/lib/slow_compare.h"
#include "tests/lib/testlib.h"

/* --- random graphs ----------------------------------------------------------------------- */

/* Is @n the record @from, or a struct without a name in it? */
static bool is_part(const struct type_graph *g, uint32_t from, uint32_t n)
{
	if (n == from)
		return true;
	if (type_graph_ctype(g, from) != BTF_C_STRUCT)
		return false;
	for (uint32_t i = 0; i < type_graph_vlen(g, from); i++) {
		uint32_t to = type_graph_edge(g, from, i);

		while (type_graph_ctype(g, to) == BTF_C_QUALIFIER)
			to = type_graph_edge(g, to, 0);
		if (!type_graph_element(g, from, i)[0] && to != from && is_part(g, to, n))
			return true;
	}
	return false;
}

/* The steps lead to the records that differ. */
static void check_way(const struct btf_copies *c, const struct btf_difference *d,
		      const struct slow_compare *slow)
{
	const struct type_graph *g = &c->found.graph;

	CHECK_EQ(d->sort, DIFFERENCE_CHANGED);
	CHECK(d->nr_changes);
	for (size_t k = 0; k < d->nr_changes; k++) {
		const struct btf_change *x = &c->found.changes.items[d->change + k];
		uint32_t b = d->b;

		for (size_t i = 0; i < x->nr_steps; i++) {
			const struct btf_difference_step *s = &c->found.steps.items[x->step + i];

			CHECK(is_part(g, b, s->b));
			CHECK(!*slow_same(slow, s->a, s->b));
			b = type_graph_edge(g, s->b, s->index);
		}
		CHECK_EQ(x->at_b, b);
		CHECK(!*slow_same(slow, x->at_a, b));
	}
}

static bool have_one_name(const struct btf_view *v, uint32_t a, uint32_t b)
{
	const uint32_t *x = btf_types_rec(&v->types, a), *y = btf_types_rec(&v->types, b);
	uint32_t kind = btf_info_kind(x[BTF_REC_INFO]);

	return x[BTF_REC_NAME] && x[BTF_REC_NAME] == y[BTF_REC_NAME] &&
	       kind == btf_info_kind(y[BTF_REC_INFO]) &&
	       (kind == BTF_STRUCT || kind == BTF_UNION || kind == BTF_TYPEDEF);
}

TEST(random_types_differ_where_the_slow_way_says_so)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 200);
	uint64_t nr_pairs = 0, nr_different = 0, nr_far = 0;

	for (uint64_t end = seed + nr; seed < end; seed++) {
		CLEANUP(random_btf_release) struct random_btf r;
		CLEANUP(slow_compare_release) struct slow_compare slow;
		CLEANUP(btf_copies_release) struct btf_copies c = { 0 };
		struct random_program p;

		random_program(&p, seed);
		random_btf(&p, 3, &r);
		slow_compare_init(&slow, &r.view, &r.view);
		CHECK_OK(btf_copies_open(&r.view, &c));
		for (uint32_t b = 2; b < btf_types_end(&r.view.types); b++) {
			for (uint32_t a = 1; a < b; a++) {
				struct btf_difference d;
				bool different;

				if (!have_one_name(&r.view, a, b))
					continue;
				different = btf_copies_differ(&c, a, b, &d);
				CHECK_EQ(different, !*slow_same(&slow, a, b));
				nr_pairs++;
				nr_different += different;
				if (!different)
					continue;
				check_way(&c, &d, &slow);
				nr_far += btf_copies_alike(&c, a, b);
			}
		}
	}
	printf("# %llu pairs, %llu of them different, %llu by what they lead to\n",
	       (unsigned long long)nr_pairs, (unsigned long long)nr_different,
	       (unsigned long long)nr_far);
	CHECK(nr < 100 || (nr_far > nr / 2 && nr_different > nr_far && nr_pairs > nr_different));
}

/* --- in words ---------------------------------------------------------------------------- */

/*
 * The difference of @a and @b, found within @budget pairs; "" if there is none. *left: the rest of the
 * budget.
 */
static char *why(const struct test_view *v, uint64_t budget, uint32_t a, uint32_t b, uint64_t *left)
{
	CLEANUP(btf_copies_release) struct btf_copies c = { 0 };
	struct btf_difference d;
	struct text text = { 0 };

	CHECK_OK(btf_copies_open(&v->view, &c));
	c.left = budget;
	if (btf_copies_differ(&c, a, b, &d)) {
		diff_text_line(&text, &c.found, &d, &c.found.changes.items[d.change],
			       &diff_words_copies);
	}
	*left = c.left;
	return test_keep(text_take(&text));
}

static const struct {
	const char *name, *types;
	uint32_t a, b; /* are compared */
	const char *why;
} cases[] = {
	{ "copies of one struct do not differ", "int c; struct a 8 {x 1}; struct a 8 {x 1}", 2, 3,
	  "" },
	{ "a member differs", "int c; ptr 1; struct a 8 {x 1}; struct a 8 {x 2}", 3, 4,
	  "struct a.x: c *, not c" },
	{ "the way leads through structs with a name",
	  "int c; struct b 8 {x 1}; ptr 2; struct b 8 {y 1}; ptr 4; struct a 8 {x 3}; struct a 8 {x 5}",
	  6, 7, "struct a.x->x (in struct b): missing (c)" },
	/* the first member leads to the difference, but by another struct */
	{ "the shortest way is told",
	  "int x; struct c 8 {x 1}; ptr 2; struct c 8 {y 1}; ptr 4; struct b 8 {x 3}; ptr 6;"
	  "struct b 8 {x 5}; ptr 8; struct a 16 {x 7, y 3 64}; struct a 16 {x 9, y 5 64}",
	  10, 11, "struct a.y->x (in struct c): missing (x)" },
	{ "a cycle is no way",
	  "int c; struct a 16 {x 5, y 1 64}; struct b 8 {x 4}; ptr 2; ptr 3;"
	  "struct a 16 {x 9, y 8 64}; struct b 8 {x 8}; ptr 6; ptr 7",
	  3, 7, "struct b.x->y (in struct a): struct a *, not c" },
	{ "a declaration is a cause if there is no other",
	  "int c; fwd b; ptr 2; struct b 8 {x 1}; ptr 4; struct a 16 {x 3, y 1 64};"
	  "struct a 16 {x 5, y 1 64}",
	  6, 7, "struct a.x (in struct b): a definition, not a declaration" },
	/* a declaration fits any definition, so something else kept them apart */
	{ "a declaration is not a cause if there is another",
	  "int c; struct b 8 {x 1}; ptr 2; fwd b; ptr 4; struct b 8 {y 1}; ptr 6;"
	  "struct a 16 {x 3, y 3 64}; struct a 16 {x 5, y 7 64}",
	  8, 9, "struct a.y->x (in struct b): missing (c)" },
	{ "the same the other way round",
	  "int c; struct b 8 {x 1}; ptr 2; fwd b; ptr 4; struct b 8 {y 1}; ptr 6;"
	  "struct a 16 {x 3, y 3 64}; struct a 16 {x 5, y 7 64}",
	  9, 8, "struct a.y->y (in struct b): missing (c)" },
};

TEST_EACH(the_cause_of_a_second_definition_is_told, cases, c)
{
	VIEW(v);
	uint64_t left;

	test_view_add(&v, c->types);
	CHECK_STR(why(&v, 1000, c->a, c->b, &left), c->why);
}

TEST(at_the_end_of_the_budget_the_first_reference_that_differs_is_named)
{
	VIEW(v);
	uint64_t left;

	/* the pairs are of a, of the pointers, and of b */
	test_view_add(&v, "int c; struct b 8 {x 1}; ptr 2; struct b 8 {y 1}; ptr 4;"
			  "struct a 16 {x 1, y 3 64}; struct a 16 {x 1, y 5 64}");
	CHECK_STR(why(&v, 0, 6, 7, &left), "struct a.y: another struct b *");
	CHECK_STR(why(&v, 1, 6, 7, &left), "struct a.y: another struct b *");
	CHECK_EQ(left, 0);
	CHECK_STR(why(&v, 2, 6, 7, &left), "struct a.y->x (in struct b): missing (c)");
}
