/* SPDX-License-Identifier: GPL-2.0-only */
/* name_print.c - see name_print.h */
#include "cmd/print/name_print.h"

#include "base/utf8.h"

#include <stdbool.h>

/* A name is cut there; the kernel's end at 512. */
enum { NAME_MAX_PRINTED = 512 };

/* A control character of ASCII, or one of ISO 6429's other 32. */
static bool is_control(const uint8_t *s)
{
	return *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);
}

static void print_until(FILE *out, const char *text, size_t max)
{
	const uint8_t *start = (const uint8_t *)text, *s = start;

	while (*s && (size_t)(s - start) < max) {
		size_t len = utf8_len(s);
		bool shown = len && !is_control(s);

		for (len += !len; len; len--, s++) {
			if (shown)
				putc(*s, out);
			else
				fprintf(out, "\\x%02x", *s);
		}
	}
	if (*s)
		fputs("...", out);
}

void text_print(FILE *out, const char *text)
{
	print_until(out, text, SIZE_MAX);
}

void name_print(FILE *out, const char *name)
{
	print_until(out, name, NAME_MAX_PRINTED);
}
