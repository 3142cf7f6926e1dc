/* SPDX-License-Identifier: GPL-2.0-only */
/* name_print.h - text out of a file, harmless to a terminal and within a line */
#ifndef BTFENC_CMD_PRINT_NAME_PRINT_H
#define BTFENC_CMD_PRINT_NAME_PRINT_H

#include <stdio.h>

/*
 * @text to @out: what a terminal would obey instead of showing it, which is control characters and
 * bytes that are no UTF-8, as \xNN, byte by byte.
 */
void text_print(FILE *out, const char *text);
/* The same for one name: "..." stands for what is behind some 512 bytes. */
void name_print(FILE *out, const char *name);

#endif
