/* SPDX-License-Identifier: GPL-2.0-only */
#include "base/cleanup.h"
#include "btf/compare/btf_stats.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

/*
 * Strings by offset; "tail" is the end of another one, "int" is there twice, "unused" is what it
 * says.
 */
#define TEXT "\0int\0a_foo\0a_bar\0detail\0int\0unused"
enum { INT = 1, A_FOO = 5, A_BAR = 11, DETAIL = 17, TAIL = 19, INT_AGAIN = 24 };

static void view_init(struct btf_view *v)
{
	*v = (struct btf_view){ .strings = { (const uint8_t *)TEXT, sizeof(TEXT) } };
	btf_types_init(&v->types, NULL);
}

#define VIEW(v, t)                                   \
	CLEANUP(btf_view_release) struct btf_view v; \
	CLEANUP(btf_stats_release)                   \
	struct btf_stats s = { 0 };                  \
	struct btf_types *t = &(v).types;            \
	view_init(&(v))

TEST(each_byte_counts_once)
{
	VIEW(v, t);
	uint32_t base = add_int(t, INT);
	add_struct2(t, A_FOO, DETAIL, base, TAIL, add_ptr(t, base));
	add_struct1(t, A_BAR, A_FOO, base);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.kinds[BTF_INT].records, 16);
	CHECK_EQ(s.kinds[BTF_INT].strings, 4);
	CHECK_EQ(s.kinds[BTF_PTR].records, 12);
	CHECK_EQ(s.kinds[BTF_STRUCT].nr, 2);
	CHECK_EQ(s.kinds[BTF_STRUCT].records, 36 + 24);
	/* the tail of a string that is used is used, too */
	CHECK_EQ(s.kinds[BTF_STRUCT].strings, 6 + 7 + 6);
	CHECK_EQ(s.sum.records, t->words.nr * sizeof(uint32_t));
	CHECK_EQ(s.unused, 4 + 7);
	CHECK_EQ(s.sum.strings + s.unused + 1, sizeof(TEXT));
}

TEST(a_tail_that_is_used_first_counts_once)
{
	VIEW(v, t);
	add_fwd(t, TAIL, false);
	add_fwd(t, DETAIL, true);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.sum.strings, 7);
	CHECK_EQ(s.consumers.items[0].bytes.strings, 5);
	CHECK_EQ(s.consumers.items[1].bytes.strings, 2);
}

TEST(sites_are_counted_by_the_places_of_parameters_that_are_known)
{
	VIEW(v, t);
	uint32_t proto = ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), 0);
	uint32_t func = ADD(t, A_FOO, btf_info(BTF_FUNC, 0, false), proto);
	uint32_t place = ADD(t, 0, btf_info(BTF_LOC_PARAM, 1, false), 4, BTF_LOC_REG, 5);
	uint32_t all = ADD(t, 0, btf_info(BTF_LOC_PROTO, 2, false), 0, place, place);
	uint32_t some = ADD(t, 0, btf_info(BTF_LOC_PROTO, 2, false), 0, 0, place);
	uint32_t none = ADD(t, 0, btf_info(BTF_LOC_PROTO, 1, false), 0, 0);
	uint32_t without = ADD(t, 0, btf_info(BTF_LOC_PROTO, 0, false), 0);

	ADD(t, A_BAR, btf_info(BTF_LOCSEC, 5, false), 0, func, all, 0, func, all, 4, func, some, 8,
	    func, none, 12, func, without, 16);
	ADD(t, DETAIL, btf_info(BTF_LOCSEC, 1, false), 0, func, none, 0);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.sites.nr, 6);
	CHECK_EQ(s.sites.all, 2);
	CHECK_EQ(s.sites.some, 1);
	CHECK_EQ(s.sites.none, 2);
	CHECK_EQ(s.sites.without_params, 1);
}

