/* SPDX-License-Identifier: GPL-2.0-only */
/* t_ordered.c - make in parallel, commit in order */
#include "base/os/ordered.h"

#include "base/arena.h"
#include "base/text.h"
#include "tests/lib/testlib.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { NONE = -1, MANY = 2000 };

/* One run, and what was seen of it. */
struct run {
	size_t nr;
	unsigned int jobs;
	long fail_make_at, fail_commit_at; /* NONE or a number */
	long fail_make_too;                /* another one */
	long slow_at;                      /* make() of it waits for all the window to fill */

	atomic_size_t made, dropped, committed;
	atomic_int in_commit;
	atomic_size_t worker_busy[64];
	size_t max_ahead; /* written under the order of commits only */
	atomic_uint max_worker;
	bool out_of_order, two_commits, two_workers, wrong_result;
};

static struct run run_init(size_t nr, unsigned int jobs)
{
	return (struct run){ .nr = nr,
			     .jobs = jobs,
			     .fail_make_at = NONE,
			     .fail_commit_at = NONE,
			     .fail_make_too = NONE,
			     .slow_at = NONE };
}

/* As uneven as real units are. */
static void spin(size_t i)
{
	for (volatile size_t k = 0; k < (i * 7919) % 997; k++)
		;
}

static struct err *make(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct run *r = ctx;

	if (worker >= ordered_workers(r->jobs) || atomic_fetch_add(&r->worker_busy[worker], 1))
		r->two_workers = true;
	if (worker > r->max_worker)
		r->max_worker = worker;
	spin(i);
	while ((long)i == r->slow_at && atomic_load(&r->made) < i + r->jobs * 4 - 1)
		sched_yield();
	atomic_fetch_sub(&r->worker_busy[worker], 1);
	if ((long)i == r->fail_make_at || (long)i == r->fail_make_too)
		return err_new(ERR_FORMAT, "number %zu", i);

	size_t *made = mem_alloc(sizeof(*made));
	*made = i;
	*ret = made;
	atomic_fetch_add(&r->made, 1);
	return NULL;
}

static struct err *commit(void *ctx, size_t i, void *made)
{
	struct run *r = ctx;

	if (atomic_fetch_add(&r->in_commit, 1))
		r->two_commits = true;
	if (i != r->committed)
		r->out_of_order = true;
	if (*(size_t *)made != i)
		r->wrong_result = true;
	size_t ahead = atomic_load(&r->made) - i;
	if (ahead > r->max_ahead)
		r->max_ahead = ahead;
	free(made);
	atomic_fetch_sub(&r->in_commit, 1);
	if ((long)i == r->fail_commit_at)
		return err_new(ERR_LIMIT, "commit %zu", i);
	r->committed++;
	return NULL;
}

static void drop(void *ctx, void *made)
{
	struct run *r = ctx;

	atomic_fetch_add(&r->dropped, 1);
	free(made);
}

static const struct ordered_ops ops = { make, commit, drop };

static void check_rules(const struct run *r)
{
	CHECK(!r->out_of_order);
	CHECK(!r->two_commits);
	CHECK(!r->two_workers);
	CHECK(!r->wrong_result);
}

static const unsigned int job_counts[] = { 0, 1, 2, 3, 8, 33 };

TEST(all_numbers_are_committed_in_order_with_any_number_of_threads)
{
	for (size_t k = 0; k < ARRAY_SIZE(job_counts); k++) {
		struct run r = run_init(MANY, job_counts[k]);

		CHECK_OK(ordered_run(r.nr, job_counts[k], &ops, &r));
		check_rules(&r);
		CHECK_EQ(r.committed, MANY);
		CHECK_EQ(r.dropped, 0);
	}
}

TEST(no_work_is_fine)
{
	struct run r = run_init(0, 4);

	CHECK_OK(ordered_run(0, 4, &ops, &r));
	CHECK_EQ(r.made, 0);
}

static struct err *count(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct run *r = ctx;

	(void)worker, (void)ret;
	atomic_fetch_add(&r->made, 1);
	return (long)i == r->fail_make_at ? err_new(ERR_FORMAT, "number %zu", i) : NULL;
}

