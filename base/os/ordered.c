/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ordered.c - see ordered.h
 *
 * There is no dispatcher and no committing thread. The thread that finishes the due number commits it
 * and the finished numbers that follow, then takes work again. Meanwhile the other threads make.
 *
 *	        due                  next
 *	         v                    v
 *	... x x  .  #  #  .  #  .  .      x committed   # made, waits   . being made
 *	         |<------- window ------->|
 *
 * Numbers are handed out only inside the window, which bounds the waiting results. There is no
 * deadlock: when the window is full, the due number was handed out, and its thread commits it without
 * waiting.
 *
 * After an error no further number is handed out. All lower numbers were handed out before; they are
 * finished and committed. If one of them fails too, its error is first in order and is returned.
 */
#include "base/os/ordered.h"

#include "base/arena.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* Results per thread that may wait: enough for one unit ten times the usual size. */
enum { WINDOW_PER_JOB = 4 };

/* The result of make() for one number. */
struct slot {
	bool done;
	void *made;
	struct err *err;
};

/* @lock guards all but the constants in front. */
struct ordered {
	const struct ordered_ops *ops;
	void *ctx;
	size_t nr;
	size_t window;

	pthread_mutex_t lock;
	pthread_cond_t moved; /* @due or @stopped has changed */
	struct slot *slots;   /* [number % window], for due <= number < next */
	size_t next;          /* the next number to hand out */
	size_t due;           /* the next number to commit */
	bool committing;      /* a thread is in commit() */
	bool stopped;         /* an error has been seen: hand out no more */
	struct err *err;      /* the one that wins */
};

struct worker {
	struct ordered *o;
	unsigned int index;
	pthread_t thread;
};

static struct slot *slot_of(struct ordered *o, size_t i)
{
	return &o->slots[i % o->window];
}

/* Wait for a number to make; false if there is none. Locked. */
static bool take_number(struct ordered *o, size_t *ret)
{
	while (!o->stopped && o->next < o->nr && o->next - o->due >= o->window)
		pthread_cond_wait(&o->moved, &o->lock);
	if (o->stopped || o->next >= o->nr)
		return false;
	*ret = o->next++;
	return true;
}

/* Commit the due number and all behind it that are made. Locked, except in commit(). */
static void commit_ready(struct ordered *o)
{
	if (o->committing)
		return;
	o->committing = true;
	while (!o->err && o->due < o->next && slot_of(o, o->due)->done) {
		struct slot s = *slot_of(o, o->due);

		*slot_of(o, o->due) = (struct slot){ 0 };
		if (!s.err && o->ops->commit) {
			pthread_mutex_unlock(&o->lock);
			s.err = o->ops->commit(o->ctx, o->due, s.made);
			pthread_mutex_lock(&o->lock);
		}
		o->due++;
		o->err = s.err;
		o->stopped |= s.err != NULL;
		pthread_cond_broadcast(&o->moved);
	}
	o->committing = false;
}

static void work(struct ordered *o, unsigned int worker)
{
	size_t i;

	pthread_mutex_lock(&o->lock);
	while (take_number(o, &i)) {
		struct slot s = { .done = true };

		pthread_mutex_unlock(&o->lock);
		s.err = o->ops->make(o->ctx, worker, i, &s.made);
		pthread_mutex_lock(&o->lock);

		*slot_of(o, i) = s;
		o->stopped |= s.err != NULL;
		commit_ready(o);
	}
	/* wake threads that wait for the window, in case of an error */
	pthread_cond_broadcast(&o->moved);
	pthread_mutex_unlock(&o->lock);
}

static void *work_in_thread(void *arg)
{
	struct worker *w = arg;

	work(w->o, w->index);
	return NULL;
}

/* After the threads have ended: release the results behind an error. */
static void drop_rest(struct ordered *o)
{
	for (; o->due < o->next; o->due++) {
		struct slot *s = slot_of(o, o->due);

		assert(s->done);
		if (s->err)
			err_free(s->err);
		else if (o->ops->drop)
			o->ops->drop(o->ctx, s->made);
	}
}

