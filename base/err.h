/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * err.h - errors that travel up the stack
 *
 * A function that can fail returns struct err *, NULL for success. The caller owns the error: it
 * returns it (TRY), adds context (err_at) or frees it (err_free). Only cmd/main.c prints errors.
 *
 * A message names the file, the section and offset, the value found and the value expected. It is in
 * lower case, without a full stop.
 */
#ifndef BTFENC_BASE_ERR_H
#define BTFENC_BASE_ERR_H

#include "base/compiler.h"

#include <stdio.h>

enum err_kind {
	ERR_IO,          /* a system call failed */
	ERR_FORMAT,      /* the input is malformed */
	ERR_UNSUPPORTED, /* the input is valid, but not supported */
	ERR_LIMIT,       /* BTF or a target kernel cannot express it */
	ERR_USAGE,       /* the command line */
	ERR_BASE,        /* split BTF was made over another base */
};

struct err;

MUST_CHECK NEVER_NULL struct err *err_new(enum err_kind kind, const char *fmt, ...)
	PRINTF_LIKE(2, 3);
/* ERR_IO with the message, ": " and the text of @errnum. */
MUST_CHECK NEVER_NULL struct err *err_sys(int errnum, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Put "WHERE: " before the message of @e; returns @e. */
MUST_CHECK NEVER_NULL struct err *err_add_context(struct err *e, const char *fmt, ...)
	PRINTF_LIKE(2, 3);

/*
 * err_at(e, fmt, ...): the same for an error that may be NULL. A macro, so that the compiler sees
 * that NULL stays NULL (else it warns about uninitialized results), and so that the context is
 * formatted only if there is an error.
 */
#define err_at(e, ...) ERR_AT_NAMED_(__COUNTER__, e, __VA_ARGS__)
#define ERR_AT_NAMED_(nr, e, ...) ERR_AT_(nr, e, __VA_ARGS__)
#define ERR_AT_(nr, e, ...)                                                      \
	__extension__({                                                          \
		struct err *at_err_##nr = (e);                                   \
		if (unlikely(at_err_##nr))                                       \
			at_err_##nr = err_add_context(at_err_##nr, __VA_ARGS__); \
		at_err_##nr;                                                     \
	})

enum err_kind err_kind(const struct err *e);
/* Valid as long as @e lives. */
const char *err_text(const struct err *e);
void err_free(struct err *e);

/* Return at once if @expr failed. */
#define TRY(expr)                              \
	do {                                   \
		struct err *try_err_ = (expr); \
		if (unlikely(try_err_))        \
			return try_err_;       \
	} while (0)

#endif
