/* SPDX-License-Identifier: GPL-2.0-only */
/* t_file_lock.c - who waits for a file that another holds, and for how long */
#include "base/file_io.h"
#include "tests/lib/folder.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static bool held;

static int open_it(int flags)
{
	int fd = open("f", flags | O_CREAT | O_CLOEXEC, 0600);

	CHECK(fd >= 0);
	return fd;
}

TEST(who_holds_it_is_not_waited_for_longer_than_said)
{
	fresh_folder();
	CLEANUP(file_close) int holder = open_it(O_RDWR), fd = open_it(O_RDWR);
	CHECK_OK(file_lock(holder, true, 0, &held));
	CHECK_ERR_TEXT(file_lock(fd, true, 0, &held), ERR_IO,
		       "locked by another process for 0 seconds");
	CHECK_ERR_TEXT(file_lock(fd, true, 1, &held), ERR_IO,
		       "locked by another process for 1 seconds");
	CHECK_ERR(file_lock(fd, false, 0, &held), ERR_IO);
	CHECK(held);
	file_close(&holder);
	CHECK_OK(file_lock(fd, true, 0, &held));
	CHECK(!held);
}

TEST(readers_do_not_keep_each_other_out)
{
	fresh_folder();
	CLEANUP(file_close) int a = open_it(O_RDONLY), b = open_it(O_RDONLY), c = open_it(O_RDWR);
	CHECK_OK(file_lock(a, false, 0, &held));
	CHECK_OK(file_lock(b, false, 0, &held));
	CHECK_ERR(file_lock(c, true, 0, &held), ERR_IO);
}

TEST(what_cannot_be_locked_is_told_apart)
{
	CHECK_ERR_TEXT(file_lock(-1, true, 0, &held), ERR_IO, "cannot lock: ");
	CHECK(!held);
}

static void *release_soon(void *holder)
{
	const struct timespec moment = { .tv_nsec = 30000000 };

	nanosleep(&moment, NULL);
	file_close(holder);
	return NULL;
}

TEST(the_wait_ends_when_it_is_released)
{
	fresh_folder();
	CLEANUP(file_close) int holder = open_it(O_RDWR), fd = open_it(O_RDWR);
	pthread_t thread;

	CHECK_OK(file_lock(holder, true, 0, &held));
	CHECK(pthread_create(&thread, NULL, release_soon, &holder) == 0);
	CHECK_OK(file_lock(fd, true, FILE_LOCK_PATIENCE, &held));
	CHECK(pthread_join(thread, NULL) == 0);
}

TEST(a_signal_ends_who_waits)
{
	fresh_folder();
	CLEANUP(file_close) int holder = open_it(O_RDWR), fd = open_it(O_RDWR);
	int status;

	CHECK_OK(file_lock(holder, true, 0, &held));
	pid_t pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		err_free(file_lock(fd, true, FILE_LOCK_PATIENCE, &held));
		_exit(9);
	}
	CHECK(kill(pid, SIGTERM) == 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}
