/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.c - see child.h
 *
 * Signals, SIGCHLD among them, are blocked and received by sigwaitinfo(). So there is no handler, and no
 * signal can be missed between a check and a wait.
 */
#include "cmd/launch/child.h"

#include "base/critical.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127, EXIT_SIGNALED = 128 };

/* The signals that end a process, except those that are ignored (nohup). */
static void ending_signals(sigset_t *set)
{
	struct sigaction now;

	critical_signals(set);
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (sigismember(set, sig) && sigaction(sig, NULL, &now) == 0 &&
		    now.sa_handler == SIG_IGN)
			sigdelset(set, sig);
	}
}

/* Returns an error number. @mask: the signals that it has blocked. */
static int start(char *const *argv, const sigset_t *mask, pid_t *ret)
{
	posix_spawnattr_t attr;
	sigset_t ours;

	/* exec keeps ignored signals; handlers do not outlive exec */
	sigemptyset(&ours);
	sigaddset(&ours, SIGXFSZ);

	int failed = posix_spawnattr_init(&attr);
	if (failed)
		return failed;
	posix_spawnattr_setsigmask(&attr, mask);
	posix_spawnattr_setsigdefault(&attr, &ours);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	failed = posix_spawnp(ret, argv[0], NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return failed;
}

/* Wait until @pid has ended. Returns the status of waitpid(). */
static int wait_for(pid_t pid, const sigset_t *set, int *told)
{
	siginfo_t info;
	int status;

	for (;;) {
		int sig = sigwaitinfo(set, &info);

		if (sig < 0)
			continue; /* EINTR: a stop and SIGCONT */
		if (sig == SIGCHLD) {
			if (waitpid(pid, &status, WNOHANG) == pid)
				return status;
			continue; /* stopped, or a child from before exec */
		}
		*told = sig;
		/* the kernel sends signals of the terminal to the whole group */
		if (info.si_code <= 0)
			kill(pid, sig);
	}
}

struct err *child_run(char *const *argv, struct child_end *ret)
{
	sigset_t set, mask;
	pid_t pid;

	*ret = (struct child_end){ 0 };
	ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	/* ignored, it would not come, nor leave anything to wait for */
	signal(SIGCHLD, SIG_DFL);
	pthread_sigmask(SIG_BLOCK, &set, &mask);

	int failed = start(argv, &mask, &pid);
	int status = failed ? 0 : wait_for(pid, &set, &ret->told);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	if (failed) {
		ret->status = failed == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
		return err_sys(failed, "cannot run '%s'", argv[0]);
	}
	ret->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	ret->status = ret->signal ? EXIT_SIGNALED + ret->signal : WEXITSTATUS(status);
	return NULL;
}

void child_die_of(int sig)
{
	const struct rlimit none = { 0 };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &none);
	signal(sig, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(EXIT_SIGNALED + sig);
}
