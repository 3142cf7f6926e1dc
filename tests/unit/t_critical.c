/* SPDX-License-Identifier: GPL-2.0-only */
/* t_critical.c - how a process dies in the midst of something, and of a file that is cut */
#include "base/critical.h"
#include "base/os/mapped_file.h"
#include "tests/lib/folder.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

static void mark(const char *name)
{
	close(open(name, O_WRONLY | O_CREAT | O_EXCL, 0644));
}

static bool is_marked(const char *name)
{
	return access(name, F_OK) == 0;
}

static void undo(void *name)
{
	unlink(name);
}

/* The status of a process that runs @body and then exits with status 0; its output goes to "said". */
static int fate_of(void (*body)(void))
{
	int status;
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		struct rlimit core = { 0, 0 };

		setrlimit(RLIMIT_CORE, &core);
		alarm(test_seconds());
		if (!freopen("said", "w", stderr))
			_exit(9);
		body();
		_exit(0);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

static void check_said(const char *text)
{
	CLEANUP(free_bytes) struct bytes said = read_whole("said");

	CHECK_EQ(said.len, strlen(text));
	CHECK_MEM(said.ptr, text, said.len);
}

/* ---- signals ---- */

static void killed_inside(void)
{
	struct critical outer, inner;

	critical_begin(&outer, undo, "a");
	critical_begin(&inner, undo, "b");
	raise(SIGTERM);
	mark("a");
	critical_end(&inner);
	mark("b");
	critical_end(&outer);
	mark("c");
}

static int which;

static void killed_by_any(void)
{
	struct critical c;

	critical_begin(&c, undo, "a");
	raise(which);
	mark("a");
	critical_end(&c);
	mark("b");
}

static void not_killed_by_any(void)
{
	struct critical c;

	signal(which, SIG_IGN);
	critical_begin(&c, undo, "a");
	raise(which);
	critical_end(&c);
	raise(which);
	mark("b");
}

/* Except signals that a process cannot handle, and those of a crash. */
static bool is_deadly(int sig)
{
	static const int others[] = { SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCONT,
				      SIGCHLD, SIGURG,  SIGWINCH, SIGXFSZ, SIGSEGV, SIGBUS,
				      SIGILL,  SIGFPE,  SIGABRT,  SIGTRAP, SIGSYS };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (sig == others[i])
			return false;
	}
	/* what is between is the C library's */
	return sig < 32 || sig >= SIGRTMIN;
}

TEST(every_signal_that_ends_a_process_waits_unless_it_is_ignored)
{
	for (which = 1; which <= SIGRTMAX; which++) {
		if (!is_deadly(which))
			continue;
		fresh_folder();
		int status = fate_of(killed_by_any);
		CHECK(WIFSIGNALED(status));
		CHECK_EQ(WTERMSIG(status), which);
		CHECK(is_marked("a") && !is_marked("b"));
		CHECK_EQ(fate_of(not_killed_by_any), 0);
		CHECK(is_marked("b"));
	}
}

static void killed_behind(void)
{
	struct critical c;

	critical_begin(&c, undo, "a");
	critical_end(&c);
	raise(SIGINT);
	mark("a");
}

static void killed_with_first_words(void)
{
	critical_set_first_words("not these");
	critical_set_first_words("these\n");
	raise(SIGTERM);
}

static void not_killed(void)
{
	struct critical c;

	signal(SIGHUP, SIG_IGN);
	critical_begin(&c, undo, "a");
	raise(SIGHUP);
	critical_end(&c);
	raise(SIGHUP);
	mark("a");
}

/* ---- threads ---- */

static pthread_barrier_t both_there;

static void *take_long(void *unused UNUSED)
{
	const struct timespec while_others_die = { .tv_nsec = 50000000 };
	struct critical c;

	critical_begin(&c, undo, "a");
	mark("a");
	pthread_barrier_wait(&both_there);
	nanosleep(&while_others_die, NULL);
	mark("b");
	critical_end(&c);
	for (;;)
		pause();
	return NULL;
}

