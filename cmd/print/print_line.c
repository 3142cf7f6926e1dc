/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.c - see print_line.h */
#include "cmd/print/print_line.h"

#include "base/cleanup.h"
#include "base/utf8.h"

#include <errno.h>

/* The kernel limits names to 512 bytes. */
enum { NAME_MAX_PRINTED = 512 };

/* A control character of ASCII, or one of the other 32 of ISO 6429. */
static bool is_control(const uint8_t *s)
{
	return *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);
}

static void escape(struct text *out, const char *text, size_t max)
{
	const uint8_t *start = (const uint8_t *)text, *s = start;

	while (*s && (size_t)(s - start) < max) {
		size_t len = utf8_len(s);

		if (len && !is_control(s)) {
			text_mem(out, (const char *)s, len);
			s += len;
			continue;
		}
		for (len += !len; len; len--)
			text_printf(out, "\\x%02x", *s++);
	}
	if (*s)
		text_str(out, "...");
}

void text_escape(struct text *out, const char *s)
{
	escape(out, s, SIZE_MAX);
}

void text_escape_name(struct text *out, const char *name)
{
	escape(out, name, NAME_MAX_PRINTED);
}

void put_line(struct text *out, const char *prefix, const char *text)
{
	text_str(out, prefix);
	text_escape(out, text);
	text_char(out, '\n');
}

void print_line(FILE *to, const char *prefix, const char *text)
{
	CLEANUP(text_release) struct text line = { 0 };

	put_line(&line, prefix, text);
	fwrite(line.items, 1, line.nr, to);
}

struct err *print_flush(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout) || failed)
		return err_sys(errno ? errno : EIO, "cannot write to standard output");
	return NULL;
}
