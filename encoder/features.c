/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - see features.h
 *
 * Rules, names and sets are pahole 1.31's (docs/spec/encoding.md 14.4), but for 'all',
 * which it takes for an unknown name although its --btf_gen_all is made of it: asked
 * for everything, it encodes nothing but types (quirk Q3). Here it means what it says.
 */
#include "encoder/features.h"

#include "base/cleanup.h"
#include "base/edit_distance.h"

#include <stdlib.h>
#include <string.h>

static const struct feature {
	const char *name;
	uint32_t bit;
} features_table[] = {
	{ "encode_force", FEATURE_ENCODE_FORCE },
	{ "var", FEATURE_VAR },
	{ "float", FEATURE_FLOAT },
	{ "decl_tag", FEATURE_DECL_TAG },
	{ "type_tag", FEATURE_TYPE_TAG },
	{ "enum64", FEATURE_ENUM64 },
	{ "optimized_func", FEATURE_OPTIMIZED_FUNC },
	{ "consistent_func", FEATURE_CONSISTENT_FUNC },
	{ "decl_tag_kfuncs", FEATURE_DECL_TAG_KFUNCS },
	{ "reproducible_build", FEATURE_REPRODUCIBLE_BUILD },
	{ "distilled_base", FEATURE_DISTILLED_BASE },
	{ "global_var", FEATURE_GLOBAL_VAR },
	{ "attributes", FEATURE_ATTRIBUTES },
	{ "true_signature", FEATURE_TRUE_SIGNATURE },
	{ "layout", FEATURE_LAYOUT },
};

/*
 * Not pahole's, and in no set: they give other bytes. The list that says what is supported is
 * without them, for scripts compare it.
 */
static const struct feature own_table[] = {
	{ "base_typedefs", FEATURE_BASE_TYPEDEFS },
	/* spelled as in the series that proposes section .BTF.extra ("inline.extra") */
	{ "global_var.extra", FEATURE_VARS_APART },
};

/* Names that may stand in a list for several features. */
static const struct feature sets_table[] = {
	{ "default", FEATURES_DEFAULT },
	{ "all", FEATURES_ALL },
};

static uint32_t find_in(const struct feature *table, size_t nr, const char *name, size_t len)
{
	for (size_t i = 0; i < nr; i++) {
		if (strlen(table[i].name) == len && !memcmp(table[i].name, name, len))
			return table[i].bit;
	}
	return 0;
}

/* The bits of an item, 0 if it is unknown. */
static uint32_t find(const char *name, size_t len)
{
	uint32_t bits = find_in(features_table, ARRAY_SIZE(features_table), name, len);

	if (!bits)
		bits = find_in(own_table, ARRAY_SIZE(own_table), name, len);
	return bits ? bits : find_in(sets_table, ARRAY_SIZE(sets_table), name, len);
}

static void offer_names(struct nearest *n, const struct feature *table, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		nearest_offer(n, table[i].name);
}

static struct err *unknown_feature(const char *list, const char *name, size_t len)
{
	char *known = features_names();
	struct err *e = err_new(ERR_UNSUPPORTED,
				"feature '%.*s' in '%s' is not supported; supported are: %s",
				(int)len, name, list, known);

	free(known);
	return e;
}

/* pahole ignores the name in silence, for a list may be that of a later version. */
static void warn_unknown(const char *name, size_t len, struct diagnostics *diags)
{
	CLEANUP(mem_free_text) char *word = mem_printf("%.*s", (int)len, name);
	struct nearest n = nearest_to(word);

	offer_names(&n, features_table, ARRAY_SIZE(features_table));
	offer_names(&n, own_table, ARRAY_SIZE(own_table));
	offer_names(&n, sets_table, ARRAY_SIZE(sets_table));
	diag_add(diags, DIAG_WARNING, "feature '%s' is unknown and has no effect%s%s%s", word,
		 n.name ? "; did you mean '" : "", n.name ? n.name : "", n.name ? "'?" : "");
}

struct err *features_add(const char *list, bool strict, struct diagnostics *diags,
			 uint32_t *features)
{
	uint32_t bits = 0;
	const char *item = list;

	if (*item == '+') {
		bits = FEATURES_DEFAULT;
		item++;
	}
	for (size_t len; *item; item += len + (item[len] == ',')) {
		len = strcspn(item, ",");
		uint32_t found = find(item, len);

		if (!found && len && strict)
			return unknown_feature(list, item, len);
		if (!found && len)
			warn_unknown(item, len, diags);
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
		if (!find_in(sets_table, ARRAY_SIZE(sets_table), list, len))
			bits |= find(list, len);
	}
	return bits;
}

/* The names of those in @table that are among @bits. */
static void print_names(FILE *f, const struct feature *table, size_t nr, uint32_t bits)
{
	for (size_t i = 0; i < nr; i++) {
		if (table[i].bit & bits)
			fprintf(f, "%s%s", ftell(f) ? "," : "", table[i].name);
	}
}

static char *names(uint32_t bits, uint32_t own_bits, uint32_t sets_bits)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		mem_die();
	print_names(f, features_table, ARRAY_SIZE(features_table), bits);
	print_names(f, own_table, ARRAY_SIZE(own_table), own_bits);
	print_names(f, sets_table, ARRAY_SIZE(sets_table), sets_bits);
	if (fclose(f))
		mem_die();
	return text;
}

char *features_names(void)
{
	return names(UINT32_MAX, 0, 0);
}

char *features_every_name(void)
{
	return names(UINT32_MAX, UINT32_MAX, UINT32_MAX);
}

char *features_names_of(uint32_t features)
{
	return names(features, features, 0);
}
