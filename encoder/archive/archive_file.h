/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_file.h - a file to which a build appends the BTF of every object
 *
 * It replaces a section in each object for builds that want neither BTF nor DWARF there. The file
 * is a BTF archive (loader/btf/archive.h) in which a trailer follows each member; it names the
 * object of the member, its length and its checksum. Bytes without a trailer are ignored, so a
 * writer may be killed at any point.
 */
#ifndef BTFENC_ENCODER_ARCHIVE_ARCHIVE_FILE_H
#define BTFENC_ENCODER_ARCHIVE_ARCHIVE_FILE_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"

struct archive_file_member {
	const char *object;  /* as given to archive_file_append() */
	size_t offset, size; /* of its BTF; @size 0: the object has no types any more */
	uint32_t checksum;   /* from the trailer */
};

/*
 * The last member of each object, in the order of the file. In a build of several jobs this order
 * is arbitrary. Maps the file; @items and all names live as long as this struct does.
 */
struct archive_file {
	const uint8_t *map;
	size_t size;
	bool swap; /* members are in the other byte order */
	VEC(struct archive_file_member) members;
	uint32_t *by_name; /* numbers of @members, sorted by the name of the object */
	size_t nr_older;   /* members that a later one of the same object replaces */
	size_t torn;       /* bytes at the end of the file that a killed writer has left */
};

/*
 * Read the trailers of @path, not the members. Waits for a writer. ERR_IO, or ERR_FORMAT if
 * the file is of another kind or is damaged before its end: the message gives the number and the
 * offset of the member, and the object before it. An empty file has no members. On error *ret is
 * untouched.
 */
MUST_CHECK struct err *archive_file_read(const char *path, struct archive_file *ret);
void archive_file_release(struct archive_file *a);

/*
 * The bytes of member @i. ERR_FORMAT if they do not have the checksum of the trailer. Reads all of
 * them, so call it in worker threads.
 */
MUST_CHECK struct err *archive_file_bytes(const struct archive_file *a, size_t i,
					  struct bytes *ret);
/* The number in @members of @object's member, SIZE_MAX if there is none. */
size_t archive_file_find(const struct archive_file *a, const char *object);

/*
 * Append @btf, one BTF from encode_files(), for @object; empty bytes if the object has no types any
 * more. Creates the file if needed. Any number of processes may append at once. The time does not
 * depend on the length of the file, except after a writer was killed: its rest is removed first.
 * ERR_IO; ERR_FORMAT if the file is of another kind (it is not changed then); ERR_UNSUPPORTED if it
 * has the other byte order.
 */
MUST_CHECK struct err *archive_file_append(const char *path, const char *object, struct bytes btf);

#endif
