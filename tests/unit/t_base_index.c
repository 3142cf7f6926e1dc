/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_base_index.c - a split finds in its base what libbpf's rule finds there
 *
 * The base is indexed for this split alone or for any. Random programs are compared with
 * tests/lib/slow_dedup.h:
 *
 *	BTFENC_GRAPHS=100000 BTFENC_SEED=1 build/tests/unit_tests --file=t_base_index
 */
#include "dedup/base_index.h"

#include "base/cleanup.h"
#include "dedup/dedup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
#include "tests/lib/random_units.h"
#include "tests/lib/slow_dedup.h"
#include "tests/lib/testlib.h"

enum { SLOW_BUDGET = 1000000 };

static bool is_tag(const struct btf_types *t, uint32_t id)
{
	return btf_info_kind(btf_types_rec(t, id)[BTF_REC_INFO]) == BTF_DECL_TAG;
}

/* Append a VAR for each own type of @t, which shows where that went. */
static void add_vars(struct btf_types *t)
{
	for (uint32_t id = t->first, end = btf_types_end(t); id < end; id++) {
		if (!is_tag(t, id))
			add_var(t, 9, id);
	}
}

/* Deduplicate copies of @t in both ways and compare them with the slow one. False if that gives up. */
static bool check_split(const struct btf_types *t, bool typedefs, const char *where)
{
	CLEANUP(btf_types_release) struct btf_types alone = { 0 }, shared = { 0 }, want = { 0 };
	CLEANUP(base_index_release) struct base_index index = { 0 };
	const struct dedup_opts opts = { .base_typedefs = typedefs };
	const struct dedup_opts with_index = { .base_typedefs = typedefs, .base = &index };

	copy_types(&want, t);
	copy_types(&alone, t);
	copy_types(&shared, t);
	if (slow_dedup(&want, typedefs, SLOW_BUDGET) != SLOW_DONE)
		return false;
	IN_ROW(where);
	CHECK_OK(dedup_run(&alone, &opts));
	CHECK(same_types(&alone, &want));
	CHECK_OK(base_index_make(t->base, typedefs, NULL, &index));
	CHECK_OK(dedup_run(&shared, &with_index));
	CHECK(same_types(&shared, &want));
	return true;
}

static void append_units(struct btf_types *t, struct random_program *p, uint32_t nr)
{
	while (nr--) {
		CLEANUP(btf_types_release) struct btf_types unit = { 0 };

		btf_types_init(&unit, NULL);
		random_unit(p, &unit);
		append_types(t, &unit);
	}
}

/* Let some references of @t lead to the base from the start. */
static void refer_to_base(struct btf_types *t, struct rnd *r)
{
	for (uint32_t id = t->first; id < btf_types_end(t); id++) {
		btf_rec_each_type(btf_types_rec(t, id), ref)
		{
			uint32_t to = 1 + rnd_below(r, t->first - 1);

			if (rnd_one_in(r, 24) && !is_tag(t, to))
				*ref = to;
		}
	}
}

TEST(random_splits_are_merged_as_the_slow_way_does_it)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 10000);
	uint64_t given_up = 0;

	for (uint64_t end = seed + nr; seed < end; seed++) {
		CLEANUP(btf_types_release) struct btf_types base = { 0 }, t = { 0 };
		const struct dedup_opts opts = { .base_typedefs = seed & 1 };
		struct random_program p, other;
		char where[32];

		random_program(&p, seed);
		random_program(&other, ~seed);
		btf_types_init(&base, NULL);
		append_units(&base, &p, 1 + rnd_below(&p.r, 2));
		append_units(&base, &other, 1);
		if (rnd_below(&p.r, 4))
			CHECK_OK(dedup_run(&base, &opts));
		btf_types_init(&t, &base);
		append_units(&t, &p, 1 + rnd_below(&p.r, 3));
		refer_to_base(&t, &p.r);
		add_vars(&t);
		snprintf(where, sizeof(where), "seed %llu", (unsigned long long)seed);
		given_up += !check_split(&t, opts.base_typedefs, where);
	}
	printf("# %llu of %llu are too much for the slow way\n", (unsigned long long)given_up,
	       (unsigned long long)nr);
	CHECK(given_up <= nr / 100);
}

/* Which of two structs a third one becomes depends on how often the table has grown. */
TEST(a_type_of_the_base_counts_whether_it_is_asked_for_or_not)
{
	for (uint32_t nr_others = 0; nr_others < 30; nr_others++) {
		VIEW(base);
		VIEW(v);

		test_view_add(&base, "int A; struct s 8 {x 1}; int B; struct s 8 {x 3};"
				     "ptr 2; struct t 8 {p 5}; ptr 4; struct t 8 {p 7}");
		for (uint32_t i = 0; i < nr_others; i++)
			test_view_addf(&base, "struct s%u 0", i);
		test_view_put_over(&v, &base);
		test_view_addf(&v, "fwd s; ptr %u; struct t 8 {p %u}", nr_others + 9,
			       nr_others + 10);
		add_vars(&v.view.types);
		CHECK(check_split(&v.view.types, false, "by hand"));
	}
}
