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
/* Write at the position of @fd, which may be a pipe or a device. */
MUST_CHECK struct err *file_write(int fd, struct bytes data);
/*
 * Write @buf if @fd can be written without blocking, because a terminal may be stopped; else drop it. For
 * output that may be lost. Async-signal-safe.
 */
void file_write_now(int fd, const void *buf, size_t len);
/*
 * Copy @len bytes from @from_pos of @from to @to_pos of @to. The file system shares the blocks if it supports
 * that.
 */
MUST_CHECK struct err *file_copy_at(int from, uint64_t from_pos, int to, uint64_t to_pos,
				    uint64_t len);

static inline bool file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Is @now the same file as @was, unchanged? A write that keeps the length goes undetected if it follows
 * another one within one tick of the file system's clock.
 */
bool file_is_unchanged(const struct stat *was, const struct stat *now);

/* For CLEANUP. A closed descriptor is -1. */
void file_close(int *fd);
/*
 * Close a file that was written to. A network file system may report a failed write only now. The file is
 * closed in any case. ERR_IO.
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
