/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out_file.h - write bytes to a file: BTF beside its ELF file, or a report
 *
 * In steps, for callers that write several files or none: prepare does everything that can fail,
 * commit is a rename.
 *
 *	CLEANUP(out_file_release) struct out_file f = { 0 };
 *
 *	TRY(out_file_prepare(path, data, &f));
 *	...
 *	TRY(out_file_commit(&f));
 */
#ifndef BTFENC_ENCODER_ELF_OUT_OUT_FILE_H
#define BTFENC_ENCODER_ELF_OUT_OUT_FILE_H

#include "base/bytes.h"
#include "base/os/replace_file.h"

#include <sys/stat.h>

/* Borrows the path and the data. */
struct out_file {
	const char *path;
	struct bytes data;
	enum {
		OUT_FILE_REPLACE,   /* the new file is written; commit renames it */
		OUT_FILE_OVERWRITE, /* the folder does not allow a new file */
		OUT_FILE_THROUGH,   /* a device, a pipe */
		OUT_FILE_CONTINUE,  /* our own descriptor, at its position */
	} how;
	struct replace_file replace;
	int fd; /* of the existing file, -1 if there is none */
	struct stat st;
	bool is_open;
};

/* These do not change @path. *f must be zeroed, and released even on error. ERR_IO. */
MUST_CHECK struct err *out_file_open(const char *path, struct out_file *f);
MUST_CHECK struct err *out_file_fill(struct out_file *f, struct bytes data);
MUST_CHECK struct err *out_file_prepare(const char *path, struct bytes data, struct out_file *f);
MUST_CHECK struct err *out_file_commit(struct out_file *f);
void out_file_release(struct out_file *f);

/*
 * All steps at once. A regular file is replaced atomically; a new one gets mode 0666 less the umask, as
 * from any compiler. If the folder does not allow that (not writable, or the file is a mount point), the
 * file is overwritten, after its room is reserved. Devices, pipes and /dev/stdout are written to.
 */
MUST_CHECK struct err *out_file_write(const char *path, struct bytes data);

#endif
