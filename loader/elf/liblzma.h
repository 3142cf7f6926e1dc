/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * liblzma.h - the decoder of xz, from a library that is loaded for the first file that needs it
 *
 * Few runs read such a file, and to load a library takes longer than to encode a small object.
 */
#ifndef BTFENC_LOADER_ELF_LIBLZMA_H
#define BTFENC_LOADER_ELF_LIBLZMA_H

#include "base/err.h"

#include <lzma.h>

struct liblzma {
	__typeof__(lzma_stream_decoder) *stream_decoder;
	__typeof__(lzma_code) *code;
	__typeof__(lzma_end) *end;
};

/* *ret stays valid to the end of the process. ERR_UNSUPPORTED if there is no library. Any thread. */
MUST_CHECK struct err *liblzma_load(const struct liblzma **ret);

#endif
