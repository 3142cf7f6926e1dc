/* SPDX-License-Identifier: GPL-2.0-only */
/* file_io.h - complete reads and writes, with error messages; file locks */
#ifndef BTFENC_BASE_FILE_IO_H
#define BTFENC_BASE_FILE_IO_H

#include "base/bytes.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/stat.h>

/* Fill @buf from @pos. ERR_FORMAT if the file ends before. */
MUST_CHECK struct err *file_read_at(int fd, uint64_t pos, void *buf, size_t len);
MUST_CHECK struct err *file_write_at(int fd, uint64_t pos, const void *buf, size_t len);
/* At the position of @fd: a pipe, a device. */
MUST_CHECK struct err *file_write(int fd, struct bytes data);
/*
 * What nobody would miss: only if @fd takes something now, for a terminal may be stopped. May be called in
 * a handler of signals.
 */
void file_write_now(int fd, const void *buf, size_t len);
/*
 * Copy @len bytes from @from_pos of @from to @to_pos of @to; by reference where the
 * file system can do that.
 */
MUST_CHECK struct err *file_copy_at(int from, uint64_t from_pos, int to, uint64_t to_pos,
				    uint64_t len);

/*
 * Is it the same file, and has nobody written to it? Of two writes within one tick of the file system's
 * clock that leave its length, the second is not seen.
 */
bool file_is_unchanged(const struct stat *was, const struct stat *now);

/* For CLEANUP. A closed descriptor is -1. */
void file_close(int *fd);
/*
 * The same of a file that was written to: a network file system may keep its bad news until
 * now. Closed in any case. ERR_IO.
 */
MUST_CHECK struct err *file_close_written(int *fd);

/* Seconds to wait for a lock: several runs that write one large file take many each. */
enum { FILE_LOCK_PATIENCE = 60 };

/*
 * Lock all of @fd, for writing or for reading only, until it is closed. The lock is an open file
 * description lock (F_OFD_SETLK). ERR_IO if another process holds a conflicting lock for @patience
 * seconds (*ret_held), or if the file cannot be locked. The wait is bounded because any process that
 * can read the file can lock it.
 */
MUST_CHECK struct err *file_lock(int fd, bool to_write, unsigned int patience, bool *ret_held);

#endif
