/* SPDX-License-Identifier: GPL-2.0-only */
/* mapped_file.h - release the pages of mapped files, and report reads beyond their end */
#ifndef BTFENC_BASE_OS_MAPPED_FILE_H
#define BTFENC_BASE_OS_MAPPED_FILE_H

#include <stddef.h>

/*
 * Release the pages of the @len bytes at @p, including those at the edges. The bytes must belong to a
 * mapped file and must not have been written to: a later read loads them from the file again.
 */
void pages_give_back(const void *p, size_t len);
/*
 * Turn pages_give_back() off: a file could not be mapped and was read into memory, which cannot be
 * loaded again.
 */
void pages_keep_all(void);

/*
 * Pages of a file that is read in order are given back in strides of so many bytes: each call interrupts the
 * processors of all threads.
 */
enum { GIVE_BACK_STRIDE = 2 * 1024 * 1024 };

/* A page fault makes Linux load up to this many bytes around the page, released pages included. */
enum { PAGES_AROUND = 64 * 1024 };

/*
 * Handle SIGBUS: if a mapped file became shorter or its disk fails, critical_die() ends the process
 * with a message that names the file.
 */
void bus_error_catch(void);

#endif
