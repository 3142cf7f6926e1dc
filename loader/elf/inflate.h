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
 * Inflate @s of @o. *ret belongs to the caller (free()); OBJECT_PADDING zeros follow
 * the *len bytes. ERR_FORMAT if the data are broken or do not have the length they
 * claim, ERR_UNSUPPORTED for another compression.
 */
MUST_CHECK struct err *inflate_section(const struct object *o, const struct object_section *s,
				       uint8_t **ret, size_t *len_ret);

#endif
