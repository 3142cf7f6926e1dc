/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.c - see print_line.h */
#include "cmd/print_line.h"

#include "cmd/name_print.h"

void print_line(FILE *to, const char *prefix, const char *text)
{
	fputs(prefix, to);
	text_print(to, text);
	putc('\n', to);
}
