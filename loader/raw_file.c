/* SPDX-License-Identifier: GPL-2.0-only */
/* raw_file.c - see raw_file.h */
#include "loader/raw_file.h"

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

/*
 * Open @path for reading; -1 and errno if it cannot be. A named pipe that nobody writes into is at its
 * end, where a plain open() would wait for somebody for ever.
 */
static int open_input(const char *path, struct stat *ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0)
		return -1;
	/* whoever does write may take his time */
	if (fstat(fd, ret) || (!S_ISREG(ret->st_mode) && fcntl(fd, F_SETFL, 0))) {
		int errnum = errno;

		file_close(&fd);
		errno = errnum;
	}
	return fd;
}

struct err *raw_file_read(const char *path, uint8_t **ret, size_t *ret_len)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);
	struct {
		uint8_t *items;
		size_t nr, cap;
	} buf = { 0 };

	if (fd < 0)
		return err_sys(errno, "'%s'", path);
	if (S_ISBLK(st.st_mode) || (S_ISCHR(st.st_mode) && !isatty(fd)))
		return err_new(ERR_IO, "'%s' is a device, which may have no end", path);
	for (;;) {
		vec_reserve(&buf, CHUNK);
		ssize_t n = read(fd, buf.items + buf.nr, buf.cap - buf.nr);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int errnum = errno;

			free(buf.items);
			return err_sys(errnum, "'%s'", path);
		}
		if (n == 0)
			break;
		buf.nr += (size_t)n;
	}
	*ret = buf.items;
	*ret_len = buf.nr;
	return NULL;
}

static bool map_file(const char *path, struct raw_file *f)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);

	if (fd < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return false;

	/* all of it will be looked at, so all pages may come at once */
	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (map == MAP_FAILED)
		return false;
	*f = (struct raw_file){ map, (size_t)st.st_size, true };
	return true;
}

struct err *raw_file_open(const char *path, struct raw_file *ret)
{
	uint8_t *bytes = NULL;

	if (map_file(path, ret))
		return NULL;
	/* a pipe, or sysfs before Linux 6.16 */
	TRY(raw_file_read(path, &bytes, &ret->len));
	ret->ptr = bytes;
	return NULL;
}

void raw_file_close(struct raw_file *f)
{
	if (f->mapped)
		munmap((void *)(uintptr_t)f->ptr, f->len);
	else
		free((void *)(uintptr_t)f->ptr);
	*f = (struct raw_file){ 0 };
}

bool raw_file_starts_with(const char *path, const char *magic, size_t len)
{
	struct stat st;
	CLEANUP(file_close) int fd = open_input(path, &st);
	char have[16];

	/* what is read of a pipe is gone */
	return fd >= 0 && !S_ISFIFO(st.st_mode) && len <= sizeof(have) &&
	       read(fd, have, len) == (ssize_t)len && !memcmp(have, magic, len);
}
