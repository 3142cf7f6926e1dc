/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_compare.c - two BTFs are held against one another as tests/lib/slow_compare.h says
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_compare
 */
#include "base/cleanup.h"
#include "btf/compare/btf_compare.h"
#include "tests/lib/btfbuild.h"
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

/* Names are offsets in this text, one letter each. */
#define NAMES "\0a\0b\0c\0d\0e\0f"
enum { A = 1, B = 3, C = 5, D = 7, E = 9, F = 11 };

struct pair {
	struct btf_view a, b;
};

static void pair_init(struct pair *p)
{
	*p = (struct pair){ .a.strings = { (const uint8_t *)NAMES, sizeof(NAMES) },
			    .b.strings = { (const uint8_t *)NAMES, sizeof(NAMES) } };
	btf_types_init(&p->a.types, NULL);
	btf_types_init(&p->b.types, NULL);
}

static void pair_release(struct pair *p)
{
	btf_types_release(&p->a.types);
	btf_types_release(&p->b.types);
}

static void compare(const struct pair *p, struct btf_comparison *ret)
{
	CHECK_OK(btf_compare(&(struct btf_side){ &p->a, p->a.types.first },
			     &(struct btf_side){ &p->b, p->b.types.first }, true, ret));
}

#define PAIR(p)                              \
	CLEANUP(pair_release) struct pair p; \
	pair_init(&(p))

/* A pair, the types of both, and what comes out. */
#define COMPARED(p, a, b, c)                                                 \
	PAIR(p);                                                             \
	struct btf_types *a UNUSED = &(p).a.types, *b UNUSED = &(p).b.types; \
	CLEANUP(btf_comparison_release) struct btf_comparison c = { 0 }

TEST(nothing_and_nothing_are_equal)
{
	COMPARED(p, a, b, c);
	compare(&p, &c);
	CHECK(c.equal);
}

TEST(the_same_type_once_more_is_a_difference)
{
	COMPARED(p, a, b, c);
	for (int i = 0; i < 12; i++)
		add_int(a, A);
	for (int i = 0; i < 11; i++)
		add_int(b, A);
	compare(&p, &c);
	CHECK(!c.equal);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].sort, DIFFERENCE_NUMBER);
	CHECK_EQ(c.differences.items[0].nr_a, 12);
	CHECK_EQ(c.differences.items[0].nr_b, 11);
}

TEST(which_of_several_same_types_is_referred_to_is_none)
{
	COMPARED(p, a, b, c);
	uint32_t first = add_int(a, A), second = add_int(a, A);
	add_ptr(a, first);
	add_ptr(a, second);
	first = add_int(b, A);
	add_int(b, A);
	add_ptr(b, first);
	add_ptr(b, first);
	compare(&p, &c);
	CHECK(c.equal);
}

TEST(loops_of_another_length_are_none)
{
	COMPARED(p, a, b, c);
	/* struct a { struct a *b; }, twice; and two that refer to one another */
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t self = add_struct1(a, A, B, 0);
		uint32_t to = add_ptr(a, self);

		btf_types_rec(a, self)[BTF_REC_WORDS + 1] = to;
	}
	uint32_t x = add_struct1(b, A, B, 0), y = add_struct1(b, A, B, 0);
	uint32_t to_x = add_ptr(b, x), to_y = add_ptr(b, y);
	btf_types_rec(b, x)[BTF_REC_WORDS + 1] = to_y;
	btf_types_rec(b, y)[BTF_REC_WORDS + 1] = to_x;
	compare(&p, &c);
	CHECK(c.equal);
}

TEST(what_follows_from_a_change_is_only_counted)
{
	COMPARED(p, a, b, c);
	/* struct a { int e; }; struct b { struct a c; struct b *d; }; typedef struct b f */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = second ? b : a;
		uint32_t leaf = add_struct1(t, A, E, add_int(t, F));
		uint32_t user = add_struct2(t, B, C, leaf, D, 0);
		uint32_t to = add_ptr(t, user);

		btf_types_rec(t, user)[BTF_REC_WORDS + 4] = to;
		add_ref(t, BTF_TYPEDEF, F, user);
		if (second)
			btf_types_rec(t, leaf)[BTF_REC_WORDS + 2] = 32;
	}
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].sort, DIFFERENCE_CHANGED);
	CHECK_STR(type_graph_name(&c.graph, c.differences.items[0].a), "a");
	CHECK_EQ(c.differences.items[0].what, WHAT_ELEMENT_DATA);
	CHECK_EQ(c.through_a, 3);
	CHECK_EQ(c.through_b, 3);
}

