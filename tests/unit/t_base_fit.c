/* SPDX-License-Identifier: GPL-2.0-only */
/* t_base_fit.c - was split BTF made over this base? */
#include "btf/base_fit.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

#define INFO(kind, vlen) ((uint32_t)BTF_##kind << 24 | (vlen))

/* int, a prototype that returns it, a declaration */
static uint32_t base_words[] = {
	1, INFO(INT, 0), 4, 32, 0, INFO(FUNC_PROTO, 0), 1, 5, INFO(FWD, 0), 0,
};
static uint32_t base_starts[] = { 0, 4, 7 };
static const struct btf_view base = {
	.strings = { (const uint8_t *)"\0int\0away", 10 },
	.types = {
		.first = 1,
		.words = { base_words, ARRAY_SIZE(base_words), ARRAY_SIZE(base_words) },
		.start = { base_starts, ARRAY_SIZE(base_starts), ARRAY_SIZE(base_starts) },
	},
};

/* Measure a FUNC of @type called @name, a PTR to @pointed, and a struct of one int. */
static struct base_fit measure(uint32_t type, uint32_t name, uint32_t pointed, uint32_t member_name)
{
	uint32_t words[] = {
		name, INFO(FUNC, 0), type, 0, INFO(PTR, 0), pointed, 10, INFO(STRUCT, 1),
		4,    member_name,   1,    0
	};
	uint32_t starts[] = { 0, 3, 6 };
	const struct btf_view v = {
		.base = &base,
		.str_base = 10,
		.strings = { (const uint8_t *)"own\0x", 6 },
		.types = {
			.base = &base.types,
			.first = 4,
			.words = { words, ARRAY_SIZE(words), ARRAY_SIZE(words) },
			.start = { starts, ARRAY_SIZE(starts), ARRAY_SIZE(starts) },
		},
	};

	return base_fit_measure(&v);
}

TEST(what_fits_has_no_bad_reference)
{
	struct base_fit f = measure(2, 1, 0, 14);

	CHECK_EQ(f.nr_names, 3);
	CHECK_EQ(f.bad_names, 0);
	CHECK_EQ(f.nr_types, 3);
	CHECK_EQ(f.bad_types, 0);
	CHECK(!base_fit_is_wrong(&f));
}

TEST(names_begin_where_strings_do)
{
	CHECK_EQ(measure(2, 2, 0, 14).bad_names, 1);   /* in the base */
	CHECK_EQ(measure(2, 1, 0, 11).bad_names, 1);   /* in the own strings */
	CHECK_EQ(measure(2, 1, 0, 16).bad_names, 1);   /* behind all */
	CHECK_EQ(measure(2, 2, 0, 1000).bad_names, 2); /* both */
}

TEST(references_lead_to_types_of_possible_kinds)
{
	CHECK_EQ(measure(1, 1, 0, 14).bad_types, 1); /* a FUNC that is an INT */
	CHECK_EQ(measure(2, 1, 3, 14).bad_types, 0); /* to what is declared */
	CHECK_EQ(measure(2, 1, 4, 14).bad_types, 1); /* to a FUNC */
	CHECK_EQ(measure(2, 1, 7, 14).bad_types, 1); /* to none */
}

TEST(one_bad_reference_is_damage)
{
	struct base_fit one = measure(1, 1, 0, 14), two = measure(1, 2, 0, 14);

	CHECK(!base_fit_is_wrong(&one));
	CHECK(base_fit_is_wrong(&two));

	/* nor do a few of many show another base */
	CHECK(!base_fit_is_wrong(&(struct base_fit){ 3000, 90, 3000, 90, false }));
	CHECK(base_fit_is_wrong(&(struct base_fit){ 3000, 100, 3000, 100, false }));
	CHECK(!base_fit_is_wrong(&(struct base_fit){ 0 }));
}
