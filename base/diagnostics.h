/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diagnostics.h - warnings, errors that did not end the run, and the lines of -V
 *
 * The layers below cmd/ collect diagnostics without printing them. The command prints them in
 * the order of the input, so that threads cannot mix them.
 */
#ifndef BTFENC_BASE_DIAGNOSTICS_H
#define BTFENC_BASE_DIAGNOSTICS_H

#include "base/compiler.h"
#include "base/err.h"

#include <stdbool.h>

enum diag_level {
	DIAG_ERROR,   /* an error that did not end the run; printed on stderr */
	DIAG_WARNING, /* printed on stderr */
	/* with -V only */
	DIAG_VERBOSE, /* printed on stderr */
	DIAG_OUTPUT,  /* printed on stdout: lines that pahole prints there, for scripts */
	DIAG_TEXT,    /* printed on stdout as it is: lines that are escaped already */
	DIAG_FILE,    /* a heading: the file that the next lines are about, on both */
};

struct diagnostic {
	struct diagnostic *next;
	enum diag_level level;
	char text[];
};

/* A list in order. Zeroed is empty, and drops the lines of -V until @verbose is set. */
struct diagnostics {
	struct diagnostic *first, *last;
	bool verbose;
};

void diag_add(struct diagnostics *d, enum diag_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
/*
 * If @e is not NULL, store it in *last, and add the error that *last had as a DIAG_ERROR. A run that
 * continues after an error uses this. It returns the last error and prints all of them.
 */
void diag_keep_last(struct diagnostics *d, struct err **last, struct err *e);
/* Append all of @from to @d. @from is then empty and may be used again. */
void diag_move(struct diagnostics *d, struct diagnostics *from);
void diag_release(struct diagnostics *d);

#endif
