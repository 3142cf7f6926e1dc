/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * heap.c - see heap.h
 *
 * The kernel backs an aligned range by a huge page if the process has touched no part of it. malloc() of glibc grows its
 * heap at the program break. So heap_expect() moves the break to the last small page in front of an aligned range, and
 * lets malloc() extend the heap over the range. malloc() writes its first header into that small page.
 *
 * In a larger run most memory is in few large blocks, which grow and are freed between the phases. With its defaults,
 * malloc() of glibc keeps their memory: as soon as one of them is freed, others up to its size come from the heap, where
 * they leave holes. With a fixed threshold they are mappings of their own, which mremap() grows without a copy.
 *
 * Not done: an allocator over mmap(), which would have to serve every free(), because most memory belongs to vectors
 * that grow; and MADV_POPULATE_WRITE, which avoids the faults but not the work for each small page (6 % of the time of
 * an object, where huge pages save 18 %).
 */
#include "base/os/heap.h"

#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	HUGE = 2 * 1024 * 1024, /* of x86 and arm64; elsewhere the advice is without effect */
	SMALLEST = HUGE / 6,
	LARGEST = 3 * HUGE,
	RETURNED = 256 * 1024,
};

/* NOLINTBEGIN(concurrency-mt-unsafe): there are no threads yet */
void heap_expect(size_t size)
{
	/* one page, or more if at least half of the last one is expected to be used */
	size_t want = size < HUGE ? HUGE : (size + HUGE / 2) & ~(size_t)(HUGE - 1);

	if (size > LARGEST)
		mallopt(M_MMAP_THRESHOLD, RETURNED);
	if (size < SMALLEST || size > LARGEST)
		return;

	uintptr_t now = (uintptr_t)sbrk(0);
	uintptr_t first = (now + PAGE + HUGE - 1) & ~(uintptr_t)(HUGE - 1);
	if (sbrk((intptr_t)(first - PAGE - now)) == (void *)-1)
		return;
	/* memory that is freed stays in the heap, so that the next block finds it there */
	mallopt(M_MMAP_THRESHOLD, LARGEST);
	mallopt(M_TRIM_THRESHOLD, 2 * LARGEST);
	/* so large that it does not fit into the rest of the old heap */
	void *block = malloc(want + PAGE);
	if (block)
		(void)madvise((void *)first, want, MADV_HUGEPAGE);
	free(block);
}
/* NOLINTEND(concurrency-mt-unsafe) */
#else
void heap_expect(size_t size)
{
	(void)size;
}
#endif
