/* SPDX-License-Identifier: GPL-2.0-only */
/* text.c - see text.h */
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>

enum {
	FLUSH_FROM = 1 << 16,
	USUAL_LINE = 128,
	DEEPEST_INDENT = 16,
	DIGITS_MAX = 20, /* of UINT64_MAX */
};

void text_release(struct text *t)
{
	free(t->items);
	*t = (struct text){ 0 };
}

char *text_take(struct text *t)
{
	char *items;

	text_char(t, '\0');
	items = t->items;
	*t = (struct text){ 0 };
	return items;
}

static void fill(struct text *t, char c, size_t nr)
{
	if (!nr)
		return;
	vec_reserve(t, nr);
	memset(t->items + t->nr, c, nr);
	t->nr += nr;
}

void text_spaces(struct text *t, size_t nr)
{
	fill(t, ' ', nr);
}

void text_indent(struct text *t, size_t nr)
{
	fill(t, '\t', nr < DEEPEST_INDENT ? nr : DEEPEST_INDENT);
}

void text_vprintf(struct text *t, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	vec_reserve(t, USUAL_LINE);
	/* clang-tidy 14 does not see the caller's va_start(): NOLINTNEXTLINE(clang-analyzer-valist*) */
	len = vsnprintf(t->items + t->nr, t->cap - t->nr, fmt, ap);
	if (len > 0 && (size_t)len >= t->cap - t->nr) {
		vec_reserve(t, (size_t)len + 1);
		vsnprintf(t->items + t->nr, (size_t)len + 1, fmt, again);
	}
	va_end(again);
	t->nr += len > 0 ? (size_t)len : 0;
}

void text_printf(struct text *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_vprintf(t, fmt, ap);
	va_end(ap);
}

void text_number(struct text *t, uint64_t v, size_t width, bool hex)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof(digits);
	bool prefix = hex && v;

	do {
		digits[--at] = "0123456789abcdef"[v % (hex ? 16 : 10)];
		v /= hex ? 16 : 10;
	} while (v);

	size_t len = sizeof(digits) - at + (prefix ? 2 : 0);
	if (len < width)
		text_spaces(t, width - len);
	if (prefix)
		text_mem(t, "0x", 2);
	text_mem(t, digits + at, sizeof(digits) - at);
}

void text_pad(struct text *t, uint64_t start, int width)
{
	uint64_t have = text_pos(t) - start, want = (uint64_t)(width < 0 ? -(int64_t)width : width);

	if (have < want)
		text_spaces(t, want - have);
}

struct err *text_flush(struct text *t, bool all)
{
	if (!t->out || (!all && t->nr < FLUSH_FROM))
		return NULL;
	errno = 0;
	if ((t->nr && fwrite(t->items, 1, t->nr, t->out) != t->nr) || (all && fflush(t->out)))
		return err_sys(errno ? errno : EIO, "cannot write");
	t->written += t->nr;
	t->nr = 0;
	return NULL;
}
