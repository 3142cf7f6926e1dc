/* SPDX-License-Identifier: GPL-2.0-only */
/* t_progress.c - what the line says; that it comes and goes is tested on a terminal, by cli/progress.sh */
#include "base/os/progress.h"

#include "tests/lib/testlib.h"

static const char *text(size_t done, size_t all, double seconds)
{
	const struct progress p = { .things = "units", .done = done, .all = all };
	static char line[100];

	progress_text(&p, seconds, line, sizeof(line));
	return line;
}

TEST(a_line_tells_rate_and_time_left)
{
	CHECK_STR(text(1000, 3000, 2), "1000 of 3000 units, 500/s, 0:04 left");
	CHECK_STR(text(3000, 3000, 2), "3000 of 3000 units, 1500/s, 0:00 left");
	CHECK_STR(text(3, 300, 2), "3 of 300 units, 1.5/s, 3:18 left");
	CHECK_STR(text(10, 1000000, 1), "10 of 1000000 units, 10/s, 27:46:39 left");
}

TEST(nothing_is_known_of_no_time)
{
	CHECK_STR(text(1, 2, 0), "1 of 2 units, 0.0/s, ? left");
	CHECK_STR(text(0, 2, 1), "0 of 2 units, 0.0/s, ? left");
}

TEST(a_line_is_cut)
{
	const struct progress p = { .things = "units", .done = 1, .all = 2 };
	char line[12];

	progress_text(&p, 1, line, sizeof(line));
	CHECK_STR(line, "1 of 2 unit");
}

TEST(nobody_waits)
{
	struct progress p = { 0 };

	progress_count(NULL, "units", 3);
	progress_step(NULL);
	progress_phase(NULL, "writing");
	progress_end(NULL);
	progress_count(&p, "units", 3);
	progress_step(&p);
	CHECK_EQ(p.done, 0);
	progress_begin(&p, true);
	CHECK(!p.watched);
	progress_end(&p);
}
