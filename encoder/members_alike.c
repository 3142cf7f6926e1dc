/* SPDX-License-Identifier: GPL-2.0-only */
/* members_alike.c - see members_alike.h */
#include "encoder/members_alike.h"

#include "base/cleanup.h"
#include "encoder/features.h"
#include "encoder/member_note.h"

#include <stdlib.h>

static void check_makers(const struct assembly *a, const char *path, struct notes *notes)
{
	size_t gcc = 0, others = 0;

	for (size_t i = 0; i < a->units.nr; i++) {
		const struct frag *f = &a->units.items[i].frag;

		if (f->maker == MAKER_GCC)
			gcc++;
		else if (f->types.nr)
			others++;
	}
	if (gcc && others)
		notes_add(
			notes, NOTE_WARNING,
			"'%s': %zu members are made by gcc and %zu are not: many types will not merge",
			path, gcc, others);
}

/* Members, and features that they lack or have beyond what is asked for. */
struct deviation {
	size_t nr;
	uint32_t features;
};

static void deviate(struct deviation *d, uint32_t features)
{
	d->nr += features != 0;
	d->features |= features;
}

static void tell(const struct deviation *d, const char *path, const char *how, struct notes *notes)
{
	if (!d->nr)
		return;

	CLEANUP(mem_free_text) char *names = features_names_of(d->features);
	notes_add(
		notes, NOTE_WARNING,
		"'%s': %zu members were made %s --btf_features=%s: the BTF may not be what DWARF gives",
		path, d->nr, how, names);
}

static void check_features(const struct assembly *a, const char *path, struct notes *notes)
{
	struct deviation lacking = { 0 }, beyond = { 0 };
	uint32_t asked = a->opts->features;

	if (asked & FEATURE_VARS_APART)
		asked |= FEATURE_GLOBAL_VAR;
	for (size_t i = 0; i < a->units.nr; i++) {
		const struct frag *f = &a->units.items[i].frag;
		uint32_t made = f->features;

		if (!f->have_features)
			continue;
		/* variables of all sections are those of per-CPU sections, too */
		if (made & FEATURE_GLOBAL_VAR)
			made |= FEATURE_VAR;
		deviate(&lacking, asked & ~made & MEMBER_FEATURES);
		/* variables that nobody asks for are left where they are */
		deviate(&beyond,
			made & ~asked & MEMBER_FEATURES & ~(uint32_t)MEMBER_FEATURES_OF_VARS);
	}
	tell(&lacking, path, "without", notes);
	tell(&beyond, path, "with", notes);
}

void members_alike_check(const struct assembly *a, const char *path, struct notes *notes)
{
	check_makers(a, path, notes);
	check_features(a, path, notes);
}
