/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * critical.h - sections that are completed or undone before the process dies
 *
 *	struct critical c;
 *
 *	critical_begin(&c, undo, what);
 *	... a file is neither old nor new, or has a name that must not stay ...
 *	critical_end(&c);
 *
 * A signal that would end the process (SIGINT, SIGTERM and so on) waits until no thread is in a section.
 * critical_die(), for example after a failed allocation or a bus error, waits in the same way, but first
 * undoes the sections of its own thread. SIGKILL and the signals of a crash do not wait, so the steps in
 * a section must be in a safe order.
 */
#ifndef BTFENC_BASE_CRITICAL_H
#define BTFENC_BASE_CRITICAL_H

#include "base/compiler.h"

#include <signal.h>
#include <stddef.h>

/* Belongs to the thread that begins it. Sections may be nested. */
struct critical {
	struct critical *outer;
	void (*undo)(void *arg);
	void *arg;
};

/*
 * The signals that wait: all that end a process without a core dump, including real-time signals, and
 * SIGQUIT and SIGXCPU. Not SIGXFSZ, which the failing call reports as an error.
 */
void critical_signals(sigset_t *ret);

/* @undo must be async-signal-safe (signal-safety(7)). Keeps the pointer @c. */
void critical_begin(struct critical *c, void (*undo)(void *arg), void *arg);
/* Does not return if a signal is pending and this was the last section. */
void critical_end(struct critical *c);

/*
 * Undo the sections of this thread, wait for those of other threads, print the line @text and exit with
 * status 1 or that of critical_set_status(). Async-signal-safe.
 */
NORETURN void critical_die(const char *text, size_t len);
/*
 * Set the text, a literal, that is written to standard error before the process dies, also by a signal.
 * NULL: none.
 */
void critical_set_first_words(const char *text);
/* Set the exit status of critical_die(). */
void critical_set_status(int status);

#endif
