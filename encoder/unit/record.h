/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - one type of a unit as a BTF record
 *
 * DWARF becomes BTF here, kind by kind (docs/spec/encoding.md 6). References stay numbers of
 * the unit; who wants others replaces them with btf_rec_each_type().
 */
#ifndef BTFENC_ENCODER_UNIT_RECORD_H
#define BTFENC_ENCODER_UNIT_RECORD_H

#include "encoder/report/omission.h"
#include "loader/dwarf/cu.h"

struct record_words {
	uint32_t *items;
	size_t nr, cap;
};

struct run;

/*
 * Append type @t of @cu to @w. What BTF cannot express is left out or approximated, and reported to
 * @log unless that is NULL. An array's index type is POOL_REF_INDEX.
 */
void record_append(const struct run *run, const struct cu *cu, unit_tid t, struct record_words *w,
		   const struct omission_log *log);

#endif
