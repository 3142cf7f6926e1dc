/* SPDX-License-Identifier: GPL-2.0-only */
/* encode.h - encode the DWARF of files, or the members of an archive, into one BTF */
#ifndef BTFENC_ENCODER_ENCODE_H
#define BTFENC_ENCODER_ENCODE_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "encoder/encode_stats.h"
#include "encoder/input/encode_request.h"
#include "encoder/program/encode_result.h"

/*
 * Encode @request into one BTF, in the byte order of the first file that has anything to encode. With
 * the feature distilled_base, which needs a base and excludes FEATURE_VARS_APART, the result is over
 * the part of the base that it needs. Variables are those of the first file, because sections are.
 * A file with nothing to encode is skipped with a diagnostic. Without any type *ret is empty. The
 * caller releases *ret, which borrows nothing; it is zeroed on an error.
 */
MUST_CHECK struct err *encode_files(const struct encode_request *request,
				    const struct encode_opts *opts, struct diagnostics *diags,
				    struct encode_result *ret);

struct program;

/* The second half of it: the passes from the units of @p, which were read, to @p->result. */
MUST_CHECK struct err *make_result(struct program *p);

#endif
