/* SPDX-License-Identifier: GPL-2.0-only */
/* encode.h - encode the DWARF of files, or the members of an archive, into one BTF */
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
	ENCODE_FROM_EITHER, /* .BTF if it is an archive, else DWARF */
	ENCODE_FROM_DWARF,
	ENCODE_FROM_BTF,
};

/* The input of an encoding. Borrows everything. */
struct encode_job {
	const struct file_ref *files; /* in this order */
	size_t nr;
	enum encode_from from;
	const struct btf_input *base; /* NULL: not split */
	/* the result replaces .BTF of the first file; .BTF that is no archive stays as it is */
	bool in_place;
	/* as with @in_place, .BTF that is no archive stays; a file with nothing to encode gives no warning */
	bool may_be_empty;
	/* the least number of bytes of the result (struct section_facts) */
	uint32_t image_size;
	/*
	 * If @gather, @files is one linked file, whose members are in @objects, or, under these
	 * names, in the file @archive (archive_file.h). With @nr_objects 0 the units of its DWARF
	 * name the objects.
	 */
	bool gather;
	const struct file_ref *objects;
	size_t nr_objects;
	const char *archive;        /* NULL: in the objects */
	struct encode_stats *stats; /* or NULL */
	struct report *report;      /* or NULL */
	struct progress *progress;  /* or NULL */
	/*
	 * Stop reading behind the first unit with which these types are all defined. This needs
	 * one thread.
	 */
	struct until until;
};

/*
 * Encode @job into one BTF, in the byte order of the first file that has anything to encode. With
 * the feature distilled_base, which needs a base and excludes FEATURE_VARS_APART, the result is over
 * the part of the base that it needs. Variables are those of the first file, because sections are.
 * A file with nothing to encode is skipped with a diagnostic. Without any type *ret is empty. The
 * caller releases *ret, which borrows nothing; it is zeroed on an error.
 */
MUST_CHECK struct err *encode_files(const struct encode_job *job, const struct encode_opts *opts,
				    struct diagnostics *diags, struct encoded *ret);

#endif
