/* SPDX-License-Identifier: GPL-2.0-only */
/* reloc_ops.h - the effect of the relocation types of each machine; for loader/elf/reloc.c */
#ifndef BTFENC_LOADER_ELF_RELOC_OPS_H
#define BTFENC_LOADER_ELF_RELOC_OPS_H

#include <stdint.h>

enum reloc_action {
	ACT_UNKNOWN, /* not in the table */
	ACT_SKIP,
	/* with V for symbol + addend: */
	ACT_ABS,  /* the field becomes V */
	ACT_SUM,  /* the same, with a second addend in the field also in SHT_RELA */
	ACT_ADD,  /* add V to the field */
	ACT_SUB,  /* subtract V from the field */
	ACT_SET6, /* as ACT_ABS, ACT_ADD and ACT_SUB for the low six bits of a byte */
	ACT_ADD6,
	ACT_SUB6,
	ACT_SET_ULEB, /* the same for an unsigned LEB128 number, which keeps its length */
	ACT_ADD_ULEB,
	ACT_SUB_ULEB,
};

/* One byte: an action, and the width in bytes of the field that it changes. */
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

/* The operations by relocation type. */
struct reloc_ops {
	uint16_t machine; /* EM_* */
	uint16_t nr;
	const uint8_t *ops;
};

/* NULL if the machine is unknown. */
const struct reloc_ops *reloc_ops_of(uint16_t machine);

/* The operation of @type; 0 if it is in no table, or if @m is NULL. */
static inline uint8_t reloc_op(const struct reloc_ops *m, uint32_t type)
{
	return m && type < m->nr ? m->ops[type] : 0;
}

#endif
