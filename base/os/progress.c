/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.c - see progress.h
 *
 * The line is written in a critical section: a signal waits until the line is complete, and then erases
 * it.
 */
#include "base/os/progress.h"

#include "base/critical.h"
#include "base/file_io.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* Return to the first column and erase the line (ECMA-48, EL). */
static const char erase[] = "\r\033[K";

static const double first_after = 1.0, between = 0.2; /* seconds */

enum { USUAL_COLUMNS = 80, MAX_COLUMNS = 256 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void nothing_to_undo(void *arg UNUSED)
{
}

static void put(const char *text, bool stays)
{
	struct critical c;

	critical_begin(&c, nothing_to_undo, NULL);
	critical_set_first_words(stays ? erase : NULL);
	file_write_now(STDERR_FILENO, text, strlen(text));
	critical_end(&c);
}

/* A background process would overwrite the command line that the user types. */
static bool in_foreground(void)
{
	pid_t group = tcgetpgrp(STDERR_FILENO);

	return group < 0 || group == getpgrp();
}

static size_t columns(void)
{
	struct winsize w;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) != 0 || !w.ws_col)
		return USUAL_COLUMNS;
	return w.ws_col < MAX_COLUMNS ? w.ws_col : MAX_COLUMNS;
}

/* One column stays free, because some terminals wrap after the last one. */
static void show(struct progress *p, const char *text)
{
	char line[sizeof(erase) + MAX_COLUMNS];

	if (!in_foreground())
		return;
	snprintf(line, sizeof(erase) - 1 + columns(), "%sbtfenc: %s", erase, text);
	put(line, true);
	p->shown = true;
}

void progress_begin(struct progress *p, bool quiet)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment */
	const char *term = getenv("TERM");

	*p = (struct progress){ 0 };
	if (quiet || !term || !strcmp(term, "dumb") || !isatty(STDERR_FILENO))
		return;
	p->watched = true;
	p->begun = now();
	p->next = p->begun + first_after;
}

void progress_count(struct progress *p, const char *things, size_t all)
{
	if (!p || !p->watched)
		return;
	p->things = things;
	p->done = 0;
	p->all = all;
	p->counted = now();
}

void progress_recount(struct progress *p, size_t expected, size_t found)
{
	if (p && p->watched)
		p->all = p->all - expected + found;
}

static void print_time(char *ret, size_t size, uint64_t seconds)
{
	uint64_t h = seconds / 3600, m = seconds / 60 % 60, s = seconds % 60;

	if (h)
		snprintf(ret, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, h, m, s);
	else
		snprintf(ret, size, "%" PRIu64 ":%02" PRIu64, m, s);
}

void progress_text(const struct progress *p, double seconds, char *ret, size_t size)
{
	double rate = seconds > 0 ? (double)p->done / seconds : 0;
	char left[32] = "?";

	if (rate > 0)
		print_time(left, sizeof(left), (uint64_t)((double)(p->all - p->done) / rate + 0.5));
	snprintf(ret, size, "%zu of %zu %s, %.*f/s, %s left", p->done, p->all, p->things,
		 rate < 10 ? 1 : 0, rate, left);
}

void progress_step(struct progress *p)
{
	char text[MAX_COLUMNS];

	if (!p || !p->watched)
		return;
	p->done++;

	double t = now();
	if (t < p->next || p->all < 2)
		return;
	p->next = t + between;
	progress_text(p, t - p->counted, text, sizeof(text));
	show(p, text);
}

void progress_phase(struct progress *p, const char *doing)
{
	if (p && p->watched && now() >= p->begun + first_after)
		show(p, doing);
}

void progress_hide(struct progress *p)
{
	if (!p || !p->shown)
		return;
	put(erase, false);
	p->shown = false;
}

void progress_end(struct progress *p)
{
	progress_hide(p);
	if (p)
		p->watched = false;
}
