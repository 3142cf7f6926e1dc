/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_alike.c - which types are the same at sight
 *
 *	BTFENC_GRAPHS=10000 BTFENC_SEED=1 build/tests/unit_tests --file=t_btf_alike
 */
#include "btf/compare/btf_alike.h"

#include "base/cleanup.h"
#include "btf/compare/btf_copies.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
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

/* The quick comparison must not miss a difference that the graph would have shown. */
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

/* The last two types are compared. */
static const struct {
	const char *name, *types;
	bool alike;
} cases[] = {
	{ "typedefs of structs of one name",
	  "struct one 8; struct one 16; typedef one 1; typedef one 2", true },
	{ "typedefs of a struct and a union",
	  "struct one 8; union one 8; typedef one 1; typedef one 2", false },
	{ "typedefs of structs of two names",
	  "struct one 8; struct other 8; typedef one 1; typedef one 2", false },
	{ "typedefs of a struct and of void", "struct one 8; typedef one 1; typedef one 0", false },
	{ "pointers are followed to a name",
	  "int one; ptr 1; ptr 2; int one; ptr 4; ptr 5; typedef one 3; typedef one 6", true },
	{ "pointers to types of two names",
	  "int one; ptr 1; ptr 2; int other; ptr 4; ptr 5; typedef one 3; typedef one 6", false },
	{ "pointers and pointers to pointers",
	  "int one; ptr 1; ptr 2; typedef one 3; typedef one 2", false },
};

TEST_EACH(names_are_compared_and_what_has_none_is_looked_into, cases, c)
{
	VIEW(v);
	uint32_t last = test_view_add(&v, c->types);

	CHECK_EQ(btf_alike_at_sight(&v.view, last - 1, last), c->alike);
}

/* A function type of @nr parameters, each of a type of its own. */
static uint32_t add_proto(struct test_view *v, uint32_t nr)
{
	uint32_t words[3 + 2 * 64] = { 0, btf_info(BTF_FUNC_PROTO, nr, false), 0 };

	for (size_t i = 0; i < nr; i++)
		words[4 + 2 * i] = test_view_add(v, "int one");
	return add_words(&v->view.types, words, 3 + 2 * nr);
}

TEST(what_leads_to_too_much_is_not_told)
{
	VIEW(v);

	for (uint32_t nr = 8; nr <= 64; nr *= 8) {
		uint32_t a = add_proto(&v, nr), b = add_proto(&v, nr);

		CHECK_EQ(btf_alike_at_sight(&v.view, a, b), nr == 8);
	}
}

TEST(an_enum64_defines_as_an_enum_does)
{
	VIEW(v);
	const uint32_t kinds[] = { BTF_ENUM, BTF_ENUM, BTF_UNKN, BTF_UNKN, BTF_UNKN };

	test_view_add(&v, "enum one 4 {A 0}; enum64 one 8 {A 0}; enum one 4; struct 4; int one");
	for (uint32_t i = 0; i < ARRAY_SIZE(kinds); i++)
		CHECK_EQ(btf_defined_kind(btf_types_rec(&v.view.types, i + 1)), kinds[i]);
}
