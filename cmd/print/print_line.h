/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.h - text that may quote bytes of a file, harmless to a terminal and on one line */
#ifndef BTFENC_CMD_PRINT_PRINT_LINE_H
#define BTFENC_CMD_PRINT_PRINT_LINE_H

#include "base/color.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/text.h"

/* Append @prefix, @text in the form of text_escape(), and the end of the line. */
void put_line(struct text *out, const char *prefix, const char *text);
/* The same in the colour @c. */
void put_colored_line(struct text *out, enum color c, const char *prefix, const char *text);
/* put_line() to a file. */
void print_line(FILE *to, const char *prefix, const char *text);

/* ERR_IO if something did not reach standard output, for example because the disk is full. */
MUST_CHECK struct err *print_flush(void);

#endif
