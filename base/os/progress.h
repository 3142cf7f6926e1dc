/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - show the progress of a long run on a terminal
 *
 *	btfenc: 1204 of 3051 units, 3390/s, 0:01 left
 *
 * One line on standard error, after the first second. No line if that is not a terminal, or one that
 * cannot erase a line (TERM). Call progress_hide() or progress_end() before printing anything else. If
 * the process dies, also by a signal, the line is erased (critical.h).
 *
 * There is no thread and no timer. Each step reads the clock, and the line is written at most five times
 * a second. If the line stands still, the run makes no steps.
 *
 * NULL or a zeroed struct shows nothing. For one thread at a time, as in commit() of base/os/ordered.h.
 */
#ifndef BTFENC_BASE_OS_PROGRESS_H
#define BTFENC_BASE_OS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool watched; /* there is a terminal */
	bool shown;   /* and the line is on it */
	/* seconds of a clock that never goes back */
	double begun;
	double next; /* nothing is written before */
	/* what is counted: @done of @all @things ("units") since @counted */
	const char *things;
	size_t done, all;
	double counted;
};

/* Begin a run. @quiet: show nothing. */
void progress_begin(struct progress *p, bool quiet);
/* Begin to count @all @things, a literal such as "units". A single one is not shown. */
void progress_count(struct progress *p, const char *things, size_t all);
/* Where @expected things were counted, there are @found. */
void progress_recount(struct progress *p, size_t expected, size_t found);
/* One more is done. */
void progress_step(struct progress *p);
/* Show @doing, a literal, for a step without parts to count. */
void progress_phase(struct progress *p, const char *doing);
/* Erase the line before other output. The next step may show it again. */
void progress_hide(struct progress *p);
/* Erase the line and end the run. */
void progress_end(struct progress *p);

/* The line without "btfenc: ", @seconds after counting began. Also for tests. */
void progress_text(const struct progress *p, double seconds, char *ret, size_t size);

#endif
