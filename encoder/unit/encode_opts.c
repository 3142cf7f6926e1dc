/* SPDX-License-Identifier: GPL-2.0-only */
/* encode_opts.c - see encode_opts.h */
#include "encoder/unit/encode_opts.h"

#include "base/os/ordered.h"

/* With fewer bytes a thread costs more time than it saves. */
enum { BYTES_PER_WORKER = 2 * 1024 * 1024 };

unsigned int encode_jobs(const struct encode_opts *o, size_t bytes)
{
	size_t useful = bytes / BYTES_PER_WORKER + 1;

	if (o->small_jobs)
		return o->jobs;
	if (useful == 1)
		return 0;

	unsigned int worth = threads_worth(o->jobs);
	return useful < worth ? (unsigned int)useful : worth;
}