TEST(what_hands_nothing_on_needs_no_commit)
{
	static const struct ordered_ops alone = { .make = count };

	for (size_t k = 0; k < ARRAY_SIZE(job_counts); k++) {
		struct run r = run_init(MANY, job_counts[k]);

		CHECK_OK(ordered_run(r.nr, job_counts[k], &alone, &r));
		CHECK_EQ(r.made, MANY);
		r.fail_make_at = 7;
		CHECK_ERR_TEXT(ordered_run(r.nr, job_counts[k], &alone, &r), ERR_FORMAT,
			       "number 7");
	}
}

TEST(more_threads_than_numbers_is_fine)
{
	struct run r = run_init(3, 3);

	CHECK_OK(ordered_run(3, 60, &ops, &r));
	check_rules(&r);
	CHECK_EQ(r.committed, 3);
}

TEST(results_that_wait_are_bounded_by_the_window)
{
	struct run r = run_init(MANY, 4);

	/* returns only when the window is used up, and hangs if it is smaller */
	r.slow_at = 100;
	CHECK_OK(ordered_run(r.nr, r.jobs, &ops, &r));
	CHECK_EQ(r.committed, MANY);
	CHECK(r.max_ahead <= 16);
	CHECK(r.max_ahead >= 12);
}

TEST(the_error_of_the_lowest_number_wins_whatever_the_threads_do)
{
	for (int round = 0; round < 20; round++) {
		for (size_t k = 0; k < ARRAY_SIZE(job_counts); k++) {
			struct run r = run_init(MANY, job_counts[k]);

			r.fail_make_at = 503;
			r.fail_make_too = 501;
			CHECK_ERR_TEXT(ordered_run(r.nr, job_counts[k], &ops, &r), ERR_FORMAT,
				       "number 501");
			check_rules(&r);
			CHECK_EQ(r.committed, 501);
			CHECK_EQ(r.made, r.committed + r.dropped);
		}
	}
}

TEST(nothing_is_committed_behind_a_failed_commit)
{
	for (size_t k = 0; k < ARRAY_SIZE(job_counts); k++) {
		struct run r = run_init(MANY, job_counts[k]);

		r.fail_commit_at = 700;
		r.fail_make_at = 702;
		CHECK_ERR_TEXT(ordered_run(r.nr, job_counts[k], &ops, &r), ERR_LIMIT, "commit 700");
		check_rules(&r);
		CHECK_EQ(r.committed, 700);
		/* the failed one was taken over by commit() */
		CHECK_EQ(r.made, r.committed + 1 + r.dropped);
	}
}

TEST(an_error_of_the_first_number_leaves_no_result_behind)
{
	struct run r = run_init(MANY, 8);

	r.fail_make_at = 0;
	CHECK_ERR(ordered_run(r.nr, r.jobs, &ops, &r), ERR_FORMAT);
	CHECK_EQ(r.committed, 0);
	CHECK_EQ(r.made, r.dropped);
}

struct meeting {
	pthread_barrier_t all;
	pthread_t caller;
	bool caller_works;
};

static const struct {
	const char *name;
	unsigned int jobs;
} meetings[] = { { "one", 1 }, { "two", 2 }, { "seven", 7 } };

/* Waits until as many threads as were asked for are here. */
static struct err *meet(void *ctx, unsigned int worker UNUSED, size_t i UNUSED, void **ret)
{
	struct meeting *m = ctx;

	*ret = NULL;
	if (pthread_equal(pthread_self(), m->caller))
		m->caller_works = true;
	pthread_barrier_wait(&m->all);
	return NULL;
}

/* ps lists the threads of a process: "-jN" of pahole shows N besides the first one. */
TEST_EACH(as_many_threads_work_as_are_asked_for_and_the_calling_one_waits, meetings, row)
{
	static const struct ordered_ops meeting_ops = { .make = meet };
	struct meeting m = { .caller = pthread_self() };

	CHECK_EQ(pthread_barrier_init(&m.all, NULL, row->jobs), 0);
	CHECK_OK(ordered_run(row->jobs * (size_t)10, row->jobs, &meeting_ops, &m));
	CHECK_EQ(pthread_barrier_destroy(&m.all), 0);
	CHECK(!m.caller_works);
}

