/* SPDX-License-Identifier: GPL-2.0-only */
/* pages.c - see pages.h */
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void pages_give_back(const void *p, size_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)p / page * page, end = (uintptr_t)p + len;

	/* if this fails they just stay */
	if (len)
		(void)madvise((void *)start, end - start, MADV_DONTNEED);
}
