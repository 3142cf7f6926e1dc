/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_expr.c - the locations of variables, members, and parameters of functions
 *
 * The location of a parameter is a list of expressions, each for a range of addresses. The encoder needs
 * the register in which the parameter arrives: that is in the first entry, or in an entry value
 * (DW_OP_entry_value) of a later one.
 */
#include "loader/dwarf/dw_ops.h"

#include <elf.h>

bool dw_location_addr(const struct dw_locations *l, const struct dw_location *loc,
		      struct dw_addr *ret)
{
	struct dw_cursor c = dw_cursor_at(loc->expr, 0, l->obj->swap);
	struct dw_addr addr = { 0 };
	struct dw_oper op;

	if (!dw_form_is(loc->form, FORM_BLOCK) || !dw_next_oper(&c, l->enc, &op))
		return false;
	switch (op.code) {
	case DW_OP_addr:
		addr.value = op.arg;
		addr.ptr = loc->expr.ptr + 1;
		break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		addr.index = op.arg;
		if (!dw_indexed_addr(l, op.arg, &addr.value))
			return false;
		break;
	default:
		return false;
	}
	/* further operations are ignored */
	if (dw_next_oper(&c, l->enc, &op) && op.code == DW_OP_plus_uconst && c.p == c.end)
		addr.added = op.arg;
	addr.value += addr.added;
	*ret = addr;
	return true;
}

bool dw_location_offset(const struct dw_locations *l, struct bytes expr, uint64_t *ret)
{
	struct dw_cursor c = dw_cursor_at(expr, 0, l->obj->swap);
	struct dw_oper op;

	if (!dw_next_oper(&c, l->enc, &op))
		return false;
	if (op.code != DW_OP_plus_uconst && op.code != DW_OP_constu)
		return false;
	*ret = op.arg;
	return true;
}

static bool is_literal(uint8_t code)
{
	return (code >= DW_OP_lit0 && code <= DW_OP_lit31) || code == DW_OP_constu ||
	       code == DW_OP_consts;
}

/* Keep the first register that is found. */
static void set_reg(struct cu_param *p, int reg)
{
	if (p->reg == CU_NO_REG)
		p->reg = (int8_t)reg;
}

static void one_op(const struct dw_locations *l, const struct dw_oper *op, bool stack_value,
		   size_t n, struct cu_param *p)
{
	struct dw_oper inner;

	if (op->code == DW_OP_entry_value || op->code == DW_OP_GNU_entry_value) {
		struct dw_cursor c = dw_cursor_at(op->block, 0, l->obj->swap);

		/* names the register at entry, in any entry of the list */
		if (dw_next_oper(&c, l->enc, &inner) && c.p == c.end && dw_oper_is_reg(inner.code))
			set_reg(p, inner.code - DW_OP_reg0);
		return;
	}
	if (n)
		return;
	if (dw_oper_is_reg(op->code))
		set_reg(p, op->code - DW_OP_reg0);
	else if (dw_oper_is_breg(op->code) && stack_value)
		set_reg(p, op->code - DW_OP_breg0);
	else if (op->code == DW_OP_fbreg)
		p->flags |= CU_PARAM_STACK;
	else if (is_literal(op->code))
		p->flags |= CU_PARAM_LITERAL;
}

static void note_piece(struct cu_param *p, uint32_t off, unsigned int addr_size)
{
	if (off < addr_size)
		p->first_fields |= (uint8_t)(1u << off);
	else if (off - addr_size < 64)
		p->later_fields |= (uint64_t)1 << (off - addr_size);
}

/* The pieces of an aggregate. */
static void pieces(const struct dw_locations *l, struct dw_cursor c, struct cu_param *p)
{
	struct dw_oper op;
	uint32_t off = 0;

	for (bool first = true; dw_next_oper(&c, l->enc, &op); first = false) {
		if (op.code == DW_OP_piece) {
			/* a piece in front is one that does not exist */
			if (!first)
				note_piece(p, off, l->enc.addr_size);
			off += (uint32_t)op.arg;
		} else if (dw_oper_is_reg(op.code)) {
			set_reg(p, op.code - DW_OP_reg0);
		}
	}
}

/* Does @p fit into one register, so that it has no pieces? */
static bool has_no_pieces(const struct dw_locations *l, const struct cu_param *p)
{
	return p->bytes <= l->enc.addr_size || l->obj->machine == EM_S390;
}

/* Entry @n of the list, or the only expression. */
static void param_expr(const struct dw_locations *l, struct bytes expr, size_t n,
		       struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(expr, 0, l->obj->swap), start = c;
	bool stack_value = false;
	struct dw_oper first, op, last = { 0 };
	size_t nr = 1;

	if (!dw_next_oper(&c, l->enc, &first))
		return;
	while (dw_next_oper(&c, l->enc, &op)) {
		nr++;
		stack_value |= op.code == DW_OP_stack_value;
		last = op;
	}
	if (c.p != c.end || c.failed)
		return; /* an unknown operation: ignore the expression */
	if (nr == 1 || (nr == 2 && last.code == DW_OP_stack_value)) {
		one_op(l, &first, stack_value, n, p);
	} else if (is_literal(first.code)) {
		if (!n)
			p->flags |= CU_PARAM_LITERAL;
	} else if (has_no_pieces(l, p)) {
		if (n)
			return;
		if (dw_oper_is_reg(first.code))
			set_reg(p, first.code - DW_OP_reg0);
		else if (dw_oper_is_breg(first.code) && stack_value)
			set_reg(p, first.code - DW_OP_breg0);
	} else {
		pieces(l, start, p);
	}
}

/*
 * Is entry @n of the list of @p worth reading? After the first one only pieces and a register that is not
 * known yet count. Most lists have a dozen entries, and a register in the first.
 */
static bool entry_counts(const struct dw_locations *l, const struct cu_param *p, size_t n)
{
	return !n || p->reg == CU_NO_REG || !has_no_pieces(l, p);
}

/* The first entry of the list of @p starts at @start. */
static void note_start(const struct dw_locations *l, const struct dw_location *loc, uint64_t start,
		       struct cu_param *p)
{
	uint64_t mask = l->enc.addr_size == 4 ? UINT32_MAX : UINT64_MAX;

	if ((start ^ loc->entry) & mask)
		p->flags |= CU_PARAM_LATE;
}

void dw_location_param(const struct dw_locations *l, const struct dw_location *loc,
		       struct cu_param *p)
{
	struct dw_list_location at;
	struct dw_list list;

	if (dw_form_is(loc->form, FORM_BLOCK)) {
		param_expr(l, loc->expr, 0, p);
		return;
	}
	if (!dw_list_open(l, loc, &list))
		return;
	for (size_t n = 0; entry_counts(l, p, n) && dw_list_next(&list, &at); n++) {
		if (!n && !at.is_default)
			note_start(l, loc, at.start, p);
		param_expr(l, at.expr, n, p);
	}
}
