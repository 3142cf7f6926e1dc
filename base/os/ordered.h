/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ordered.h - make in parallel, commit in order
 *
 * Work is numbered 0..@nr-1. Threads take numbers in ascending order and call make() in parallel.
 * commit() is called for 0, 1, 2, ... one at a time, so its effects depend on the input only, not on
 * the number of threads.
 *
 * make() may read shared data that no thread writes. It may write its own result, the state of its
 * worker, and the pools that are thread-safe by their header. A window bounds the results that wait for
 * their turn, and so the memory.
 *
 * The error of the lowest number is returned, so that every run reports the same one. No number behind
 * it is committed.
 */
#ifndef BTFENC_BASE_OS_ORDERED_H
#define BTFENC_BASE_OS_ORDERED_H

#include "base/diagnostics.h"
#include "base/err.h"

#include <stddef.h>

struct ordered_ops {
	/* @worker: 0..ordered_workers(jobs)-1, used by one thread at a time. *ret is passed to commit(). */
	struct err *(*make)(void *ctx, unsigned int worker, size_t i, void **ret);
	/* Takes ownership of @made. NULL, and @drop as well: make() has no result. */
	struct err *(*commit)(void *ctx, size_t i, void *made);
	/* Releases a result that will not be committed. */
	void (*drop)(void *ctx, void *made);
};

/*
 * Run with at most @jobs threads besides the calling one, which waits. The calling thread does the work alone if @jobs
 * is 0, if @nr is 1, or if no thread can be started.
 */
MUST_CHECK struct err *ordered_run(size_t nr, unsigned int jobs, const struct ordered_ops *ops,
				   void *ctx);

static inline unsigned int ordered_workers(unsigned int jobs)
{
	return jobs ? jobs : 1;
}

/* A task that may run beside others, with diagnostics of its own. */
struct task {
	struct err *(*run)(void *ctx, struct diagnostics *diags);
	void *ctx;
};

enum { MOST_TASKS = 2 };

/*
 * Run @nr tasks, at most MOST_TASKS. Appends their diagnostics to @diags in the order of the tasks, and returns the
 * error of the first task that has one. Tasks behind that one may have run, but nothing of them is in @diags.
 */
MUST_CHECK struct err *run_tasks(const struct task *tasks, size_t nr, unsigned int jobs,
				 struct diagnostics *diags);

/*
 * Bytes of stack that a thread needs at most: recursion on input is bounded. Threads of ordered_run() have at least so many,
 * whatever the limit of the process (ulimit -s) is.
 */
enum { STACK_NEEDED = 1024 * 1024 };

/* ERR_LIMIT if the stack of the calling thread, the first of the process, is limited to less. */
MUST_CHECK struct err *stack_check(void);

/* The number of processors that this process may use: at least 1. */
unsigned int processors(void);
/*
 * Of @jobs threads, those that are worth starting: at most one for each processor. More
 * compete for memory and caches (docs/benchmarks.md).
 */
unsigned int threads_worth(unsigned int jobs);

#endif
