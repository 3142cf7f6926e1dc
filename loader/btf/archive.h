/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive.h - where the BTF of each object begins and ends in a pile of them
 *
 * A linker that knows nothing of BTF puts the .BTF sections of its inputs end to end.
 * This finds the members; what is in them is looked at one by one later, by many threads,
 * with btf_view_open().
 */
#ifndef BTFENC_LOADER_BTF_ARCHIVE_H
#define BTFENC_LOADER_BTF_ARCHIVE_H

#include "base/bytes.h"
#include "base/err.h"

/* Not more than a member has. */
enum { ARCHIVE_END_LEN = 24 };

/* One member: BTF of one object. */
struct archive_member {
	size_t offset, size; /* in the bytes walked: header and sections */
	/*
	 * What its header says of its own length, and its last bytes, by which some makers are known.
	 * The system brings in 64 KiB for each byte that is asked for again: that is all of it.
	 */
	uint32_t hdr_len;
	uint8_t end[ARCHIVE_END_LEN];
};

/* Zeroed is empty. Owns its array, borrows the bytes. */
struct archive {
	struct bytes bytes;
	bool swap; /* members are in the other byte order */
	struct {
		struct archive_member *items;
		size_t nr, cap;
	} members;       /* in the order of the bytes, never overlapping */
	size_t nr_empty; /* malformed empty units of gcc 12 that were passed over */
};

/*
 * Find every member of @b: at least one, or it is an error. One alone is ordinary BTF.
 *
 * Every byte is accounted for. It belongs to a member, to an empty unit of gcc 12, or to
 * padding: zeros that no member would fit into, or zeros or another byte over and over up
 * to an offset that an alignment gives reason to reach. Anything else is ERR_FORMAT, with
 * the number of the member that is damaged or should begin there (the first is 1; empty
 * units do not count) and its offset in @b. So are members of both byte orders.
 *
 * Of a member the header, the extents of its sections and the ends of its strings are
 * checked, and that it does not hide another one; not the records. Linear in @b. On error
 * *ret is untouched.
 *
 * @mapped: the bytes are of a mapped file, and what has been walked over is given back (mapped_file.h).
 */
MUST_CHECK struct err *archive_walk(struct bytes b, bool mapped, struct archive *ret);
void archive_release(struct archive *a);

/* What the bytes of a .BTF section are, as far as that shows without looking at records. */
enum archive_guess {
	ARCHIVE_NONE,    /* nothing, or one BTF, be it split, or one empty unit */
	ARCHIVE_MANY,    /* two or more of them */
	ARCHIVE_DAMAGED, /* archive_walk() will say how; what it was, nobody can */
};

/* With ARCHIVE_MANY *ret is what was found, else it is untouched. @mapped as above. */
enum archive_guess archive_guess(struct bytes b, bool mapped, struct archive *ret);

/* Is @b all one BTF whose strings continue those of a base? */
bool archive_is_split(struct bytes b);

/* The bytes of member @i. */
static inline struct bytes archive_bytes(const struct archive *a, size_t i)
{
	const struct archive_member *m = &a->members.items[i];

	return (struct bytes){ a->bytes.ptr + m->offset, m->size };
}

#endif
