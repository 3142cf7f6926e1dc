/* SPDX-License-Identifier: GPL-2.0-only */
/* name_print.c - see name_print.h */
#include "cmd/name_print.h"

#include <stddef.h>

/* A name is cut there; the kernel's end at 512. */
enum { NAME_MAX_PRINTED = 512 };

void name_print(FILE *out, const char *name)
{
	size_t i = 0;

	for (; i < NAME_MAX_PRINTED && name[i]; i++) {
		unsigned char c = (unsigned char)name[i];

		if (c < 0x20 || c >= 0x7f || c == '\'' || c == '\\')
			fprintf(out, "\\x%02x", c);
		else
			putc(c, out);
	}
	if (name[i])
		fputs("...", out);
}
