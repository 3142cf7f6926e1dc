/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * split_file.h - what -gsplit-dwarf has put into other files
 *
 * A unit is then a skeleton: it names a .dwo file that has the unit itself, and the id that both
 * have. dwp gathers .dwo files into one package, FILE.dwp beside FILE, with an index that says
 * where the contributions of each are.
 */
#ifndef BTFENC_LOADER_DWARF_SPLIT_FILE_H
#define BTFENC_LOADER_DWARF_SPLIT_FILE_H

#include "loader/dwarf/dw_file.h"

/*
 * Open the package of @f, if there is one; *ret is NULL if not, else the caller's: dw_companion_close().
 * Errors as of dw_file_open(), and ERR_FORMAT for an index that is damaged.
 */
MUST_CHECK struct err *split_package_open(const struct dw_file *f, struct dw_companion **ret);

/*
 * Open the .dwo file @name, which is relative to @folder if not absolute; either may have moved
 * together with @f. *ret as above. Any thread.
 */
MUST_CHECK struct err *split_file_open(const struct dw_file *f, const char *folder,
				       const char *name, struct dw_companion **ret);

/* Put @f->ids, of a package or a .dwo file, in order, so that ... */
void split_sort_ids(struct dw_file *f);
/* ... the first unit with the id @id is found; NULL if there is none. */
const struct dw_unit *split_find_unit(const struct dw_file *f, uint64_t id);

#endif
