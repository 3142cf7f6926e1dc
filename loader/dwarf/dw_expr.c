/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_expr.c - location expressions and location lists
 *
 * The location of a parameter is a list of expressions, each for a range of addresses. The encoder needs
 * the register in which the parameter arrives: that is in the first entry, or in an entry value
 * (DW_OP_entry_value) of a later one.
 */
#include "loader/dwarf/dw_expr.h"

#include <elf.h>

struct op {
	uint8_t code;
	uint64_t arg; /* the first operand, where it is a number */
	struct bytes block;
};

/* The operands of an operation, as shapes of values. */
struct operands {
	bool known;
	uint8_t first, second;
};

#define OPS_NONE           \
	{                  \
		true, 0, 0 \
	}
#define OPS(first)             \
	{                      \
		true, first, 0 \
	}
#define OPS2(first, second)         \
	{                           \
		true, first, second \
	}

static const struct operands operands[UINT8_MAX + 1] = {
	[DW_OP_addr] = OPS(SHAPE_ADDR),
	[DW_OP_deref] = OPS_NONE,
	[DW_OP_const1u... DW_OP_const1s] = OPS(1),
	[DW_OP_const2u... DW_OP_const2s] = OPS(2),
	[DW_OP_const4u... DW_OP_const4s] = OPS(4),
	[DW_OP_const8u... DW_OP_const8s] = OPS(8),
	[DW_OP_constu] = OPS(SHAPE_ULEB),
	[DW_OP_consts] = OPS(SHAPE_SLEB),
	[DW_OP_dup... DW_OP_over] = OPS_NONE,
	[DW_OP_pick] = OPS(1),
	[DW_OP_swap... DW_OP_plus] = OPS_NONE,
	[DW_OP_plus_uconst] = OPS(SHAPE_ULEB),
	[DW_OP_shl... DW_OP_xor] = OPS_NONE,
	[DW_OP_bra] = OPS(2),
	[DW_OP_eq... DW_OP_ne] = OPS_NONE,
	[DW_OP_skip] = OPS(2),
	[DW_OP_lit0... DW_OP_reg31] = OPS_NONE,
	[DW_OP_breg0... DW_OP_breg31] = OPS(SHAPE_SLEB),
	[DW_OP_regx] = OPS(SHAPE_ULEB),
	[DW_OP_fbreg] = OPS(SHAPE_SLEB),
	[DW_OP_bregx] = OPS2(SHAPE_ULEB, SHAPE_SLEB),
	[DW_OP_piece] = OPS(SHAPE_ULEB),
	[DW_OP_deref_size... DW_OP_xderef_size] = OPS(1),
	[DW_OP_nop... DW_OP_push_object_address] = OPS_NONE,
	[DW_OP_call2] = OPS(2),
	[DW_OP_call4] = OPS(4),
	[DW_OP_call_ref] = OPS(SHAPE_REF_ADDR),
	[DW_OP_form_tls_address... DW_OP_call_frame_cfa] = OPS_NONE,
	[DW_OP_bit_piece] = OPS2(SHAPE_ULEB, SHAPE_ULEB),
	[DW_OP_implicit_value] = OPS(SHAPE_BLOCK),
	[DW_OP_stack_value] = OPS_NONE,
	[DW_OP_implicit_pointer] = OPS2(SHAPE_REF_ADDR, SHAPE_SLEB),
	[DW_OP_addrx... DW_OP_constx] = OPS(SHAPE_ULEB),
	[DW_OP_entry_value] = OPS(SHAPE_BLOCK),
	[DW_OP_const_type] = OPS2(SHAPE_ULEB, SHAPE_BLOCK1),
	[DW_OP_regval_type] = OPS2(SHAPE_ULEB, SHAPE_ULEB),
	[DW_OP_deref_type... DW_OP_xderef_type] = OPS2(1, SHAPE_ULEB),
	[DW_OP_convert... DW_OP_reinterpret] = OPS(SHAPE_ULEB),
	[DW_OP_GNU_push_tls_address] = OPS_NONE,
	[DW_OP_GNU_uninit] = OPS_NONE,
	[DW_OP_GNU_implicit_pointer] = OPS2(SHAPE_REF_ADDR, SHAPE_SLEB),
	[DW_OP_GNU_entry_value] = OPS(SHAPE_BLOCK),
	[DW_OP_GNU_const_type] = OPS2(SHAPE_ULEB, SHAPE_BLOCK1),
	[DW_OP_GNU_regval_type] = OPS2(SHAPE_ULEB, SHAPE_ULEB),
	[DW_OP_GNU_deref_type] = OPS2(1, SHAPE_ULEB),
	[DW_OP_GNU_convert] = OPS(SHAPE_ULEB),
	[DW_OP_GNU_reinterpret] = OPS(SHAPE_ULEB),
	[DW_OP_GNU_parameter_ref] = OPS(4),
	[DW_OP_GNU_addr_index... DW_OP_GNU_const_index] = OPS(SHAPE_ULEB),
	[DW_OP_GNU_variable_value] = OPS(SHAPE_REF_ADDR),
};

