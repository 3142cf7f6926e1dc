/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * companion.h - other files that hold a part of a file's debug information
 *
 * - The supplementary file (DWARF 5, 7.3.6) has what the debug information of several files has in
 *   common. dwz -m makes it. .gnu_debugaltlink or .debug_sup names it, by path and build id.
 * - A .dwo file has a unit that -gsplit-dwarf moved out of the object. The skeleton of the unit that
 *   remains there names the file and has the same id.
 * - A package, FILE.dwp beside FILE, has the contents of many .dwo files, and an index. dwp makes it.
 */
#ifndef BTFENC_LOADER_DWARF_COMPANION_H
#define BTFENC_LOADER_DWARF_COMPANION_H

#include "base/diagnostics.h"
#include "loader/dwarf/dw_file.h"

struct dw_companion {
	struct object obj;
	struct dw_file file;
};

void dw_companion_close(struct dw_companion *c);

/*
 * Each of these opens a file that @f needs. *ret, which is NULL before, is the caller's, and stays NULL
 * if there is no such file. Errors as of dw_file_open().
 *
 * The supplementary file is looked for as the link says, relative to the folder of the file with
 * the link, then in /usr/lib/debug, by build id and in .dwz/. It must have the build id of the link. The
 * network is never used. *ret_missing, which the caller frees, is the path of the link, with a warning in @diags, if @f
 * names a file that is not there.
 */
MUST_CHECK struct err *sup_open(const struct dw_file *f, struct diagnostics *diags,
				struct dw_companion **ret, char **ret_missing);

/* The package. ERR_FORMAT if its index is damaged. */
MUST_CHECK struct err *package_open(const struct dw_file *f, struct dw_companion **ret);

/*
 * The .dwo file @name, relative to @folder if it is not absolute, or, if both files were moved, relative
 * to the folder of @f or in it. Any thread may call this.
 */
MUST_CHECK struct err *dwo_open(const struct dw_file *f, const char *folder, const char *name,
				struct dw_companion **ret);

#endif
