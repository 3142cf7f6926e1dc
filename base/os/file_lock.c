/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_lock.c - see file_lock.h
 *
 * To wait in the kernel (F_OFD_SETLKW) has no end but a signal, and a signal is for a process, not for
 * one of its threads. So we ask, and sleep between, the longer the longer it takes.
 */
#include "base/os/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum {
	MILLISECOND = 1000000,
	FIRST_SLEEP = MILLISECOND,
	LONGEST_SLEEP = 20 * MILLISECOND, /* nobody notices */
};

static struct timespec now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t;
}

static bool is_over(const struct timespec *since, unsigned int seconds)
{
	struct timespec t = now();
	time_t passed = t.tv_sec - since->tv_sec - (t.tv_nsec < since->tv_nsec);

	return passed >= (time_t)seconds;
}

struct err *file_lock(int fd, bool to_write, unsigned int patience, bool *ret_held)
{
	struct flock all = { .l_type = to_write ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET };
	struct timespec began = now(), sleep = { .tv_nsec = FIRST_SLEEP };

	*ret_held = false;
	while (fcntl(fd, F_OFD_SETLK, &all) != 0) {
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN && errno != EACCES)
			return err_sys(errno, "cannot lock");
		if (is_over(&began, patience)) {
			*ret_held = true;
			return err_new(ERR_IO, "locked by another process for %u seconds",
				       patience);
		}
		nanosleep(&sleep, NULL);
		if (sleep.tv_nsec < LONGEST_SLEEP)
			sleep.tv_nsec *= 2;
	}
	return NULL;
}
