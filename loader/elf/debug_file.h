/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debug_file.h - the file that holds the debug information stripped from another
 *
 * libdw finds it, as for pahole: by the build id below /usr/lib/debug/.build-id, by the name in
 * .gnu_debuglink beside the file, in .debug/ beside it and below /usr/lib/debug, and from the
 * servers in $DEBUGINFOD_URLS. libdw uses only a file that has the build id or, if the main file
 * has none, the checksum of .gnu_debuglink.
 */
#ifndef BTFENC_LOADER_ELF_DEBUG_FILE_H
#define BTFENC_LOADER_ELF_DEBUG_FILE_H

#include "loader/elf/object.h"

/*
 * Find and map the debug file of @main, an image. *ret is NULL if there is none, else
 * heap memory of the caller, an image as well. Its sections see the addresses of
 * those of @main. If a file was found and not used, or libdw cannot be loaded, the impl of @main keeps
 * the reason.
 */
struct object *debug_file_find(const struct object *main);

enum {
	/* Shorter than any real build id, and the first byte alone names a folder. */
	DEBUG_FILE_ID_MIN = 3,
	DEBUG_FILE_ID_MAX = 64,
};

/* The build id of @o; empty if it has none. */
struct bytes debug_file_build_id(const struct object *o);
/* Are both the same file? */
bool debug_file_is_same(const struct object *a, const struct object *b);

#endif
