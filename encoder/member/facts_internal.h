/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_internal.h - the body of a block, for facts_reader.c and facts_writer.c */
#ifndef BTFENC_ENCODER_MEMBER_FACTS_INTERNAL_H
#define BTFENC_ENCODER_MEMBER_FACTS_INTERNAL_H

#include "btf/btf_wire.h"
#include "encoder/unit/unit_btf.h"

/* Beside the features, which are fewer. */
#define INCOMPLETE (UINT32_C(1) << 31)
#define RECOMPILED (UINT32_C(1) << 30)

/* Beside UNIT_FUNC_STORED: the function is also one that is inlined, with the same prototype. */
enum { FUNC_IS_INLINED = 1 << 5 };

/*
 * The form of a place takes four bits. The number of values follows from the form, that of a constant from its
 * size.
 */
struct place_form {
	uint8_t flags, nr;
};

static const struct place_form place_forms[] = {
	{ 0, 0 },
	{ BTF_LOC_CONST, 0 },
	{ BTF_LOC_CONST | BTF_LOC_SIGNED, 0 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR, 0 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR | BTF_LOC_SIGNED, 0 },
	{ BTF_LOC_REG, 1 },
	{ BTF_LOC_REG, 2 },
	{ BTF_LOC_REG | BTF_LOC_DEREF, 1 },
	{ BTF_LOC_REG | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2 },
	{ BTF_LOC_REG | BTF_LOC_DEREF | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2 },
};

_Static_assert(!(FUNC_IS_INLINED & UNIT_FUNC_STORED), "one meaning for each bit");

#endif
