/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.h - how far a long run has come, for whoever waits at a terminal
 *
 *	btfenc: 1204 of 3051 units, 3390/s, 0:01 left
 *
 * One line on standard error, from the second second on; none if that is no terminal, or none that
 * can take back what it shows (TERM). It is taken back before anything else is said: call
 * progress_hide() or progress_end() before printing. Who dies, of a signal too, takes it back as well
 * (critical.h).
 *
 * There is no thread and no timer behind it. Each step looks at the clock, a few nanoseconds beside
 * a unit's many thousands, and at most five times a second something is written. So a line that
 * stands still is a run that makes no steps.
 *
 * All functions take NULL, and one that is zeroed: nobody waits. One thread at a time, as commit() of
 * base/os/ordered.h has it.
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

/* The run begins. Nobody waits for it if @quiet. */
void progress_begin(struct progress *p, bool quiet);
/* From here on @all of @things, a literal, will be done. Of a single one there is nothing to tell. */
void progress_count(struct progress *p, const char *things, size_t all);
/* One more of them is done. */
void progress_step(struct progress *p);
/* Now the run is @doing, a literal, what has no parts to count. */
void progress_phase(struct progress *p, const char *doing);
/* Take the line back, for something is to be printed. The next step may show it again. */
void progress_hide(struct progress *p);
/* Take it back for good. */
void progress_end(struct progress *p);

/* The line without "btfenc: " for what is counted, @seconds after it began. For tests, too. */
void progress_text(const struct progress *p, double seconds, char *ret, size_t size);

#endif
