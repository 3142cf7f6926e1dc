/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reporting.h - collect the output of --btf_report and --explain
 *
 * Each of several modules has its own report. The reports are in the order of the files, and the sums follow. --fatal
 * fails the run and leaves the report complete, so that it lists all that has to be mended.
 */
#ifndef BTFENC_CMD_JOBS_REPORTING_H
#define BTFENC_CMD_JOBS_REPORTING_H

#include "base/vec.h"
#include "cmd/options/file_list.h"
#include "cmd/options/options.h"
#include "encoder/elf_out/out_file.h"
#include "encoder/report/report.h"

/* Zeroed is empty. Does not move once it is prepared. */
struct reporting {
	struct text json, explained;
	bool part;       /* of one file of several: reporting_append() will take it */
	VEC(bool) found; /* for each of opt->explain_names: there is something of this name */
	VEC(struct report) also;     /* of reporting_wants() */
	struct report_counts counts; /* of all files */
	size_t nr_kept; /* of the files: those that have BTF, and no debug information to encode */
	struct out_file file;
	bool prepared;
	bool fatal; /* complete, although nothing is written: --fatal */
};

void reporting_release(struct reporting *r);

static inline bool reporting_asked(const struct options *opt)
{
	return opt->report || opt->explain || opt->fatal;
}

/* The report of the encoder. It borrows from @r. */
struct report reporting_wants(struct reporting *r, const struct options *opt);

/*
 * Add the report @found on @made, the BTF of @files over @base (NULL: none). ERR_FORMAT if @made is no BTF,
 * or if a rule of --fatal applies.
 */
MUST_CHECK struct err *reporting_add(struct reporting *r, const struct options *opt,
				     const struct file_refs *files, const struct btf_input *base,
				     const struct encode_result *made, const struct report *found);
/*
 * Explain from the BTF of @file, which has no debug information. ERR_FORMAT if its BTF cannot be
 * read. Only for --explain without --btf_report.
 */
MUST_CHECK struct err *reporting_add_btf(struct reporting *r, const struct options *opt,
					 const struct file_ref *file, const struct btf_input *base,
					 struct diagnostics *diags);
/* Add that encoding @files failed with message @error. */
void reporting_add_failure(struct reporting *r, const struct options *opt,
			   const struct file_refs *files, const char *error);
/* Append @from to @to. */
void reporting_append(struct reporting *to, struct reporting *from);

/*
 * Open the output file before anything else is written, so that a missing folder is reported first. Needed
 * only where reporting_prepare() comes too late for that. ERR_IO.
 */
MUST_CHECK struct err *reporting_open(struct reporting *r, const struct options *opt);
/*
 * Write the complete report under a temporary name before the BTF is written, so that no BTF is written if
 * the report cannot be. A pipe gets the report now. Does nothing for a part. ERR_IO.
 */
MUST_CHECK struct err *reporting_prepare(struct reporting *r, const struct options *opt);
/*
 * Rename the report, or write it if it was not prepared; print the explanation. ERR_IO; ERR_FORMAT if
 * nothing but an explanation was asked for, and a name was not found.
 */
MUST_CHECK struct err *reporting_end(struct reporting *r, const struct options *opt);

#endif
