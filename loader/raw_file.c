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
#include <unistd.h>

enum { CHUNK = 64 * 1024 };

struct err *raw_file_read(const char *path, uint8_t **ret, size_t *ret_len)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct {
		uint8_t *items;
		size_t nr, cap;
	} buf = { 0 };

	if (fd < 0)
		return err_sys(errno, "'%s'", path);
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

bool raw_file_starts_with(const char *path, const char *magic, size_t len)
{
	CLEANUP(file_close) int fd = open(path, O_RDONLY | O_CLOEXEC);
	char have[16];

	return fd >= 0 && len <= sizeof(have) && read(fd, have, len) == (ssize_t)len &&
	       !memcmp(have, magic, len);
}
