/* SPDX-License-Identifier: GPL-2.0-only */
/* note_from_cu.h - what BTF will not say of a unit, for the note of its object */
#ifndef BTFENC_ENCODER_MEMBER_NOTE_FROM_CU_H
#define BTFENC_ENCODER_MEMBER_NOTE_FROM_CU_H

#include "encoder/member/member_note.h"
#include "encoder/unit/unit_from_cu.h"

/*
 * List the functions of @cu, of which unit_from_cu() has made @f. Strings are ids of the pool,
 * types numbers of the unit. If names do not tell the unit's types apart, its records
 * are listed as they are, too. What follows from the finished BTF is left open.
 */
MUST_CHECK struct err *note_from_cu(struct unit_encoder *m, const struct cu *cu,
				    const struct unit_btf *f, struct member_note *ret);

#endif