/* Read one operation. Returns false at the end, and at an operation whose length is not known. */
static bool next_op(struct dw_cursor *c, struct dw_encoding enc, struct op *op)
{
	if (c->failed || c->p == c->end)
		return false;

	struct dw_value first = { 0 }, second = { 0 };
	*op = (struct op){ .code = *c->p++ };
	const struct operands *o = &operands[op->code];
	if (!o->known) {
		c->failed = true;
		return false;
	}
	dw_value_read_shape(c, dw_shape_in(o->first, enc), &first);
	dw_value_read_shape(c, dw_shape_in(o->second, enc), &second);
	op->arg = first.number;
	op->block = first.block;
	return !c->failed;
}

/* Read number @index of those of @size bytes that start at @base of @table; false if it is outside. */
static bool read_indexed(struct bytes table, uint64_t base, uint64_t index, size_t size, bool swap,
			 uint64_t *ret)
{
	const uint8_t *p = dw_table_entry(table, base, index, size);

	if (!p)
		return false;
	struct dw_cursor c = { p, p + size, swap, false };
	*ret = dw_cursor_uint(&c, (unsigned int)size);
	return true;
}

bool dw_indexed_addr(const struct dw_locations *l, uint64_t index, uint64_t *ret)
{
	const struct object *obj = l->addrs ? l->addrs : l->obj;

	return read_indexed(obj->debug[DEBUG_ADDR], l->addr_base, index, l->enc.addr_size,
			    obj->swap, ret);
}

bool dw_location_addr(const struct dw_locations *l, const struct dw_location *loc,
		      struct dw_addr *ret)
{
	struct dw_cursor c = dw_cursor_at(loc->expr, 0, l->obj->swap);
	struct dw_addr addr = { 0 };
	struct op op;

	if (!dw_form_is(loc->form, FORM_BLOCK) || !next_op(&c, l->enc, &op))
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
	if (next_op(&c, l->enc, &op) && op.code == DW_OP_plus_uconst && c.p == c.end)
		addr.added = op.arg;
	addr.value += addr.added;
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

/* Keep the first register that is found. */
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

