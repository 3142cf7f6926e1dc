/* SPDX-License-Identifier: GPL-2.0-only */
/* utf8.h - find UTF-8 characters in strings of arbitrary bytes */
#ifndef BTFENC_BASE_UTF8_H
#define BTFENC_BASE_UTF8_H

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

#endif
