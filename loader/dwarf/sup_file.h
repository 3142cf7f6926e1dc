/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sup_file.h - the file that holds what the debug information of several has in common
 *
 * dwz -m makes it. .gnu_debugaltlink of each of the several names it, by path and build id;
 * DWARF 5 has .debug_sup for the same. Looked for where the path says, as seen from the folder of
 * the file that names it, then below /usr/lib/debug: by build id, and in .dwz/. Only the
 * build id decides whether a file is the right one. The network is never asked.
 */
#ifndef BTFENC_LOADER_DWARF_SUP_FILE_H
#define BTFENC_LOADER_DWARF_SUP_FILE_H

#include "base/diagnostics.h"
#include "loader/elf/object.h"

/*
 * Open the one that the debug information of @main names; *found is false if it names none, or
 * if that is not there, which is a warning in @diags. Errors as of object_open().
 */
MUST_CHECK struct err *sup_file_open(const struct object *main, struct diagnostics *diags,
				     struct object *ret, bool *found);
/* Does it name one? */
bool sup_file_is_named(const struct object *main);

#endif