TEST(what_has_no_name_belongs_to_the_first_that_leads_to_it)
{
	VIEW(v, t);
	uint32_t base = add_int(t, INT), ptr = add_ptr(t, base), alone = add_ptr(t, ptr);
	uint32_t user = add_struct1(t, A_FOO, INT, ptr);
	add_struct1(t, A_BAR, INT, ptr);
	ADD(t, DETAIL, btf_info(BTF_DECL_TAG, 0, false), user, UINT32_MAX);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.consumers.nr, 4);
	CHECK_EQ(s.consumers.items[0].id, user);
	CHECK_EQ(s.consumers.items[0].bytes.nr, 3); /* with the pointer and the tag */
	CHECK_EQ(s.consumers.items[0].bytes.records, 24 + 12 + 16);
	CHECK_EQ(s.consumers.items[0].bytes.strings, 6 + 7);
	CHECK_EQ(s.consumers.items[3].id, alone);
}

TEST(copies_are_counted)
{
	VIEW(v, t);
	uint32_t one = add_int(t, INT), two = add_int(t, INT_AGAIN);
	add_ptr(t, one);
	add_ptr(t, two);
	add_ptr(t, two);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.repeated, 4);
	CHECK_EQ(s.copies.nr, 3);
	CHECK_EQ(s.copies.records, 16 + 12 + 12);
	CHECK_EQ(s.copied.nr, 1); /* with a name */
	CHECK_EQ(s.copied.items[0].id, one);
	CHECK_EQ(s.copied.items[0].bytes.nr, 1);
}

TEST(the_base_is_not_counted_but_its_types_are_known)
{
	CLEANUP(btf_view_release) struct btf_view base;
	CLEANUP(btf_stats_release) struct btf_stats s = { 0 };
	CLEANUP(btf_view_release) struct btf_view v = { 0 };

	view_init(&base);
	add_int(&base.types, INT);
	v.base = &base;
	v.str_base = (uint32_t)base.strings.len;
	btf_types_init(&v.types, &base.types);
	add_int(&v.types, INT);
	add_ptr(&v.types, 1);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.sum.nr, 2);
	CHECK_EQ(s.sum.strings, 0);
	CHECK_EQ(s.copies_of_base.nr, 1);
	CHECK_EQ(s.copies.nr, 0);
}

TEST(names_are_sorted_by_how_they_begin)
{
	VIEW(v, t);
	add_fwd(t, A_FOO, false);
	add_fwd(t, A_BAR, false);
	add_int(t, INT);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.prefixes.nr, 2);
	CHECK_EQ(s.prefixes.items[0].len, 2);
	CHECK_EQ(s.prefixes.items[0].bytes.nr, 2);
	CHECK_EQ(s.prefixes.items[1].len, 0);
}

TEST(nothing_can_be_counted)
{
	VIEW(v, t);
	(void)t;
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(s.sum.nr, 0);
	CHECK_EQ(s.prefixes.nr, 0);
}

TEST(several_files_add_up)
{
	VIEW(v, t);
	struct btf_stats all = { 0 };
	uint32_t base = add_int(t, INT);

	add_struct1(t, A_BAR, A_FOO, base);
	v.size = 24 + t->words.nr * sizeof(uint32_t) + sizeof(TEXT);
	CHECK_OK(btf_stats_count(&v, &s));
	CHECK_EQ(btf_stats_header(&s), 24);
	btf_stats_add(&all, &s);
	btf_stats_add(&all, &s);
	CHECK_EQ(all.bytes, 2 * s.bytes);
	CHECK_EQ(all.strings, 2 * sizeof(TEXT));
	CHECK_EQ(btf_stats_header(&all), 48);
	CHECK_EQ(all.sum.nr, 4);
	CHECK_EQ(all.kinds[BTF_STRUCT].records, 2 * 24);
	CHECK_EQ(all.unused, 2 * s.unused);
	CHECK_EQ(all.consumers.nr, 0);
}
