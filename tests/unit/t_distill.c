/* SPDX-License-Identifier: GPL-2.0-only */
/* t_distill.c - a split gets a base with the types that it refers to */
#include "dedup/base/distill.h"

#include "base/cleanup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

static struct err *try_distill(const struct test_view *split, struct distilled *d)
{
	return distill(&split->view, d);
}

/* The strings of @text behind one another, each with a "|", in memory that is kept. */
static const char *strings_text(const char *text, size_t len)
{
	char *copy = test_keep(mem_zalloc(len + 1, 1));

	for (size_t i = 0; i < len; i++)
		copy[i] = text[i] ? text[i] : '|';
	return copy;
}

/* Views of the results: the split has the strings behind those of its base. */
static void view_results(const struct distilled *d, struct test_view *base, struct test_view *split)
{
	base->view.strings = (struct bytes){ (const uint8_t *)d->base_text, d->base_len };
	split->view.base = &base->view;
	split->view.str_base = d->base_len;
	split->view.strings = (struct bytes){ (const uint8_t *)d->split_text, d->split_len };
}

static const struct {
	const char *name, *low, *base, *split; /* low: the base of the base, or NULL */
	const char *new_base, *base_strings, *new_split, *split_strings;
} cases[] = {
	{ "types with a name go into the base with their size", NULL,
	  "struct! s 16 {m 2 0:4}; int; union u 8 {m 2}; enum! e 4 {E 1}; "
	  "enum64! l 8 {L 0x100000001};"
	  "float f 10; fwd! w",
	  "ptr 7; ptr 6; ptr 5; ptr 4; ptr 3; ptr 2; ptr 1",
	  "struct s 16; int; union u 8; "
	  "enum e 4; enum l 8; float f 10; fwd! w",
	  "|s|int|u|e|l|f|w|",
	  "ptr 7; ptr 6; ptr 5; "
	  "ptr 4; ptr 3; ptr 2; ptr 1",
	  "" },
	{ "members of a named struct stay behind", NULL,
	  "int; "
	  "struct s 8 {m 1}",
	  "ptr 2", "struct s 8", "|s|", "ptr 1", "" },
	{ "types without a name of their own come behind the split", NULL,
	  "enum 4 {A 7}; int unused; int; union 4 {a 1}; array 4 3 9; typedef t 5; type_tag tag 6;"
	  "func_proto 7 {arg 3}",
	  "func g 10; func_proto 0 {p 11}; ptr 8", "int", "|int|",
	  "func g 3; func_proto 0 {p 4}; "
	  "ptr 10; enum 4 {A 7}; union 4 {a 5}; array 6 1 9; typedef t 7; type_tag tag 8; "
	  "func_proto 9 {arg 1}",
	  "g|p|A|a|t|tag|arg|" },
	{ "a string is there once, and in the base if that has it", NULL, "int; typedef both 1",
	  "typedef mine 2; struct both 16 {int 1, mine 1 64}", "int", "|int|",
	  "typedef mine 4; "
	  "struct both 16 {int 1, mine 1 64}; typedef both 1",
	  "mine|both|" },
	{ "a tag on a member of the base keeps its component", NULL, "int; struct s 8 {int 1}",
	  "decl_tag tag 2 0; var v 2; "
	  "datasec .data 8 {4 0 8}",
	  "struct s 8", "|s|",
	  "decl_tag tag 1 0; var v 1; "
	  "datasec .data 8 {3 0 8}",
	  "tag|v|.data|" },
	{ "the functions of sites, and places, are copied", NULL,
	  "int; func_proto 1 {a 1}; func f 2 global; loc_param 4 8 {5}; loc_proto {4}; loc_param 4 8 {6}; func g 2",
	  "func h 2; loc_proto {6}; locsec inline.text {3 5 0, 8 9 4, 8 5 8}", "int", "|int|",
	  "func h 5; loc_proto {9}; locsec inline.text {6 8 0, 2 3 4, 2 8 8}; "
	  "func_proto 1 {a 1}; func f 5 global; loc_param 4 8 {5}; loc_proto {7}; loc_param 4 8 {6}",
	  "h|inline.text|a|f|" },
	{ "a cycle without names is walked once", NULL,
	  "ptr 2; struct 16 {next 1, prev 1 64}; "
	  "int",
	  "const 2", "int", "|int|",
	  "const 4; ptr 4; "
	  "struct 16 {next 3, prev 3 64}",
	  "next|prev|" },
	{ "if nothing is needed, the first type with a name stays", NULL,
	  "ptr 0; int; "
	  "int long",
	  "ptr 0; ptr 4", "int", "|int|", "ptr 0; ptr 2", "" },
	{ "a base may have a base", "int long; int", "typedef t 2; fwd fwd",
	  "ptr 3; "
	  "typedef mine 4",
	  "int; fwd fwd", "|int|fwd|",
	  "ptr 5; typedef mine 2; "
	  "typedef t 1",
	  "mine|t|" },
};

