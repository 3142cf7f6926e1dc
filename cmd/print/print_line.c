/* SPDX-License-Identifier: GPL-2.0-only */
/* print_line.c - see print_line.h */
#include "cmd/print/print_line.h"

#include "cmd/print/name_print.h"

#include <errno.h>
#include <stdbool.h>

void print_line(FILE *to, const char *prefix, const char *text)
{
	fputs(prefix, to);
	text_print(to, text);
	putc('\n', to);
}

struct err *print_flush(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout) || failed)
		return err_sys(errno ? errno : EIO, "cannot write to standard output");
	return NULL;
}
