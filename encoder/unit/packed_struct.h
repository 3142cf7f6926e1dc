/* SPDX-License-Identifier: GPL-2.0-only */
/* packed_struct.h - was a struct declared packed? */
#ifndef BTFENC_ENCODER_UNIT_PACKED_STRUCT_H
#define BTFENC_ENCODER_UNIT_PACKED_STRUCT_H

#include "loader/dwarf/cu.h"

/*
 * DWARF does not say it, but the offsets may: a member that does not stand at a multiple
 * of its alignment, or a size that is none (docs/spec/encoding.md 8.8). @type is a STRUCT.
 */
bool packed_struct(const struct cu *cu, unit_tid type);

#endif
