/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_lines.h - the names of source files in .debug_line */
#ifndef BTFENC_LOADER_DWARF_DW_LINES_H
#define BTFENC_LOADER_DWARF_DW_LINES_H

#include "loader/elf/object.h"

/*
 * The path of file number @number in the line table at @off of @section, .debug_line of @obj, as elfutils gives it: with
 * the folder of the table, which may be relative, or @folder (may be NULL), in which the unit was compiled. NULL if the
 * table does not have it, or is malformed. The caller frees the path.
 */
char *dw_line_file(const struct object *obj, struct bytes section, uint64_t off, uint64_t number,
		   const char *folder);

#endif
