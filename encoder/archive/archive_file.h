/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_file.h - a file to which every object's BTF is appended while a program is built
 *
 * Instead of a section in each object, for who wants neither BTF nor DWARF there. The file
 * is a plain BTF archive (loader/btf/archive.h): each member is followed by a seal, an empty
 * BTF, which says in its strings of which object the member is, how long it is, and a
 * checksum. What has no seal does not count, so a writer may be killed at any point.
 */
#ifndef BTFENC_ENCODER_ARCHIVE_ARCHIVE_FILE_H
#define BTFENC_ENCODER_ARCHIVE_ARCHIVE_FILE_H

#include "base/bytes.h"
#include "base/err.h"

struct archive_file_member {
	const char *object;  /* as it was given to archive_file_append() */
	size_t offset, size; /* of its BTF; @size 0: the object has no types any more */
	uint32_t checksum;   /* what the seal says */
};

/*
 * The members of a file, of each object the last one only, in the order in which these
 * stand in the file. That order means nothing in a build of several jobs at once. Maps
 * the file; @items and all names live as long as this does.
 */
struct archive_file {
	const uint8_t *map;
	size_t size;
	bool swap; /* members are in the other byte order */
	struct {
		struct archive_file_member *items;
		size_t nr, cap;
	} members;
	uint32_t *by_name; /* numbers of @members, sorted by the name of the object */
	size_t nr_older;   /* members that are not listed, for the object was encoded again */
	size_t torn;       /* bytes at the end of the file that a killed writer has left */
};

/*
 * Read the seals of @path, not the members. Waits for a writer. ERR_IO, or ERR_FORMAT if
 * it is not such a file or is damaged before its end: the message says which member, where
 * it begins, and after which object it comes. An empty file has no members. On error *ret
 * is untouched.
 */
MUST_CHECK struct err *archive_file_read(const char *path, struct archive_file *ret);
void archive_file_release(struct archive_file *a);

/*
 * The bytes of member @i, once they are found to be those that were appended; ERR_FORMAT
 * if they are not. Reads them all, so leave it to workers.
 */
MUST_CHECK struct err *archive_file_bytes(const struct archive_file *a, size_t i,
					  struct bytes *ret);
/* The number in @members of @object's, SIZE_MAX if there is none. */
size_t archive_file_find(const struct archive_file *a, const char *object);

/*
 * Append @btf, one BTF as encode_files() makes it, for @object; empty bytes if the object
 * has no types any more. The file is made if it is not there. Any number of processes may do
 * this at once. The time does not depend on the length of the file, but where a writer was
 * killed: then what it left is taken away first. ERR_IO; ERR_FORMAT if the file is of
 * another kind (it is not touched then); ERR_UNSUPPORTED if it has the other byte order.
 */
MUST_CHECK struct err *archive_file_append(const char *path, const char *object, struct bytes btf);

#endif
