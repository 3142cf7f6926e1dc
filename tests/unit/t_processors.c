/* SPDX-License-Identifier: GPL-2.0-only */
/* t_processors.c - threads that are asked for, and those that are worth starting */
#include "base/os/ordered.h"
#include "encoder/unit/encode_opts.h"

#include "tests/lib/testlib.h"

#include <sched.h>

TEST(none_or_one)
{
	CHECK_EQ(threads_worth(0), 0);
	CHECK_EQ(threads_worth(1), 1);
}

TEST(no_more_than_asked)
{
	CHECK(threads_worth(2) <= 2);
	CHECK(threads_worth(3) <= 3);
}

TEST(one_for_each_processor_that_may_be_used)
{
	cpu_set_t all, one;

	CHECK(!sched_getaffinity(0, sizeof(all), &all));
	CHECK_EQ(processors(), (unsigned int)CPU_COUNT(&all));
	CHECK_EQ(threads_worth(1000000), processors());

	CPU_ZERO(&one);
	for (int cpu = 0; !CPU_COUNT(&one); cpu++) {
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	}
	CHECK(!sched_setaffinity(0, sizeof(one), &one));
	CHECK_EQ(processors(), 1);
	CHECK_EQ(threads_worth(16), 1);
	CHECK(!sched_setaffinity(0, sizeof(all), &all));
}

/* A thread costs a module of two units a twentieth of its time, and has a heap without huge pages. */
TEST(a_small_input_is_read_by_the_calling_thread)
{
	struct encode_opts opts = { .jobs = 1 };

	CHECK_EQ(encode_jobs(&opts, 2 * 1024 * 1024 - 1), 0);
	CHECK_EQ(encode_jobs(&opts, SIZE_MAX / 2), 1);
	opts.jobs = 16;
	CHECK_EQ(encode_jobs(&opts, 2 * 1024 * 1024 - 1), 0);
	CHECK_EQ(encode_jobs(&opts, SIZE_MAX / 2), threads_worth(16));
	opts.jobs = 0;
	CHECK_EQ(encode_jobs(&opts, SIZE_MAX / 2), 0);
}
