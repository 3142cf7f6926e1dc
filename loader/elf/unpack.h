/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompress files that are compressed as a whole (gzip, xz, zstd), and sections
 *
 * Installed kernel modules are such files. The first bytes of a file decide, not its name. If
 * several streams are concatenated, all are read.
 */
#ifndef BTFENC_LOADER_ELF_UNPACK_H
#define BTFENC_LOADER_ELF_UNPACK_H

#include "base/bytes.h"
#include "base/err.h"

enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_BZIP2,
	PACKING_XZ,
	PACKING_ZSTD,
	PACKING_ZLIB, /* of sections only: unpack_packing() does not return it */
};

/* How many bytes unpack_packing() looks at. */
enum { UNPACK_MAGIC = 10 };

/* By the first bytes of a file. */
enum packing unpack_packing(struct bytes start);
/* The program that makes it: "gzip" and so on. */
const char *unpack_name(enum packing p);

/*
 * Decompress all of @packed. *ret is on the heap, the caller's, with @padding zeros behind the *ret_len
 * bytes. ERR_FORMAT, with the offset in @packed, if it is damaged or cut; ERR_LIMIT for more than
 * UNPACK_RATIO bytes for each of @packed and UNPACK_FREE more, or more than
 * UNPACK_MEMORY bytes for the decoder; ERR_UNSUPPORTED for bzip2, and for xz without liblzma.
 */
MUST_CHECK struct err *unpack(struct bytes packed, size_t padding, uint8_t **ret, size_t *ret_len);
/*
 * The same for the contents of a section, of which exactly @want bytes must come out. @p is PACKING_ZLIB or
 * PACKING_ZSTD. Bytes behind the stream are padding.
 */
MUST_CHECK struct err *unpack_stream(enum packing p, struct bytes packed, size_t want,
				     size_t padding, uint8_t **ret, size_t *ret_len);
/* The first @len bytes of what comes out, or all if these are less; returns how many. 0 on error. */
size_t unpack_start(struct bytes packed, uint8_t *buf, size_t len);

/*
 * Modules shrink to a third, and debug information to a tenth if it repeats itself. A file that shrinks to
 * less than a 64th is little, or was made to fill the memory.
 */
enum {
	UNPACK_RATIO = 64,
	UNPACK_FREE = 16 << 20,
	/* "xz -9" needs 65 MiB, "zstd --ultra -22" 128 MiB, which is zstd's own limit */
	UNPACK_MEMORY = 128 << 20,
};

#endif