/* struct a { int } and struct a { int * }; struct b { struct b *; struct a * } has one of them */
static void say_one_of_two(struct btf_types *t, bool other)
{
	uint32_t base = add_int(t, F);
	uint32_t one = add_struct1(t, A, C, base), two = add_struct1(t, A, C, add_ptr(t, base));
	uint32_t user = add_struct2(t, B, C, 0, D, 0);
	uint32_t self = add_ptr(t, user), to_one = add_ptr(t, one), to_two = add_ptr(t, two);

	btf_types_rec(t, user)[BTF_REC_WORDS + 1] = self;
	btf_types_rec(t, user)[BTF_REC_WORDS + 4] = other ? to_two : to_one;
	add_ref(t, BTF_TYPEDEF, E, user);
}

TEST(another_type_of_the_same_name_is_a_difference)
{
	COMPARED(p, a, b, c);
	say_one_of_two(a, false);
	say_one_of_two(b, true);
	compare(&p, &c);
	CHECK(!c.equal);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].sort, DIFFERENCE_ANOTHER);
	CHECK_STR(type_graph_name(&c.graph, c.differences.items[0].a), "b");
	CHECK_EQ(c.differences.items[0].what, WHAT_TYPE);
	CHECK_EQ(c.differences.items[0].index, 1);
	CHECK_EQ(c.through_a, 2); /* the pointer to itself, and the typedef */
}

TEST(namesakes_with_the_same_body_belong_together)
{
	COMPARED(p, a, b, c);
	/* of two structs of one name in both, one is another one */
	uint32_t base = add_int(a, F);
	add_struct1(a, A, B, base);
	add_struct2(a, A, B, base, C, base);
	base = add_int(b, F);
	add_struct2(b, A, B, base, D, base);
	add_struct1(b, A, B, base);
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].sort, DIFFERENCE_CHANGED);
	CHECK_EQ(c.differences.items[0].what, WHAT_ELEMENT_NAME);
	CHECK_EQ(c.differences.items[0].index, 1);
}

TEST(a_type_without_a_name_or_user_is_a_difference)
{
	COMPARED(p, a, b, c);
	uint32_t base = add_int(a, F);
	add_ptr(a, add_ptr(a, base));
	add_int(b, F);
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, 1); /* what it refers to follows */
	CHECK_EQ(c.differences.items[0].nr_a, 1);
	CHECK_EQ(c.differences.items[0].nr_b, 0);
	CHECK_EQ(c.through_a, 1);
}

TEST(a_pointer_to_what_is_not_there_follows_from_that)
{
	COMPARED(p, a, b, c);
	add_ptr(a, add_ref(a, BTF_CONST, 0, add_struct0(a, A)));
	add_struct0(b, B);
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, 2);
	CHECK_STR(type_graph_name(&c.graph, c.differences.items[0].a), "a");
	CHECK_STR(type_graph_name(&c.graph, c.differences.items[1].b), "b");
	CHECK_EQ(c.through_a, 2);
}

TEST(what_gcc_leaves_in_a_declaration_is_none)
{
	COMPARED(p, a, b, c);
	add_fwd(a, A, false);
	btf_types_rec(b, add_fwd(b, A, false))[BTF_REC_SIZE_TYPE] = 77;
	compare(&p, &c);
	CHECK(c.equal);
}

TEST(tags_on_void_and_on_one_another_can_be_compared)
{
	COMPARED(p, a, b, c);
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = second ? b : a;
		uint32_t tag = ADD(t, A, btf_info(BTF_DECL_TAG, 0, false), 0, UINT32_MAX);

		ADD(t, B, btf_info(BTF_DECL_TAG, 0, false), tag, UINT32_MAX);
		if (second)
			ADD(t, C, btf_info(BTF_DECL_TAG, 0, false), 0, UINT32_MAX);
	}
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].nr_b, 1);
}

