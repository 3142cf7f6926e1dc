/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz_expr.c - any location expression or list of them */
#include "tests/fuzz/fuzz.h"

#include "loader/dwarf/dw_expr.h"
#include "tests/fuzz/fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint8_t forms[] = { DW_FORM_exprloc,  DW_FORM_block1, DW_FORM_sec_offset,
					 DW_FORM_loclistx, DW_FORM_data4,  DW_FORM_data8 };
	struct fuzz_input in = { data, size };
	uint32_t shape = fuzz_byte(&in), form = fuzz_byte(&in);
	struct object obj = { .swap = shape & 16, .machine = 62 };
	struct dw_locations l = {
		.obj = &obj,
		.enc = { .version = (uint8_t)(2 + shape % 4),
			 .addr_size = shape & 4 ? 4 : 8,
			 .off_size = shape & 8 ? 8 : 4 },
	};
	struct dw_location loc = { .form = forms[form % ARRAY_SIZE(forms)] };
	struct cu_param p = { .reg = CU_NO_REG };
	struct dw_addr addr;
	uint64_t found;

	l.addr_base = fuzz_byte(&in);
	l.loclists_base = fuzz_byte(&in);
	loc.list = fuzz_byte(&in);
	p.bytes = (uint16_t)fuzz_byte(&in);
	fuzz_debug_sections(&in, &obj);
	loc.expr = obj.debug[DEBUG_INFO];
	(void)dw_indexed_addr(&l, loc.list, &found);
	(void)dw_location_addr(&l, &loc, &addr);
	(void)dw_location_offset(&l, loc.expr, &found);
	dw_location_param(&l, &loc, &p);
	if (p.reg < CU_NO_REG)
		abort();
	fuzz_release_sections(&obj);
	return 0;
}
