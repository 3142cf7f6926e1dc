/* SPDX-License-Identifier: GPL-2.0-only */
/* frag_from_cu.h - a unit of DWARF becomes a fragment */
#ifndef BTFENC_ENCODER_UNIT_FRAG_FROM_CU_H
#define BTFENC_ENCODER_UNIT_FRAG_FROM_CU_H

#include "encoder/unit/frag.h"
#include "encoder/unit/run.h"
#include "loader/dwarf/cu.h"

/* What one worker needs for it, kept from one unit to the next. */
struct frag_maker;

struct frag_maker *frag_maker_new(const struct run *run);
void frag_maker_free(struct frag_maker *m);

/*
 * Put what @cu says into the pools and list it in *ret, as unit number @unit.
 * ERR_LIMIT for a type that BTF cannot express, ERR_FORMAT for a variable name that it
 * does not accept without encode_force. On error *ret is released.
 */
MUST_CHECK struct err *frag_from_cu(struct frag_maker *m, const struct cu *cu, uint32_t unit,
				    struct frag *ret);

/* The same for one of which nothing is wanted: it may have something to tell. */
void frag_left_out(struct frag_maker *m, const struct cu *cu, uint32_t unit, struct frag *ret);

/* The records of @cu as they are, with the same numbers as in its fragment. */
MUST_CHECK struct err *exact_from_cu(struct frag_maker *m, const struct cu *cu,
				     struct exact_unit *ret);

#endif
