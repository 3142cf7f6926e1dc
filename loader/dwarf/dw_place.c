/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_place.c - see dw_place.h
 *
 * An expression is evaluated as DWARF defines it, but with unknown registers and memory: a value on the stack is a
 * constant, an address, a register plus an offset, or what is in memory there. An operation that gives another
 * value ends the evaluation.
 */
#include "loader/dwarf/dw_place.h"

#include "btf/btf_wire.h"
#include "loader/dwarf/dw_ops.h"

struct value {
	enum {
		IS_CONSTANT,
		IS_ADDRESS,
		IS_REG_OFFSET,
		IS_IN_MEMORY /* at a register plus an offset */
	} sort;
	uint32_t reg;
	uint64_t number; /* the constant or the offset */
	struct dw_addr addr;
};

/* More are only needed for values that BTF cannot express. */
enum { STACK_SIZE = 4 };

struct evaluation {
	const struct dw_locations *l;
	const struct dw_placed *p;
	struct value stack[STACK_SIZE];
	unsigned int nr;
};

static bool push(struct evaluation *e, struct value v)
{
	if (e->nr == STACK_SIZE)
		return false;
	e->stack[e->nr++] = v;
	return true;
}

static bool push_reg(struct evaluation *e, uint64_t reg, int64_t offset)
{
	return reg < BTF_LOC_FBREG && push(e, (struct value){ .sort = IS_REG_OFFSET,
							      .reg = (uint32_t)reg,
							      .number = (uint64_t)offset });
}

static bool push_constant(struct evaluation *e, uint64_t number)
{
	return push(e, (struct value){ .sort = IS_CONSTANT, .number = number });
}

static bool push_addr(struct evaluation *e, const struct dw_oper *op, const uint8_t *ptr)
{
	struct value v = { .sort = IS_ADDRESS, .addr = { .value = op->arg, .ptr = ptr } };

	if (!ptr) {
		v.addr.index = op->arg;
		if (!dw_indexed_addr(e->l, op->arg, &v.addr.value))
			return false;
	}
	return push(e, v);
}

/* Add @number to the top of the stack. */
static bool add(struct evaluation *e, uint64_t number)
{
	struct value *top = e->nr ? &e->stack[e->nr - 1] : NULL;

	if (!top || top->sort == IS_IN_MEMORY)
		return false;
	if (top->sort == IS_ADDRESS) {
		top->addr.value += number;
		top->addr.added += number;
	}
	top->number += number;
	return true;
}

/* DW_OP_plus and DW_OP_minus, one operand of which is a constant. */
static bool sum(struct evaluation *e, bool minus)
{
	if (e->nr < 2)
		return false;

	struct value second = e->stack[--e->nr], *first = &e->stack[e->nr - 1];
	if (second.sort == IS_CONSTANT)
		return add(e, minus ? -second.number : second.number);
	if (minus || first->sort != IS_CONSTANT)
		return false;
	uint64_t number = first->number;
	*first = second;
	return add(e, number);
}

/* The lower bits of @v that an address has, with the sign if @is_signed. */
static uint64_t generic(const struct evaluation *e, uint64_t v, bool is_signed)
{
	if (e->l->enc.addr_size == 8)
		return v;
	return is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
}

static uint64_t shift(const struct evaluation *e, uint8_t code, uint64_t v, uint64_t by)
{
	const uint64_t bits = (uint64_t)8 * e->l->enc.addr_size;

	if (code == DW_OP_shra)
		return (uint64_t)((int64_t)generic(e, v, true) >> (by < bits ? by : bits - 1));
	if (by >= bits)
		return 0;
	return code == DW_OP_shl ? v << by : generic(e, v, false) >> by;
}

/* An operation on constants. */
static bool calculate(struct evaluation *e, uint8_t code)
{
	bool is_unary = code == DW_OP_neg || code == DW_OP_not;
	unsigned int nr = is_unary ? 1 : 2;

	if (e->nr < nr || e->stack[e->nr - nr].sort != IS_CONSTANT ||
	    e->stack[e->nr - 1].sort != IS_CONSTANT)
		return false;

	uint64_t second = e->stack[e->nr - 1].number;
	e->nr -= nr - 1;
	uint64_t *v = &e->stack[e->nr - 1].number;
	switch (code) {
	case DW_OP_neg:
		*v = -*v;
		break;
	case DW_OP_not:
		*v = ~*v;
		break;
	case DW_OP_and:
		*v &= second;
		break;
	case DW_OP_or:
		*v |= second;
		break;
	case DW_OP_xor:
		*v ^= second;
		break;
	case DW_OP_mul:
		*v *= second;
		break;
	default:
		*v = shift(e, code, *v, second);
		break;
	}
	return true;
}

static bool load(struct evaluation *e, uint64_t width)
{
	struct value *top = e->nr ? &e->stack[e->nr - 1] : NULL;

	if (!top || top->sort != IS_REG_OFFSET || width != e->p->size)
		return false;
	top->sort = IS_IN_MEMORY;
	return true;
}

