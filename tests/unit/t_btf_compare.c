/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_compare.c - two BTFs are compared as by tests/lib/slow_compare.h
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_compare
 */
#include "base/cleanup.h"
#include "base/text.h"
#include "btf/compare/btf_compare.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
#include "tests/lib/random_btf.h"
#include "tests/lib/shuffled.h"
#include "tests/lib/slow_compare.h"
#include "tests/lib/testlib.h"

/* --- random graphs ----------------------------------------------------------------------- */

/* Change one word, to something that can be read. */
static void plant(struct btf_view *v, struct rnd *r)
{
	uint32_t id = 1 + rnd_below(r, btf_types_end(&v->types) - 1);
	uint32_t *rec = btf_types_rec(&v->types, id);
	uint32_t nr = (uint32_t)btf_rec_words(rec), at = rnd_below(r, nr);
	bool is_name = false, is_type = false;

	btf_rec_each_name(rec, name) is_name |= name == rec + at;
	btf_rec_each_type(rec, type) is_type |= type == rec + at;
	if (is_name)
		rec[at] = rnd_below(r, (uint32_t)v->strings.len);
	else if (is_type)
		rec[at] = rnd_below(r, btf_types_end(&v->types));
	else if (at == BTF_REC_INFO)
		rec[at] ^= UINT32_C(1) << 31;
	else
		rec[at] += 1 + rnd_below(r, 3);
}

static uint32_t sum_own(const struct btf_comparison *c, bool second)
{
	uint32_t sum = second ? c->through_b : c->through_a;

	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];
		uint32_t mine = second ? d->nr_b : d->nr_a, other = second ? d->nr_a : d->nr_b;

		if (d->sort == DIFFERENCE_NUMBER)
			mine = mine > other ? mine - other : 0;
		sum += mine;
	}
	return sum;
}

/* Returns whether they are equal. */
static bool check_pair(uint64_t seed, const struct btf_view *a, const struct btf_view *b)
{
	CLEANUP(slow_compare_release) struct slow_compare slow;
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 };
	CLEANUP(btf_comparison_release) struct btf_comparison brief = { 0 };
	const struct btf_side sides[2] = { { a, 1 }, { b, 1 } };
	uint32_t more_a, more_b;

	slow_compare_init(&slow, a, b);
	more_a = slow_compare_more(&slow, false);
	more_b = slow_compare_more(&slow, true);
	CHECK_OK(btf_compare(&sides[0], &sides[1], true, &c));
	CHECK_OK(btf_compare(&sides[0], &sides[1], false, &brief));
	if (c.equal != (!more_a && !more_b) || brief.equal != c.equal)
		test_fail(__FILE__, __LINE__, "seed %llu: said to be %s", (unsigned long long)seed,
			  c.equal ? "equal" : "different");
	if (c.equal)
		return true;
	/* what is more often there is a difference, or follows from one */
	if (sum_own(&c, false) != more_a || sum_own(&c, true) != more_b || !c.differences.nr)
		test_fail(__FILE__, __LINE__,
			  "seed %llu: %u and %u types are told of, %u and %u differ",
			  (unsigned long long)seed, sum_own(&c, false), sum_own(&c, true), more_a,
			  more_b);
	return false;
}

TEST(random_pairs_are_judged_as_the_slow_way_does)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 500);
	uint64_t nr_equal = 0;

	for (uint64_t end = seed + nr; seed < end; seed++) {
		CLEANUP(random_btf_release) struct random_btf a;
		CLEANUP(random_btf_release) struct random_btf other;
		CLEANUP(shuffled_release) struct shuffled b = { 0 };
		struct random_program p;

		random_program(&p, seed);
		random_btf(&p, 1, &a);
		random_btf(&p, 1, &other);
		/* another unit, the same one, the same but for one word */
		shuffle(seed % 3 ? &a.view : &other.view, seed, &b);
		if (seed % 3 == 1 && !check_pair(seed, &a.view, &b.view))
			test_fail(__FILE__, __LINE__, "seed %llu: order made a difference",
				  (unsigned long long)seed);
		if (seed % 3 == 1)
			plant(&b.view, &p.r);
		nr_equal += check_pair(seed, &a.view, &b.view);
	}
	printf("# %llu pairs, %llu of them equal\n", (unsigned long long)nr,
	       (unsigned long long)nr_equal);
	/* both are tested, in some number */
	CHECK(nr < 100 || (nr_equal > nr / 10 && nr_equal < nr / 2));
}

/* --- what follows from the definition ------------------------------------------------------ */

static void compare(const struct test_view *a, const struct test_view *b,
		    struct btf_comparison *ret)
{
	CHECK_OK(btf_compare(&(struct btf_side){ &a->view, a->view.types.first },
			     &(struct btf_side){ &b->view, b->view.types.first }, true, ret));
}

/*
 * The differences, in memory that is kept: "equal", or the differences with the numbers of types in both.
 * "through" is followed by the numbers of types that differ because of these.
 */
