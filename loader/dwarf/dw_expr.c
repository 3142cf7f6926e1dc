/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_expr.c - see dw_expr.h
 *
 * A parameter's location is where the compiler says it can be found, over one range of
 * addresses after another. What matters is the register in which it arrives, that is the
 * first entry, and what the entry value of a later one reveals.
 */
#include "loader/dwarf/dw_expr.h"

#include <elf.h>

struct op {
	uint8_t code;
	uint64_t arg; /* the first operand, where it is a number */
	struct bytes block;
};

/* Read one operation; false at the end and where the expression cannot be understood. */
static bool next_op(struct dw_cursor *c, struct dw_encoding enc, struct op *op)
{
	if (c->failed || c->p == c->end)
		return false;

	*op = (struct op){ .code = *c->p++ };
	switch (op->code) {
	case DW_OP_addr:
		op->arg = dw_cursor_uint(c, enc.addr_size);
		break;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size:
	case DW_OP_xderef_size:
		op->arg = dw_cursor_uint(c, 1);
		break;
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_bra:
	case DW_OP_skip:
	case DW_OP_call2:
		op->arg = dw_cursor_uint(c, 2);
		break;
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_call4:
	case DW_OP_GNU_parameter_ref:
		op->arg = dw_cursor_uint(c, 4);
		break;
	case DW_OP_const8u:
	case DW_OP_const8s:
		op->arg = dw_cursor_uint(c, 8);
		break;
	case DW_OP_call_ref:
	case DW_OP_GNU_variable_value:
		op->arg = dw_cursor_uint(c, enc.version <= 2 ? enc.addr_size : enc.off_size);
		break;
	case DW_OP_consts:
	case DW_OP_fbreg:
	case DW_OP_breg0 ... DW_OP_breg31:
		op->arg = (uint64_t)dw_cursor_sleb(c);
		break;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
	case DW_OP_piece:
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
	case DW_OP_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_convert:
	case DW_OP_GNU_reinterpret:
		op->arg = dw_cursor_uleb(c);
		break;
	case DW_OP_bregx:
		op->arg = dw_cursor_uleb(c);
		dw_cursor_sleb(c);
		break;
	case DW_OP_bit_piece:
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		op->arg = dw_cursor_uleb(c);
		dw_cursor_uleb(c);
		break;
	case DW_OP_deref_type:
	case DW_OP_xderef_type:
	case DW_OP_GNU_deref_type:
		op->arg = dw_cursor_uint(c, 1);
		dw_cursor_uleb(c);
		break;
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		op->arg = dw_cursor_uleb(c);
		op->block = dw_cursor_bytes(c, dw_cursor_uint(c, 1));
		break;
	case DW_OP_implicit_value:
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		op->block = dw_cursor_bytes(c, dw_cursor_uleb(c));
		break;
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		op->arg = dw_cursor_uint(c, enc.version <= 2 ? enc.addr_size : enc.off_size);
		dw_cursor_sleb(c);
		break;
	case DW_OP_deref:
	case DW_OP_dup ... DW_OP_over:
	case DW_OP_swap ... DW_OP_plus:
	case DW_OP_shl ... DW_OP_xor:
	case DW_OP_eq ... DW_OP_ne:
	case DW_OP_lit0 ... DW_OP_lit31:
	case DW_OP_reg0 ... DW_OP_reg31:
	case DW_OP_nop:
	case DW_OP_push_object_address:
	case DW_OP_form_tls_address:
	case DW_OP_call_frame_cfa:
	case DW_OP_stack_value:
	case DW_OP_GNU_push_tls_address:
	case DW_OP_GNU_uninit:
		break;
	default:
		c->failed = true; /* nobody knows how long it is */
		return false;
	}
	return !c->failed;
}

bool dw_indexed_addr(const struct dw_locations *l, uint64_t index, uint64_t *ret)
{
	const struct object *obj = l->addrs ? l->addrs : l->obj;
	struct bytes addr = obj->debug[DEBUG_ADDR];

	if (l->addr_base > addr.len || index >= (addr.len - l->addr_base) / l->enc.addr_size)
		return false;

	struct dw_cursor c = dw_cursor_at(addr, l->addr_base + index * l->enc.addr_size, obj->swap);
	*ret = dw_cursor_uint(&c, l->enc.addr_size);
	return !c.failed;
}

