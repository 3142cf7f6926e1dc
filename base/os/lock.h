/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lock.h - a mutex that costs nothing as long as there is one thread
 *
 * Who encodes one object takes a lock for each of its names and types, thousands of times, and
 * there is nobody to wait for. glibc says whether a thread was ever started; a lock that was taken
 * before the first was is not held when it starts, for only base/os/ordered.c starts any, and
 * holds none.
 */
#ifndef BTFENC_BASE_OS_LOCK_H
#define BTFENC_BASE_OS_LOCK_H

#include "base/compiler.h"

#include <pthread.h>
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define LOCK_ALONE() (__libc_single_threaded)
#else
#define LOCK_ALONE() 0
#endif

ALWAYS_INLINE void lock_take(pthread_mutex_t *lock)
{
	if (!LOCK_ALONE())
		pthread_mutex_lock(lock);
}

ALWAYS_INLINE void lock_drop(pthread_mutex_t *lock)
{
	if (!LOCK_ALONE())
		pthread_mutex_unlock(lock);
}

#endif
