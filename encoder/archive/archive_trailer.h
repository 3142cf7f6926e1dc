/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_trailer.h - the record behind each member of an archive file: object, length, checksum
 *
 * A trailer is a BTF without types, so a reader that knows only concatenated BTF skips it. Its
 * strings are:
 *
 *	"" OBJECT "" ... "" "btfenc-seal-1 LENGTH SUM SIZE TRAILERSUM"
 *
 * LENGTH and SUM are the length and the checksum of the member, SIZE is the size of the trailer,
 * TRAILERSUM the checksum of the trailer up to there. The numbers are hexadecimal digits, so they
 * have no byte order. A trailer begins and ends at a multiple of 8; zeros fill the gap behind its
 * member. The numbers come last, so a reader finds the last trailer from the end of the file.
 */
#ifndef BTFENC_ENCODER_ARCHIVE_ARCHIVE_TRAILER_H
#define BTFENC_ENCODER_ARCHIVE_ARCHIVE_TRAILER_H

#include "base/bytes.h"
#include "base/err.h"

struct archive_trailer {
	const char *object;  /* empty in the trailer that begins a file */
	uint64_t member_len; /* 0: the object has no types, or none any more */
	uint32_t member_sum;
	size_t size; /* of the trailer */
	bool swap;   /* byte order of the member */
};

enum { ARCHIVE_TRAILER_ALIGN = 8, ARCHIVE_TRAILER_NUMBERS = 58 };

uint32_t archive_trailer_sum(struct bytes b);
/* The number of zeros between a member of @len bytes and its trailer. */
size_t archive_trailer_padding(uint64_t len);

/* Parse a trailer at the start of @b; false if there is none. *ret borrows the name. */
bool archive_trailer_parse(struct bytes b, struct archive_trailer *ret);
/* The size in @numbers, the last ARCHIVE_TRAILER_NUMBERS bytes of a trailer; 0 if they are not that. */
size_t archive_trailer_size(const uint8_t *numbers);

/* Does @b contain a trailer at any offset? */
bool archive_trailer_anywhere(struct bytes b);

/* ERR_LIMIT if the name of the object is too long. *ret_ptr is on the heap. */
MUST_CHECK struct err *archive_trailer_make(const char *object, struct bytes member, bool swap,
					    uint8_t **ret_ptr, size_t *ret_len);

struct archive_entry {
	struct archive_trailer trailer;
	size_t at; /* where the member begins; the trailer if the member is empty */
};

/* All members of a file, old versions included. Borrows the bytes; vec_release() releases it. */
struct archive_trailers {
	struct archive_entry *items;
	size_t nr, cap;
	bool swap;
	size_t end; /* of the last trailer */
};

/*
 * Find all members in @b, a whole file. ERR_FORMAT if it is a file of another kind, or if there is a
 * trailer behind bytes that are no member. On error *ret is untouched.
 */
MUST_CHECK struct err *archive_trailers_walk(struct bytes b, struct archive_trailers *ret);

#endif