bool dw_location_addr(const struct dw_locations *l, const struct dw_location *loc, uint64_t *ret)
{
	struct dw_cursor c = dw_cursor_at(loc->expr, 0, l->obj->swap);
	struct op op;
	uint64_t addr;

	if (!dw_form_is(loc->form, FORM_BLOCK) || !next_op(&c, l->enc, &op))
		return false;
	switch (op.code) {
	case DW_OP_addr:
		addr = op.arg;
		break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (!dw_indexed_addr(l, op.arg, &addr))
			return false;
		break;
	default:
		return false;
	}
	/* whatever else follows is not looked at, but it must be an expression */
	if (next_op(&c, l->enc, &op) && op.code == DW_OP_plus_uconst && c.p == c.end)
		addr += op.arg;
	*ret = addr;
	return true;
}

bool dw_location_offset(const struct dw_locations *l, struct bytes expr, uint64_t *ret)
{
	struct dw_cursor c = dw_cursor_at(expr, 0, l->obj->swap);
	struct op op;

	if (!next_op(&c, l->enc, &op))
		return false;
	if (op.code != DW_OP_plus_uconst && op.code != DW_OP_constu)
		return false;
	*ret = op.arg;
	return true;
}

static bool is_reg(uint8_t code)
{
	return code >= DW_OP_reg0 && code <= DW_OP_reg31;
}

static bool is_breg(uint8_t code)
{
	return code >= DW_OP_breg0 && code <= DW_OP_breg31;
}

static bool is_literal(uint8_t code)
{
	return (code >= DW_OP_lit0 && code <= DW_OP_lit31) || code == DW_OP_constu ||
	       code == DW_OP_consts;
}

/* The first register that is found stays. */
static void set_reg(struct cu_param *p, int reg)
{
	if (p->reg == CU_NO_REG)
		p->reg = (int8_t)reg;
}

static void one_op(const struct dw_locations *l, const struct op *op, bool stack_value, size_t n,
		   struct cu_param *p)
{
	struct op inner;

