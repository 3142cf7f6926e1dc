/* SPDX-License-Identifier: GPL-2.0-only */
/* t_omission.c - omissions of one thing in several units become one */
#include "encoder/report/omission.h"

#include "base/vec.h"
#include "tests/lib/testlib.h"

/* --- merging --------------------------------------------------------------------------- */

static const char keyword_struct[] = "struct", keyword_union[] = "union";

#define FIELDS(rule_, name_, part_, keyword_, number_)                                         \
	{                                                                                      \
		.rule = OMIT_##rule_, .name = (name_), .part = (part_), .keyword = (keyword_), \
		.number = (number_)                                                            \
	}

static const struct {
	const char *name;
	struct omission a, b;
	size_t nr;
} pairs[] = {
	{ "equal", FIELDS(VAR_IN_FUNCTION, 1, 2, NULL, 3), FIELDS(VAR_IN_FUNCTION, 1, 2, NULL, 3),
	  1 },
	{ "another rule", FIELDS(VAR_NO_SECTION, 1, 0, NULL, 0), FIELDS(VAR_NO_TYPE, 1, 0, NULL, 0),
	  2 },
	{ "another name", FIELDS(MEMBER_BITS, 1, 2, keyword_struct, 0),
	  FIELDS(MEMBER_BITS, 3, 2, keyword_struct, 0), 2 },
	{ "another member", FIELDS(MEMBER_BITS, 1, 2, keyword_struct, 0),
	  FIELDS(MEMBER_BITS, 1, 3, keyword_struct, 0), 2 },
	{ "another keyword", FIELDS(MEMBER_BITS, 1, 2, keyword_struct, 0),
	  FIELDS(MEMBER_BITS, 1, 2, keyword_union, 0), 2 },
	{ "another address of a variable of a function", FIELDS(VAR_IN_FUNCTION, 1, 2, NULL, 3),
	  FIELDS(VAR_IN_FUNCTION, 1, 2, NULL, 3 + (UINT64_C(1) << 32)), 2 },
	{ "another address of a function", FIELDS(FUNC_NO_SYMBOL, 1, 0, NULL, 3),
	  FIELDS(FUNC_NO_SYMBOL, 1, 0, NULL, 4), 1 },
	{ "types without a name, of another size", FIELDS(TYPE_INT_SIZE, 0, 0, NULL, 3),
	  FIELDS(TYPE_INT_SIZE, 0, 0, NULL, 5), 2 },
	{ "a type, of another size", FIELDS(TYPE_INT_SIZE, 1, 0, NULL, 3),
	  FIELDS(TYPE_INT_SIZE, 1, 0, NULL, 5), 1 },
	{ "a rule about units", FIELDS(UNIT_LANGUAGE, 1, 0, NULL, 0),
	  FIELDS(UNIT_LANGUAGE, 1, 0, NULL, 0), 2 },
};

TEST_EACH(omissions_that_differ_stay_apart, pairs, p)
{
	CLEANUP(omissions_release) struct omissions to = { 0 };
	struct omissions from = { 0 };

	vec_push(&from, p->a);
	vec_push(&from, p->b);
	omissions_merge(&to, &from);
	CHECK_EQ(to.nr, p->nr);
}

TEST(counts_and_units_of_merged_omissions_are_added)
{
	struct omission o = {
		.rule = OMIT_VARS_OF_MACRO, .unit_number = 1, .nr_units = 1, .number = 2
	};
	CLEANUP(omissions_release) struct omissions to = { 0 };
	struct omissions from = { 0 };

	vec_push(&from, o);
	vec_push(&from, o);
	o.unit_number = 5;
	vec_push(&from, o);
	omissions_merge(&to, &from);
	CHECK_EQ(to.nr, 1);
	CHECK_EQ(to.items[0].number, 6);
	CHECK_EQ(to.items[0].nr_units, 2);
}

/* --- names ----------------------------------------------------------------------------- */

TEST_WITH(an_address_is_compared_as_a_whole, asked_names, a)
{
	/* the exclusive or of both halves is the same */
	asked_names_add(a, 0, UINT64_C(0x100000001));
	CHECK(asked_names_have(a, 0, UINT64_C(0x100000001)));
	CHECK(!asked_names_have(a, 0, UINT64_C(0x200000002)));
}
