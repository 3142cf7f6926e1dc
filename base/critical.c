/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * critical.c - see critical.h
 *
 * @state counts the threads in sections. The flag DYING, which is set only while the count is 0, keeps
 * threads from entering. If the count is not 0, the handler stores the signal in @pending, and the
 * thread that leaves the last section handles it.
 *
 * Signals are not blocked, because the kernel would deliver them to another thread.
 */
#include "base/critical.h"

#include "base/file_io.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DYING = 1 << 30 };

static atomic_int state;   /* threads inside | DYING */
static atomic_int pending; /* a signal that waits, or 0 */
static atomic_bool ready;  /* which signals are ignored is known */
static atomic_int status = EXIT_FAILURE;
static _Atomic(const char *) first_words;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The innermost section of this thread. initial-exec: a handler can read it without a call. */
static _Thread_local struct critical *current __attribute__((tls_model("initial-exec")));

NORETURN static void wait_for_the_end(void)
{
	for (;;)
		pause();
}

static void say_first_words(void)
{
	const char *text = atomic_load(&first_words);

	if (text)
		file_write_now(STDERR_FILENO, text, strlen(text));
}

static void die_of(int sig)
{
	sigset_t set;

	say_first_words();
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	raise(sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static bool nobody_inside(void)
{
	int none = 0;

	return atomic_compare_exchange_strong(&state, &none, DYING);
}

static void on_signal(int sig)
{
	int saved = errno;

	atomic_store(&pending, sig);
	if (atomic_load(&ready) && nobody_inside())
		die_of(sig);
	errno = saved;
}

void critical_signals(sigset_t *ret)
{
	static const int named[] = {
		SIGHUP,    SIGINT,  SIGQUIT,   SIGTERM, SIGALRM, SIGUSR1, SIGUSR2,
		SIGXCPU,   SIGPIPE, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,
#ifdef SIGSTKFLT /* not on every machine */
		SIGSTKFLT,
#endif
	};

	sigemptyset(ret);
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		sigaddset(ret, named[i]);
	for (int sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		sigaddset(ret, sig);
}

static void catch_signals(void)
{
	struct sigaction catch = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, old;
	sigset_t ours;

	critical_signals(&ours);
	sigfillset(&catch.sa_mask);
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		int none = sig;

		if (!sigismember(&ours, sig))
			continue;
		if (sigaction(sig, &catch, &old) != 0 || old.sa_handler == SIG_DFL)
			continue;
		/* ignored by nohup(1), or handled by other code */
		sigaction(sig, &old, NULL);
		atomic_compare_exchange_strong(&pending, &none, 0);
	}
	atomic_store(&ready, true);
}

void critical_begin(struct critical *c, void (*undo)(void *arg), void *arg)
{
	*c = (struct critical){ .outer = current, .undo = undo, .arg = arg };
	pthread_once(&once, catch_signals);

	int inside = atomic_load(&state);
	while (!current) {
		if (inside & DYING)
			wait_for_the_end();
		if (atomic_compare_exchange_weak(&state, &inside, inside + 1))
			break;
	}
	current = c;
}

void critical_end(struct critical *c)
{
	struct critical **at = &current;

	while (*at != c)
		at = &(*at)->outer;
	*at = c->outer;
	if (current || atomic_fetch_sub(&state, 1) != 1)
		return;

	int sig = atomic_load(&pending);
	if (sig && nobody_inside()) {
		die_of(sig);
		wait_for_the_end();
	}
}

void critical_set_first_words(const char *text)
{
	pthread_once(&once, catch_signals);
	atomic_store(&first_words, text);
}

void critical_set_status(int to)
{
	atomic_store(&status, to);
}

void critical_die(const char *text, size_t len)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int self = current ? 1 : 0;

	for (; current; current = current->outer)
		current->undo(current->arg);
	if (atomic_fetch_or(&state, DYING) & DYING) {
		/* another thread is dying and waits for this one */
		atomic_fetch_sub(&state, self);
		wait_for_the_end();
	}
	while ((atomic_load(&state) & ~DYING) > self)
		nanosleep(&moment, NULL);
	say_first_words();
	(void)!write(STDERR_FILENO, text, len);
	_exit(atomic_load(&status));
}
