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

#endif
