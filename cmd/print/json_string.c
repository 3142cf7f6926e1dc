/* SPDX-License-Identifier: GPL-2.0-only */
/* json_string.c - see json_string.h */
#include "cmd/print/json_string.h"

#include "base/utf8.h"

void json_string(FILE *out, const char *s)
{
	const uint8_t *p = (const uint8_t *)s;

	putc('"', out);
	while (*p) {
		size_t len = utf8_len(p);

		if (!len)
			fprintf(out, "\\udc%02x", *p++);
		else if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p++);
		else if (*p < 0x20 || *p == 0x7f)
			fprintf(out, "\\u%04x", *p++);
		else
			for (; len; len--)
				putc(*p++, out);
	}
	putc('"', out);
}