static const char *comparison_text(const struct btf_comparison *c)
{
	static const char *const sorts[] = { [DIFFERENCE_NUMBER] = "number",
					     [DIFFERENCE_CHANGED] = "changed",
					     [DIFFERENCE_ANOTHER] = "another" };
	static const char *const changes[NR_CHANGE_SORTS] = { [CHANGE_GONE] = "gone",
							      [CHANGE_MOVED] = "moved",
							      [CHANGE_NEW] = "new",
							      [CHANGE_ANOTHER] = "type" };
	struct text text = { 0 };

	if (c->equal)
		return "equal";
	for (size_t i = 0; i < c->differences.nr; i++) {
		const struct btf_difference *d = &c->differences.items[i];

		text_printf(&text, "%s %s", sorts[d->sort],
			    type_graph_name(&c->graph, d->a ? d->a : d->b));
		for (size_t k = 0; k < d->nr_changes; k++) {
			const struct btf_change *x = &c->changes.items[d->change + k];

			text_printf(&text, ", %s %u", changes[x->sort],
				    x->sort == CHANGE_GONE ? x->a.index : x->b.index);
		}
		text_printf(&text, ": %u %u; ", d->nr_a, d->nr_b);
	}
	text_printf(&text, "through %u %u", c->through_a, c->through_b);
	return test_keep(text_take(&text));
}

/* Types without a name are called "". */
static const struct {
	const char *name, *a_base, *b_base; /* NULL: none */
	const char *a, *b;                  /* NULL: nothing */
	const char *result;
} cases[] = {
	{ "nothing and nothing", NULL, NULL, NULL, NULL, "equal" },
	{ "the same type once more", NULL, NULL,
	  "int a; int a; int a; int a; int a; int a; int a; int a; int a; int a; int a; int a",
	  "int a; int a; int a; int a; int a; int a; int a; int a; int a; int a; int a",
	  "number a: 12 11; through 0 0" },
	{ "which of several same types is referred to", NULL, NULL, "int a; int a; ptr 1; ptr 2",
	  "int a; int a; ptr 1; ptr 1", "equal" },
	{ "cycles of another length", NULL, NULL,
	  "struct a 8 {b 2}; ptr 1; struct a 8 {b 4}; ptr 3",
	  "struct a 8 {b 4}; struct a 8 {b 3}; ptr 1; ptr 2", "equal" },
	{ "types that follow from a change are only counted", NULL, NULL,
	  "int f; struct a 8 {e 1}; struct b 16 {c 2, d 4 64}; ptr 3; typedef f 3",
	  "int f; struct a 8 {e 1 32}; struct b 16 {c 2, d 4 64}; ptr 3; typedef f 3",
	  "changed a, moved 0: 1 1; through 3 3" },
	/* struct a { int } and struct a { int * }; struct b { struct b *; struct a * } has one of them */
	{ "another type of the same name", NULL, NULL,
	  "int f; ptr 1; struct a 8 {c 1}; struct a 8 {c 2}; ptr 3; ptr 4;"
	  "struct b 16 {c 8, d 5 64}; ptr 7; typedef e 7",
	  "int f; ptr 1; struct a 8 {c 1}; struct a 8 {c 2}; ptr 3; ptr 4;"
	  "struct b 16 {c 8, d 6 64}; ptr 7; typedef e 7",
	  "another b, type 1: 1 1; through 2 2" },
	{ "namesakes with the same body belong together", NULL, NULL,
	  "int f; struct a 8 {b 1}; struct a 16 {b 1, c 1 64}",
	  "int f; struct a 16 {b 1, d 1 64}; struct a 8 {b 1}",
	  "changed a, gone 1, new 1: 1 1; through 0 0" },
	{ "a type without a name or user", NULL, NULL, "int f; ptr 1; ptr 2", "int f",
	  "number : 1 0; through 1 0" },
	{ "a pointer to a type that is not there follows from that", NULL, NULL,
	  "struct a 0; const 1; ptr 2", "struct b 0", "number a: 1 0; number b: 0 1; through 2 0" },
	{ "what gcc leaves in a declaration", NULL, NULL, "fwd a", "fwd a 77", "equal" },
	{ "tags on void and on one another", NULL, NULL, "decl_tag a 0; decl_tag b 1",
	  "decl_tag a 0; decl_tag b 1; decl_tag c 0", "number c: 0 1; through 0 0" },
	{ "tags of a type in another order", NULL, NULL,
	  "struct a 8 {b 0}; struct b 8 {b 0}; decl_tag c 1; decl_tag d 1; decl_tag c 2",
	  "struct a 8 {b 0}; struct b 8 {b 0}; decl_tag c 2; decl_tag d 1; decl_tag c 1", "equal" },
	{ "what only the bases have is not compared", "int a", "int a; int b", "ptr 1", "ptr 1",
	  "equal" },
	/* struct d is of no consequence */
	{ "a change of the base that matters", "struct a 8 {b 0}; struct d 8 {b 0}",
	  "struct a 8 {c 0}; struct d 8 {c 0}", "typedef e 1", "typedef e 1",
	  "changed a, gone 0, new 0: 0 0; through 1 1" },
	{ "a tag on a type of the base", "struct a 8 {b 0}", "struct a 8 {b 0}", "decl_tag c 1",
	  NULL, "number c: 1 0; through 0 0" },
};

