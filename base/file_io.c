/* SPDX-License-Identifier: GPL-2.0-only */
/* file_io.c - see file_io.h */
#include "base/file_io.h"

#include "base/arena.h"
#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

struct err *file_read_at(int fd, uint64_t pos, void *buf, size_t len)
{
	uint8_t *p = buf;

	while (len) {
		ssize_t n = pread(fd, p, len, (off_t)pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(errno, "cannot read %zu bytes at %#" PRIx64, len, pos);
		if (n == 0)
			return err_new(ERR_FORMAT, "the file ends at %#" PRIx64 ", %zu bytes early",
				       pos, len);
		p += n;
		pos += (size_t)n;
		len -= (size_t)n;
	}
	return NULL;
}

struct err *file_write_at(int fd, uint64_t pos, const void *buf, size_t len)
{
	const uint8_t *p = buf;

	while (len) {
		ssize_t n = pwrite(fd, p, len, (off_t)pos);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(errno, "cannot write %zu bytes at %#" PRIx64, len, pos);
		p += n;
		pos += (size_t)n;
		len -= (size_t)n;
	}
	return NULL;
}

struct err *file_write(int fd, struct bytes data)
{
	while (data.len) {
		ssize_t n = write(fd, data.ptr, data.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(errno, "cannot write %zu bytes", data.len);
		data = bytes_from(data, (size_t)n);
	}
	return NULL;
}

void file_write_now(int fd, const void *buf, size_t len)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	if (poll(&p, 1, 0) == 1 && (p.revents & POLLOUT))
		(void)!write(fd, buf, len);
}

static void free_buffer(void *p)
{
	free(*(void **)p);
}

static struct err *copy_by_hand(int from, uint64_t from_pos, int to, uint64_t to_pos, uint64_t len)
{
	enum { STEP = 1 << 20 };
	CLEANUP(free_buffer) uint8_t *buf = mem_alloc(STEP);

	while (len) {
		size_t n = len < STEP ? (size_t)len : STEP;

		TRY(file_read_at(from, from_pos, buf, n));
		TRY(file_write_at(to, to_pos, buf, n));
		from_pos += n;
		to_pos += n;
		len -= n;
	}
	return NULL;
}

struct err *file_copy_at(int from, uint64_t from_pos, int to, uint64_t to_pos, uint64_t len)
{
	while (len) {
		off_t in = (off_t)from_pos, out = (off_t)to_pos;
		/* in pieces, so that a signal does not wait long */
		size_t step = len < (1u << 30) ? (size_t)len : 1u << 30;
		ssize_t n = copy_file_range(from, &in, to, &out, step, 0);

		if (n < 0 && errno == EINTR)
			continue;
		/* not supported here: reading and writing works or gives a better error */
		if (n <= 0)
			return copy_by_hand(from, from_pos, to, to_pos, len);
		from_pos += (size_t)n;
		to_pos += (size_t)n;
		len -= (size_t)n;
	}
	return NULL;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool file_is_unchanged(const struct stat *was, const struct stat *now)
{
	/* a program that restores mtime changes ctime */
	return file_is_same(was, now) && now->st_size == was->st_size &&
	       same_time(&now->st_mtim, &was->st_mtim) && same_time(&now->st_ctim, &was->st_ctim);
}

struct err *file_close_written(int *fd)
{
	int status = close(*fd);

	*fd = -1;
	/* an interrupted close() closes the file as well */
	if (status != 0 && errno != EINTR)
		return err_sys(errno, "cannot write");
	return NULL;
}

void file_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/*
 * F_OFD_SETLKW has no timeout, and a signal that interrupts it may reach another thread. So the lock is
 * polled with a growing delay.
 */
enum {
	MILLISECOND = 1000000,
	FIRST_SLEEP = MILLISECOND,
	LONGEST_SLEEP = 20 * MILLISECOND,
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