		/* names the register at entry, in any entry of the list */
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

/* The pieces of an aggregate. */
static void pieces(const struct dw_locations *l, struct dw_cursor c, struct cu_param *p)
{
	struct op op;
	uint32_t off = 0;

	for (bool first = true; next_op(&c, l->enc, &op); first = false) {
		if (op.code == DW_OP_piece) {
			/* a piece in front is one that does not exist */
			if (!first)
				note_piece(p, off, l->enc.addr_size);
			off += (uint32_t)op.arg;
		} else if (is_reg(op.code)) {
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
		return; /* an unknown operation: ignore the expression */
	if (nr == 1 || (nr == 2 && last.code == DW_OP_stack_value)) {
		one_op(l, &first, stack_value, n, p);
	} else if (is_literal(first.code)) {
		if (!n)
			p->flags |= CU_PARAM_LITERAL;
	} else if (has_no_pieces(l, p)) {
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
 * Limit of entries read per list, since many parameters may refer to one list. After the first entry
 * only an entry value matters, which compilers write into one of the next.
 */
enum { MAX_LOCATIONS = 1024 };

/*
 * Is entry @n of the list of @p worth reading? After the first one only pieces and a register that is not
 * known yet count. Most lists have a dozen entries, and a register in the first.
 */
static bool entry_counts(const struct dw_locations *l, const struct cu_param *p, size_t n)
{
	return !n || (n < MAX_LOCATIONS && (p->reg == CU_NO_REG || !has_no_pieces(l, p)));
}

/* An entry of a location list: its operands, and whether an expression follows. */
struct list_entry {
	enum { LIST_END, LIST_BASE, LIST_LOCATION } sort;
	uint8_t first, second;
};

/* .debug_loclists (DWARF 5) */
static const struct list_entry loclists_entries[] = {
	[DW_LLE_base_addressx] = { LIST_BASE, SHAPE_ULEB, 0 },
	[DW_LLE_startx_endx] = { LIST_LOCATION, SHAPE_ULEB, SHAPE_ULEB },
	[DW_LLE_startx_length] = { LIST_LOCATION, SHAPE_ULEB, SHAPE_ULEB },
	[DW_LLE_offset_pair] = { LIST_LOCATION, SHAPE_ULEB, SHAPE_ULEB },
	[DW_LLE_default_location] = { LIST_LOCATION, 0, 0 },
	[DW_LLE_base_address] = { LIST_BASE, SHAPE_ADDR, 0 },
	[DW_LLE_start_end] = { LIST_LOCATION, SHAPE_ADDR, SHAPE_ADDR },
	[DW_LLE_start_length] = { LIST_LOCATION, SHAPE_ADDR, SHAPE_ULEB },
	[DW_LLE_GNU_view_pair] = { LIST_BASE, SHAPE_ULEB, SHAPE_ULEB },
};

/* .debug_loc.dwo (GNU's extension of DWARF 4): addresses are indexes */
static const struct list_entry split_entries[] = {
	[DW_LLE_GNU_base_address_selection_entry] = { LIST_BASE, SHAPE_ULEB, 0 },
	[DW_LLE_GNU_start_end_entry] = { LIST_LOCATION, SHAPE_ULEB, SHAPE_ULEB },
	[DW_LLE_GNU_start_length_entry] = { LIST_LOCATION, SHAPE_ULEB, 4 },
	[DW_LLE_GNU_view_pair] = { LIST_BASE, SHAPE_ULEB, SHAPE_ULEB },
};

_Static_assert(ARRAY_SIZE(loclists_entries) == ARRAY_SIZE(split_entries), "see loclist()");

/* Where entry @kind, whose first operand is @first, starts. If it is a base address, *base becomes it. */
static uint64_t list_address(const struct dw_locations *l, uint64_t kind, uint64_t first,
			     uint64_t *base)
{
	uint64_t addr = first;

	switch (kind) {
	case DW_LLE_base_addressx: /* and the two with an index in .debug_loc.dwo have the same numbers */
	case DW_LLE_startx_endx:
	case DW_LLE_startx_length:
		if (!dw_indexed_addr(l, first, &addr))
			addr = UINT64_MAX;
		break;
	case DW_LLE_offset_pair:
		addr = *base + first;
		break;
	}
	if (kind == DW_LLE_base_addressx || kind == DW_LLE_base_address)
		*base = addr;
	return addr;
}

/* The first entry of the list of @p starts at @start. */
static void note_start(const struct dw_locations *l, const struct dw_location *loc, uint64_t start,
		       struct cu_param *p)
{
	uint64_t mask = l->enc.addr_size == 4 ? UINT32_MAX : UINT64_MAX;

	if ((start ^ loc->entry) & mask)
		p->flags |= CU_PARAM_LATE;
}

/* The list at @off of @section, up to its end or an entry whose length is not known. */
static void loclist(const struct dw_locations *l, const struct dw_location *loc,
		    enum debug_section section, uint64_t off, struct cu_param *p)
{
	uint64_t base = l->base;
	bool v5 = section == DEBUG_LOCLISTS;
	const struct list_entry *entries = v5 ? loclists_entries : split_entries;
	struct dw_cursor c = dw_cursor_at(l->obj->debug[section], off, l->obj->swap);

	for (size_t n = 0; !c.failed && entry_counts(l, p, n);) {
		uint64_t kind = dw_cursor_uint(&c, 1);
		struct dw_value first = { 0 }, second = { 0 };

		if (kind >= ARRAY_SIZE(loclists_entries) || entries[kind].sort == LIST_END)
			return;
		dw_value_read_shape(&c, dw_shape_in(entries[kind].first, l->enc), &first);
		dw_value_read_shape(&c, dw_shape_in(entries[kind].second, l->enc), &second);
		uint64_t start = list_address(l, kind, first.number, &base);
		if (entries[kind].sort != LIST_LOCATION)
			continue;
		if (!n && kind != DW_LLE_default_location)
			note_start(l, loc, start, p);

		struct bytes expr = dw_cursor_bytes(&c, v5 ? dw_cursor_uleb(&c) :
							     dw_cursor_uint(&c, 2));
		if (!c.failed)
			param_expr(l, expr, n++, p);
	}
}

/* A list of .debug_loc (DWARF 2 to 4). */
static void old_loclist(const struct dw_locations *l, const struct dw_location *loc,
			struct cu_param *p)
{
	struct dw_cursor c = dw_cursor_at(l->obj->debug[DEBUG_LOC], loc->list, l->obj->swap);
	uint64_t base = l->base;
	uint64_t base_selection = l->enc.addr_size == 8 ? UINT64_MAX : UINT32_MAX;

	for (size_t n = 0; !c.failed && entry_counts(l, p, n);) {
		uint64_t begin = dw_cursor_uint(&c, l->enc.addr_size);
		uint64_t end = dw_cursor_uint(&c, l->enc.addr_size);

		if (begin == base_selection) {
			base = end;
			continue;
		}
		if (!begin && !end)
			return;
		if (!n)
			note_start(l, loc, base + begin, p);

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
			loclist(l, loc, DEBUG_LOC, l->lists + loc->list, p);
		else
			old_loclist(l, loc, p);
	} else if (loc->form == DW_FORM_loclistx) {
		uint64_t off;

		if (read_indexed(l->obj->debug[DEBUG_LOCLISTS], l->loclists_base, loc->list,
				 l->enc.off_size, l->obj->swap, &off))
			loclist(l, loc, DEBUG_LOCLISTS, l->loclists_base + off, p);
	} else {
		loclist(l, loc, DEBUG_LOCLISTS, l->lists + loc->list, p);
	}
}
