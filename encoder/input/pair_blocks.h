/* SPDX-License-Identifier: GPL-2.0-only */
/* pair_blocks.h - find the block of .debug.btf that each member of an archive has */
#ifndef BTFENC_ENCODER_PAIR_BLOCKS_H
#define BTFENC_ENCODER_PAIR_BLOCKS_H

#include "encoder/input/input.h"

/*
 * Give the members of @in from number @first on their blocks in @section, the .debug.btf of @path. A member whose
 * object has several units becomes one member for each. @linked: the slots have addresses in the linked file.
 *
 * A linker puts the .BTF and the .debug.btf of its inputs in the same order, so blocks and members usually pair one to
 * one. Where some objects have no block, or the order differs, the checksum of the .BTF decides. Damaged blocks and
 * those that follow are ignored with a warning. Returns the number of objects whose blocks belong to no member.
 */
size_t pair_blocks(struct input *in, size_t first, struct bytes section, bool linked,
		   const char *path, struct diagnostics *diags);

#endif
