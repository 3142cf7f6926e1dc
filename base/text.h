/* SPDX-License-Identifier: GPL-2.0-only */
/* text.h - text that grows, and is written out from time to time */
#ifndef BTFENC_BASE_TEXT_H
#define BTFENC_BASE_TEXT_H

#include "base/compiler.h"
#include "base/err.h"
#include "base/vec.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Owns its bytes. Zeroed is empty, and stays in memory. */
struct text {
	char *items;
	size_t nr, cap;
	FILE *out;        /* where text_flush() writes; borrowed, NULL: nowhere */
	uint64_t written; /* bytes that went there */
	bool colored;     /* with colours: color.h */
	uint64_t hidden;  /* bytes that set them, written out or not */
};

void text_release(struct text *t);
/* Return the text as a string, which the caller frees. @t is empty then. */
MALLOC_LIKE char *text_take(struct text *t);

/* The position of the next byte in all the text, written out or not, without what sets colours. */
static inline uint64_t text_pos(const struct text *t)
{
	return t->written + t->nr - t->hidden;
}

static inline void text_mem(struct text *t, const char *s, size_t len)
{
	if (!len)
		return;
	vec_reserve(t, len);
	assert(t->items);
	memcpy(t->items + t->nr, s, len);
	t->nr += len;
}

static inline void text_str(struct text *t, const char *s)
{
	text_mem(t, s, strlen(s));
}

static inline void text_char(struct text *t, char c)
{
	vec_push(t, c);
}

/* The text as a string, until it changes. */
static inline const char *text_string(struct text *t)
{
	vec_reserve(t, 1);
	t->items[t->nr] = '\0';
	return t->items;
}

void text_spaces(struct text *t, size_t nr);
/* @nr tabs, but 16 at most: from there on pahole's indentation stays where it is. */
void text_indent(struct text *t, size_t nr);
void text_printf(struct text *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void text_vprintf(struct text *t, const char *fmt, va_list ap);
/* @v, right-justified in @width columns; as printf()'s "%#x" does if @hex. */
void text_number(struct text *t, uint64_t v, size_t width, bool hex);

/*
 * Spaces until what follows the position @start (text_pos()) has |@width| characters. A width becomes
 * negative where types are nested deep, and printf() takes "%-*s" of it so, as pahole does.
 */
void text_pad(struct text *t, uint64_t start, int width);

/*
 * Write out what there is if it has come to be much, or in any case if @all. ERR_IO if that
 * fails.
 */
MUST_CHECK struct err *text_flush(struct text *t, bool all);

#endif
