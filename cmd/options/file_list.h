/* SPDX-License-Identifier: GPL-2.0-only */
/* file_list.h - names of files, or of types, from arguments and lists */
#ifndef BTFENC_CMD_OPTIONS_FILE_LIST_H
#define BTFENC_CMD_OPTIONS_FILE_LIST_H

#include "base/arena.h"
#include "base/err.h"

/* Zeroed is empty. Owns the array and the names. */
struct file_list {
	const char **items;
	size_t nr, cap;
	struct arena names;
};

/*
 * Add @args in their order. "@LIST" stands for the names in the file LIST, one on each line, as
 * "ar t" prints them; "@-" reads standard input. ERR_IO; ERR_USAGE if there are only lists without a name.
 */
MUST_CHECK struct err *file_list_expand(const char *const *args, size_t nr, struct file_list *ret);
/* Append the lines of the file @path to @ret, without empty ones. ERR_IO. */
MUST_CHECK struct err *file_list_read(const char *path, struct file_list *ret);
void file_list_release(struct file_list *l);

#endif
