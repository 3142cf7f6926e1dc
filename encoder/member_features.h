/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * member_features.h - were the members of an archive made with the features that are asked for?
 *
 * Of a float that became an int, or of a tag that was not written, nothing is left that combining
 * could make it of again; and what is there with one feature is not what another list gives. The
 * archive may not give what DWARF gives then, and somebody should say so.
 */
#ifndef BTFENC_ENCODER_MEMBER_FEATURES_H
#define BTFENC_ENCODER_MEMBER_FEATURES_H

#include "base/note.h"
#include "encoder/encode_opts.h"

/* Those that a member shows; all others are asked of the whole. */
enum {
	MEMBER_FEATURES_OF_VARS = FEATURE_VAR | FEATURE_GLOBAL_VAR,
	MEMBER_FEATURES = MEMBER_FEATURES_OF_VARS | FEATURE_FLOAT | FEATURE_DECL_TAG |
			  FEATURE_TYPE_TAG | FEATURE_ENUM64,
};

/* What is found of many members. Zeroed is none. */
struct member_features {
	size_t nr_lacking, nr_beyond; /* members */
	uint32_t lacking, beyond;     /* enum btf_feature: asked for and not used, and vice versa */
};

/* A member was made with @made, which are some of MEMBER_FEATURES; all of @asked are asked for. */
void member_features_add(struct member_features *f, uint32_t made, uint32_t asked);
/* Warn of what was found in @path. */
void member_features_tell(const struct member_features *f, const char *path, struct notes *notes);

#endif
