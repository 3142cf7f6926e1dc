/* SPDX-License-Identifier: GPL-2.0-only */
/* arena.c - see arena.h */
#include "base/arena.h"

#include "base/critical.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK_MIN = 64 * 1024, CHUNK_MAX = 4 * 1024 * 1024 };

struct arena_chunk {
	struct arena_chunk *older;
	size_t size;
	uint8_t data[] __attribute__((aligned(16)));
};

void mem_die(void)
{
	static const char text[] = "btfenc: error: out of memory\n";

	critical_die(text, sizeof(text) - 1);
}

void *mem_alloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_die();
	return p;
}

void *mem_zalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size);

	if (!p)
		mem_die();
	return p;
}

void *mem_zalloc_table(size_t nr, size_t size)
{
	const uintptr_t large = (uintptr_t)2 * 1024 * 1024;
	void *p = mem_zalloc(nr, size);
	uintptr_t first = ((uintptr_t)p + large - 1) & ~(large - 1);
	uintptr_t last = ((uintptr_t)p + nr * size) & ~(large - 1);

	if (first < last)
		(void)madvise((void *)first, last - first, MADV_HUGEPAGE);
	return p;
}

enum { SMALL = 1024 * 1024 };

void *mem_grow(void *ptr, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return ptr;

	/* small arrays double, large ones grow by half */
	size_t want = *cap + (*cap < SMALL / size ? *cap : *cap / 2);
	if (want < need)
		want = need;
	if (want < 16)
		want = 16;
	if (ADDRESS_SANITIZED && need <= 64)
		want = need; /* so that it finds an access just behind the last element */
	void *p = reallocarray(ptr, want, size);
	if (!p)
		mem_die();
	*cap = want;
	return p;
}

char *mem_strdup(const char *s)
{
	return mem_dup(s, strlen(s) + 1);
}

char *mem_printf(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		mem_die();
	va_end(ap);
	return text;
}

void mem_free_text(char **text)
{
	free(*text);
}

void mem_free(void *variable)
{
	void *p;

	memcpy(&p, variable, sizeof(p));
	free(p);
}

void mem_free_all(void *const *blocks, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(blocks[i]);
}

void *mem_dup(const void *ptr, size_t len)
{
	void *p = mem_alloc(len);

	if (len)
		memcpy(p, ptr, len);
	return p;
}

static void *alloc_in_new_chunk(struct arena *a, size_t size)
{
	size_t want = a->total < CHUNK_MAX ? a->total : CHUNK_MAX;

	if (want < CHUNK_MIN)
		want = CHUNK_MIN;
	if (want < size)
		want = size;

	struct arena_chunk *c = mem_alloc(sizeof(*c) + want);
	c->older = a->chunk;
	c->size = want;
	a->chunk = c;
	a->total += want;
	a->pos = c->data + size;
	a->end = c->data + want;
	return c->data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	if (size > SIZE_MAX - 64)
		mem_die();
	size = (size + 7) & ~(size_t)7;
	if ((size_t)(a->end - a->pos) < size || !a->chunk)
		return alloc_in_new_chunk(a, size);

	void *p = a->pos;
	a->pos += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	p[len] = '\0';
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		mem_die();

	char *copy = arena_strndup(a, text, (size_t)len);
	free(text);
	return copy;
}

static void free_chunks(struct arena_chunk *c)
{
	while (c) {
		struct arena_chunk *older = c->older;

		free(c);
		c = older;
	}
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *c = a->chunk;

	if (!c)
		return;
	free_chunks(c->older);
	c->older = NULL;
	a->total = c->size;
	a->pos = c->data;
	a->end = c->data + c->size;
}

void arena_release(struct arena *a)
{
	free_chunks(a->chunk);
	*a = (struct arena){ 0 };
}
