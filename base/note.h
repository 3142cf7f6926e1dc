/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * note.h - what the builder should know: warnings and the lines of -V
 *
 * Notes are collected where they arise, without printing, and printed by the command
 * in the order of the input, so that threads cannot mix them.
 */
#ifndef BTFENC_BASE_NOTE_H
#define BTFENC_BASE_NOTE_H

#include "base/arena.h"
#include "base/compiler.h"

#include <stdbool.h>

enum note_level {
	NOTE_ERROR,   /* one that did not end the run; always printed, on stderr */
	NOTE_WARNING, /* the same */
	NOTE_VERBOSE, /* with -V, on stdout */
};

struct note {
	struct note *next;
	enum note_level level;
	char text[];
};

/* In order. Zeroed is empty, and drops verbose notes until @verbose is set. */
struct notes {
	struct arena arena;
	struct note *first, *last;
	bool verbose;
};

void notes_add(struct notes *n, enum note_level level, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Move all of @from behind those of @n. @from is then empty and may be used again. */
void notes_move(struct notes *n, struct notes *from);
void notes_release(struct notes *n);

#endif
