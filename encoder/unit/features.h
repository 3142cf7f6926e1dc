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
	/* What 'all' means: every feature of pahole that adds to the BTF. */
	FEATURES_ALL = 2 * FEATURE_LAYOUT - 1,
};

/*
 * Add the features in @list to *features: names, 'default' or 'all', separated by commas. A leading
 * '+' adds 'default'. A name that pahole does not have at @level is unknown. An unknown name is
 * ignored with a warning, so that a build script can ask for features of later versions; if @strict
 * it is ERR_UNSUPPORTED, and *features is unchanged.
 */
MUST_CHECK struct err *features_add(const char *list, enum compat_level level, bool strict,
				    struct diagnostics *diags, uint32_t *features);

/* The features that @list has by their own names, without those of 'default', 'all' and '+'. */
uint32_t features_named(const char *list);

/* Names separated by commas, which the caller frees: all of that pahole's, in its order. */
char *features_names(enum compat_level level);
/* All that a list may have: also btfenc's own, 'default' and 'all'. */
char *features_every_name(void);
/* Those of @features. */
char *features_names_of(uint32_t features);

#endif
