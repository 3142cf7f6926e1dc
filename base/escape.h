/* SPDX-License-Identifier: GPL-2.0-only */
/* escape.h - names and other bytes of a file as text, harmless to a terminal or a compiler */
#ifndef BTFENC_BASE_ESCAPE_H
#define BTFENC_BASE_ESCAPE_H

#include "base/text.h"

/*
 * Append @s to @out. Control characters (utf8_is_control()) and bytes that are not UTF-8 become \xNN.
 */
void text_escape(struct text *out, const char *s);
/* The same for one name, which is cut after about 512 bytes. */
void text_escape_name(struct text *out, const char *name);
/* Does text_escape() leave @s as it is? */
bool escape_keeps(const char *s);

/* Kinds of names in C. */
enum c_name_kind {
	C_IDENTIFIER, /* no keyword */
	C_BASE_TYPE,  /* words with blanks between, keywords included: "long unsigned int" */
};

/* Does C, with the extensions of gcc, accept @s as a name of @kind? Letters may be those of any language. */
bool c_name_fits(const char *s, enum c_name_kind kind);
/*
 * Append @s as an identifier. A byte that cannot be in one becomes _xNN, and so does the first one of a keyword, so that
 * different names stay different.
 */
void text_c_name(struct text *out, const char *s);

#endif
