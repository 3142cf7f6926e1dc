/* SPDX-License-Identifier: GPL-2.0-only */
/* name_print.h - a name out of a file, harmless to a terminal and within a line */
#ifndef BTFENC_CMD_NAME_PRINT_H
#define BTFENC_CMD_NAME_PRINT_H

#include <stdio.h>

/*
 * @name to @out: what is not printable ASCII as \xNN, and "..." for what is behind 512 characters.
 */
void name_print(FILE *out, const char *name);

#endif
