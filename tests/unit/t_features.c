/* SPDX-License-Identifier: GPL-2.0-only */
/* t_features.c - lists of features */
#include "encoder/unit/features.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "tests/lib/testlib.h"

/* The bits that @list gives, starting from none. */
static uint32_t bits_of(const char *list)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;

	CHECK_OK(features_add(list, COMPAT_1_32, true, &diags, &bits));
	return bits;
}

TEST(plain_and_default_are_the_sets_of_pahole)
{
	CHECK_EQ(FEATURES_PLAIN,
		 FEATURE_VAR | FEATURE_DECL_TAG | FEATURE_TYPE_TAG | FEATURE_ENUM64);
	CHECK_EQ(bits_of("default"), bits_of("encode_force,var,float,decl_tag,type_tag,enum64,"
					     "optimized_func,consistent_func,decl_tag_kfuncs"));
}

TEST(every_name_is_one_bit_and_all_are_all)
{
	char *names = features_names(COMPAT_1_32), *state = NULL;
	uint32_t seen = 0;
	int nr = 0;

	CHECK_STR(names, "encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,"
			 "consistent_func,decl_tag_kfuncs,reproducible_build,distilled_base,"
			 "global_var,attributes,true_signature,layout,force_cu_merging");
	for (char *name = strtok_r(names, ",", &state); name;
	     name = strtok_r(NULL, ",", &state), nr++) {
		uint32_t bit = bits_of(name);

		CHECK_EQ(__builtin_popcount(bit), 1);
		CHECK_EQ(seen & bit, 0);
		seen |= bit;
	}
	free(names);
	CHECK_EQ(nr, 16);
	CHECK_EQ(seen, FEATURES_ALL | FEATURE_FORCE_CU_MERGING);
	CHECK_EQ(bits_of("all"), FEATURES_ALL);
}

TEST(a_feature_of_pahole_1_32_is_unknown_to_1_31)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;

	CHECK_STR(test_keep(features_names(COMPAT_1_31)),
		  "encode_force,var,float,decl_tag,type_tag,enum64,optimized_func,"
		  "consistent_func,decl_tag_kfuncs,reproducible_build,distilled_base,"
		  "global_var,attributes,true_signature,layout");
	CHECK_OK(features_add("force_cu_merging,all", COMPAT_1_31, false, &diags, &bits));
	CHECK_EQ(bits, FEATURES_ALL);
	CHECK_STR(diags.first->text, "feature 'force_cu_merging' is unknown and has no effect");
	CHECK_ERR_TEXT(features_add("force_cu_merging", COMPAT_1_31, true, &diags, &bits),
		       ERR_UNSUPPORTED, "'force_cu_merging'");
}

TEST(a_list_is_the_sum_of_its_names)
{
	CHECK_EQ(bits_of("var,float"), FEATURE_VAR | FEATURE_FLOAT);
	CHECK_EQ(bits_of("float,var,float"), FEATURE_VAR | FEATURE_FLOAT);
	CHECK_EQ(bits_of("default,layout"), FEATURES_DEFAULT | FEATURE_LAYOUT);
	CHECK_EQ(bits_of("layout,default"), FEATURES_DEFAULT | FEATURE_LAYOUT);
}

TEST(what_pahole_does_not_have_is_in_no_set)
{
	CHECK_EQ(bits_of("base_typedefs"), FEATURE_BASE_TYPEDEFS);
	CHECK_EQ(bits_of("all,base_typedefs"), FEATURES_ALL | FEATURE_BASE_TYPEDEFS);
	CHECK_EQ(bits_of("all,rust_variants"), FEATURES_ALL | FEATURE_RUST_VARIANTS);
	CHECK_EQ(FEATURES_ALL & FEATURE_BASE_TYPEDEFS, 0);
}

TEST(variables_apart_have_a_name_that_is_not_pahole_s)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t features = 0;
	char *names = features_names(COMPAT_1_32);

	CHECK_OK(features_add("global_var.extra", COMPAT_1_32, true, &diags, &features));
	CHECK_EQ(features, FEATURE_VARS_APART);
	CHECK(!strstr(names, "global_var.extra"));
	free(names);
	CHECK_ERR(features_add("var.extra", COMPAT_1_32, true, &diags, &features), ERR_UNSUPPORTED);
}

