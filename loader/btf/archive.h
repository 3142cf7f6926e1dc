/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive.h - find the BTF of each object in a section that a linker concatenated
 *
 * A linker without BTF support concatenates the .BTF sections of its inputs. This module finds
 * these members. Threads open each of them later with btf_view_open().
 */
#ifndef BTFENC_LOADER_BTF_ARCHIVE_H
#define BTFENC_LOADER_BTF_ARCHIVE_H

#include "base/bytes.h"
#include "base/err.h"

/* One member: BTF of one object. */
struct archive_member {
	size_t offset, size; /* in the bytes walked: header and sections */
	/* The length of its header, which identifies some producers; reading it again would load 64 KiB. */
	uint32_t hdr_len;
};

/* Zeroed is empty. Owns its array, borrows the bytes. */
struct archive {
	struct bytes bytes;
	bool swap; /* members are in the other byte order */
	struct {
		struct archive_member *items;
		size_t nr, cap;
	} members;       /* in the order of the bytes, never overlapping */
	size_t nr_empty; /* malformed empty units of gcc 12 that were skipped */
};

/*
 * Find all members of @b, of which there must be at least one. A single member is ordinary BTF.
 *
 * Every byte must belong to a member, to an empty unit of gcc 12, or to padding: zeros that are too few
 * for a member, or one byte repeated up to an offset that an alignment explains. Otherwise ERR_FORMAT
 * names the number of the member that is damaged or missing (the first is 1; empty units do not
 * count) and its offset in @b. Members of different byte orders are also ERR_FORMAT.
 *
 * Checks the header of each member, the extents of its sections, the ends of its strings, and that it
 * does not hide another member. Does not check the records. Takes linear time. On error *ret is
 * untouched.
 *
 * @mapped: the bytes belong to a mapped file, whose pages are released behind the walk (mapped_file.h).
 */
MUST_CHECK struct err *archive_walk(struct bytes b, bool mapped, struct archive *ret);
void archive_release(struct archive *a);

/* The content of a .BTF section, judged without reading records. */
enum archive_guess {
	ARCHIVE_NONE,    /* nothing, one BTF (split or not), or one empty unit */
	ARCHIVE_MANY,    /* two or more members */
	ARCHIVE_DAMAGED, /* archive_walk() reports the damage */
};

/* With ARCHIVE_MANY *ret has the members, else it is untouched. @mapped as above. */
enum archive_guess archive_guess(struct bytes b, bool mapped, struct archive *ret);

/* Is @b one BTF whose strings continue those of a base? */
bool archive_is_split(struct bytes b);

/* The bytes of member @i. */
static inline struct bytes archive_bytes(const struct archive *a, size_t i)
{
	const struct archive_member *m = &a->members.items[i];

	return (struct bytes){ a->bytes.ptr + m->offset, m->size };
}

#endif
