/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_copies.c - why a name has several definitions
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_copies
 */
#include "btf/compare/btf_copies.h"

#include "base/cleanup.h"
#include "btf/compare/diff_text.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/random_btf.h"
#include "tests/lib/slow_compare.h"
#include "tests/lib/testlib.h"

/* --- random graphs ----------------------------------------------------------------------- */

/* The steps lead to the records that differ. */
static void check_way(const struct btf_copies *c, const struct btf_difference *d,
		      const struct slow_compare *slow)
{
	const struct type_graph *g = &c->found.graph;
	uint32_t a = d->a, b = d->b;

	for (size_t i = 0; i < d->nr_steps; i++) {
		const struct btf_difference_step *s = &c->found.steps.items[d->step + i];

		CHECK_EQ(s->a, a);
		CHECK_EQ(s->b, b);
		a = type_graph_edge(g, a, s->index);
		b = type_graph_edge(g, b, s->index);
	}
	CHECK_EQ(d->at_a, a);
	CHECK_EQ(d->at_b, b);
	CHECK(!*slow_same(slow, a, b));
	CHECK_EQ(d->sort, DIFFERENCE_CHANGED);
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

/* Names are offsets in this text, one letter each. */
#define NAMES "\0a\0b\0c\0x\0y"
enum { A = 1, B = 3, C = 5, X = 7, Y = 9 };

struct types {
	struct btf_view view;
	struct btf_copies copies;
};

static void types_init(struct types *t)
{
	*t = (struct types){ .view.strings = { (const uint8_t *)NAMES, sizeof(NAMES) } };
	btf_types_init(&t->view.types, NULL);
}

static void types_release(struct types *t)
{
	btf_types_release(&t->view.types);
	btf_copies_release(&t->copies);
}

/* A struct with one member or two, all at 0. */
static uint32_t add_one(struct btf_types *t, uint32_t name, uint32_t member, uint32_t type)
{
	return ADD(t, name, btf_info(BTF_STRUCT, 1, false), 8, member, type, 0);
}

static uint32_t add_two(struct btf_types *t, uint32_t name, uint32_t x, uint32_t y)
{
	return ADD(t, name, btf_info(BTF_STRUCT, 2, false), 16, X, x, 0, Y, y, 64);
}

/* The difference of @a and @b, found within @budget pairs; "" if there is none. */
static char *why_within(struct types *t, uint64_t budget, uint32_t a, uint32_t b)
{
	struct btf_difference d;
	struct text text = { 0 };

	CHECK_OK(btf_copies_open(&t->view, &t->copies));
	t->copies.left = budget;
	if (btf_copies_differ(&t->copies, a, b, &d)) {
		diff_text_path(&text, &t->copies.found, &d);
		text_str(&text, ": ");
		diff_text_what(&text, &t->copies.found.graph, &d, &diff_words_copies);
	}
	return test_keep(text_take(&text));
}

static char *why(struct types *t, uint32_t a, uint32_t b)
{
	return why_within(t, 1000, a, b);
}

#define TYPES(name, list)                         \
	CLEANUP(types_release) struct types name; \
	types_init(&(name));                      \
	struct btf_types *(list) = &(name).view.types

TEST(copies_of_one_struct_do_not_differ)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C);

	uint32_t a1 = add_one(l, A, X, i), a2 = add_one(l, A, X, i);
	CHECK_STR(why(&t, a1, a2), "");
}

TEST(a_member_differs)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C), p = add_ptr(l, i);

	uint32_t a1 = add_one(l, A, X, i), a2 = add_one(l, A, X, p);
	CHECK_STR(why(&t, a1, a2), "struct a.x: c *, not c");
}

TEST(the_way_leads_through_structs_with_a_name)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C);
	uint32_t p1 = add_ptr(l, add_one(l, B, X, i)), p2 = add_ptr(l, add_one(l, B, Y, i));

	uint32_t a1 = add_one(l, A, X, p1), a2 = add_one(l, A, X, p2);
	CHECK_STR(why(&t, a1, a2), "struct a.x (in struct b): member 1 'y', not member 1 'x'");
}

/* the first member leads to the difference, but by another struct */
TEST(the_shortest_way_is_told)
{
	TYPES(t, l);
	uint32_t i = add_int(l, X);
	uint32_t c1 = add_ptr(l, add_one(l, C, X, i)), c2 = add_ptr(l, add_one(l, C, Y, i));
	uint32_t b1 = add_ptr(l, add_one(l, B, X, c1)), b2 = add_ptr(l, add_one(l, B, X, c2));

	uint32_t a1 = add_two(l, A, b1, c1), a2 = add_two(l, A, b2, c2);
	CHECK_STR(why(&t, a1, a2), "struct a.y (in struct c): member 1 'y', not member 1 'x'");
}

TEST(a_loop_is_no_way)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C);

	/* a { b *x; i y; } and b { a *x; } twice, but for y */
	uint32_t first = btf_types_end(l);
	add_two(l, A, first + 3, i);
	add_one(l, B, X, first + 2);
	add_ptr(l, first);
	add_ptr(l, first + 1);
	uint32_t second = btf_types_end(l);
	add_two(l, A, second + 3, second + 2);
	add_one(l, B, X, second + 2);
	add_ptr(l, second);
	add_ptr(l, second + 1);
	CHECK_STR(why(&t, first + 1, second + 1), "struct b.x->y (in struct a): struct a *, not c");
}

/* a declaration fits any definition, so something else kept them apart */
TEST(a_declaration_is_a_cause_only_if_there_is_no_other)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C);
	uint32_t p1 = add_ptr(l, ADD(l, B, btf_info(BTF_FWD, 0, false), 0));
	uint32_t p2 = add_ptr(l, add_one(l, B, X, i));
	uint32_t a1 = add_two(l, A, p1, i), a2 = add_two(l, A, p2, i);
	uint32_t c1 = add_two(l, C, p1, i), c2 = add_two(l, C, p2, p2);

	CHECK_STR(why(&t, a1, a2), "struct a.x (in struct b): a definition, not a declaration");
	btf_copies_release(&t.copies);
	CHECK_STR(why(&t, c1, c2), "struct c.y: struct b *, not c");
}

TEST(at_the_end_of_the_budget_the_first_reference_that_differs_is_named)
{
	TYPES(t, l);
	uint32_t i = add_int(l, C);
	uint32_t p1 = add_ptr(l, add_one(l, B, X, i)), p2 = add_ptr(l, add_one(l, B, Y, i));
	uint32_t a1 = add_two(l, A, i, p1), a2 = add_two(l, A, i, p2);

	CHECK_STR(why_within(&t, 0, a1, a2), "struct a.y: another struct b *");
	btf_copies_release(&t.copies);
	/* the pairs are of a, of the pointers, and of b */
	CHECK_STR(why_within(&t, 1, a1, a2), "struct a.y: another struct b *");
	CHECK_EQ(t.copies.left, 0);
	btf_copies_release(&t.copies);
	CHECK_STR(why_within(&t, 2, a1, a2),
		  "struct a.y (in struct b): member 1 'y', not member 1 'x'");
}
