/* SPDX-License-Identifier: GPL-2.0-only */
/* reloc_ops.h - what the relocation types of each machine do; for loader/elf/reloc.c */
#ifndef BTFENC_LOADER_ELF_RELOC_OPS_H
#define BTFENC_LOADER_ELF_RELOC_OPS_H

#include <stdint.h>

enum reloc_action {
	ACT_UNKNOWN, /* not in the table */
	ACT_SKIP,
	ACT_ABS,  /* symbol + addend */
	ACT_ADD,  /* what is there, plus that */
	ACT_SUB,  /* what is there, minus that */
	ACT_SET6, /* the same three for the low six bits of a byte */
	ACT_ADD6,
	ACT_SUB6,
	ACT_SET_ULEB, /* and for a LEB128 number, which keeps its length */
	ACT_ADD_ULEB,
	ACT_SUB_ULEB,
};

/* One byte: an action, and the width of what it changes. */
#define RELOC_OP(action, width) ((action) << 4 | (width))
#define RELOC_SKIP RELOC_OP(ACT_SKIP, 0)

static inline enum reloc_action reloc_op_action(uint8_t op)
{
	return (enum reloc_action)(op >> 4);
}

static inline unsigned int reloc_op_width(uint8_t op)
{
	return op & 0xf;
}

/* A table from relocation type to what is to be done. */
struct reloc_ops {
	uint16_t machine; /* EM_* */
	uint16_t nr;
	const uint8_t *ops;
};

/* NULL for a machine that we have no table for. */
const struct reloc_ops *reloc_ops_of(uint16_t machine);

/* What @type does; 0 if it is in no table, or if @m is NULL. */
static inline uint8_t reloc_op(const struct reloc_ops *m, uint32_t type)
{
	return m && type < m->nr ? m->ops[type] : 0;
}

#endif
