/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_ops.c - see dw_ops.h */
#include "loader/dwarf/dw_ops.h"

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

bool dw_next_oper(struct dw_cursor *c, struct dw_encoding enc, struct dw_oper *op)
{
	if (c->failed || c->p == c->end)
		return false;

	struct dw_value first = { 0 }, second = { 0 };
	*op = (struct dw_oper){ .code = *c->p++ };
	const struct operands *o = &operands[op->code];
	if (!o->known) {
		c->failed = true;
		return false;
	}
	dw_value_read_shape(c, dw_shape_in(o->first, enc), &first);
	dw_value_read_shape(c, dw_shape_in(o->second, enc), &second);
	op->arg = first.number;
	op->second = second.number;
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

/* An entry of a location list: its operands, and whether an expression follows. */
struct dw_list_entry {
	enum { LIST_END, LIST_BASE, LIST_LOCATION } sort;
	uint8_t first, second;
};

/* .debug_loclists (DWARF 5) */
static const struct dw_list_entry loclists_entries[] = {
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
static const struct dw_list_entry split_entries[] = {
	[DW_LLE_GNU_base_address_selection_entry] = { LIST_BASE, SHAPE_ULEB, 0 },
	[DW_LLE_GNU_start_end_entry] = { LIST_LOCATION, SHAPE_ULEB, SHAPE_ULEB },
	[DW_LLE_GNU_start_length_entry] = { LIST_LOCATION, SHAPE_ULEB, 4 },
	[DW_LLE_GNU_view_pair] = { LIST_BASE, SHAPE_ULEB, SHAPE_ULEB },
};

_Static_assert(ARRAY_SIZE(loclists_entries) == ARRAY_SIZE(split_entries), "see dw_list_next()");

bool dw_list_open(const struct dw_locations *l, const struct dw_location *loc, struct dw_list *ret)
{
	bool v5 = l->enc.version >= 5;
	enum debug_section section = v5 ? DEBUG_LOCLISTS : DEBUG_LOC;
	uint64_t off = loc->list + (v5 || l->split ? l->lists : 0);

	if (v5 && loc->form == DW_FORM_loclistx) {
		if (!read_indexed(l->obj->debug[DEBUG_LOCLISTS], l->loclists_base, loc->list,
				  l->enc.off_size, l->obj->swap, &off))
			return false;
		off += l->loclists_base;
	}
	*ret = (struct dw_list){
		.l = l,
		.entries = v5       ? loclists_entries :
			   l->split ? split_entries :
				      NULL,
		.c = dw_cursor_at(l->obj->debug[section], off, l->obj->swap),
		.base = l->base,
		.left = DW_LIST_ENTRIES,
	};
	return true;
}

static uint64_t indexed(const struct dw_locations *l, uint64_t index)
{
	uint64_t addr;

	return dw_indexed_addr(l, index, &addr) ? addr : UINT64_MAX;
}

/* The range of an entry of @kind with the operands @first and @second. If it is a base address, @list takes it. */
static void list_range(struct dw_list *list, uint64_t kind, uint64_t first, uint64_t second,
		       struct dw_list_location *ret)
{
	bool split = list->entries == split_entries;

	ret->is_default = false;
	switch (kind) {
	/* and the two with an index in .debug_loc.dwo have the same numbers */
	case DW_LLE_base_addressx:
		list->base = indexed(list->l, first);
		break;
	case DW_LLE_startx_endx:
		ret->start = indexed(list->l, first);
		ret->end = indexed(list->l, second);
		break;
	case DW_LLE_startx_length:
		ret->start = indexed(list->l, first);
		ret->end = ret->start + second;
		break;
	case DW_LLE_offset_pair:
		ret->start = list->base + first;
		ret->end = list->base + second;
		break;
	case DW_LLE_base_address:
		list->base = first;
		break;
	case DW_LLE_start_length:
		second += first;
		/* fallthrough */
	case DW_LLE_start_end:
		ret->start = first;
		ret->end = second;
		break;
	default:
		ret->start = 0;
		ret->end = UINT64_MAX;
		ret->is_default = kind == DW_LLE_default_location && !split;
		break;
	}
}

/* The expression of @len bytes behind a range; none if @len is nonsense, because many parameters may refer to it. */
static bool read_expr(struct dw_cursor *c, uint64_t len, struct dw_list_location *ret)
{
	enum { LONGEST_EXPR = 1024 };

	ret->expr = dw_cursor_bytes(c, len);
	if (len > LONGEST_EXPR)
		ret->expr.len = 0;
	return !c->failed;
}

static bool old_list_next(struct dw_list *list, struct dw_list_location *ret)
{
	const struct dw_locations *l = list->l;
	uint64_t base_selection = l->enc.addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	struct dw_cursor *c = &list->c;

	while (list->left && list->left--) {
		uint64_t begin = dw_cursor_uint(c, l->enc.addr_size);
		uint64_t end = dw_cursor_uint(c, l->enc.addr_size);

		if (c->failed || (!begin && !end))
			return false;
		if (begin == base_selection) {
			list->base = end;
			continue;
		}
		ret->start = list->base + begin;
		ret->end = list->base + end;
		ret->is_default = false;
		return read_expr(c, dw_cursor_uint(c, 2), ret);
	}
	return false;
}

static uint64_t short_uleb(struct dw_cursor *c)
{
	const uint8_t *p = c->p;

	if (unlikely(c->end - p < 2))
		return dw_cursor_uleb(c);
	if (p[0] < 0x80) {
		c->p++;
		return p[0];
	}
	if (p[1] < 0x80) {
		c->p += 2;
		return (p[0] & 0x7fu) | (uint64_t)p[1] << 7;
	}
	return dw_cursor_uleb(c);
}

/* Hot: read the range of an entry of .debug_loclists of the two kinds that are frequent. False if it is another. */
static bool fast_range(struct dw_list *list, struct dw_list_location *ret)
{
	struct dw_cursor *c = &list->c;

	if (c->p == c->end)
		return false;
	if (*c->p == DW_LLE_offset_pair) {
		c->p++;
		ret->start = list->base + short_uleb(c);
		ret->end = list->base + short_uleb(c);
	} else if (*c->p == DW_LLE_start_length) {
		c->p++;
		ret->start = dw_cursor_uint(c, list->l->enc.addr_size);
		ret->end = ret->start + short_uleb(c);
	} else {
		return false;
	}
	ret->is_default = false;
	return true;
}

bool dw_list_next(struct dw_list *list, struct dw_list_location *ret)
{
	const struct dw_list_entry *entries = list->entries;
	struct dw_encoding enc = list->l->enc;
	struct dw_cursor *c = &list->c;

	if (!entries)
		return old_list_next(list, ret);
	while (list->left && list->left--) {
		if (entries == loclists_entries && fast_range(list, ret))
			return read_expr(c, short_uleb(c), ret);

		uint64_t kind = dw_cursor_uint(c, 1);
		struct dw_value first = { 0 }, second = { 0 };

		if (c->failed || kind >= ARRAY_SIZE(loclists_entries) ||
		    entries[kind].sort == LIST_END)
			return false;
		dw_value_read_shape(c, dw_shape_in(entries[kind].first, enc), &first);
		dw_value_read_shape(c, dw_shape_in(entries[kind].second, enc), &second);
		list_range(list, kind, first.number, second.number, ret);
		if (entries[kind].sort != LIST_LOCATION)
			continue;
		return read_expr(c,
				 entries == loclists_entries ? dw_cursor_uleb(c) :
							       dw_cursor_uint(c, 2),
				 ret);
	}
	return false;
}
