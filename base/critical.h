/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * critical.h - what has been begun is finished or undone before the process dies
 *
 *	struct critical c;
 *
 *	critical_begin(&c, undo, what);
 *	... a file is neither old nor new, or has a name that must not stay ...
 *	critical_end(&c);
 *
 * A signal that would kill us (SIGINT, SIGTERM and the like) waits until no thread is between the
 * two, then it does. So does the end of a thread that cannot go on, for want of memory or of a
 * file that it has mapped; that thread's own sections are undone. Only SIGKILL, and the
 * signals of a crash, do not wait: for these the steps themselves must be in the right order.
 */
#ifndef BTFENC_BASE_CRITICAL_H
#define BTFENC_BASE_CRITICAL_H

#include "base/compiler.h"

#include <signal.h>
#include <stddef.h>

/* Belongs to the thread that begins it. Several may be nested. */
struct critical {
	struct critical *outer;
	void (*undo)(void *arg);
	void *arg;
};

/*
 * The signals that wait: all that end a process without a core, those of real time among them, and SIGQUIT
 * and SIGXCPU. Not SIGXFSZ, which is an error of the call that met it.
 */
void critical_signals(sigset_t *ret);

/* @undo may do what a handler of signals may (signal-safety(7)). Keeps the pointer. */
void critical_begin(struct critical *c, void (*undo)(void *arg), void *arg);
/* Does not return if a signal has come meanwhile and this was the last section. */
void critical_end(struct critical *c);

/*
 * Undo what this thread has begun, let the others finish what they have, print the line @text and
 * leave with status 1, or another one. May be called in a handler of signals.
 */
NORETURN void critical_die(const char *text, size_t len);
/*
 * The first that is written to standard error by whoever dies, of a signal too; NULL: nothing. @text is a
 * literal.
 */
void critical_set_first_words(const char *text);
/* To die is to leave with @status from now on. */
void critical_set_status(int status);

#endif
