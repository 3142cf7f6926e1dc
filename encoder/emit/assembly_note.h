/* SPDX-License-Identifier: GPL-2.0-only */
/* assembly_note.h - the note of an object, in the terms of its finished BTF */
#ifndef BTFENC_ENCODER_EMIT_ASSEMBLY_NOTE_H
#define BTFENC_ENCODER_EMIT_ASSEMBLY_NOTE_H

#include "encoder/emit/assembly.h"

/* What the finished BTF is to what was put into it. Borrows. */
struct note_frame {
	/* by the unit's own numbers of types: id in the result */
	const uint32_t *ids;
	uint32_t func_start, index;
	size_t strings_len; /* of the result's */
};

/*
 * Complete the note of the only unit of @a and append it to @strings, which are the result's.
 * Strings of the note that the result has not get their offsets here.
 */
void assembly_note_append(struct assembly *a, const struct note_frame *frame,
			  struct member_note_bytes *strings);

#endif
