/* SPDX-License-Identifier: GPL-2.0-only */
/* color.h - colours of text for people, if the user wants them (--color) */
#ifndef BTFENC_BASE_COLOR_H
#define BTFENC_BASE_COLOR_H

#include "base/text.h"

enum color {
	COLOR_NONE,
	COLOR_HEAD,    /* the name that the following lines are about */
	COLOR_GONE,    /* missing, removed */
	COLOR_NEW,     /* there, added */
	COLOR_CHANGED, /* changed, or worth a look */
	COLOR_COMMENT,
};

/*
 * Give all text that is appended to @t from now on the colour @c, or none. Does nothing unless @t->colored is set.
 * Positions in the text (text_pos()) do not count the bytes of colours, so that columns stay where they are.
 */
void text_color(struct text *t, enum color c);

#endif
