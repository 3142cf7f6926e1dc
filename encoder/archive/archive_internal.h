/* SPDX-License-Identifier: GPL-2.0-only */
/* archive_internal.h - what reading and appending to archive_file.h's files share */
#ifndef BTFENC_ENCODER_ARCHIVE_ARCHIVE_INTERNAL_H
#define BTFENC_ENCODER_ARCHIVE_ARCHIVE_INTERNAL_H

#include "encoder/archive/archive_seal.h"

struct archive_sealed {
	struct archive_seal seal;
	size_t at; /* where the member begins; its seal, if it is empty */
};

/* All members of a file, old versions included, in a vector's manner. Borrows the bytes. */
struct archive_seals {
	struct archive_sealed *items;
	size_t nr, cap;
	bool swap;
	size_t end; /* of what is sealed; what follows has no seal */
};

/*
 * Find them in the bytes of a whole file. ERR_FORMAT if it is of another kind, or if there
 * are seals behind bytes that are no member. On error *ret is untouched.
 */
MUST_CHECK struct err *archive_seals_walk(struct bytes b, struct archive_seals *ret);
void archive_seals_release(struct archive_seals *s);

#endif
