/* SPDX-License-Identifier: GPL-2.0-only */
/* heap.h - settings of malloc() for short and for long runs */
#ifndef BTFENC_BASE_OS_HEAP_H
#define BTFENC_BASE_OS_HEAP_H

#include <stddef.h>

/*
 * Expect that the program allocates about @size bytes. Up to 6 MiB are backed by huge pages, if the kernel has some;
 * less than 341 KiB are not worth it. If it is more, large blocks go back to the kernel when they are freed. Call it
 * once, before other threads start.
 *
 * A run that encodes one object takes a few milliseconds. Without huge pages, the kernel needs a fifth of that time to
 * clear, count and free 350 small pages.
 */
void heap_expect(size_t size);

#endif
