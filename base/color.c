/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * color.c - see color.h
 *
 * The sequences are those of ECMA-48 that all terminals have: bold, faint, and three of the eight first colours, which
 * can be read on a dark background and on a light one. The user's terminal decides what they look like.
 */
#include "base/color.h"

void text_color(struct text *t, enum color c)
{
	static const char *const sequences[] = {
		[COLOR_NONE] = "\x1b[m",  [COLOR_HEAD] = "\x1b[1m",     [COLOR_GONE] = "\x1b[31m",
		[COLOR_NEW] = "\x1b[32m", [COLOR_CHANGED] = "\x1b[33m", [COLOR_COMMENT] = "\x1b[2m",
	};

	if (!t->colored)
		return;
	text_str(t, sequences[c]);
	t->hidden += strlen(sequences[c]);
}