static struct err *run_threads(struct ordered *o, unsigned int jobs)
{
	struct worker *workers = mem_zalloc(jobs, sizeof(*workers));
	unsigned int started = 0;
	pthread_attr_t attr;
	size_t stack = 0;

	o->slots = mem_zalloc(o->window, sizeof(*o->slots));
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->moved, NULL);
	pthread_attr_init(&attr);
	/* the default is the limit of the process, or several megabytes if that has none */
	if (!pthread_attr_getstacksize(&attr, &stack) && stack < STACK_NEEDED)
		pthread_attr_setstacksize(&attr, STACK_NEEDED);

	for (; started < jobs; started++) {
		struct worker *w = &workers[started];

		*w = (struct worker){ .o = o, .index = started };
		if (pthread_create(&w->thread, &attr, work_in_thread, w))
			break;
	}
	/* the calling thread only waits, so that "ps -L" lists @jobs threads besides it, as of pahole */
	if (!started)
		work(o, 0);
	for (unsigned int i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);

	drop_rest(o);
	pthread_attr_destroy(&attr);
	pthread_cond_destroy(&o->moved);
	pthread_mutex_destroy(&o->lock);
	free(o->slots);
	free(workers);
	return o->err;
}

static struct err *run_alone(size_t nr, const struct ordered_ops *ops, void *ctx)
{
	for (size_t i = 0; i < nr; i++) {
		void *made = NULL;

		/* cppcheck-suppress returnDanglingLifetime ; an error keeps no pointer to @made */
		TRY(ops->make(ctx, 0, i, &made));
		if (ops->commit)
			TRY(ops->commit(ctx, i, made));
	}
	return NULL;
}

struct err *ordered_run(size_t nr, unsigned int jobs, const struct ordered_ops *ops, void *ctx)
{
	if (!jobs || nr <= 1)
		return run_alone(nr, ops, ctx);
	if (jobs > nr)
		jobs = (unsigned int)nr;

	struct ordered o = {
		.ops = ops,
		.ctx = ctx,
		.nr = nr,
		.window = (size_t)jobs * WINDOW_PER_JOB,
	};
	return run_threads(&o, jobs);
}

struct task_run {
	const struct task *tasks;
	struct diagnostics diags[MOST_TASKS];
	bool failed[MOST_TASKS];
};

static struct err *make_task(void *ctx, unsigned int worker UNUSED, size_t i, void **ret UNUSED)
{
	struct task_run *r = ctx;
	struct err *err = r->tasks[i].run(r->tasks[i].ctx, &r->diags[i]);

	r->failed[i] = err;
	return err;
}

struct err *run_tasks(const struct task *tasks, size_t nr, unsigned int jobs,
		      struct diagnostics *diags)
{
	static const struct ordered_ops ops = { .make = make_task };
	struct task_run r = { .tasks = tasks };

	assert(nr <= MOST_TASKS);
	for (size_t i = 0; i < nr; i++)
		r.diags[i].verbose = diags->verbose;

	/* a thread costs more than a task of a small object */
	struct err *err = jobs > 1 ? ordered_run(nr, jobs, &ops, &r) : run_alone(nr, &ops, &r);
	for (size_t i = 0, end = nr; i < nr; i++) {
		if (i < end)
			diag_move(diags, &r.diags[i]);
		if (r.failed[i])
			end = i;
		diag_release(&r.diags[i]);
	}
	return err;
}

struct err *stack_check(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK_NEEDED)
		return NULL;
	return err_new(ERR_LIMIT,
		       "the stack is limited to %ju KiB: give it %d KiB ('ulimit -s %d')",
		       (uintmax_t)limit.rlim_cur / 1024, STACK_NEEDED / 1024, STACK_NEEDED / 1024);
}

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
		return jobs;

	unsigned int most = processors();
	return jobs < most ? jobs : most;
}
