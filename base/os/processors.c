/* SPDX-License-Identifier: GPL-2.0-only */
/* processors.c - see processors.h */
#include "base/os/processors.h"

#include <sched.h>
#include <unistd.h>

enum { THREADS_PER_PROCESSOR = 2 };

unsigned int processors(void)
{
	cpu_set_t set;

	if (!sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 0)
		return (unsigned int)CPU_COUNT(&set);

	long online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (unsigned int)online : 1;
}

unsigned int threads_worth(unsigned int jobs)
{
	if (jobs <= 1)
		return 1;

	unsigned int most = processors() * THREADS_PER_PROCESSOR;
	return jobs < most ? jobs : most;
}
