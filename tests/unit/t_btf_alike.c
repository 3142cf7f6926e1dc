/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_alike.c - which types are the same at sight
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_alike
 */
#include "btf/compare/btf_alike.h"

#include "base/cleanup.h"
#include "btf/compare/btf_copies.h"
#include "tests/lib/btfview.h"
#include "tests/lib/random_btf.h"
#include "tests/lib/testlib.h"

static uint32_t name_and_kind(const struct btf_view *v, uint32_t id, uint32_t *kind)
{
	const uint32_t *rec = btf_types_rec(&v->types, id);

	*kind = btf_info_kind(rec[BTF_REC_INFO]);
	return rec[BTF_REC_NAME];
}

static bool has_tags(const struct btf_view *v)
{
	for (uint32_t id = 1; id < btf_types_end(&v->types); id++) {
		if (btf_info_kind(btf_types_rec(&v->types, id)[BTF_REC_INFO]) == BTF_DECL_TAG)
			return true;
	}
	return false;
}

/* Whoever asks here first must not miss a difference that the graph would have shown. */
TEST(what_is_alike_at_sight_is_alike_in_the_graph)
{
	uint64_t seed = test_setting("BTFENC_SEED", 1), nr = test_setting("BTFENC_GRAPHS", 200);
	uint64_t nr_alike = 0, nr_unseen = 0;

	for (uint64_t end = seed + nr; seed < end; seed++) {
		CLEANUP(random_btf_release) struct random_btf r;
		CLEANUP(btf_copies_release) struct btf_copies c = { 0 };
		struct random_program p;

		random_program(&p, seed);
		random_btf(&p, 3, &r);
		if (has_tags(&r.view)) /* which only the graph looks at */
			continue;
		CHECK_OK(btf_copies_open(&r.view, &c));
		for (uint32_t b = 2; b < btf_types_end(&r.view.types); b++) {
			for (uint32_t a = 1; a < b; a++) {
				uint32_t kind, other, name = name_and_kind(&r.view, a, &kind);

				if (name != name_and_kind(&r.view, b, &other) || kind != other)
					continue;

				bool alike = btf_copies_alike(&c, a, b);
				bool at_sight = btf_alike_at_sight(&r.view, a, b);
				CHECK(alike || !at_sight);
				nr_alike += at_sight;
				nr_unseen += alike && !at_sight;
			}
		}
	}
	printf("# %llu pairs alike at sight, %llu in the graph alone\n",
	       (unsigned long long)nr_alike, (unsigned long long)nr_unseen);
	CHECK(nr < 100 || nr_alike > nr);
}

struct types {
	struct test_view v;
	uint32_t one, other; /* two names */
};

static void types_init(struct types *t)
{
	test_view_init(&t->v);
	t->one = test_name(&t->v, "one");
	t->other = test_name(&t->v, "other");
}

static void types_release(struct types *t)
{
	test_view_release(&t->v);
}

#define TYPES(name, list)                         \
	CLEANUP(types_release) struct types name; \
	types_init(&(name));                      \
	struct btf_types *(list) = &(name).v.view.types

TEST(typedefs_of_structs_are_told_by_the_struct_s_name)
{
	TYPES(t, l);
	uint32_t s1 = ADD(l, t.one, btf_info(BTF_STRUCT, 0, false), 8);
	uint32_t s2 = ADD(l, t.one, btf_info(BTF_STRUCT, 0, false), 16);
	uint32_t u = ADD(l, t.one, btf_info(BTF_UNION, 0, false), 8);
	uint32_t s3 = ADD(l, t.other, btf_info(BTF_STRUCT, 0, false), 8);
	uint32_t t1 = add_ref(l, BTF_TYPEDEF, t.one, s1);

	CHECK(btf_alike_at_sight(&t.v.view, t1, add_ref(l, BTF_TYPEDEF, t.one, s2)));
	CHECK(!btf_alike_at_sight(&t.v.view, t1, add_ref(l, BTF_TYPEDEF, t.one, u)));
	CHECK(!btf_alike_at_sight(&t.v.view, t1, add_ref(l, BTF_TYPEDEF, t.one, s3)));
	CHECK(!btf_alike_at_sight(&t.v.view, t1, add_ref(l, BTF_TYPEDEF, t.one, 0)));
}

TEST(what_has_no_name_is_looked_into)
{
	TYPES(t, l);
	uint32_t i = add_int(l, t.one), i2 = add_int(l, t.one), j = add_int(l, t.other);
	uint32_t t1 = add_ref(l, BTF_TYPEDEF, t.one, add_ptr(l, add_ptr(l, i)));

	CHECK(btf_alike_at_sight(&t.v.view, t1,
				 add_ref(l, BTF_TYPEDEF, t.one, add_ptr(l, add_ptr(l, i2)))));
	CHECK(!btf_alike_at_sight(&t.v.view, t1,
				  add_ref(l, BTF_TYPEDEF, t.one, add_ptr(l, add_ptr(l, j)))));
	CHECK(!btf_alike_at_sight(&t.v.view, t1, add_ref(l, BTF_TYPEDEF, t.one, add_ptr(l, i))));
}

/* A function type of @nr parameters, each of a type of its own. */
static uint32_t add_proto(struct types *t, uint32_t nr)
{
	struct btf_types *l = &t->v.view.types;
	uint32_t words[3 + 2 * 64] = { 0, btf_info(BTF_FUNC_PROTO, nr, false), 0 };

	for (size_t i = 0; i < nr; i++)
		words[4 + 2 * i] = add_int(l, t->one);
	return add_words(l, words, 3 + 2 * nr);
}

TEST(what_leads_to_too_much_is_not_told)
{
	CLEANUP(types_release) struct types t;

	types_init(&t);
	for (uint32_t nr = 8; nr <= 64; nr *= 8) {
		uint32_t a = add_proto(&t, nr), b = add_proto(&t, nr);

		CHECK_EQ(btf_alike_at_sight(&t.v.view, a, b), nr == 8);
	}
}

TEST(an_enum64_defines_as_an_enum_does)
{
	TYPES(t, l);
	uint32_t ids[] = {
		ADD(l, t.one, btf_info(BTF_ENUM, 1, false), 4, t.other, 0),
		ADD(l, t.one, btf_info(BTF_ENUM64, 1, false), 8, t.other, 0, 0),
		ADD(l, t.one, btf_info(BTF_ENUM, 0, false), 4),
		ADD(l, 0, btf_info(BTF_STRUCT, 0, false), 4),
		add_int(l, t.one),
	};
	const uint32_t kinds[] = { BTF_ENUM, BTF_ENUM, BTF_UNKN, BTF_UNKN, BTF_UNKN };

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		CHECK_EQ(btf_defined_kind(btf_types_rec(l, ids[i])), kinds[i]);
}