TEST(bits_have_their_names)
{
	static const struct {
		uint32_t bits;
		const char *names;
	} cases[] = {
		{ 0, "" },
		{ FEATURE_VAR, "var" },
		{ FEATURE_GLOBAL_VAR | FEATURE_FLOAT, "float,global_var" },
		{ FEATURE_VARS_APART | FEATURE_LAYOUT, "layout,global_var.extra" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(mem_free_text) char *names = features_names_of(cases[i].bits);

		CHECK_STR(names, cases[i].names);
	}
}

TEST(a_leading_plus_adds_to_the_default)
{
	CHECK_EQ(bits_of("+global_var"), FEATURES_DEFAULT | FEATURE_GLOBAL_VAR);
	CHECK_EQ(bits_of("+attributes,layout"),
		 FEATURES_DEFAULT | FEATURE_ATTRIBUTES | FEATURE_LAYOUT);
	CHECK_EQ(bits_of("+"), FEATURES_DEFAULT);
}

TEST(a_plus_inside_of_a_list_is_part_of_a_name)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;

	CHECK_ERR_TEXT(features_add("var,+float", COMPAT_1_32, true, &diags, &bits),
		       ERR_UNSUPPORTED, "'+float'");
}

TEST(empty_items_are_nothing)
{
	CHECK_EQ(bits_of(""), 0);
	CHECK_EQ(bits_of(",,"), 0);
	CHECK_EQ(bits_of(",var,,float,"), FEATURE_VAR | FEATURE_FLOAT);
}

TEST(what_was_on_stays_on)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = FEATURE_LAYOUT;

	CHECK_OK(features_add("var", COMPAT_1_32, false, &diags, &bits));
	CHECK_EQ(bits, FEATURE_LAYOUT | FEATURE_VAR);
}

TEST(an_unknown_name_has_no_effect_and_is_a_warning)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;

	CHECK_OK(features_add("var,of_the_future,flaot,float", COMPAT_1_32, false, &diags, &bits));
	CHECK_EQ(bits, FEATURE_VAR | FEATURE_FLOAT);
	CHECK_STR(diags.first->text, "feature 'of_the_future' is unknown and has no effect");
	CHECK_STR(diags.first->next->text,
		  "feature 'flaot' is unknown and has no effect; did you mean 'float'?");
	CHECK(!diags.first->next->next);
}

TEST(a_strict_list_refuses_an_unknown_name_and_changes_nothing)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = FEATURE_LAYOUT;

	CHECK_ERR_TEXT(features_add("var,va,float", COMPAT_1_32, true, &diags, &bits),
		       ERR_UNSUPPORTED, "feature 'va' is unknown; did you mean 'var'?");
	CHECK_EQ(bits, FEATURE_LAYOUT);
}

TEST(names_are_compared_whole_and_with_case)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;

	CHECK_OK(features_add("Var,vars,va, float,DEFAULT", COMPAT_1_32, false, &diags, &bits));
	CHECK_EQ(bits, 0);
}

TEST(a_list_of_any_length_is_read_to_its_end)
{
	CLEANUP(diag_release) struct diagnostics diags = { 0 };
	uint32_t bits = 0;
	char list[5000];

	/* pahole stops at 1024 bytes */
	memset(list, ',', sizeof(list));
	memcpy(list + sizeof(list) - sizeof("layout"), "layout", sizeof("layout"));
	CHECK_OK(features_add(list, COMPAT_1_32, true, &diags, &bits));
	CHECK_EQ(bits, FEATURE_LAYOUT);
}

TEST(a_list_names_features_or_sets_of_them)
{
	CHECK_EQ(features_named(""), 0);
	CHECK_EQ(features_named("all"), 0);
	CHECK_EQ(features_named("default,all"), 0);
	CHECK_EQ(features_named("+var"), FEATURE_VAR);
	CHECK_EQ(features_named("all,distilled_base,unknown,default"), FEATURE_DISTILLED_BASE);
	CHECK_EQ(features_named("distilled_base,all,var"), FEATURE_DISTILLED_BASE | FEATURE_VAR);
	CHECK_EQ(features_named(test_keep(features_names(COMPAT_1_31))), FEATURES_ALL);
}
