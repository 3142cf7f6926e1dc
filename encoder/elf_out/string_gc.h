/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * string_gc.h - remove unused strings from a string table
 *
 * A string may be the end of a longer one, so bytes are kept or removed, not strings: the caller marks
 * all strings in use, removes the rest, and looks up the new offsets.
 */
#ifndef BTFENC_ENCODER_ELF_OUT_STRING_GC_H
#define BTFENC_ENCODER_ELF_OUT_STRING_GC_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Borrows the text and changes it in place; owns @to. */
struct string_gc {
	char *text;
	size_t len;
	/* by byte: is it used? After string_gc_close(): its new offset */
	uint32_t *to;
};

/* @len is not 0 and fits in 32 bits. */
void string_gc_init(struct string_gc *s, char *text, size_t len);
void string_gc_release(struct string_gc *s);
/* Mark the string at @at; ERR_FORMAT if that is outside. */
MUST_CHECK struct err *string_gc_use(struct string_gc *s, uint64_t at);
/* Remove the rest; @len is then the new length. */
void string_gc_close(struct string_gc *s);

#endif
