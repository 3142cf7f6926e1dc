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

#include "base/os/dlopen_note.h"

#define LIBRARY "liblzma.so.5"

DLOPEN_NOTE(LIBRARY, xz, "Read files that xz has compressed");

static struct liblzma lib;

static const struct dlopen_function functions[] = {
	{ "lzma_stream_decoder", &lib.stream_decoder },
	{ "lzma_code", &lib.code },
	{ "lzma_end", &lib.end },
	{ NULL, NULL },
};

static struct dlopen_library library = { .soname = LIBRARY, .functions = functions };

struct err *liblzma_load(const struct liblzma **ret)
{
	const char *failure = dlopen_once(&library);

	if (failure)
		return err_new(ERR_UNSUPPORTED, "liblzma is needed to read it: %s", failure);
	*ret = &lib;
	return NULL;
}

#endif
