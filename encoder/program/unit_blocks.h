/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_blocks.h - make .debug.btf, the facts of an object's units (encoder/member/facts_block.h) */
#ifndef BTFENC_ENCODER_PROGRAM_UNIT_BLOCKS_H
#define BTFENC_ENCODER_PROGRAM_UNIT_BLOCKS_H

#include "encoder/member/unit_from_btf.h"
#include "encoder/program/program.h"

/* The result for the only unit of an object. Borrows. */
struct unit_ids {
	const uint32_t *ids; /* by unit_tid: id in the result */
	uint32_t func_start, index;
	size_t strings_len; /* of the result's strings */
};

/*
 * Set ret->facts and ret->relocs from the facts of all units of @p, whose BTF is ret->btf. @ids is for a unit whose
 * types are those of the result; NULL if there is none. Nothing is set if the debug information is not in the file
 * itself, since no linker would update the addresses. ERR_LIMIT, and ERR_FORMAT for broken relocations.
 */
MUST_CHECK struct err *unit_blocks_make(struct program *p, const struct unit_ids *ids,
					struct encode_result *ret);
/*
 * The same from @members, which are the units of @p: their BTF and blocks, whose relocations are in section @index of
 * the file; 0 if it has none.
 */
MUST_CHECK struct err *unit_blocks_copy(const struct program *p, size_t index,
					const struct member *members, struct encode_result *ret);

#endif
