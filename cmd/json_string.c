/* SPDX-License-Identifier: GPL-2.0-only */
/* json_string.c - see json_string.h */
#include "cmd/json_string.h"

#include <stddef.h>
#include <stdint.h>

/*
 * How many bytes the character of UTF-8 at @s has, by the table of the Unicode standard (3-7): no
 * overlong forms, no surrogates, nothing above U+10FFFF. 0 if there is none.
 */
static size_t utf8_len(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (*s < 0x80)
		return 1;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	len = *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
	if (*s == 0xe0)
		low = 0xa0;
	else if (*s == 0xed)
		high = 0x9f;
	else if (*s == 0xf0)
		low = 0x90;
	else if (*s == 0xf4)
		high = 0x8f;
	/* the zero at the end is none of these, so nobody looks behind it */
	for (size_t i = 1; i < len; i++, low = 0x80, high = 0xbf) {
		if (s[i] < low || s[i] > high)
			return 0;
	}
	return len;
}

void json_string(FILE *out, const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

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
