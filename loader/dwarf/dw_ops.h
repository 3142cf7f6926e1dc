/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_ops.h - read the operations of an expression, and the expressions of a location list */
#ifndef BTFENC_LOADER_DWARF_DW_OPS_H
#define BTFENC_LOADER_DWARF_DW_OPS_H

#include "loader/dwarf/dw_expr.h"

struct dw_oper {
	uint8_t code;         /* DW_OP_* */
	uint64_t arg, second; /* the operands that are numbers */
	struct bytes block;   /* the first operand, if it is a block */
};

/* Read one operation. Returns false at the end, and at an operation whose length is not known. */
bool dw_next_oper(struct dw_cursor *c, struct dw_encoding enc, struct dw_oper *op);

static inline bool dw_oper_is_reg(uint8_t code)
{
	return code >= DW_OP_reg0 && code <= DW_OP_reg31;
}

static inline bool dw_oper_is_breg(uint8_t code)
{
	return code >= DW_OP_breg0 && code <= DW_OP_breg31;
}

/* A location list that is being read. */
struct dw_list {
	const struct dw_locations *l;
	const struct dw_list_entry *entries; /* NULL: a list of .debug_loc (DWARF 2 to 4) */
	struct dw_cursor c;
	uint64_t base;
	unsigned int left; /* entries to read, of any kind */
};

/* More entries of a list are not read, because many parameters may refer to one list. */
enum { DW_LIST_ENTRIES = 1024 };

/* An expression of it, and where that holds: at [start, end), or wherever no other does. */
struct dw_list_location {
	struct bytes expr;
	uint64_t start, end;
	bool is_default;
};

/* Open the list of @loc; false if there is none. */
bool dw_list_open(const struct dw_locations *l, const struct dw_location *loc, struct dw_list *ret);
/* The next expression of @list; false at its end, or at an entry whose length is not known. */
bool dw_list_next(struct dw_list *list, struct dw_list_location *ret);

#endif
