/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_lines.h - the names of source files in .debug_line */
#ifndef BTFENC_LOADER_DWARF_DW_LINES_H
#define BTFENC_LOADER_DWARF_DW_LINES_H

#include "base/hash_table.h"
#include "loader/elf/object.h"

/*
 * The line tables that were looked up. Each is read once. Tables may overlap in a malformed file, so the headers that are
 * read have at most as many bytes as the section. Zeroed is a section without tables.
 */
struct dw_lines {
	const struct object *obj; /* borrowed, like @section */
	struct bytes section;
	uint64_t left; /* bytes of headers that may be read */
	VEC(struct dw_line_table) tables;
	VEC(uint32_t)
	entries; /* of all tables: positions of folders and files from the start of the table */
	struct hash_table by_offset; /* indexes of @tables, plus 1 */
};

/* @section: .debug_line of @obj */
void dw_lines_init(struct dw_lines *l, const struct object *obj, struct bytes section);
void dw_lines_release(struct dw_lines *l);

/*
 * The path of file number @number in the line table at @off, as elfutils gives it: with the folder of the table, which may
 * be relative, or @folder (may be NULL), in which the unit was compiled. NULL if the table does not have it, if name or folder has
 * more than PATH_MAX bytes, or if the header of the table is malformed. The caller frees the path.
 */
char *dw_lines_file(struct dw_lines *l, uint64_t off, uint64_t number, const char *folder);

#endif
