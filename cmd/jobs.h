/* SPDX-License-Identifier: GPL-2.0-only */
/* jobs.h - what the command can do: a recipe each */
#ifndef BTFENC_CMD_JOBS_H
#define BTFENC_CMD_JOBS_H

#include "base/err.h"
#include "base/note.h"
#include "cmd/options.h"

/*
 * Debug information of @opt->files -> BTF, into the first of them or @opt->detached. On
 * error the output is what it was. What the builder should know goes to @notes.
 */
MUST_CHECK struct err *job_encode(const struct options *opt, struct notes *notes);

/*
 * Check the BTF of @opt->files by the kernel's rules, and print a line to standard output for
 * each breach. *ret_found: there was one; untouched else. An error is about a file that could not
 * be read, the last one; others before it went to @notes.
 */
MUST_CHECK struct err *job_check(const struct options *opt, struct notes *notes, bool *ret_found);

#endif
