/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_form.c - see dw_form.h */
#include "loader/dwarf/dw_form.h"

unsigned int dw_form_shape(uint64_t form, struct dw_encoding enc)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
	case DW_FORM_ref_sup4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return enc.addr_size;
	case DW_FORM_ref_addr:
		/* DWARF 2 gave it the size of an address */
		return enc.version <= 2 ? enc.addr_size : enc.off_size;
	case DW_FORM_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return enc.off_size;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_addr_index:
	case DW_FORM_GNU_str_index:
		return SHAPE_ULEB;
	case DW_FORM_sdata:
		return SHAPE_SLEB;
	case DW_FORM_block1:
		return SHAPE_BLOCK1;
	case DW_FORM_block2:
		return SHAPE_BLOCK2;
	case DW_FORM_block4:
		return SHAPE_BLOCK4;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		return SHAPE_BLOCK;
	case DW_FORM_string:
		return SHAPE_STRING;
	case DW_FORM_indirect:
		return SHAPE_INDIRECT;
	default:
		return SHAPE_UNKNOWN;
	}
}

bool dw_value_read(struct dw_cursor *c, uint64_t form, struct dw_encoding enc, struct dw_value *v)
{
	unsigned int shape = dw_form_shape(form, enc);

	if (form == DW_FORM_indirect) {
		form = dw_cursor_uleb(c);
		shape = dw_form_shape(form, enc);
	}
	v->form = form;
	switch (shape) {
	case SHAPE_ULEB:
		v->number = dw_cursor_uleb(c);
		break;
	case SHAPE_SLEB:
		v->number = (uint64_t)dw_cursor_sleb(c);
		break;
	case SHAPE_BLOCK1:
	case SHAPE_BLOCK2:
	case SHAPE_BLOCK4:
	case SHAPE_BLOCK:
		v->block = dw_cursor_block(c, form);
		break;
	case SHAPE_STRING:
		v->block = dw_cursor_string(c);
		break;
	case SHAPE_INDIRECT:
	case SHAPE_UNKNOWN:
		return false;
	case 0:
		v->number = form == DW_FORM_flag_present;
		break;
	case 16:
		v->block = dw_cursor_bytes(c, 16);
		break;
	default:
		v->number = dw_cursor_uint(c, shape);
		break;
	}
	return !c->failed;
}
