/* SPDX-License-Identifier: GPL-2.0-only */
/* features.h - the names of --btf_features and the bits of encode_opts */
#ifndef BTFENC_ENCODER_FEATURES_H
#define BTFENC_ENCODER_FEATURES_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "encoder/unit/encode_opts.h"

enum {
	/* What -J alone encodes. */
	FEATURES_PLAIN = FEATURE_VAR | FEATURE_DECL_TAG | FEATURE_TYPE_TAG | FEATURE_ENUM64,
	/* What 'default' means in a list. */
	FEATURES_DEFAULT = FEATURES_PLAIN | FEATURE_ENCODE_FORCE | FEATURE_FLOAT |
			   FEATURE_OPTIMIZED_FUNC | FEATURE_CONSISTENT_FUNC |
			   FEATURE_DECL_TAG_KFUNCS,
	/* What 'all' means: every bit of pahole's. */
	FEATURES_ALL = 2 * FEATURE_LAYOUT - 1,
};

/*
 * Switch on what @list names: feature names, 'default' or 'all', with commas between; a
 * leading '+' is 'default'. A name we do not know is left out with a verbose note, so
 * that a build script can ask for features of a later version; if @strict it is
 * ERR_UNSUPPORTED, and *features is untouched.
 */
MUST_CHECK struct err *features_add(const char *list, bool strict, struct diagnostics *diags,
				    uint32_t *features);

/* The features that @list names themselves, without those of 'default', 'all' and '+'. */
uint32_t features_named(const char *list);

/* Names with commas between, on the heap, the caller's: all that pahole has, in its order. */
char *features_names(void);
/* All that may stand in a list: also those that are only ours, and 'default' and 'all'. */
char *features_every_name(void);
/* Those of the bits @features. */
char *features_names_of(uint32_t features);

#endif
