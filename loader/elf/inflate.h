/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inflate.h - compressed sections
 *
 * Two forms: SHF_COMPRESSED with a header of ELF (zlib or zstd), and the older
 * .zdebug_* sections of GNU tools, "ZLIB" and a big-endian length in front of a zlib
 * stream.
 */
#ifndef BTFENC_LOADER_ELF_INFLATE_H
#define BTFENC_LOADER_ELF_INFLATE_H

#include "loader/elf/object.h"

/* Is the debug section @s compressed? */
bool inflate_needed(const struct object_section *s);

/*
 * The bytes of @s of @o, inflated if it is compressed: *ret_own is then their memory, which the caller
 * frees, and OBJECT_PADDING zeros follow them. *ret_own is NULL if @s is not compressed. ERR_FORMAT if the
 * data are broken or do not have the length that they claim, ERR_UNSUPPORTED for another compression.
 */
MUST_CHECK struct err *inflate_section(const struct object *o, const struct object_section *s,
				       struct bytes *ret, uint8_t **ret_own);

#endif
