/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inject.c - run a command and interfere with one of its system calls; for faults.py
 *
 *	inject FD WAY AT NUMBER VALUE FILE WITHOUT COMMAND [ARGUMENT...]
 *
 * Numbers the calls of all threads in the order in which they enter the kernel, from the first one
 * after execve. Call AT, or the first one behind it that has NUMBER if threads make another one there,
 *
 *	error	fails with VALUE
 *	errors	fails with VALUE, and so do all later ones of its number
 *	short	transfers one byte
 *	signal	is done, then signal VALUE comes
 *	cut	is done, then FILE is cut to VALUE bytes
 *	nothing
 *
 * WITHOUT "proc" nothing below /proc can be opened; without "temp" no file can be made that has no name.
 * Writes to descriptor FD the status of the command, as of waitpid(), and the number of each call. It
 * uses ptrace(2), so the command is the ordinary one.
 */
#include "base/vec.h"
#include "tests/lib/testlib.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__) /* the registers below are this machine's */

static const char *way, *file, *without;
static size_t chosen;
static uint64_t number;
static int value;

/* A thread of the command between entering a call and leaving it. */
struct thread {
	pid_t tid;
	bool fails, last;
	int error;
	size_t changed; /* a register that gets its value back, or 0 */
	uint64_t was;
};

static struct {
	struct thread *items;
	size_t nr, cap;
} threads;

static struct {
	uint16_t *items; /* the number of each call */
	size_t nr, cap;
} calls;

static pid_t command;
static bool met; /* the call that is meant has come */

static bool way_is(const char *name)
{
	return !strcmp(way, name);
}

static struct thread *thread_of(pid_t tid)
{
	for (size_t i = 0; i < threads.nr; i++) {
		if (threads.items[i].tid == tid)
			return &threads.items[i];
	}
	vec_push(&threads, ((struct thread){ .tid = tid }));
	return &threads.items[threads.nr - 1];
}

/* Does the path at @address begin with @prefix? */
static bool path_is(pid_t tid, uint64_t address, const char *prefix)
{
	char have[16] = "";
	size_t len = strlen(prefix);
	struct iovec to = { have, len }, from = { (void *)(uintptr_t)address, len };

	return process_vm_readv(tid, &to, 1, &from, 1, 0) == (ssize_t)len &&
	       !memcmp(have, prefix, len);
}

/* The error of a call that the whole run has to do without, or 0. */
static int denied(pid_t tid, uint64_t nr, const uint64_t *args)
{
	bool is_at = nr == SYS_openat || nr == SYS_newfstatat || nr == SYS_linkat;
	bool has_path = is_at || nr == SYS_access || nr == SYS_readlink || nr == SYS_stat ||
			nr == SYS_statfs;

	if (strstr(without, "temp") && nr == SYS_openat && (args[2] & O_TMPFILE) == O_TMPFILE)
		return EOPNOTSUPP;
	if (strstr(without, "proc") && has_path && path_is(tid, args[is_at], "/proc/"))
		return ENOENT;
	return 0;
}

static void set(pid_t tid, size_t reg, uint64_t v)
{
	ptrace(PTRACE_POKEUSER, tid, reg, v);
}

/* An argument of the call alone: its caller may rely on the register. */
static void lend(pid_t tid, struct thread *t, size_t reg, uint64_t v)
{
	t->changed = reg;
	t->was = (uint64_t)ptrace(PTRACE_PEEKUSER, tid, reg, 0);
	set(tid, reg, v);
}

/* Let the call that @tid enters be none, or one that changes nothing. */
static void cancel(pid_t tid, struct thread *t, uint64_t nr, int error)
{
	if (nr == SYS_brk) {
		/* it returns the end, moved or not */
		lend(tid, t, offsetof(struct user_regs_struct, rdi), 0);
		return;
	}
	set(tid, offsetof(struct user_regs_struct, orig_rax), (uint64_t)-1);
	t->fails = true;
	t->error = error;
}

static void shorten(pid_t tid, struct thread *t, uint64_t nr)
{
	size_t len = nr == SYS_copy_file_range ? offsetof(struct user_regs_struct, r8) :
						 offsetof(struct user_regs_struct, rdx);

	lend(tid, t, len, 1);
}

/* Give the call that was not made its result, and its caller the registers. */
static void give_back(pid_t tid, struct thread *t)
{
	if (t->fails)
		set(tid, offsetof(struct user_regs_struct, rax), (uint64_t) - (int64_t)t->error);
	if (t->changed)
		set(tid, t->changed, t->was);
	t->fails = false;
	t->changed = 0;
}

static void enter(pid_t tid, const struct __ptrace_syscall_info *info)
{
	struct thread *t = thread_of(tid);
	uint64_t nr = info->entry.nr, args[3];
	size_t at = calls.nr;

	for (size_t i = 0; i < 3; i++)
		args[i] = info->entry.args[i];
	vec_push(&calls, (uint16_t)nr);
	bool meant = !met && at >= chosen && nr == number;
	met |= meant;
	t->last = meant && (way_is("signal") || way_is("cut"));
	/* messages are still to be printed */
	if (way_is("errors") && met && args[0] > STDERR_FILENO)
		meant = nr == number;
	int error = denied(tid, nr, args);
	if (error)
		cancel(tid, t, nr, error);
	else if (meant && (way_is("error") || way_is("errors")))
		cancel(tid, t, nr, value);
	else if (meant && way_is("short"))
		shorten(tid, t, nr);
}

static void leave(pid_t tid)
{
	struct thread *t = thread_of(tid);

	give_back(tid, t);
	if (t->last && way_is("signal"))
		kill(command, value);
	else if (t->last)
		(void)!truncate(file, value);
	t->last = false;
}

/* In the child: become the command. */
static void become(char **argv)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	alarm(test_seconds());
	execv(argv[0], argv);
	_exit(127);
}

/* Handle one stop of @tid; the signal to go on with. */
static int handle_stop(pid_t tid, int status, bool *running)
{
	struct __ptrace_syscall_info info;
	int signal = WSTOPSIG(status);

	if (signal == (SIGTRAP | 0x80)) {
		if (*running && ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) > 0) {
			if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
				enter(tid, &info);
			else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
				leave(tid);
		}
		return 0;
	}
	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
		*running = true;
	/* stops after execve and of a new thread are no signals to the command */
	return signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

/* Run @argv; its status. */
static int run(char **argv)
{
	bool running = false;
	int status, ret = 0;
	pid_t tid;

	command = fork();
	if (command == 0)
		become(argv);
	waitpid(command, &status, 0);
	ptrace(PTRACE_SETOPTIONS, command, 0,
	       PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		       PTRACE_O_EXITKILL);
	ptrace(PTRACE_SYSCALL, command, 0, 0);
	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status))
			ptrace(PTRACE_SYSCALL, tid, 0, handle_stop(tid, status, &running));
		else if (tid == command)
			ret = status;
	}
	return ret;
}

int main(int argc, char **argv)
{
	if (argc < 9)
		return 2;

	int fd = atoi(argv[1]);
	way = argv[2];
	chosen = strtoul(argv[3], NULL, 10);
	number = strtoul(argv[4], NULL, 10);
	value = atoi(argv[5]);
	file = argv[6];
	without = argv[7];
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	dprintf(fd, "%d", run(argv + 8));
	FILE *report = fdopen(fd, "w");
	for (size_t i = 0; report && i < calls.nr; i++)
		fprintf(report, " %u", calls.items[i]);
	free(threads.items);
	free(calls.items);
	return report && !fclose(report) ? 0 : 2;
}

#else

int main(void)
{
	return 77;
}

#endif
