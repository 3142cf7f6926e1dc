/* SPDX-License-Identifier: GPL-2.0-only */
/* pages.c - see pages.h */
#include "base/os/pages.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_bool keep_all;

void pages_keep_all(void)
{
	atomic_store(&keep_all, true);
}

void pages_give_back(const void *p, size_t len)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)p / page * page, end = (uintptr_t)p + len;

	/* if this fails they just stay */
	if (len && !atomic_load_explicit(&keep_all, memory_order_relaxed))
		(void)madvise((void *)start, end - start, MADV_DONTNEED);
}
