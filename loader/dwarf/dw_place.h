/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_place.h - where a parameter is at one address, as BTF has it */
#ifndef BTFENC_LOADER_DWARF_DW_PLACE_H
#define BTFENC_LOADER_DWARF_DW_PLACE_H

#include "loader/dwarf/dw_expr.h"

/* What DW_OP_fbreg counts from: the content of a register, and an offset. BTF_LOC_FBREG stands for the CFA. */
struct dw_frame_base {
	bool known;
	uint32_t reg;
	int64_t offset;
};

struct dw_frame_base dw_frame_base(const struct dw_locations *l, struct bytes expr);

/* The parameter whose place is looked for. */
struct dw_placed {
	uint64_t addr; /* where the program is */
	uint8_t size;  /* bytes of the parameter, 1 to BTF_LOC_MAX_SIZE */
	bool is_signed;
	struct dw_frame_base frame_base;
};

enum { BTF_LOC_MAX_SIZE = 16 };

/*
 * The place of @p, by the expression of @loc that holds at @p->addr (docs/spec/encoding.md 15.3). All zero if there is
 * none, or if BTF cannot express it. Of an address constant, *ret_addr has the address and where it is stored.
 */
struct cu_place dw_location_place(const struct dw_locations *l, const struct dw_location *loc,
				  const struct dw_placed *p, struct dw_addr *ret_addr);
/* The same for one that is the constant @number. */
struct cu_place dw_constant_place(const struct dw_placed *p, uint64_t number);
/* The same for the bytes of a constant. */
struct cu_place dw_block_place(const struct dw_locations *l, const struct dw_placed *p,
			       struct bytes block);

#endif