static void start_other(void)
{
	pthread_t other;

	pthread_barrier_init(&both_there, NULL, 2);
	pthread_create(&other, NULL, take_long, NULL);
	pthread_barrier_wait(&both_there);
}

static void killed_beside(void)
{
	start_other();
	raise(SIGTERM);
	for (;;)
		pause();
}

static void die_beside(void)
{
	struct critical c;

	start_other();
	critical_begin(&c, undo, "m");
	mark("m");
	mem_die();
}

static const struct {
	const char *name;
	void (*body)(void);
	int signal, exit; /* how the process ends: by a signal, or else with this status */
	const char *marked, *missing; /* files that are there and that are not, a letter each */
	const char *said;
} fates[] = {
	{ "a signal waits until everything is done", killed_inside, SIGTERM, 0, "ab", "c", "" },
	{ "a signal does not wait for nothing", killed_behind, SIGINT, 0, "", "a", "" },
	{ "a process that a signal ends says the first words", killed_with_first_words, SIGTERM, 0,
	  "", "", "these\n" },
	{ "an ignored signal stays ignored", not_killed, 0, 0, "a", "", "" },
	{ "a signal waits for other threads", killed_beside, SIGTERM, 0, "ab", "", "" },
	{ "a process that dies undoes its own and waits for others", die_beside, 0, 1, "ab", "m",
	  "btfenc: error: out of memory\n" },
};

static void check_marks(const char *letters, bool marked)
{
	for (const char *l = letters; *l; l++)
		CHECK_EQ(is_marked((const char[]){ *l, '\0' }), marked);
}

TEST_EACH(processes_end_after_critical_sections, fates, c)
{
	fresh_folder();
	int status = fate_of(c->body);
	CHECK_EQ(WIFSIGNALED(status) ? WTERMSIG(status) : 0, c->signal);
	CHECK_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : 0, c->exit);
	check_marks(c->marked, true);
	check_marks(c->missing, false);
	check_said(c->said);
}

static void *die_too(void *unused UNUSED)
{
	struct critical c;

	critical_begin(&c, undo, "other");
	mark("other");
	pthread_barrier_wait(&both_there);
	mem_die();
	return NULL;
}

static void die_together(void)
{
	struct critical c;
	pthread_t other;

	pthread_barrier_init(&both_there, NULL, 2);
	critical_begin(&c, undo, "mine");
	mark("mine");
	pthread_create(&other, NULL, die_too, NULL);
	pthread_barrier_wait(&both_there);
	mem_die();
}

TEST(of_two_that_die_one_says_so)
{
	fresh_folder();
	for (int i = 0; i < 20; i++) {
		int status = fate_of(die_together);

		CHECK(WIFEXITED(status));
		CHECK_EQ(WEXITSTATUS(status), 1);
		CHECK(!is_marked("mine") && !is_marked("other"));
		check_said("btfenc: error: out of memory\n");
	}
}

/* ---- mapped files ---- */

static void read_what_is_cut(void)
{
	int fd = open("cut 'file", O_RDWR | O_CREAT, 0644);
	struct critical c;

	bus_error_catch();
	if (ftruncate(fd, 1 << 20) != 0)
		_exit(9);
	volatile const uint8_t *p = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE, fd, 0);
	critical_begin(&c, undo, "a");
	mark("a");
	if (ftruncate(fd, 5000) != 0 || p[4999] != 0)
		_exit(9);
	_exit(8 + p[1 << 19]);
}

TEST(a_mapped_file_that_is_cut_is_named)
{
	char text[256];

	fresh_folder();
	int status = fate_of(read_what_is_cut);
	CHECK(WIFEXITED(status));
	CHECK_EQ(WEXITSTATUS(status), 1);
	CHECK(!is_marked("a"));
	snprintf(
		text, sizeof(text),
		"btfenc: error: '%s/cut 'file' became shorter while it was read, or its disk has failed\n",
		scratch);
	check_said(text);
}
