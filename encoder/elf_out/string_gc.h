/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * string_gc.h - take the strings that nobody uses out of a table of strings
 *
 * A string may be the end of a longer one, so it is bytes that are kept or not: first all
 * users are named, then what is not used is taken out, then users ask where theirs went.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_STRING_GC_H
#define BTFENC_ENCODER_ELF_OUT_STRING_GC_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Borrows the text, which is changed in place; owns @to. */
struct string_gc {
	char *text;
	size_t len;
	/* of each byte: is it used? After string_gc_close(): where it is now */
	uint32_t *to;
};

/* @len is not 0, and not more than 32 bits. */
void string_gc_init(struct string_gc *s, char *text, size_t len);
void string_gc_release(struct string_gc *s);
/* Somebody uses the string at @at; ERR_FORMAT if that is outside. */
MUST_CHECK struct err *string_gc_use(struct string_gc *s, uint64_t at);
/* Take out the rest; @len is then what is left. */
void string_gc_close(struct string_gc *s);

#endif
