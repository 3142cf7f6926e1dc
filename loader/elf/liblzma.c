/* SPDX-License-Identifier: GPL-2.0-only */
/* liblzma.c - see liblzma.h */
#include "loader/elf/liblzma.h"

#ifdef BTFENC_STATIC

struct err *liblzma_load(const struct liblzma **ret)
{
	static const struct liblzma lib = { lzma_stream_decoder, lzma_code, lzma_end };

	*ret = &lib;
	return NULL;
}

#else

#include "base/arena.h"
#include "base/os/dlopen_note.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define LIBRARY "liblzma.so.5"

DLOPEN_NOTE(LIBRARY, xz, "Read files that xz has compressed");

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct liblzma lib;
static char *failure; /* NULL: it is loaded */

static bool find(void *handle, const char *name, void *ret)
{
	if (dlopen_find(handle, name, ret))
		return true;
	failure = mem_printf(LIBRARY " has no %s()", name);
	return false;
}

static void load(void)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): glibc keeps the text for each thread */
		failure = mem_printf("%s", dlerror());
	else if (!find(handle, "lzma_stream_decoder", &lib.stream_decoder) ||
		 !find(handle, "lzma_code", &lib.code) || !find(handle, "lzma_end", &lib.end))
		dlclose(handle);
}

struct err *liblzma_load(const struct liblzma **ret)
{
	pthread_once(&once, load);
	if (failure)
		return err_new(ERR_UNSUPPORTED, "liblzma is needed to read it: %s", failure);
	*ret = &lib;
	return NULL;
}

#endif
