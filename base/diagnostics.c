/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diagnostics.c - see diagnostics.h
 *
 * Each list has an arena. diag_move() copies the texts, because the list that they come from
 * belongs to a unit, and its arena is reset for the next unit.
 */
#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Append a diagnostic with room for a text of @len bytes, which it returns. */
static char *append(struct diagnostics *d, enum diag_level level, size_t len)
{
	struct diagnostic *one = arena_alloc(&d->arena, sizeof(*one) + len + 1);

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
	for (const struct diagnostic *one = from->first; one; one = one->next) {
		size_t len = strlen(one->text);

		memcpy(append(d, one->level, len), one->text, len + 1);
	}
	arena_reset(&from->arena);
	from->first = from->last = NULL;
}

void diag_release(struct diagnostics *d)
{
	arena_release(&d->arena);
	d->first = d->last = NULL;
}
