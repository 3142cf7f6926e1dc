/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.c - see print_line.h */
#include "cmd/print_line.h"

#include <stdbool.h>

/* A control character of ASCII, or the first byte of one of ISO 6429's other 32, in UTF-8. */
static bool is_control(const unsigned char *s)
{
	return *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0);
}

void print_line(FILE *to, const char *prefix, const char *text)
{
	fputs(prefix, to);
	for (const unsigned char *s = (const unsigned char *)text; *s; s++) {
		if (is_control(s))
			fprintf(to, "\\x%02x", *s);
		else
			putc(*s, to);
	}
	putc('\n', to);
}
