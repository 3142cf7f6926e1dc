/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_out.h - put sections into an ELF file, or bytes into a file
 *
 * At every moment the target is the old file or the new one, whole. Symbolic links
 * are followed, mode and owner survive, and a file with several names (a compiler
 * cache) is replaced under this name only.
 */
#ifndef BTFENC_ENCODER_SECTION_OUT_H
#define BTFENC_ENCODER_SECTION_OUT_H

#include "base/bytes.h"
#include "base/err.h"

struct section_content {
	const char *name;
	struct bytes data; /* ptr NULL: remove the section if it is there */
};

/*
 * Add or replace the sections of the ELF file @path. A replaced section keeps its
 * place in the section table, its flags and its alignment; a new one is last, type
 * PROGBITS, no flags, alignment 1.
 * ERR_IO, ERR_FORMAT (not ELF, broken tables); the file is then unchanged.
 */
MUST_CHECK struct err *section_out_elf(const char *path, const struct section_content *sections,
				       size_t nr);

/* Make @data the content of @path, which may be a device or a pipe. */
MUST_CHECK struct err *section_out_file(const char *path, struct bytes data);

#endif
