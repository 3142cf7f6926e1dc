/* SPDX-License-Identifier: GPL-2.0-only */
/* file_list.h - names of files, or of types, from arguments and lists */
#ifndef BTFENC_CMD_OPTIONS_FILE_LIST_H
#define BTFENC_CMD_OPTIONS_FILE_LIST_H

#include "base/diagnostics.h"
#include "base/vec.h"
#include "loader/elf/ar_file.h"

/* Zeroed is empty. Owns the arrays and the names. */
struct file_list {
	const char **items;
	size_t nr, cap;
	VEC(size_t) lines; /* of each name that file_list_read() added, from 1 on */
	struct arena names;
};

/*
 * Add @args in their order. "@LIST" stands for the names in the file LIST, one on each line, as
 * "ar t" prints them; "@-" reads standard input. An ar archive stands for its members. ERR_IO; ERR_FORMAT for
 * a damaged archive; ERR_USAGE if only empty lists and archives are given. If a line of a list names no file, the
 * error has the number of the line and not its text: LIST may be any file, with any content. *ret must be zeroed;
 * release it in any case.
 */
MUST_CHECK struct err *file_list_expand(const char *const *args, size_t nr, struct file_refs *ret);
/* The same for files that need not be there, because only their names are used. */
MUST_CHECK struct err *file_list_expand_names(const char *const *args, size_t nr,
					      struct file_refs *ret);
/*
 * Drop members of ar archives that have no BTF, with a diagnostic for each. ERR_FORMAT if no file is left.
 */
MUST_CHECK struct err *file_list_keep_btf(struct file_refs *l, struct diagnostics *diags);
/* Append the lines of the file @path to @ret, without empty ones. ERR_IO. */
MUST_CHECK struct err *file_list_read(const char *path, struct file_list *ret);
void file_list_release(struct file_list *l);

#endif
