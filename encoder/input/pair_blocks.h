/* SPDX-License-Identifier: GPL-2.0-only */
/* pair_blocks.h - find the block of .debug.btf that each member of an archive has */
#ifndef BTFENC_ENCODER_PAIR_BLOCKS_H
#define BTFENC_ENCODER_PAIR_BLOCKS_H

#include "encoder/input/input.h"

/* A section .debug.btf. Borrows. */
struct block_section {
	struct bytes bytes;
	bool mapped; /* the bytes are mapped from a file */
	bool linked; /* the slots have addresses in the linked file */
	bool only_listed; /* blocks that stand alone are those of members only, which have them from their objects */
	const char *path; /* of the file */
};

/* The objects that a section has blocks of. */
struct block_count {
	size_t objects;
	size_t alone; /* of these: their blocks stand alone (facts_block.h) */
};

/* Count them, up to the first damage, which is an error: ERR_FORMAT, or ERR_UNSUPPORTED for another version. */
MUST_CHECK struct err *count_blocks(const struct block_section *section, bool swap,
				    struct block_count *ret);

/*
 * Give the members of @in from number @first on their blocks in @section. A member whose object has several units
 * becomes one member for each. Blocks that stand alone become members, too, at their place in the order of the section.
 *
 * A linker puts the .BTF and the .debug.btf of its inputs in the same order, so blocks and members usually pair one to
 * one. Where some objects have no block, or the order differs, the checksum of the .BTF decides. *ret_left is the number of
 * objects whose blocks belong to no member.
 *
 * Damaged blocks and those that follow are ignored with a warning. If blocks stand alone, or if there is no member that
 * they could belong to, damage is an error, because types would be missing.
 */
MUST_CHECK struct err *pair_blocks(struct input *in, size_t first,
				   const struct block_section *section, struct diagnostics *diags,
				   size_t *ret_left);

#endif
