/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_names.h - from which objects a program was linked, as far as its units tell */
#ifndef BTFENC_LOADER_DWARF_UNIT_NAMES_H
#define BTFENC_LOADER_DWARF_UNIT_NAMES_H

#include "base/err.h"

#include <stddef.h>

/* Zeroed is empty. Owns its strings. */
struct unit_names {
	char **items;
	size_t nr, cap;
};

/*
 * The objects of the units of @path, in their order, each once: a unit called "fs/open.c" is
 * from "fs/open.o", in the folder that it was compiled in. ERR_IO, ERR_FORMAT; no debug
 * information gives none.
 */
MUST_CHECK struct err *unit_names_read(const char *path, struct unit_names *ret);
void unit_names_release(struct unit_names *u);

#endif
