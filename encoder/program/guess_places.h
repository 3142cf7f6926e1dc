/* SPDX-License-Identifier: GPL-2.0-only */
/* guess_places.h - find the variables of members that have no addresses, by the symbol table */
#ifndef BTFENC_ENCODER_PROGRAM_GUESS_PLACES_H
#define BTFENC_ENCODER_PROGRAM_GUESS_PLACES_H

#include "encoder/program/program.h"

/*
 * The first @nr_units of @p are members of an archive that the first file of @p contains. Find the variables of
 * unit_btf.unplaced, and move them to unit_btf.vars, or omit them.
 *
 * By section: @wanted: are variables in it described? @apart: do they belong to the split BTF? NULL: none do.
 * A variable in a section that is not wanted is omitted without a message.
 */
void program_place_vars(struct program *p, size_t nr_units, const bool *wanted, const bool *apart,
			const struct omission_log *log);

#endif
