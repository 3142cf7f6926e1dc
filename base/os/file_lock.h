/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_lock.h - one after the other on a file, and nobody waits for ever
 *
 * Whoever may read a file can lock it and keep it so; then waiting has an end, and a message.
 */
#ifndef BTFENC_BASE_OS_FILE_LOCK_H
#define BTFENC_BASE_OS_FILE_LOCK_H

#include "base/err.h"

#include <stdbool.h>

/* In seconds. Several honest runs on one large file take that many each. */
enum { FILE_LOCK_PATIENCE = 60 };

/*
 * Lock all of @fd, to write or only to read, until it is closed. It is a lock of fcntl's kind that
 * belongs to the descriptor. ERR_IO if others hold one that does not go with it for @patience seconds
 * (*ret_held), or if the system does not lock this file.
 */
MUST_CHECK struct err *file_lock(int fd, bool to_write, unsigned int patience, bool *ret_held);

#endif
