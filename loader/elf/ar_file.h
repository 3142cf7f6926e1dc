/* SPDX-License-Identifier: GPL-2.0-only */
/* ar_file.h - input files, and the objects in an ar archive ("lib.a") as input files */
#ifndef BTFENC_LOADER_ELF_AR_FILE_H
#define BTFENC_LOADER_ELF_AR_FILE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash_table.h"

/* One input file. Borrows its strings. */
struct file_ref {
	const char *name; /* for messages: the path, or "ARCHIVE(MEMBER)" */
	const char *path; /* the file that has the bytes */
	const char *ar;   /* the ar archive that lists it; NULL: none does */
	/* the bytes in @path; @offset 0: the whole file, which is not mapped */
	uint64_t offset, len;
	struct bytes archive; /* the mapped archive that the bytes are in; empty: @offset is 0 */
};

static inline struct file_ref file_ref_of(const char *path)
{
	return (struct file_ref){ .name = path, .path = path };
}

/* Zeroed is empty. Owns the array, the mapped archives and, if they are in @names, the strings. */
struct file_refs {
	struct file_ref *items;
	size_t nr, cap;
	struct arena names;
	/* the archives with data, each mapped once for all of its members, and by number their paths */
	VEC(struct bytes) archives;
	struct name_ids archive_paths;
};

/*
 * Append the members of @path if it is an ar archive, else @path itself, which need not be readable. The
 * paths of a thin archive are relative to its folder, and members are not opened, so some may not be
 * ELF files. ERR_FORMAT with the offset if the archive is damaged.
 */
MUST_CHECK struct err *ar_file_expand(const char *path, struct file_refs *ret);
void file_refs_release(struct file_refs *l);

/* ERR_FORMAT if @start, the first bytes of a file, are those of an ar archive. */
MUST_CHECK struct err *ar_file_refuse(struct bytes start);

#endif
