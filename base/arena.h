/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - memory with one end of life, and the checked heap
 *
 * Running out of memory ends the process here and nowhere else: the output is
 * written in one step, so there is nothing to save, and no caller needs a branch
 * that no test can reach. Sizes that come from a file are checked against the
 * file before they get here.
 */
#ifndef BTFENC_BASE_ARENA_H
#define BTFENC_BASE_ARENA_H

#include "base/compiler.h"

#include <stddef.h>
#include <stdint.h>

/* Say that memory is exhausted and exit with status 1. */
NORETURN void mem_die(void);

MALLOC_LIKE void *mem_alloc(size_t size);
/* Zeroed; large sizes cost nothing until they are touched. */
MALLOC_LIKE void *mem_zalloc(size_t nr, size_t size);
/*
 * The same for a large table that is read here and there: it asks for large pages, which
 * saves most of the time that the processor spends on looking up addresses. free() it.
 */
MALLOC_LIKE void *mem_zalloc_table(size_t nr, size_t size);
/*
 * @ptr with room for at least @need (not 0) elements of @size bytes; *cap is the room it
 * has and gets, growing by half at least. New room is not zeroed.
 */
RETURNS_NONNULL void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size);
MALLOC_LIKE char *mem_strdup(const char *s);
/* Same length, not terminated. */
MALLOC_LIKE void *mem_dup(const void *ptr, size_t len);

/* As printf() would print it; free() it, or let CLEANUP(mem_free_text). */
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
	struct arena_chunk *chunk; /* newest; older ones behind it */
	uint8_t *pos, *end;        /* free room in the newest */
	size_t total;              /* bytes in all chunks */
};

/* Aligned to 8 bytes, not zeroed; lives until reset or release. */
MALLOC_LIKE void *arena_alloc(struct arena *a, size_t size);
MALLOC_LIKE char *arena_strndup(struct arena *a, const char *s, size_t len);
/* Forget everything, keep the newest chunk for reuse. */
void arena_reset(struct arena *a);
void arena_release(struct arena *a);

#endif
