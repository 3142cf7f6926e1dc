/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/lib/inject.h"

#include "tests/lib/testlib.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* A thread of the command between entering a call and leaving it. */
struct inject_thread {
	pid_t tid;
	bool fails, last;
	int error;
	size_t changed; /* a register that gets its value back, or 0 */
	uint64_t was;
};

struct inject_run {
	const struct inject *how;
	struct injected *ret;
	pid_t pid;
	bool met; /* the call that is meant has come */
	struct {
		struct inject_thread *items;
		size_t nr, cap;
	} threads;
};

static struct inject_thread *inject_thread_of(struct inject_run *run, pid_t tid)
{
	for (size_t i = 0; i < run->threads.nr; i++) {
		if (run->threads.items[i].tid == tid)
			return &run->threads.items[i];
	}
	vec_push(&run->threads, ((struct inject_thread){ .tid = tid }));
	return &run->threads.items[run->threads.nr - 1];
}

/* Does the path at @address begin with @prefix? */
static bool inject_path_is(pid_t tid, uint64_t address, const char *prefix)
{
	char have[16] = "";
	size_t len = strlen(prefix);
	struct iovec to = { have, len }, from = { (void *)(uintptr_t)address, len };

	return process_vm_readv(tid, &to, 1, &from, 1, 0) == (ssize_t)len &&
	       !memcmp(have, prefix, len);
}

/* What the whole run has to do without. */
static bool
inject_is_denied(const struct inject_run *run, pid_t tid, uint64_t nr,
		 const __typeof__(((struct __ptrace_syscall_info *)0)->entry.args[0]) *args,
		 int *ret_error)
{
	uint64_t path = nr == SYS_openat || nr == SYS_newfstatat || nr == SYS_linkat ? args[1] :
										       args[0];

	if (run->how->no_temp && nr == SYS_openat && (args[2] & O_TMPFILE) == O_TMPFILE) {
		*ret_error = EOPNOTSUPP;
		return true;
	}
	*ret_error = ENOENT;
	return run->how->no_proc &&
	       (nr == SYS_openat || nr == SYS_newfstatat || nr == SYS_linkat || nr == SYS_access ||
		nr == SYS_readlink || nr == SYS_stat || nr == SYS_statfs) &&
	       inject_path_is(tid, path, "/proc/");
}

#if INJECT_WORKS
static inline void inject_set(pid_t tid, size_t reg, uint64_t value)
{
	ptrace(PTRACE_POKEUSER, tid, reg, value);
}

/* An argument of the call alone: its caller may rely on the register. */
static void inject_lend(pid_t tid, struct inject_thread *t, size_t reg, uint64_t value)
{
	t->changed = reg;
	t->was = (uint64_t)ptrace(PTRACE_PEEKUSER, tid, reg, 0);
	inject_set(tid, reg, value);
}

/* Let the call that @tid enters be none, or one that changes nothing. */
static void inject_cancel(pid_t tid, struct inject_thread *t, uint64_t nr, int error)
{
	if (nr == SYS_brk) {
		/* it says where the end is, be that moved or not */
		inject_lend(tid, t, offsetof(struct user_regs_struct, rdi), 0);
		return;
	}
	inject_set(tid, offsetof(struct user_regs_struct, orig_rax), (uint64_t)-1);
	t->fails = true;
	t->error = error;
}

static void inject_shorten(pid_t tid, struct inject_thread *t, uint64_t nr)
{
	size_t len = nr == SYS_copy_file_range ? offsetof(struct user_regs_struct, r8) :
						 offsetof(struct user_regs_struct, rdx);

	inject_lend(tid, t, len, 1);
}

/* Give the call that was not made its result, and its caller the registers. */
static void inject_return(pid_t tid, struct inject_thread *t)
{
	if (t->fails)
		inject_set(tid, offsetof(struct user_regs_struct, rax),
			   (uint64_t) - (int64_t)t->error);
	if (t->changed)
		inject_set(tid, t->changed, t->was);
	t->fails = false;
	t->changed = 0;
}
#else
static void inject_cancel(pid_t tid, struct inject_thread *t, uint64_t nr, int error)
{
	(void)tid, (void)t, (void)nr, (void)error;
}

static void inject_shorten(pid_t tid, struct inject_thread *t, uint64_t nr)
{
	(void)tid, (void)t, (void)nr;
}

static void inject_return(pid_t tid, struct inject_thread *t)
{
	(void)tid, (void)t;
}
#endif

static void inject_enter(struct inject_run *run, pid_t tid,
			 const struct __ptrace_syscall_info *info)
{
	struct inject_thread *t = inject_thread_of(run, tid);
	const struct inject *how = run->how;
	uint64_t nr = info->entry.nr;
	size_t at = run->ret->calls.nr;
	int error;

	vec_push(&run->ret->calls, (uint16_t)nr);
	bool meant = !run->met && at >= how->at && nr == how->nr;
	run->met |= meant;
	t->last = meant && (how->what == INJECT_SIGNAL || how->what == INJECT_CUT);
	/* what is said of it is said elsewhere */
	if (how->what == INJECT_ERRORS && run->met && info->entry.args[0] > STDERR_FILENO)
		meant = nr == how->nr;
	if (inject_is_denied(run, tid, nr, info->entry.args, &error))
		inject_cancel(tid, t, nr, error);
	else if (meant && (how->what == INJECT_ERROR || how->what == INJECT_ERRORS))
		inject_cancel(tid, t, nr, how->value);
	else if (meant && how->what == INJECT_SHORT)
		inject_shorten(tid, t, nr);
}

static void inject_leave(struct inject_run *run, pid_t tid)
{
	struct inject_thread *t = inject_thread_of(run, tid);

	inject_return(tid, t);
	if (t->last && run->how->what == INJECT_SIGNAL)
		kill(run->pid, run->how->value);
	else if (t->last)
		(void)!truncate(run->how->file, run->how->value);
	t->last = false;
}

/* In the child: become the command, in @folder, what it says in the file @output. */
static void inject_become(const char *folder, int output, char **argv)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	if (chdir(folder) || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		_exit(126);
	alarm(test_seconds());
	execv(argv[0], argv);
	_exit(127);
}

/* Handle one stop of @tid; the signal to go on with. */
static int inject_stop(struct inject_run *run, pid_t tid, int status, bool *running)
{
	struct __ptrace_syscall_info info;
	int signal = WSTOPSIG(status);

	if (signal == (SIGTRAP | 0x80)) {
		if (*running && ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) > 0) {
			if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
				inject_enter(run, tid, &info);
			else if (info.op == PTRACE_SYSCALL_INFO_EXIT)
				inject_leave(run, tid);
		}
		return 0;
	}
	if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
		*running = true;
	/* of ours: execve, a new thread */
	return signal == SIGTRAP || signal == SIGSTOP ? 0 : signal;
}

struct injected inject(const struct inject *how, const char *folder, int output, char **argv)
{
	struct injected ret = { 0 };
	struct inject_run run = { .how = how, .ret = &ret };
	bool running = false;
	int status;
	pid_t tid;

	run.pid = fork();
	if (run.pid == 0)
		inject_become(folder, output, argv);
	waitpid(run.pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, run.pid, 0,
	       PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		       PTRACE_O_EXITKILL);
	ptrace(PTRACE_SYSCALL, run.pid, 0, 0);
	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			int signal = inject_stop(&run, tid, status, &running);

			ptrace(PTRACE_SYSCALL, tid, 0, signal);
		} else if (tid == run.pid) {
			ret.status = status;
		}
	}
	free(run.threads.items);
	return ret;
}
