/* SPDX-License-Identifier: GPL-2.0-only */
/* utf8.h - find UTF-8 characters in strings of arbitrary bytes */
#ifndef BTFENC_BASE_UTF8_H
#define BTFENC_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the UTF-8 character at @s, a string, by table 3-7 of the Unicode standard: no overlong
 * forms, no surrogates, nothing above U+10FFFF. 0 if there is no valid character.
 */
static inline size_t utf8_len(const uint8_t *s)
{
	uint8_t low = 0x80, high = 0xbf;
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
	/* the terminating zero is out of range and ends the loop */
	for (size_t i = 1; i < len; i++, low = 0x80, high = 0xbf) {
		if (s[i] < low || s[i] > high)
			return 0;
	}
	return len;
}

/* The code point of the valid UTF-8 character at @s, if that has at most three bytes; else 0x10000. */
static inline uint32_t utf8_code(const uint8_t *s)
{
	if (*s < 0x80)
		return *s;
	if (*s < 0xe0)
		return (uint32_t)(*s & 0x1f) << 6 | (s[1] & 0x3f);
	return *s < 0xf0 ?
		       (uint32_t)(*s & 0xf) << 12 | (uint32_t)(s[1] & 0x3f) << 6 | (s[2] & 0x3f) :
		       0x10000;
}

/*
 * Does the valid UTF-8 character at @s change how a terminal or an editor shows the text around it? These are the
 * control characters of ASCII and of ISO 6429, the ends of lines and paragraphs, and the characters that set the
 * direction of the text (Bidi_Control).
 */
static inline bool utf8_is_control(const uint8_t *s)
{
	uint32_t c = utf8_code(s);

	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

#endif