static bool step(struct evaluation *e, const struct dw_oper *op, const uint8_t *operand)
{
	const struct dw_frame_base *fb = &e->p->frame_base;

	switch (op->code) {
	case DW_OP_lit0 ... DW_OP_lit31:
		return push_constant(e, op->code - (uint64_t)DW_OP_lit0);
	case DW_OP_const1s:
		return push_constant(e, (uint64_t)(int8_t)op->arg);
	case DW_OP_const2s:
		return push_constant(e, (uint64_t)(int16_t)op->arg);
	case DW_OP_const4s:
		return push_constant(e, (uint64_t)(int32_t)op->arg);
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push_constant(e, op->arg);
	case DW_OP_addr:
		return push_addr(e, op, operand);
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		return push_addr(e, op, NULL);
	case DW_OP_breg0 ... DW_OP_breg31:
		return push_reg(e, op->code - (uint64_t)DW_OP_breg0, (int64_t)op->arg);
	case DW_OP_bregx:
		return push_reg(e, op->arg, (int64_t)op->second);
	case DW_OP_call_frame_cfa:
		return push(e, (struct value){ .sort = IS_REG_OFFSET, .reg = BTF_LOC_FBREG });
	case DW_OP_fbreg:
		return fb->known &&
		       push(e, (struct value){ .sort = IS_REG_OFFSET,
					       .reg = fb->reg,
					       .number = op->arg + (uint64_t)fb->offset });
	case DW_OP_plus_uconst:
		return add(e, op->arg);
	case DW_OP_plus:
	case DW_OP_minus:
		return sum(e, op->code == DW_OP_minus);
	case DW_OP_deref:
		return load(e, e->l->enc.addr_size);
	case DW_OP_deref_size:
		return load(e, op->arg);
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_and:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_mul:
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return calculate(e, op->code);
	case DW_OP_nop:
		return true;
	default:
		return false;
	}
}

/* --- places --- */

struct cu_place dw_constant_place(const struct dw_placed *p, uint64_t number)
{
	unsigned int bits = p->size * 8u;

	if (!p->size || p->size > 8)
		return (struct cu_place){ 0 };
	if (bits < 64) {
		uint64_t above = ~(uint64_t)0 << bits;
		bool negative = p->is_signed && number >> (bits - 1) & 1;

		number = negative ? number | above : number & ~above;
	}
	return (struct cu_place){
		.flags = BTF_LOC_CONST | (p->is_signed ? BTF_LOC_SIGNED : 0),
		.size = p->size,
		.nr = p->size > 4 ? 2 : 1,
		.values = { (uint32_t)number, p->size > 4 ? (uint32_t)(number >> 32) : 0 },
	};
}

struct cu_place dw_block_place(const struct dw_locations *l, const struct dw_placed *p,
			       struct bytes block)
{
	struct dw_cursor c = dw_cursor_at(block, 0, l->obj->swap);

	if (block.len != p->size || block.len > 8)
		return (struct cu_place){ 0 };
	return dw_constant_place(p, dw_cursor_uint(&c, (unsigned int)block.len));
}

/* @p is in register @reg plus @offset, or with BTF_LOC_DEREF in memory there. */
static struct cu_place register_place(const struct dw_placed *p, uint32_t reg, int64_t offset,
				      uint8_t flags)
{
	if (offset != (int32_t)offset)
		return (struct cu_place){ 0 };
	flags |= BTF_LOC_REG | (offset ? BTF_LOC_OFFSET | BTF_LOC_SIGNED : 0);
	return (struct cu_place){
		.flags = flags,
		.size = p->size,
		.nr = offset ? 2 : 1,
		.values = { reg, (uint32_t)offset },
	};
}

/* The value of @p is @v. */
static struct cu_place value_place(const struct evaluation *e, const struct value *v,
				   struct dw_addr *ret_addr)
{
	const struct dw_placed *p = e->p;
	struct cu_place place;

	switch (v->sort) {
	case IS_CONSTANT:
		return dw_constant_place(p, v->number);
	case IS_ADDRESS:
		if (p->size != e->l->enc.addr_size)
			break;
		*ret_addr = v->addr;
		place = dw_constant_place(p, v->addr.value);
		place.flags |= BTF_LOC_ADDR;
		return place;
	case IS_REG_OFFSET:
		return register_place(p, v->reg, (int64_t)v->number, 0);
	case IS_IN_MEMORY:
		return register_place(p, v->reg, (int64_t)v->number, BTF_LOC_DEREF);
	}
	return (struct cu_place){ 0 };
}

static bool next_register(const struct dw_locations *l, struct dw_cursor *c, uint64_t *ret)
{
	struct dw_oper op;

	if (!dw_next_oper(c, l->enc, &op))
		return false;
	*ret = op.code == DW_OP_regx ? op.arg : op.code - (uint64_t)DW_OP_reg0;
	return (op.code == DW_OP_regx || dw_oper_is_reg(op.code)) && *ret < BTF_LOC_FBREG;
}

