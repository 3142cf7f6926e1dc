/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.c - see print_line.h */
#include "cmd/print/print_line.h"

#include "base/cleanup.h"

#include <errno.h>

void put_line(struct text *out, const char *prefix, const char *text)
{
	text_str(out, prefix);
	text_escape(out, text);
	text_char(out, '\n');
}

void put_colored_line(struct text *out, enum color c, const char *prefix, const char *text)
{
	text_color(out, c);
	text_str(out, prefix);
	text_escape(out, text);
	text_color(out, COLOR_NONE);
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
