/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archive_seal.h - what follows each member in a file of members: of which object it is, how
 * long, and a checksum
 *
 * A seal is BTF of its own, without a type, so that whoever walks the members of an archive
 * passes it. Its strings are:
 *
 *	"" OBJECT "" ... "" "btfenc-seal-1 LENGTH SUM SIZE SEALSUM"
 *
 * LENGTH and SUM are the member's length and checksum, SIZE is the seal's, SEALSUM is over all
 * of the seal before it; digits of base 16, so that they do not have a byte order. A seal
 * begins and ends at a multiple of 8, with zeros between it and its member. The numbers stand
 * last, so that the seal at the end of a file is found from there.
 */
#ifndef BTFENC_ENCODER_ARCHIVE_ARCHIVE_SEAL_H
#define BTFENC_ENCODER_ARCHIVE_ARCHIVE_SEAL_H

#include "base/bytes.h"
#include "base/err.h"

struct archive_seal {
	const char *object;  /* empty for the seal that a file begins with */
	uint64_t member_len; /* 0: the object has no types (any more) */
	uint32_t member_sum;
	size_t size; /* of the seal */
	bool swap;   /* as its member */
};

enum { ARCHIVE_SEAL_ALIGN = 8, ARCHIVE_SEAL_NUMBERS = 58 };

uint32_t archive_seal_sum(struct bytes b);
/* How many zeros belong between a member of @len bytes and its seal. */
size_t archive_seal_padding(uint64_t len);

/* Is there a seal at the start of @b? *ret borrows the name from there. */
bool archive_seal_parse(struct bytes b, struct archive_seal *ret);
/*
 * The size that the seal says which ends with @numbers, ARCHIVE_SEAL_NUMBERS bytes; 0 if these
 * are not the end of one.
 */
size_t archive_seal_size(const uint8_t *numbers);

/* Is there a seal anywhere in @b, be it at a place where none should be? */
bool archive_seal_anywhere(struct bytes b);

/* ERR_LIMIT if the name of the object is too long. *ret_ptr is on the heap. */
MUST_CHECK struct err *archive_seal_make(const char *object, struct bytes member, bool swap,
					 uint8_t **ret_ptr, size_t *ret_len);

#endif
