/* SPDX-License-Identifier: GPL-2.0-only */
/* raw_file.h - read whole files, also those whose length is unknown */
#ifndef BTFENC_LOADER_ELF_RAW_FILE_H
#define BTFENC_LOADER_ELF_RAW_FILE_H

#include "base/err.h"
#include "loader/elf/ar_file.h"
#include "loader/elf/unpack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Read @path to its end, as files of sysfs and pipes want it; a named pipe without a writer is empty.
 * *ret is on the heap, the caller's. ERR_IO, of a device but a terminal too.
 */
MUST_CHECK struct err *raw_file_read(const char *path, uint8_t **ret, size_t *ret_len);

/* The same, and decompresses it if it is compressed (unpack.h). */
MUST_CHECK struct err *raw_file_read_unpacked(const char *path, uint8_t **ret, size_t *ret_len);

/* Owns what is there, unless zeroed. */
struct raw_file {
	const uint8_t *ptr;
	size_t len;
	bool mapped;
};

/*
 * Open raw BTF to look at only: mapped if the file can be and is not compressed. ERR_FORMAT for other files.
 * *ret must be zeroed; close it in any case.
 */
MUST_CHECK struct err *raw_file_open(const char *path, struct raw_file *ret);
/*
 * The same for a large file that is read from its start to its end and whose pages the reader gives back. Nothing is read
 * yet if it is mapped.
 */
MUST_CHECK struct err *raw_file_open_in_parts(const char *path, struct raw_file *ret);
void raw_file_close(struct raw_file *f);

/*
 * Does it, or what comes out of it if it is compressed, begin with the @len bytes at @magic, 16 at most?
 * False if it cannot be read, or be read once only.
 */
bool raw_file_starts_with(const char *path, const char *magic, size_t len);
/* Is @file opened as an object? This includes members of ar archives that are no ELF files. */
bool raw_file_is_object(const struct file_ref *file);

#endif
