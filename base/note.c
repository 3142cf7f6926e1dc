/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * note.c - see note.h
 *
 * A note sits in an arena of its own list. Moving a list must not keep its arena
 * alive (a fragment's is reset for the next fragment), so the texts are copied: notes
 * are few, except with -V, where nobody waits for speed.
 */
#include "base/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(struct notes *n, enum note_level level, const char *text, size_t len)
{
	struct note *note = arena_alloc(&n->arena, sizeof(*note) + len + 1);

	note->next = NULL;
	note->level = level;
	memcpy(note->text, text, len);
	note->text[len] = '\0';
	if (n->last)
		n->last->next = note;
	else
		n->first = note;
	n->last = note;
}

void notes_add(struct notes *n, enum note_level level, const char *fmt, ...)
{
	char small[256];
	va_list ap;

	if (level == NOTE_VERBOSE && !n->verbose)
		return;

	va_start(ap, fmt);
	/* clang-tidy 14 does not see the va_start() above: NOLINTNEXTLINE(clang-analyzer-valist*) */
	int len = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (len < 0)
		mem_die();
	if ((size_t)len < sizeof(small)) {
		append(n, level, small, (size_t)len);
		return;
	}

	char *text = mem_alloc((size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(text, (size_t)len + 1, fmt, ap);
	va_end(ap);
	append(n, level, text, (size_t)len);
	free(text);
}

static void forget(struct notes *n)
{
	n->first = NULL;
	n->last = NULL;
}

void notes_move(struct notes *n, struct notes *from)
{
	for (const struct note *note = from->first; note; note = note->next)
		append(n, note->level, note->text, strlen(note->text));
	arena_reset(&from->arena);
	forget(from);
}

void notes_release(struct notes *n)
{
	arena_release(&n->arena);
	forget(n);
}