TEST_EACH(the_base_has_what_the_split_refers_to, cases, c)
{
	CLEANUP(distilled_release) struct distilled d = { 0 };
	struct test_view new_base = { 0 }, new_split = { 0 };
	VIEW(low);
	VIEW(base);
	VIEW(split);

	if (c->low) {
		test_view_add(&low, c->low);
		test_view_put_over(&base, &low);
	}
	test_view_add(&base, c->base);
	test_view_put_over(&split, &base);
	test_view_add(&split, c->split);
	CHECK_OK(try_distill(&split, &d));
	view_results(&d, &new_base, &new_split);
	CHECK_STR(test_types_text(&new_base, &d.base), c->new_base);
	CHECK_STR(strings_text(d.base_text, d.base_len), c->base_strings);
	CHECK_STR(test_types_text(&new_split, &d.split), c->new_split);
	CHECK_STR(strings_text(d.split_text, d.split_len), c->split_strings);
	CHECK_EQ(d.split.first, btf_types_end(&d.base));
}

/* The second empty string is a name like the first: none. */
TEST(an_empty_name_is_none)
{
	CLEANUP(distilled_release) struct distilled d = { 0 };
	struct test_view new_base = { 0 }, new_split = { 0 };
	VIEW(base);
	VIEW(split);

	test_view_add(&base, "int; struct s 8 {m 1}");
	btf_types_rec(&base.view.types, 2)[BTF_REC_NAME] = test_name_again(&base, "");
	test_view_put_over(&split, &base);
	test_view_add(&split, "ptr 2");
	CHECK_OK(try_distill(&split, &d));
	view_results(&d, &new_base, &new_split);
	CHECK_STR(test_types_text(&new_base, &d.base), "int");
	CHECK_STR(test_types_text(&new_split, &d.split), "ptr 3; struct 8 {m 1}");
	CHECK_STR(strings_text(d.split_text, d.split_len), "m|");
}

TEST(a_long_way_into_the_base_takes_no_stack)
{
	enum { LONG = 1000000 };
	CLEANUP(distilled_release) struct distilled d = { 0 };
	VIEW(base);
	VIEW(split);

	test_view_add(&base, "int");
	for (uint32_t i = 1; i <= LONG; i++)
		add_ptr(&base.view.types, i);
	test_view_put_over(&split, &base);
	add_ptr(&split.view.types, LONG + 1);
	CHECK_OK(try_distill(&split, &d));
	CHECK_EQ(btf_types_end(&d.base), 2);
	CHECK_EQ(d.split.start.nr, LONG + 1);
	CHECK_EQ(btf_types_rec(&d.split, 2)[BTF_REC_SIZE_TYPE], LONG + 2);
	CHECK_EQ(btf_types_rec(&d.split, 3)[BTF_REC_SIZE_TYPE], 1);
}

static const struct {
	const char *name, *base, *split;
	enum err_kind kind;
	const char *problem;
} bad_cases[] = {
	{ "a base in which nothing has a name", "ptr 0", "ptr 1", ERR_LIMIT,
	  "nothing in the base has a name" },
	{ "a tag on a function of the base", "func_proto 0; func f 1",
	  "ptr 1; "
	  "decl_tag tag 2",
	  ERR_FORMAT, "type 4 refers to type 2 of the base, which is a FUNC" },
	{ "a place of the base that is none", "int; func_proto 1; func f 2; loc_proto {1}",
	  "locsec inline.text {3 4 0}", ERR_FORMAT,
	  "type 4 refers to type 1 of the base, which is a INT" },
	{ "a function of the base without a prototype", "int; func f 1; loc_proto",
	  "locsec inline.text {2 3 0}", ERR_FORMAT,
	  "type 2 refers to type 1 of the base, which is a INT" },
	{ "a place that a prototype of the base has as a type, too",
	  "int; func_proto 1 {a 4}; func f 2; loc_param 4 8 {5}; loc_proto {4}",
	  "locsec inline.text {3 5 0}", ERR_FORMAT,
	  "type 2 refers to type 4 of the base, which is a LOC_PARAM" },
	{ "a site in a variable of the base", "int; var v 1", "locsec inline.text {2 2 0}",
	  ERR_FORMAT, "type 3 refers to type 2 of the base, which is a VAR" },
};

TEST_EACH(what_cannot_be_found_again_is_refused, bad_cases, c)
{
	CLEANUP(distilled_release) struct distilled d = { 0 };
	VIEW(base);
	VIEW(split);

	test_view_add(&base, c->base);
	test_view_put_over(&split, &base);
	test_view_add(&split, c->split);
	CHECK_ERR_TEXT(try_distill(&split, &d), c->kind, c->problem);
}
