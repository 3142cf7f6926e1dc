/* SPDX-License-Identifier: GPL-2.0-only */
/* json_string.h - any bytes as a string of JSON */
#ifndef BTFENC_CMD_PRINT_JSON_STRING_H
#define BTFENC_CMD_PRINT_JSON_STRING_H

#include <stdio.h>

/*
 * @s to @out, in quotes. What is UTF-8 stays as it is but for the control characters, quotes and
 * backslashes of ASCII; a byte that belongs to no character becomes \udcNN, as Python has it
 * (PEP 383, "surrogateescape"), so that every name can be had back. ASCII alone if @s is.
 */
void json_string(FILE *out, const char *s);

#endif