static void fill(struct test_view *v, struct test_view *base, const char *base_types,
		 const char *types)
{
	test_view_init(base);
	if (base_types) {
		test_view_add(base, base_types);
		test_view_put_over(v, base);
	}
	test_view_init(v);
	if (types)
		test_view_add(v, types);
}

TEST_EACH(differences_follow_from_the_definition, cases, c)
{
	CLEANUP(btf_comparison_release) struct btf_comparison found = { 0 };
	VIEW(a_base);
	VIEW(b_base);
	VIEW(a);
	VIEW(b);

	fill(&a, &a_base, c->a_base, c->a);
	fill(&b, &b_base, c->b_base, c->b);
	compare(&a, &b, &found);
	CHECK_STR(comparison_text(&found), c->result);
}

TEST(types_of_the_base_are_not_counted)
{
	CLEANUP(btf_comparison_release) struct btf_comparison found = { 0 };
	VIEW(base);
	VIEW(v);

	fill(&v, &base, "int a", "ptr 1");
	compare(&v, &v, &found);
	CHECK_EQ(found.kinds[BTF_PTR].nr_a, 1);
	CHECK_EQ(found.kinds[BTF_INT].nr_a, 0);
}

/* --- size ---------------------------------------------------------------------------------- */

static void add_letters(struct test_view *v)
{
	for (const char *letter = "a\0b\0c\0d\0e\0f\0"; *letter; letter += 2)
		test_name(v, letter);
}

/* Two BTFs with the names below, and what is found. */
#define COMPARED(a, b, c)                                                \
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 }; \
	VIEW(a);                                                         \
	VIEW(b);                                                         \
	add_letters(&(a));                                               \
	add_letters(&(b))

enum { A = 1, B = 3, C = 5, D = 7, E = 9, F = 11 };

enum { MANY = 100000 };

TEST(a_long_chain_takes_no_time_and_no_stack)
{
	COMPARED(a, b, c);
	/* pointers, the last one of them to void; structs without a name that have one another */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = &(second ? &b : &a)->view.types;
		uint32_t to = second;

		if (second)
			add_int(t, A);
		for (uint32_t i = 0; i < MANY; i++)
			to = add_ptr(t, to);
		for (uint32_t i = 0; i < MANY; i++)
			to = add_struct1(t, 0, B, to);
		add_ref(t, BTF_TYPEDEF, C, to);
	}
	compare(&a, &b, &c);
	CHECK(!c.equal);
	CHECK(c.differences.nr);
}

TEST(paths_to_another_type_take_little_memory)
{
	COMPARED(a, b, c);
	uint32_t nr = 2000;

	/* of two structs a, @nr structs lead to one, through a function that takes a function, @nr times */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = &(second ? &b : &a)->view.types;
		uint32_t base = add_int(t, F), rows[2], to;

		rows[0] = add_struct1(t, A, C, base);
		rows[1] = add_struct1(t, A, D, base);
		add_ptr(t, rows[!second]);
		to = rows[second];
		for (uint32_t i = 0; i < nr; i++)
			to = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 1, false), 0, E, add_ptr(t, to));
		to = add_ptr(t, to);
		/* they differ in their size, for each needs a body of its own */
		for (uint32_t i = 0; i < nr; i++)
			ADD(t, B, btf_info(BTF_STRUCT, 1, false), 8 + i, E, to, 0);
	}
	compare(&a, &b, &c);
	CHECK_EQ(c.differences.nr, nr);
	CHECK(c.steps.nr <= 64 * (size_t)nr);
}

TEST(members_that_change_one_by_one_take_no_time)
{
	COMPARED(a, b, c);
	/* a struct whose MANY members lead, one after the other, to the pointers of a chain */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = &(second ? &b : &a)->view.types;
		uint32_t nr = MANY / 2, to = 0;

		for (uint32_t k = 0; k < 2; k++) {
			uint32_t *rec = btf_types_add(t, BTF_REC_WORDS + 3 * nr);

			rec[BTF_REC_NAME] = 0;
			rec[BTF_REC_INFO] = btf_info(BTF_STRUCT, nr, false);
			rec[BTF_REC_SIZE_TYPE] = 8 * nr;
			for (uint32_t i = 0; i < nr; i++) {
				rec[BTF_REC_WORDS + 3 * i] = A;
				rec[BTF_REC_WORDS + 3 * i + 1] = 3 + i;
				rec[BTF_REC_WORDS + 3 * i + 2] = 64 * i;
			}
		}
		for (uint32_t i = 0; i < nr; i++)
			to = add_ptr(t, to);
	}
	compare(&a, &b, &c);
	CHECK(c.equal);
}
