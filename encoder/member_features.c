/* SPDX-License-Identifier: GPL-2.0-only */
/* member_features.c - see member_features.h */
#include "encoder/member_features.h"

#include "base/cleanup.h"

#include <stdio.h>
#include <stdlib.h>

/* By the names of --btf_features. */
static const struct {
	uint32_t bit;
	const char *name;
} names_of[] = {
	{ FEATURE_VAR, "var" },           { FEATURE_GLOBAL_VAR, "global_var" },
	{ FEATURE_FLOAT, "float" },       { FEATURE_DECL_TAG, "decl_tag" },
	{ FEATURE_TYPE_TAG, "type_tag" }, { FEATURE_ENUM64, "enum64" },
};

void member_features_add(struct member_features *f, uint32_t made, uint32_t asked)
{
	/* variables of all sections are those of per-CPU sections, too */
	if (made & FEATURE_GLOBAL_VAR)
		made |= FEATURE_VAR;
	if (asked & FEATURE_VARS_APART)
		asked |= FEATURE_GLOBAL_VAR;

	uint32_t lacking = asked & ~made & MEMBER_FEATURES;
	/* variables that nobody asks for are left where they are */
	uint32_t beyond = made & ~asked & MEMBER_FEATURES & ~(uint32_t)MEMBER_FEATURES_OF_VARS;

	f->nr_lacking += lacking != 0;
	f->nr_beyond += beyond != 0;
	f->lacking |= lacking;
	f->beyond |= beyond;
}

static void tell(const char *path, size_t nr, uint32_t features, const char *how,
		 struct notes *notes)
{
	CLEANUP(mem_free_text) char *names = NULL;
	const char *comma = "";
	size_t len;

	if (!nr)
		return;

	FILE *out = open_memstream(&names, &len);
	if (!out)
		mem_die();
	for (size_t i = 0; i < ARRAY_SIZE(names_of); i++) {
		if (!(features & names_of[i].bit))
			continue;
		fprintf(out, "%s%s", comma, names_of[i].name);
		comma = ",";
	}
	if (fclose(out))
		mem_die();
	notes_add(
		notes, NOTE_WARNING,
		"'%s': %zu members were made %s --btf_features=%s: the BTF may not be what DWARF gives",
		path, nr, how, names);
}

void member_features_tell(const struct member_features *f, const char *path, struct notes *notes)
{
	tell(path, f->nr_lacking, f->lacking, "without", notes);
	tell(path, f->nr_beyond, f->beyond, "with", notes);
}
