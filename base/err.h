/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * err.h - errors that travel up the stack
 *
 * A function that can fail returns struct err *, NULL for success. The object is
 * on the heap and belongs to the caller, who hands it on (TRY), adds where it
 * happened (err_at) or drops it (err_free). Only cmd/main.c prints one.
 *
 * A message names the file, the section and offset, what was found and what was
 * expected; lower case, no full stop.
 */
#ifndef BTFENC_BASE_ERR_H
#define BTFENC_BASE_ERR_H

#include "base/compiler.h"

#include <stdio.h>

enum err_kind {
	ERR_IO,          /* the system refused: open, read, write, rename */
	ERR_FORMAT,      /* the input is malformed */
	ERR_UNSUPPORTED, /* the input is valid, and we cannot do it */
	ERR_LIMIT,       /* BTF or a target kernel cannot express it */
	ERR_USAGE,       /* the command line */
};

struct err;

MUST_CHECK struct err *err_new(enum err_kind kind, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* ERR_IO with ": " and the text of @errnum behind the message. */
MUST_CHECK struct err *err_sys(int errnum, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Put "WHERE: " before the message of @e, which may be NULL; returns @e. */
MUST_CHECK struct err *err_at(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

enum err_kind err_kind(const struct err *e);
/* Valid as long as @e lives. */
const char *err_text(const struct err *e);
void err_free(struct err *e);

/* Return at once if @expr failed. */
#define TRY(expr)                             \
	do {                                  \
		struct err *try_err_ = (expr); \
		if (unlikely(try_err_))       \
			return try_err_;      \
	} while (0)

#endif
