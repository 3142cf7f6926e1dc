/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * t_btf_verify.c - findings about records
 *
 * The rules themselves are tested by tests/lib/btfcases.c in t_btf_check.
 */
#include "check/btf_verify.h"

#include "base/cleanup.h"
#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

/* The findings in @v as "ID/ELEMENT RULE; ...", in memory that is kept. */
static const char *findings(const struct test_view *v)
{
	CLEANUP(btf_findings_release) struct btf_findings f = { 0 };
	char *text = test_keep(mem_zalloc(1000, 1)), *end = text;

	btf_verify(&v->view, &(struct btf_verify_opts){ .addr_size = 8 }, &f);
	btf_findings_sort(&f);
	for (size_t i = 0; i < f.nr; i++) {
		CHECK(f.items[i].function != NULL);
		end += sprintf(end, "%s%u/%d %s", i ? "; " : "", f.items[i].id,
			       (int)f.items[i].element, btf_rule(f.items[i].rule)->text);
	}
	return text;
}

TEST(nothing_is_too_little)
{
	VIEW(v);

	test_view_init(&v);
	CHECK_STR(findings(&v), "0/-1 there are no types");
}

static const struct {
	const char *name; /* of a struct */
	bool passes;
} names[] = {
	{ "_a.b9", true },     { ".L1", true },   { "9a", false },
	{ "a-b", false },      { "a<b>", false }, { "\xe9t\xe9", true }, /* Latin-1 letters */
	{ "\xc3\xa9", false }, /* the same in UTF-8: a letter and a sign */
};

static void check_name(const char *name, bool passes)
{
	VIEW(v);

	btf_types_rec(&v.view.types, test_view_add(&v, "struct 0"))[BTF_REC_NAME] = test_name(&v,
											      name);
	CHECK_EQ(!*findings(&v), passes);
}

TEST_EACH(identifiers_are_those_of_the_kernel, names, c)
{
	check_name(c->name, c->passes);
}

TEST(identifiers_have_at_most_512_letters)
{
	char longest[514] = "";

	memset(longest, 'a', 513);
	check_name(longest, false);
	longest[512] = '\0';
	check_name(longest, true);
}

TEST(split_btf_is_judged_by_what_it_refers_to_in_the_base)
{
	VIEW(base);
	VIEW(v);

	/* the last one breaks a rule in the base */
	test_view_add(&base, "int; fwd s; const 1; restrict t 1");
	test_name(&base, "x");
	test_view_put_over(&v, &base);
	CHECK_STR(findings(&v), ""); /* it may be empty, too */
	test_view_add(&v, "var x 3; array 1 3 4");
	CHECK_STR(findings(&v), "");
	test_view_add(&v, "var x 2");
	CHECK_STR(findings(&v), "7/-1 its type has no size");
}

TEST(findings_come_in_the_order_of_ids)
{
	VIEW(v);

	/* the first one is found last, by resolution */
	test_view_add(&v, "int; var x 4; float int 3; fwd '1x'");
	CHECK_STR(findings(&v),
		  "2/-1 its type has no size; 3/-1 the size is not 2, 4, 8, 12 or 16; "
		  "4/-1 the name is not an identifier");
}
