/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_form.c - see dw_form.h */
#include "loader/dwarf/dw_form.h"

const struct dw_form_info dw_forms[NR_FORMS] = {
	[0] = { SHAPE_UNKNOWN, 0 },
	[0x02] = { SHAPE_UNKNOWN, 0 }, /* not assigned */
	[DW_FORM_addr] = { SHAPE_ADDR, FORM_NUMBER | FORM_ADDR },
	[DW_FORM_block2] = { SHAPE_BLOCK2, FORM_BLOCK },
	[DW_FORM_block4] = { SHAPE_BLOCK4, FORM_BLOCK },
	[DW_FORM_data2] = { 2, FORM_NUMBER },
	[DW_FORM_data4] = { 4, FORM_NUMBER | FORM_LIST },
	[DW_FORM_data8] = { 8, FORM_NUMBER | FORM_LIST },
	[DW_FORM_string] = { SHAPE_STRING, FORM_STRING },
	[DW_FORM_block] = { SHAPE_BLOCK, FORM_BLOCK },
	[DW_FORM_block1] = { SHAPE_BLOCK1, FORM_BLOCK },
	[DW_FORM_data1] = { 1, FORM_NUMBER },
	[DW_FORM_flag] = { 1, FORM_NUMBER },
	[DW_FORM_sdata] = { SHAPE_SLEB, FORM_NUMBER },
	[DW_FORM_strp] = { SHAPE_OFF, FORM_STRING },
	[DW_FORM_udata] = { SHAPE_ULEB, FORM_NUMBER },
	[DW_FORM_ref_addr] = { SHAPE_REF_ADDR, FORM_REF },
	[DW_FORM_ref1] = { 1, FORM_REF },
	[DW_FORM_ref2] = { 2, FORM_REF },
	[DW_FORM_ref4] = { 4, FORM_REF },
	[DW_FORM_ref8] = { 8, FORM_REF },
	[DW_FORM_ref_udata] = { SHAPE_ULEB, FORM_REF },
	[DW_FORM_indirect] = { SHAPE_INDIRECT, 0 },
	[DW_FORM_sec_offset] = { SHAPE_OFF, FORM_LIST },
	[DW_FORM_exprloc] = { SHAPE_BLOCK, FORM_BLOCK },
	[DW_FORM_flag_present] = { 0, FORM_NUMBER },
	[DW_FORM_strx] = { SHAPE_ULEB, FORM_STRING },
	[DW_FORM_addrx] = { SHAPE_ULEB, FORM_ADDR },
	[DW_FORM_ref_sup4] = { 4, FORM_REF },
	[DW_FORM_strp_sup] = { SHAPE_OFF, FORM_STRING },
	[DW_FORM_data16] = { 16, 0 },
	[DW_FORM_line_strp] = { SHAPE_OFF, FORM_STRING },
	[DW_FORM_ref_sig8] = { 8, FORM_REF },
	[DW_FORM_implicit_const] = { 0, FORM_NUMBER },
	[DW_FORM_loclistx] = { SHAPE_ULEB, FORM_LIST },
	[DW_FORM_rnglistx] = { SHAPE_ULEB, FORM_LIST },
	[DW_FORM_ref_sup8] = { 8, FORM_REF },
	[DW_FORM_strx1] = { 1, FORM_STRING },
	[DW_FORM_strx2] = { 2, FORM_STRING },
	[DW_FORM_strx3] = { 3, FORM_STRING },
	[DW_FORM_strx4] = { 4, FORM_STRING },
	[DW_FORM_addrx1] = { 1, FORM_ADDR },
	[DW_FORM_addrx2] = { 2, FORM_ADDR },
	[DW_FORM_addrx3] = { 3, FORM_ADDR },
	[DW_FORM_addrx4] = { 4, FORM_ADDR },
	[FORM_REF_ALT] = { SHAPE_OFF, FORM_REF },
};

bool dw_value_read(struct dw_cursor *c, uint64_t form, struct dw_encoding enc, struct dw_value *v)
{
	if (form == DW_FORM_indirect)
		form = dw_cursor_uleb(c);
	v->form = form;
	if (!dw_value_read_shape(c, dw_form_shape(form, enc), v))
		return false;
	if (form == DW_FORM_flag_present)
		v->number = 1;
	return !c->failed;
}