static const struct {
	const char *name;
	size_t nr;
	unsigned int jobs;
} alone[] = { { "no jobs", 10, 0 }, { "one number", 1, 8 } };

TEST_EACH(the_calling_thread_works_alone, alone, row)
{
	static const struct ordered_ops meeting_ops = { .make = meet };
	struct meeting m = { .caller = pthread_self() };

	CHECK_EQ(pthread_barrier_init(&m.all, NULL, 1), 0);
	CHECK_OK(ordered_run(row->nr, row->jobs, &meeting_ops, &m));
	CHECK_EQ(pthread_barrier_destroy(&m.all), 0);
	CHECK(m.caller_works);
}

TEST(threads_that_cannot_be_started_are_done_without)
{
	pthread_attr_t usual, huge;

	/* no machine has room for such a stack */
	CHECK_EQ(pthread_getattr_default_np(&usual), 0);
	CHECK_EQ(pthread_getattr_default_np(&huge), 0);
	CHECK_EQ(pthread_attr_setstacksize(&huge, (size_t)1 << 60), 0);
	if (pthread_setattr_default_np(&huge))
		SKIP("the usual size of a stack cannot be changed");

	struct run r = run_init(MANY, 8);
	struct err *e = ordered_run(r.nr, r.jobs, &ops, &r);

	CHECK_EQ(pthread_setattr_default_np(&usual), 0);
	CHECK_OK(e);
	check_rules(&r);
	CHECK_EQ(r.committed, MANY);
#ifndef __SANITIZE_THREAD__ /* it chooses the size of stacks itself */
	CHECK_EQ(r.max_worker, 0);
#endif
}

/* A task that adds its name to the diagnostics, and may fail. */
struct speaker {
	const char *name;
	bool fails, ran;
};

static struct err *speak(void *ctx, struct diagnostics *diags)
{
	struct speaker *s = ctx;

	s->ran = true;
	diag_add(diags, DIAG_WARNING, "%s", s->name);
	diag_add(diags, DIAG_VERBOSE, "%s with -V", s->name);
	return s->fails ? err_new(ERR_FORMAT, "%s fails", s->name) : NULL;
}

static void run_speakers(struct speaker *a, struct speaker *b, unsigned int jobs, bool verbose,
			 const char *err, const char *said)
{
	const struct task tasks[] = { { speak, a }, { speak, b } };
	CLEANUP(diag_release) struct diagnostics diags = { .verbose = verbose };
	CLEANUP(text_release) struct text all = { 0 };

	struct err *e = run_tasks(tasks, ARRAY_SIZE(tasks), jobs, &diags);
	CHECK_STR(e ? err_text(e) : "", err);
	err_free(e);
	for (const struct diagnostic *d = diags.first; d; d = d->next)
		text_printf(&all, "%s;", d->text);
	CHECK_STR(text_string(&all), said);
}

TEST(diagnostics_of_tasks_come_in_their_order)
{
	struct speaker a = { .name = "a" }, b = { .name = "b" };

	for (unsigned int jobs = 1; jobs <= 3; jobs++) {
		run_speakers(&a, &b, jobs, false, "", "a;b;");
		run_speakers(&a, &b, jobs, true, "", "a;a with -V;b;b with -V;");
	}
}

TEST(the_error_of_the_first_task_is_returned)
{
	for (unsigned int jobs = 1; jobs <= 2; jobs++) {
		struct speaker a = { .name = "a", .fails = true };
		struct speaker b = { .name = "b", .fails = true };

		run_speakers(&a, &b, jobs, false, "a fails", "a;");
		CHECK(jobs > 1 || !b.ran);
		a.fails = false;
		run_speakers(&a, &b, jobs, false, "b fails", "a;b;");
	}
}
