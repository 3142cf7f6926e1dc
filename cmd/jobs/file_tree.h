/* SPDX-License-Identifier: GPL-2.0-only */
/* file_tree.h - the files of a directory, or of a list, by their names in it */
#ifndef BTFENC_CMD_JOBS_FILE_TREE_H
#define BTFENC_CMD_JOBS_FILE_TREE_H

#include "cmd/options/file_list.h"

/* A file, which others have as @name: "kernel/net/tun.ko" for "/lib/modules/6.12/kernel/net/tun.ko.xz". */
struct tree_file {
	const char *name;
	struct file_ref file;
};

/* Owns all. Sorted by name. Zeroed is empty. */
struct file_tree {
	struct tree_file *items;
	size_t nr, cap;
	struct arena names;
	struct file_refs listed;
};

/* Is @arg a directory or a list, "@LIST"? */
bool file_tree_is(const char *arg);

/*
 * Find the files of @arg: the modules and files of BTF (*.ko, *.btf, also compressed) in a directory and the directories
 * below, or all files of a list. Names are relative to the directory, or to the one that contains all files of
 * the list, and end before the suffix of a compressed file. ERR_IO; ERR_FORMAT if two files have one name. *ret must
 * be zeroed; release it in any case.
 */
MUST_CHECK struct err *file_tree_read(const char *arg, struct file_tree *ret);
void file_tree_release(struct file_tree *t);

/* The files of arguments. Owns the names of those in directories. Zeroed is empty. */
struct file_trees {
	struct file_refs files;
	struct file_tree *trees; /* by argument; empty for a file or a list */
	size_t nr_trees;
};

/*
 * Find the files that have BTF. A directory stands for those of file_tree_read(), in the order of their names, and other
 * arguments for those of file_list_expand(). The same errors. *ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *file_trees_find(const char *const *args, size_t nr,
				       struct diagnostics *diags, struct file_trees *ret);
void file_trees_release(struct file_trees *t);

#endif
