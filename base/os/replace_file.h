/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replace_file.h - give a file new content in one step
 *
 *	CLEANUP(replace_file_close) struct replace_file r = { 0 };
 *
 *	TRY(replace_file_open(path, old, &r));
 *	TRY(file_write(r.fd, data));
 *	TRY(replace_file_commit(&r));
 *
 * The new content grows in a file without a name in the same folder and takes the
 * place of the old one by a rename. Whatever happens before, the old one is untouched,
 * and the system itself clears away the unfinished one. Where a file without a name is
 * not possible, it has one that starts with ".btfenc-", and signals wait until
 * it is gone (critical.h); only SIGKILL leaves it behind.
 */
#ifndef BTFENC_BASE_OS_REPLACE_FILE_H
#define BTFENC_BASE_OS_REPLACE_FILE_H

#include "base/critical.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct replace_file {
	int fd; /* the new content is written here */
	/*
	 * Set when opening or committing failed because the folder, not the file, does not
	 * allow it: whoever may write the file itself can still do that.
	 */
	bool denied;
	bool is_open;
	/* Committed, but without these of the old one's ("owner", say), for we may not set them; empty: all is kept. */
	char lost[64];
	int old; /* as given to open */
	int dir;
	char *name;            /* in @dir */
	char temp[32];         /* name in @dir of the new content; empty if it has none */
	struct critical guard; /* of the name; begun if @guarded */
	bool guarded;
};

/*
 * Prepare to replace @path, or what it leads to if it is a symbolic link. @old is a
 * descriptor of the file that is there, to remain open, or -1 if there is none. *r is
 * zeroed before, and must be closed even if this fails.
 */
MUST_CHECK struct err *replace_file_open(const char *path, int old, struct replace_file *r);
/*
 * Put the new file in the place of the old, with its mode, and as far as we may (@lost) with its
 * owner and extended attributes. An error if the old one is no longer the one that @old
 * is, for then somebody else's work would be lost.
 */
MUST_CHECK struct err *replace_file_commit(struct replace_file *r);
void replace_file_close(struct replace_file *r);

/* Capabilities of a program, which writing into it takes away. Zeroed is none. */
struct file_caps {
	uint8_t bytes[64]; /* more than any version has */
	size_t len;
};

void file_caps_get(int fd, struct file_caps *ret);
/* False if it has them no more, and we may not give them back. */
bool file_caps_put(int fd, const struct file_caps *caps);

/*
 * Where @path leads when its last component is followed through symbolic links, to a
 * file that need not exist. On the heap.
 */
MUST_CHECK struct err *replace_file_follow(const char *path, char **ret);

#endif
