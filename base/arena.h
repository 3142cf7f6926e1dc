/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - memory that is released as a whole, and checked heap functions
 *
 * If memory runs out, mem_die() ends the process: outputs are written in one step, so there is
 * nothing to save, and callers need no error branches that no test can reach. Callers check sizes
 * that come from a file against the file first.
 */
#ifndef BTFENC_BASE_ARENA_H
#define BTFENC_BASE_ARENA_H

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* Print that memory is exhausted and exit with status 1. */
NORETURN void mem_die(void);

MALLOC_LIKE void *mem_alloc(size_t size);
/* Zeroed; large sizes cost nothing until they are touched. */
MALLOC_LIKE void *mem_zalloc(size_t nr, size_t size);
/* The same for a large table with random access: it uses huge pages to save TLB misses. */
MALLOC_LIKE void *mem_zalloc_table(size_t nr, size_t size);
/*
 * Reallocate @ptr for at least @need (not 0) elements of @size bytes. *cap is the old and the new
 * capacity, which grows by half at least. New elements are not zeroed.
 */
RETURNS_NONNULL void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size);
MALLOC_LIKE char *mem_strdup(const char *s);
/* Same length, not terminated. */
MALLOC_LIKE void *mem_dup(const void *ptr, size_t len);

/* Format a string, which the caller frees, for example by CLEANUP(mem_free_text). */
MALLOC_LIKE char *mem_printf(const char *fmt, ...) PRINTF_LIKE(1, 2);
void mem_free_text(char **text);
/* For CLEANUP: free what a local variable, of any type of pointer, points to. */
void mem_free(void *variable);

/* Free several blocks, each of which may be NULL. */
#define FREE_ALL(...) \
	mem_free_all((void *[]){ __VA_ARGS__ }, ARRAY_SIZE(((void *[]){ __VA_ARGS__ })))
void mem_free_all(void *const *blocks, size_t nr);

/* Zeroed is empty and ready. Not shared between threads. */
struct arena {
	struct arena_chunk *chunk; /* the newest; it links to the older ones */
	uint8_t *pos, *end;        /* free room in the newest */
	size_t total;              /* bytes in all chunks */
};

/* Allocate @size bytes, aligned to 8 and not zeroed, until reset or release. */
MALLOC_LIKE void *arena_alloc(struct arena *a, size_t size);
MALLOC_LIKE char *arena_strndup(struct arena *a, const char *s, size_t len);
MALLOC_LIKE char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Free all allocations, but keep the newest chunk for reuse. */
void arena_reset(struct arena *a);
void arena_release(struct arena *a);

#endif
