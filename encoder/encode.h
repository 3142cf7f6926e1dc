/* SPDX-License-Identifier: GPL-2.0-only */
/* encode.h - the debug information of some files, or BTF made of it before, becomes one BTF */
#ifndef BTFENC_ENCODER_ENCODE_H
#define BTFENC_ENCODER_ENCODE_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "base/os/progress.h"
#include "encoder/emit/encoded.h"
#include "encoder/encode_stats.h"
#include "encoder/report/report.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/until.h"
#include "loader/btf/btf_input.h"

enum encode_from {
	ENCODE_FROM_EITHER, /* the archive if a file's .BTF is one, else DWARF */
	ENCODE_FROM_DWARF,
	ENCODE_FROM_BTF,
};

/* What to encode. Borrows everything. */
struct encode_job {
	const char *const *paths; /* in this order */
	size_t nr;
	enum encode_from from;
	const struct btf_input *base; /* NULL: not split */
	/* the result is for the first of them, so what is one BTF already stays as it is */
	bool in_place;
	/* the result has at least so many bytes (struct section_facts) */
	uint32_t image_size;
	/*
	 * If @gather, @paths is the linked file alone, and its members are not in its .BTF but in
	 * these objects, or in the file @archive, where they go by these names (archive_file.h).
	 * With @nr_objects 0 the objects are those that the units of its DWARF name.
	 */
	bool gather;
	const char *const *objects;
	size_t nr_objects;
	const char *archive;        /* NULL: in the objects */
	struct encode_stats *stats; /* NULL: nobody asks */
	struct report *report;      /* the same */
	struct progress *progress;  /* hears of each file and unit; may be NULL */
	/*
	 * Stop reading DWARF behind the first unit with which these are all defined: the result is that
	 * of the units up to there. By one thread.
	 */
	struct until until;
};

/*
 * Encode @job into one BTF in the byte order of the first file that has anything, over the
 * base. With the feature distilled_base it stands on what that needs of the base, which
 * there must be, and without FEATURE_VARS_APART. Variables are those of the first file, for
 * others have no place in its sections. A file with nothing to encode is left out with a note; no type at all gives an
 * empty *ret. *ret is the caller's to release, and zero on an error; nothing borrows from the
 * files any more.
 */
MUST_CHECK struct err *encode_files(const struct encode_job *job, const struct encode_opts *opts,
				    struct diagnostics *diags, struct encoded *ret);

#endif