	if (op->code == DW_OP_entry_value || op->code == DW_OP_GNU_entry_value) {
		struct dw_cursor c = dw_cursor_at(op->block, 0, l->obj->swap);

		/* gives the register away whenever it comes */
		if (next_op(&c, l->enc, &inner) && c.p == c.end && is_reg(inner.code))
			set_reg(p, inner.code - DW_OP_reg0);
		return;
	}
	if (n)
		return;
	if (is_reg(op->code))
		set_reg(p, op->code - DW_OP_reg0);
	else if (is_breg(op->code) && stack_value)
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

/* An aggregate, of which each piece says where it is. */
static void pieces(const struct dw_locations *l, struct dw_cursor c, struct cu_param *p)
{
	struct op op;
	uint32_t off = 0;

	for (bool first = true; next_op(&c, l->enc, &op); first = false) {
		if (op.code == DW_OP_piece) {
			/* the first one tells only how much is not there */
			if (!first)
				note_piece(p, off, l->enc.addr_size);
			off += (uint32_t)op.arg;
		} else if (is_reg(op.code)) {
			set_reg(p, op.code - DW_OP_reg0);
		}
	}
}

/* Entry @n of the list, or the only expression. */
static void param_expr(const struct dw_locations *l, struct bytes expr, size_t n,
		       struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(expr, 0, l->obj->swap), start = c;
	bool stack_value = false, s390 = l->obj->machine == EM_S390;
	struct op first, op, last = { 0 };
	size_t nr = 1;

	if (!next_op(&c, l->enc, &first))
		return;
	while (next_op(&c, l->enc, &op)) {
		nr++;
		stack_value |= op.code == DW_OP_stack_value;
		last = op;
	}
	if (c.p != c.end || c.failed)
		return; /* not understood to its end: as if it were not there */
	if (nr == 1 || (nr == 2 && last.code == DW_OP_stack_value)) {
		one_op(l, &first, stack_value, n, p);
	} else if (is_literal(first.code)) {
		if (!n)
			p->flags |= CU_PARAM_LITERAL;
	} else if (p->bytes <= l->enc.addr_size || s390) {
		if (n)
			return;
		if (is_reg(first.code))
			set_reg(p, first.code - DW_OP_reg0);
		else if (is_breg(first.code) && stack_value)
			set_reg(p, first.code - DW_OP_breg0);
	} else {
		pieces(l, start, p);
	}
}

/*
 * So many entries of a list are looked at: many parameters may have one list. Behind the first only
 * what it was on entry counts, which stands in one of the next.
 */
enum { MAX_PLACES = 1024 };

/* A list of .debug_loclists (DWARF 5). */
static void loclist(const struct dw_locations *l, uint64_t off, struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(l->obj->debug[DEBUG_LOCLISTS], off, l->obj->swap);

	for (size_t n = 0; !c.failed && n < MAX_PLACES;) {
		switch (dw_cursor_uint(&c, 1)) {
		case DW_LLE_base_addressx:
			dw_cursor_uleb(&c);
			continue;
		case DW_LLE_base_address:
			dw_cursor_bytes(&c, l->enc.addr_size);
			continue;
		case DW_LLE_GNU_view_pair:
			dw_cursor_uleb(&c);
			dw_cursor_uleb(&c);
			continue;
		case DW_LLE_startx_endx:
		case DW_LLE_startx_length:
		case DW_LLE_offset_pair:
			dw_cursor_uleb(&c);
			dw_cursor_uleb(&c);
			break;
		case DW_LLE_default_location:
			break;
		case DW_LLE_start_end:
			dw_cursor_bytes(&c, (uint64_t)l->enc.addr_size * 2);
			break;
		case DW_LLE_start_length:
			dw_cursor_bytes(&c, l->enc.addr_size);
			dw_cursor_uleb(&c);
			break;
		default: /* DW_LLE_end_of_list, or nothing we know how to step over */
			return;
		}

		struct bytes expr = dw_cursor_bytes(&c, dw_cursor_uleb(&c));
		if (!c.failed)
			param_expr(l, expr, n++, p);
	}
}

/* A list of .debug_loc (DWARF 2 to 4). */
static void old_loclist(const struct dw_locations *l, uint64_t off, struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(l->obj->debug[DEBUG_LOC], off, l->obj->swap);
	uint64_t base_selection = l->enc.addr_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (size_t n = 0; !c.failed && n < MAX_PLACES;) {
		uint64_t begin = dw_cursor_uint(&c, l->enc.addr_size);
		uint64_t end = dw_cursor_uint(&c, l->enc.addr_size);

		if (begin == base_selection)
			continue;
		if (!begin && !end)
			return;

		struct bytes expr = dw_cursor_bytes(&c, dw_cursor_uint(&c, 2));
		if (!c.failed)
			param_expr(l, expr, n++, p);
	}
}

/* A list of .debug_loc.dwo (DWARF 4 as GNU extended it): addresses are indexes. */
static void split_loclist(const struct dw_locations *l, uint64_t off, struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(l->obj->debug[DEBUG_LOC], off, l->obj->swap);

	for (size_t n = 0; !c.failed && n < MAX_PLACES;) {
		switch (dw_cursor_uint(&c, 1)) {
		case DW_LLE_GNU_base_address_selection_entry:
			dw_cursor_uleb(&c);
			continue;
		case DW_LLE_GNU_view_pair:
			dw_cursor_uleb(&c);
			dw_cursor_uleb(&c);
			continue;
		case DW_LLE_GNU_start_end_entry:
			dw_cursor_uleb(&c);
			dw_cursor_uleb(&c);
			break;
		case DW_LLE_GNU_start_length_entry:
			dw_cursor_uleb(&c);
			dw_cursor_bytes(&c, 4);
			break;
		default: /* the end, or nothing we know how to step over */
			return;
		}

		struct bytes expr = dw_cursor_bytes(&c, dw_cursor_uint(&c, 2));
		if (!c.failed)
			param_expr(l, expr, n++, p);
	}
}

void dw_location_param(const struct dw_locations *l, const struct dw_location *loc,
		       struct cu_param *p)
{
	if (dw_form_is(loc->form, FORM_BLOCK)) {
		param_expr(l, loc->expr, 0, p);
	} else if (l->enc.version < 5) {
		if (l->split)
			split_loclist(l, l->lists + loc->list, p);
		else
			old_loclist(l, loc->list, p);
	} else if (loc->form == DW_FORM_loclistx) {
		struct bytes lists = l->obj->debug[DEBUG_LOCLISTS];

		if (l->loclists_base > lists.len ||
		    loc->list >= (lists.len - l->loclists_base) / l->enc.off_size)
			return;
		struct dw_cursor c = dw_cursor_at(lists,
						  l->loclists_base + loc->list * l->enc.off_size,
						  l->obj->swap);
		loclist(l, l->loclists_base + dw_cursor_uint(&c, l->enc.off_size), p);
	} else {
		loclist(l, l->lists + loc->list, p);
	}
}
