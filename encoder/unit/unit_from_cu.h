/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_from_cu.h - a unit of DWARF becomes a unit contribution */
#ifndef BTFENC_ENCODER_UNIT_UNIT_FROM_CU_H
#define BTFENC_ENCODER_UNIT_UNIT_FROM_CU_H

#include "encoder/unit/run.h"
#include "encoder/unit/unit_btf.h"
#include "encoder/unit/unit_facts.h"
#include "loader/dwarf/cu.h"

/* The memory of one worker, kept from one unit to the next. */
struct unit_encoder;

/* Borrows @run. Free it before the pools of @run are released, which deduplicate() does. */
struct unit_encoder *unit_encoder_new(const struct run *run);
void unit_encoder_free(struct unit_encoder *m);

/*
 * Enter the contents of @cu in the pools and list them in *ret, as unit number @unit.
 * ERR_LIMIT for a type that BTF cannot express, ERR_UNSUPPORTED for a variable name that it
 * does not accept without encode_force. On error *ret is released. Unless NULL, @ret_facts, which is zeroed, gets the facts
 * that an object stores.
 */
MUST_CHECK struct err *unit_from_cu(struct unit_encoder *m, const struct cu *cu, uint32_t unit,
				    struct unit_btf *ret, struct unit_facts *ret_facts);

/* The same for one of which nothing is wanted: it may have something to tell. */
void unit_left_out(struct unit_encoder *m, const struct cu *cu, uint32_t unit,
		   struct unit_btf *ret);

/* The records of @cu as they are, with the same numbers as in its contribution. @ret is zeroed. */
void raw_unit_from_cu(struct unit_encoder *m, const struct cu *cu, struct raw_unit *ret);

#endif
