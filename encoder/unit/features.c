/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - parse lists of --btf_features
 *
 * Names, sets and rules are those of pahole (docs/spec/encoding.md 14.4). 'all' works at each level
 * (quirk Q3).
 */
#include "encoder/unit/features.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum feature_sort {
	SORT_PAHOLE = 1 << 0,
	/* Not in pahole: they change the bytes. 'btfenc --supported_btf_features' omits them. */
	SORT_OWN = 1 << 1,
	SORT_SET = 1 << 2, /* several features */
	SORT_ANY = SORT_PAHOLE | SORT_OWN | SORT_SET,
};

static const struct feature {
	const char *name;
	uint32_t bits;
	enum feature_sort sort;
} table[] = {
	{ "encode_force", FEATURE_ENCODE_FORCE, SORT_PAHOLE },
	{ "var", FEATURE_VAR, SORT_PAHOLE },
	{ "float", FEATURE_FLOAT, SORT_PAHOLE },
	{ "decl_tag", FEATURE_DECL_TAG, SORT_PAHOLE },
	{ "type_tag", FEATURE_TYPE_TAG, SORT_PAHOLE },
	{ "enum64", FEATURE_ENUM64, SORT_PAHOLE },
	{ "optimized_func", FEATURE_OPTIMIZED_FUNC, SORT_PAHOLE },
	{ "consistent_func", FEATURE_CONSISTENT_FUNC, SORT_PAHOLE },
	{ "decl_tag_kfuncs", FEATURE_DECL_TAG_KFUNCS, SORT_PAHOLE },
	{ "reproducible_build", FEATURE_REPRODUCIBLE_BUILD, SORT_PAHOLE },
	{ "distilled_base", FEATURE_DISTILLED_BASE, SORT_PAHOLE },
	{ "global_var", FEATURE_GLOBAL_VAR, SORT_PAHOLE },
	{ "attributes", FEATURE_ATTRIBUTES, SORT_PAHOLE },
	{ "true_signature", FEATURE_TRUE_SIGNATURE, SORT_PAHOLE },
	{ "layout", FEATURE_LAYOUT, SORT_PAHOLE },
	{ "force_cu_merging", FEATURE_FORCE_CU_MERGING, SORT_PAHOLE },
	{ "inline", FEATURE_INLINE, SORT_PAHOLE },
	{ "base_typedefs", FEATURE_BASE_TYPEDEFS, SORT_OWN },
	{ "rust_variants", FEATURE_RUST_VARIANTS, SORT_OWN },
	/* spelled as in the series that proposes section .BTF.extra ("inline.extra") */
	{ "global_var.extra", FEATURE_VARS_APART, SORT_OWN },
	{ "inline.extra", FEATURE_INLINE_APART, SORT_OWN },
	{ "default", FEATURES_DEFAULT, SORT_SET },
	{ "all", FEATURES_ALL, SORT_SET },
};

/* The bits of @name, 0 if no feature of @sorts has this name at @level. */
static uint32_t find_feature(const char *name, size_t len, enum compat_level level, uint32_t sorts)
{
	const uint32_t lacks = compat_get(level)->lacks;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if ((table[i].sort & sorts) && strlen(table[i].name) == len &&
		    !memcmp(table[i].name, name, len))
			return table[i].bits & ~lacks;
	}
	return 0;
}

/* The names of the features of @sorts that have any of @bits. */
static char *names(uint32_t sorts, uint32_t bits)
{
	struct text out = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if ((table[i].sort & sorts) && (table[i].bits & bits))
			text_printf(&out, "%s%s", out.nr ? "," : "", table[i].name);
	}
	return text_take(&out);
}

/* The name that is most similar to @word, or NULL */
static const char *similar_name(const char *word, enum compat_level level)
{
	struct nearest n = nearest_to(word);

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (!(table[i].bits & compat_get(level)->lacks))
			nearest_offer(&n, table[i].name);
	return n.name;
}

static struct err *unknown_feature(const char *word, enum compat_level level)
{
	CLEANUP(mem_free_text) char *known = names(SORT_ANY, ~compat_get(level)->lacks);
	const char *similar = similar_name(word, level);

	if (similar)
		return err_new(ERR_UNSUPPORTED, "feature '%s' is unknown; did you mean '%s'?", word,
			       similar);
	return err_new(ERR_UNSUPPORTED, "feature '%s' is unknown; known are %s", word, known);
}

/* pahole ignores the name silently, because the list may be for a later version. */
static void warn_unknown(const char *word, enum compat_level level, struct diagnostics *diags)
{
	const char *similar = similar_name(word, level);

	diag_add(diags, DIAG_WARNING, "feature '%s' is unknown and has no effect%s%s%s", word,
		 similar ? "; did you mean '" : "", similar ? similar : "", similar ? "'?" : "");
}

struct err *features_add(const char *list, enum compat_level level, bool strict,
			 struct diagnostics *diags, uint32_t *features)
{
	uint32_t bits = 0;
	const char *item = list;

	if (*item == '+') {
		bits = FEATURES_DEFAULT;
		item++;
	}
	for (size_t len; *item; item += len + (item[len] == ',')) {
		len = strcspn(item, ",");
		uint32_t found = find_feature(item, len, level, SORT_ANY);
		CLEANUP(mem_free_text) char *word = mem_printf("%.*s", (int)len, item);

		if (!found && len && strict)
			return unknown_feature(word, level);
		if (!found && len)
			warn_unknown(word, level, diags);
		bits |= found;
	}
	*features |= bits;
	return NULL;
}

uint32_t features_named(const char *list)
{
	uint32_t bits = 0;

	if (*list == '+')
		list++;
	for (size_t len; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		bits |= find_feature(list, len, COMPAT_1_32, SORT_PAHOLE | SORT_OWN);
	}
	return bits;
}

char *features_names(enum compat_level level)
{
	return names(SORT_PAHOLE, ~compat_get(level)->lacks);
}

char *features_every_name(void)
{
	return names(SORT_ANY, UINT32_MAX);
}

char *features_names_of(uint32_t features)
{
	return names(SORT_PAHOLE | SORT_OWN, features);
}
