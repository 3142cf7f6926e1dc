/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * out_file.h - section_out_file() in two or three steps
 *
 * For who writes something else as well, and wants all of it or nothing: what can fail is tried
 * first, the rest is a rename. Whether a file can be written at all is known once it is open.
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
		OUT_FILE_REPLACE,   /* it is written; commit renames it */
		OUT_FILE_OVERWRITE, /* its folder takes no new file */
		OUT_FILE_THROUGH,   /* a device, a pipe */
		OUT_FILE_CONTINUE,  /* a descriptor of ours: where that stands */
	} how;
	struct replace_file replace;
	int fd; /* of what is there, -1 if nothing is */
	struct stat st;
	bool is_open;
};

/* @path is untouched by these. *f is zeroed before, and must be released even if this fails. ERR_IO. */
MUST_CHECK struct err *out_file_open(const char *path, struct out_file *f);
MUST_CHECK struct err *out_file_fill(struct out_file *f, struct bytes data);
MUST_CHECK struct err *out_file_prepare(const char *path, struct bytes data, struct out_file *f);
MUST_CHECK struct err *out_file_commit(struct out_file *f);
void out_file_release(struct out_file *f);

#endif
