/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replace_file.h - replace the content of a file atomically
 *
 *	CLEANUP(replace_file_close) struct replace_file r = { 0 };
 *
 *	TRY(replace_file_open(path, old, &r));
 *	TRY(file_write(r.fd, data));
 *	TRY(replace_file_commit(&r));
 *
 * The new content is written to an unnamed file (O_TMPFILE) in the same folder, which then replaces the
 * old file by a rename. Until then the old file is unchanged, and the kernel removes the unnamed file
 * if the process dies. Where unnamed files are not supported, the name starts with ".btfenc-", and
 * signals wait until the file is renamed or removed (critical.h); only SIGKILL leaves it behind.
 */
#ifndef BTFENC_BASE_OS_REPLACE_FILE_H
#define BTFENC_BASE_OS_REPLACE_FILE_H

#include "base/critical.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name in a folder. The last component of a path has been followed through symbolic links, once. */
struct dir_entry {
	int dir; /* -1: none */
	char *name;
	/* it is in /proc, where a link is no name but an open file: it was not followed */
	bool in_proc;
};

/*
 * Find the folder and the name of @path, a file that need not exist. A link that appears there later is not followed: use the
 * descriptor, with O_NOFOLLOW. A link of another user in a folder with the sticky bit is refused, as Linux
 * does (proc_sys_fs(5), protected_symlinks). Release *ret, also after an error.
 */
MUST_CHECK struct err *dir_entry_find(const char *path, struct dir_entry *ret);
void dir_entry_release(struct dir_entry *p);

struct replace_file {
	int fd; /* the new content is written here */
	/* Opening or committing failed because of the folder: the file itself may be writable. */
	bool denied;
	bool is_open;
	/* Attributes of the old file that could not be set ("owner", for example); empty: none. */
	char lost[64];
	int old; /* as given to open */
	struct dir_entry at;
	char temp[32];         /* name in the folder of the new content; empty if it has none */
	struct critical guard; /* of the name; begun if @guarded */
	bool guarded;
};

/*
 * Prepare to replace @path, or its target if it is a symbolic link. @old is a descriptor of the existing
 * file, which must stay open, or -1 if there is none. *r must be zeroed, and closed even after an error.
 */
MUST_CHECK struct err *replace_file_open(const char *path, int old, struct replace_file *r);
/* The same with a place that was found before, which *r takes over. */
MUST_CHECK struct err *replace_file_open_at(struct dir_entry *at, int old, struct replace_file *r);
/*
 * Replace the old file by the new one, with the mode of the old file, and as far as permitted (@lost)
 * its owner and extended attributes. An error if another process has replaced the old file.
 */
MUST_CHECK struct err *replace_file_commit(struct replace_file *r);
/* The same without an old file. If there is one now, it stays, and *ret_exists is true. */
MUST_CHECK struct err *replace_file_commit_new(struct replace_file *r, bool *ret_exists);
void replace_file_close(struct replace_file *r);

/* Capabilities of a file, which a write removes. Zeroed is none. */
struct file_caps {
	uint8_t bytes[64]; /* more than any version has */
	size_t len;
};

void file_caps_get(int fd, struct file_caps *ret);
/* False if the capabilities are lost and cannot be restored. */
bool file_caps_put(int fd, const struct file_caps *caps);

#endif