/* @p is in the register that @c is at, or in pieces, in two. */
static struct cu_place registers_place(const struct dw_locations *l, struct dw_cursor c,
				       const struct dw_placed *p)
{
	struct cu_place place = { .flags = BTF_LOC_REG, .size = p->size };
	uint64_t reg, bytes = 0;
	struct dw_oper piece;

	do {
		if (place.nr == 2 || !next_register(l, &c, &reg))
			return (struct cu_place){ 0 };
		place.values[place.nr++] = (uint32_t)reg;
		if (c.p == c.end && place.nr == 1)
			return place;
		if (!dw_next_oper(&c, l->enc, &piece) || piece.code != DW_OP_piece ||
		    /* the second register continues the first one */
		    (c.p != c.end && piece.arg != l->enc.addr_size))
			return (struct cu_place){ 0 };
		bytes += piece.arg;
	} while (c.p != c.end);
	if (place.nr == 2 ? bytes != p->size : bytes < p->size)
		return (struct cu_place){ 0 };
	return place;
}

static struct cu_place expr_place(const struct dw_locations *l, struct bytes expr,
				  const struct dw_placed *p, struct dw_addr *ret_addr)
{
	struct dw_cursor start = dw_cursor_at(expr, 0, l->obj->swap), c = start;
	struct evaluation e; /* hot: the stack is not initialised */
	struct dw_oper op;
	bool is_value = false;

	/* most expressions are one register */
	if (expr.len == 1 && dw_oper_is_reg(*expr.ptr))
		return register_place(p, *expr.ptr - (uint32_t)DW_OP_reg0, 0, 0);
	e.l = l;
	e.p = p;
	e.nr = 0;

	while (c.p != c.end) {
		const uint8_t *operand = c.p + 1;

		if (!dw_next_oper(&c, l->enc, &op))
			return (struct cu_place){ 0 };
		/* the only piece is the whole */
		if (op.code == DW_OP_piece && c.p == c.end && op.arg >= p->size)
			break;
		if (is_value)
			return (struct cu_place){ 0 };
		if (dw_oper_is_reg(op.code) || op.code == DW_OP_regx)
			return operand == start.p + 1 ? registers_place(l, start, p) :
							(struct cu_place){ 0 };
		if (op.code == DW_OP_implicit_value)
			return operand == start.p + 1 && c.p == c.end ?
				       dw_block_place(l, p, op.block) :
				       (struct cu_place){ 0 };
		is_value = op.code == DW_OP_stack_value;
		if (!is_value && !step(&e, &op, operand))
			return (struct cu_place){ 0 };
	}
	if (!e.nr)
		return (struct cu_place){ 0 };

	const struct value *top = &e.stack[e.nr - 1];
	if (is_value)
		return value_place(&e, top, ret_addr);
	if (top->sort != IS_REG_OFFSET)
		return (struct cu_place){ 0 };
	return register_place(p, top->reg, (int64_t)top->number, BTF_LOC_DEREF);
}

struct cu_place dw_location_place(const struct dw_locations *l, const struct dw_location *loc,
				  const struct dw_placed *p, struct dw_addr *ret_addr)
{
	struct dw_list_location at;
	struct bytes otherwise = { 0 };
	struct dw_list list;

	if (dw_form_is(loc->form, FORM_BLOCK))
		return expr_place(l, loc->expr, p, ret_addr);
	if (!dw_list_open(l, loc, &list))
		return (struct cu_place){ 0 };
	while (dw_list_next(&list, &at)) {
		if (at.is_default)
			otherwise = at.expr;
		else if (at.start <= p->addr && p->addr < at.end)
			return expr_place(l, at.expr, p, ret_addr);
	}
	return expr_place(l, otherwise, p, ret_addr);
}

struct dw_frame_base dw_frame_base(const struct dw_locations *l, struct bytes expr)
{
	struct dw_cursor c = dw_cursor_at(expr, 0, l->obj->swap);
	const struct dw_frame_base none = { 0 };
	const struct dw_placed no_parameter = { 0 };
	struct evaluation e = { .l = l, .p = &no_parameter };
	struct dw_oper op;
	uint64_t reg;

	if (expr.len && (dw_oper_is_reg(*expr.ptr) || *expr.ptr == DW_OP_regx))
		return next_register(l, &c, &reg) && c.p == c.end ?
			       (struct dw_frame_base){ true, (uint32_t)reg, 0 } :
			       none;
	while (c.p != c.end) {
		const uint8_t *operand = c.p + 1;

		if (!dw_next_oper(&c, l->enc, &op) || !step(&e, &op, operand))
			return none;
	}
	if (!e.nr || e.stack[e.nr - 1].sort != IS_REG_OFFSET)
		return none;
	return (struct dw_frame_base){ true, e.stack[e.nr - 1].reg,
				       (int64_t)e.stack[e.nr - 1].number };
}
