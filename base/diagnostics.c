/* SPDX-License-Identifier: GPL-2.0-only */
/* diagnostics.c - see diagnostics.h */
#include "base/diagnostics.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Append a diagnostic with room for a text of @len bytes, which it returns. */
static char *append(struct diagnostics *d, enum diag_level level, size_t len)
{
	struct diagnostic *one = mem_alloc(sizeof(*one) + len + 1);

	one->next = NULL;
	one->level = level;
	if (d->last)
		d->last->next = one;
	else
		d->first = one;
	d->last = one;
	return one->text;
}

void diag_add(struct diagnostics *d, enum diag_level level, const char *fmt, ...)
{
	va_list ap;

	if (level >= DIAG_VERBOSE && !d->verbose)
		return;

	va_start(ap, fmt);
	/* clang-tidy 14 does not see the va_start() above: NOLINTNEXTLINE(clang-analyzer-valist*) */
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len < 0)
		mem_die();
	va_start(ap, fmt);
	vsnprintf(append(d, level, (size_t)len), (size_t)len + 1, fmt, ap);
	va_end(ap);
}

void diag_keep_last(struct diagnostics *d, struct err **last, struct err *e)
{
	if (!e)
		return;
	if (*last)
		diag_add(d, DIAG_ERROR, "%s", err_text(*last));
	err_free(*last);
	*last = e;
}

void diag_move(struct diagnostics *d, struct diagnostics *from)
{
	if (!from->first)
		return;
	if (d->last)
		d->last->next = from->first;
	else
		d->first = from->first;
	d->last = from->last;
	from->first = from->last = NULL;
}

void diag_release(struct diagnostics *d)
{
	for (struct diagnostic *one = d->first, *next; one; one = next) {
		next = one->next;
		free(one);
	}
	d->first = d->last = NULL;
}
