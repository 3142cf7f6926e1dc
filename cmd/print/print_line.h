/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.h - messages, which may quote what stands in a file */
#ifndef BTFENC_CMD_PRINT_PRINT_LINE_H
#define BTFENC_CMD_PRINT_PRINT_LINE_H

#include "base/err.h"

#include <stdio.h>

/* @prefix, and @text as text_print() has it, as one line. */
void print_line(FILE *to, const char *prefix, const char *text);

/* What was printed has arrived: a full disk or a closed stdout is ERR_IO. */
MUST_CHECK struct err *print_flush(void);

#endif
