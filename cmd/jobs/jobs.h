/* SPDX-License-Identifier: GPL-2.0-only */
/* jobs.h - one function for each action of the command */
#ifndef BTFENC_CMD_JOBS_JOBS_H
#define BTFENC_CMD_JOBS_JOBS_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "base/os/progress.h"
#include "cmd/jobs/reporting.h"
#include "cmd/options/file_list.h"
#include "cmd/options/options.h"

/*
 * Encode the debug information of @opt->files as BTF into the first of them, or into @opt->detached. On error
 * the output is unchanged.
 */
MUST_CHECK struct err *job_encode(const struct options *opt, struct diagnostics *diags);

/*
 * Check the BTF of @opt->files by the rules of the kernel, and print a line to standard output for each
 * finding. *ret_found becomes true if there is an error in the BTF. Returns the error of the last file that
 * cannot be read; those before it are in @diags.
 */
MUST_CHECK struct err *job_check(const struct options *opt, struct diagnostics *diags,
				 bool *ret_found);

/*
 * Compare the BTF of the two @opt->files, and print differences to standard output unless @opt->quiet.
 * *ret_found: there are differences; unchanged on error.
 */
MUST_CHECK struct err *job_diff(const struct options *opt, struct diagnostics *diags,
				bool *ret_found);

/* Print where the bytes of the BTF of @opt->files go. */
MUST_CHECK struct err *job_stats(const struct options *opt, struct diagnostics *diags);

/* Print where functions are inlined in @opt->files. */
MUST_CHECK struct err *job_sites(const struct options *opt, struct diagnostics *diags);

/*
 * The same for @files, the expanded @opt->files, which become one BTF. Adds the report to @reporting.
 * @progress may be NULL.
 */
MUST_CHECK struct err *job_encode_files(const struct options *opt, const struct encode_opts *encode,
					const struct file_refs *files, const struct btf_input *base,
					struct reporting *reporting, struct progress *progress,
					struct diagnostics *diags);
/*
 * The same for each of @files by itself, over @base. If a file fails, @diags gets its error and the others are
 * encoded; the returned error then has the number of failures.
 */
MUST_CHECK struct err *job_batch(const struct options *opt, const struct encode_opts *encode,
				 const struct file_refs *files, struct btf_input *base,
				 struct reporting *reporting, struct progress *progress,
				 struct diagnostics *diags);

/*
 * Print types of @opt->files to standard output. If the command line names a type that no file has, the
 * others are printed before the error is returned.
 */
MUST_CHECK struct err *job_show(const struct options *opt, struct diagnostics *diags);

/*
 * Run the command @opt->files, and encode in place each object that it makes. If a signal kills the command,
 * it kills this process, too. *ret_status is the exit status in any case: if that of the command is not
 * 0, it is returned and no object is changed. An object that cannot be encoded is removed.
 */
MUST_CHECK struct err *job_launch(const struct options *opt, struct diagnostics *diags,
				  int *ret_status);

#endif
