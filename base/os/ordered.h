/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ordered.h - make in parallel, commit in order
 *
 * Work is numbered 0..@nr-1. Workers take numbers in ascending order and call
 * make() side by side; commit() is called for 0, 1, 2, ... one at a time, by
 * whichever thread finishes the number that is due. What commit() does therefore
 * depends on the input alone and never on the number of threads.
 *
 * make() may read anything that no one writes, and write its own result, the
 * state of its worker and the pools that say in their header that they take many
 * threads. A window bounds the results that wait for their turn, hence memory.
 *
 * The error of the lowest number wins, so that every run reports the same one; no
 * number behind it is committed.
 */
#ifndef BTFENC_BASE_OS_ORDERED_H
#define BTFENC_BASE_OS_ORDERED_H

#include "base/err.h"

#include <stddef.h>

struct ordered_ops {
	/* @worker: 0..jobs-1, never used by two threads at once. *ret goes to commit(). */
	struct err *(*make)(void *ctx, unsigned int worker, size_t i, void **ret);
	/* Takes over @made. NULL, as @drop is then: make() hands nothing on. */
	struct err *(*commit)(void *ctx, size_t i, void *made);
	/* Releases a result that will not be committed. */
	void (*drop)(void *ctx, void *made);
};

/*
 * Run with @jobs threads at most (the calling thread is one of them; 0 and 1 mean
 * it alone). Threads that cannot be started are done without.
 */
MUST_CHECK struct err *ordered_run(size_t nr, unsigned int jobs, const struct ordered_ops *ops,
				   void *ctx);

/* The number of processors that this process may use: at least 1. */
unsigned int processors(void);
/*
 * Of @jobs threads, those that are worth starting: at least 1, and at most two for each processor, so
 * that one can wait for the file while another computes. More compete for memory and caches.
 */
unsigned int threads_worth(unsigned int jobs);

#endif
