/* SPDX-License-Identifier: GPL-2.0-only */
/* jobs.h - what the command can do: a recipe each */
#ifndef BTFENC_CMD_JOBS_JOBS_H
#define BTFENC_CMD_JOBS_JOBS_H

#include "base/diagnostics.h"
#include "base/err.h"
#include "base/os/progress.h"
#include "cmd/jobs/reporting.h"
#include "cmd/options/file_list.h"
#include "cmd/options/options.h"

/*
 * Debug information of @opt->files -> BTF, into the first of them or @opt->detached. On
 * error the output is what it was. What the builder should know goes to @diags.
 */
MUST_CHECK struct err *job_encode(const struct options *opt, struct diagnostics *diags);

/*
 * Check the BTF of @opt->files by the kernel's rules, and print a line to standard output for
 * each breach. *ret_found: there was one; untouched else. An error is about a file that could not
 * be read, the last one; others before it went to @diags.
 */
MUST_CHECK struct err *job_check(const struct options *opt, struct diagnostics *diags,
				 bool *ret_found);

/*
 * Compare the BTF of the two @opt->files, and print to standard output what differs, unless
 * @opt->quiet. *ret_found: something does; untouched on error.
 */
MUST_CHECK struct err *job_diff(const struct options *opt, struct diagnostics *diags,
				bool *ret_found);

/* Print where the bytes of the BTF of @opt->files go. */
MUST_CHECK struct err *job_stats(const struct options *opt, struct diagnostics *diags);

/*
 * The same for @files, which are what @opt->files and the lists among them name, and become one.
 * @reporting gets what there is to tell of it. @progress may be NULL, and has ended then.
 */
MUST_CHECK struct err *job_encode_files(const struct options *opt, const struct encode_opts *encode,
					const struct file_list *files, const struct btf_input *base,
					struct reporting *reporting, struct progress *progress,
					struct diagnostics *diags);
/*
 * The same for each of @files by itself, over @base. One that fails is told of in @diags, in
 * its turn, and the others go on; the error then says how many failed.
 */
MUST_CHECK struct err *job_batch(const struct options *opt, const struct encode_opts *encode,
				 const struct file_list *files, struct btf_input *base,
				 struct reporting *reporting, struct progress *progress,
				 struct diagnostics *diags);

/*
 * Print the types of @opt->files to standard output. An error is also that a type which is asked for by
 * name is in none of them; the others are printed then.
 */
MUST_CHECK struct err *job_show(const struct options *opt, struct diagnostics *diags);

/*
 * Run the command that @opt->files are, and encode in place the objects that it makes, each by itself. If
 * it dies of a signal, so do we. *ret_status: to leave with, whether or not there is an error; that of the
 * command if it is not 0, for then nothing is touched. An object that cannot be encoded is removed.
 */
MUST_CHECK struct err *job_launch(const struct options *opt, struct diagnostics *diags,
				  int *ret_status);

#endif