/* --- bases --------------------------------------------------------------------------------- */

/* Types of @v from now on stand on @base, whose names they use. */
static void put_over(struct btf_view *v, const struct btf_view *base)
{
	v->base = base;
	v->str_base = (uint32_t)base->strings.len;
	v->strings = (struct bytes){ 0 };
	btf_types_init(&v->types, &base->types);
}

TEST(what_only_the_bases_have_is_not_compared)
{
	PAIR(bases);
	COMPARED(p, a, b, c);
	add_int(&bases.a.types, A);
	add_int(&bases.b.types, A);
	add_int(&bases.b.types, B);
	put_over(&p.a, &bases.a);
	put_over(&p.b, &bases.b);
	add_ptr(a, 1);
	add_ptr(b, 1);
	compare(&p, &c);
	CHECK(c.equal);
	CHECK_EQ(c.kinds[BTF_PTR].nr_a, 1);
	CHECK_EQ(c.kinds[BTF_INT].nr_a, 0);
}

TEST(a_change_of_the_base_that_matters_is_named)
{
	PAIR(bases);
	COMPARED(p, a, b, c);
	add_struct1(&bases.a.types, A, B, 0);
	add_struct1(&bases.b.types, A, C, 0);
	/* this one is of no consequence */
	add_struct1(&bases.a.types, D, B, 0);
	add_struct1(&bases.b.types, D, C, 0);
	put_over(&p.a, &bases.a);
	put_over(&p.b, &bases.b);
	add_ref(a, BTF_TYPEDEF, E, 1);
	add_ref(b, BTF_TYPEDEF, E, 1);
	compare(&p, &c);
	CHECK(!c.equal);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].sort, DIFFERENCE_CHANGED);
	CHECK_STR(type_graph_name(&c.graph, c.differences.items[0].a), "a");
	CHECK_EQ(c.differences.items[0].nr_a, 0);
	CHECK_EQ(c.through_a, 1);
}

TEST(a_tag_on_a_type_of_the_base_is_compared)
{
	PAIR(bases);
	COMPARED(p, a, b, c);
	add_struct1(&bases.a.types, A, B, 0);
	put_over(&p.a, &bases.a);
	put_over(&p.b, &bases.a);
	ADD(a, C, btf_info(BTF_DECL_TAG, 0, false), 1, UINT32_MAX);
	compare(&p, &c);
	CHECK(!c.equal);
	CHECK_EQ(c.differences.nr, 1);
	CHECK_EQ(c.differences.items[0].nr_a, 1);
}

/* --- size ---------------------------------------------------------------------------------- */

enum { MANY = 100000 };

TEST(a_long_chain_takes_no_time_and_no_stack)
{
	COMPARED(p, a, b, c);
	/* pointers, the last one of them to void; structs without a name that have one another */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = second ? b : a;
		uint32_t to = second;

		if (second)
			add_int(t, A);
		for (uint32_t i = 0; i < MANY; i++)
			to = add_ptr(t, to);
		for (uint32_t i = 0; i < MANY; i++)
			to = add_struct1(t, 0, B, to);
		add_ref(t, BTF_TYPEDEF, C, to);
	}
	compare(&p, &c);
	CHECK(!c.equal);
	CHECK(c.differences.nr);
}

TEST(paths_to_another_type_take_little_memory)
{
	COMPARED(p, a, b, c);
	uint32_t nr = 2000;

	/* of two structs a, @nr structs lead to one, through a function that takes a function, @nr times */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = second ? b : a;
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
	compare(&p, &c);
	CHECK_EQ(c.differences.nr, nr);
	CHECK(c.steps.nr <= 64 * (size_t)nr);
}

TEST(members_that_change_one_by_one_take_no_time)
{
	COMPARED(p, a, b, c);
	/* a struct whose MANY members lead, one after the other, to the pointers of a chain */
	for (int second = 0; second < 2; second++) {
		struct btf_types *t = second ? b : a;
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
	compare(&p, &c);
	CHECK(c.equal);
}
