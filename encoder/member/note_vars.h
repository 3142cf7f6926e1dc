/* SPDX-License-Identifier: GPL-2.0-only */
/* note_vars.h - variables whose symbols are not what their types and names say */
#ifndef BTFENC_ENCODER_MEMBER_NOTE_VARS_H
#define BTFENC_ENCODER_MEMBER_NOTE_VARS_H

#include "encoder/member/member_note.h"
#include "encoder/unit/run.h"
#include "loader/dwarf/cu.h"

/*
 * Append those of @cu, of which unit_from_cu() has made @f, to @n->sizes. A global variable is
 * found by the name of its symbol, however long that is.
 */
void note_vars(const struct run *run, const struct cu *cu, const struct unit_btf *f,
	       struct member_note *n);

#endif
