/* SPDX-License-Identifier: GPL-2.0-only */
/* heap.h - memory of malloc() in huge pages */
#ifndef BTFENC_BASE_OS_HEAP_H
#define BTFENC_BASE_OS_HEAP_H

#include <stddef.h>

/*
 * Expect that the program allocates about @size bytes: back them by huge pages, if the kernel has some. Does nothing for
 * less than 256 KiB and for more than 16 MiB. Call it once, before other threads start.
 *
 * A run that encodes one object takes a few milliseconds. Without huge pages, the kernel needs a fifth of that time to
 * clear, count and free 350 small pages.
 */
void heap_expect(size_t size);

#endif
