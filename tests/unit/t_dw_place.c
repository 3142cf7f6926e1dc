/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_place.c - where a parameter is, as BTF has it */
#include "loader/dwarf/dw_place.h"

#include "btf/btf_wire.h"
#include "tests/lib/dwarfmake.h"
#include "tests/lib/testlib.h"

#define EXPR(...) \
	((struct bytes){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }) })

static struct object object(void)
{
	return (struct object){ .addr_size = 8,
				.machine = EM_X86_64,
				.swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };
}

/* The CFA is the frame base. */
static struct dw_placed placed(uint8_t size, bool is_signed)
{
	return (struct dw_placed){ .addr = 0x1010,
				   .size = size,
				   .is_signed = is_signed,
				   .frame_base = { true, BTF_LOC_FBREG, 0 } };
}

static struct cu_place place_of(struct bytes expr, struct dw_placed p)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, obj.addr_size, 4 } };
	const struct dw_location loc = { .form = DW_FORM_exprloc, .expr = expr };
	struct dw_addr addr;

	return dw_location_place(&l, &loc, &p, &addr);
}

static void check_place(struct cu_place p, uint32_t flags, uint8_t nr, uint32_t first,
			uint32_t second)
{
	CHECK_EQ(p.flags, flags);
	CHECK_EQ(p.nr, nr);
	CHECK_EQ(p.values[0], first);
	CHECK_EQ(p.values[1], second);
}

#define NONE(expr, size) check_place(place_of(expr, placed(size, false)), 0, 0, 0, 0)

enum {
	REG = BTF_LOC_REG,
	MEM = BTF_LOC_REG | BTF_LOC_DEREF,
	OFF = BTF_LOC_OFFSET | BTF_LOC_SIGNED,
	CST = BTF_LOC_CONST,
};

TEST(a_place_in_registers)
{
	const struct dw_placed p8 = placed(8, false), p16 = placed(16, false);

	check_place(place_of(EXPR(DW_OP_reg5), p8), REG, 1, 5, 0);
	check_place(place_of(EXPR(DW_OP_regx, 0x80, 1), p8), REG, 1, 128, 0);
	check_place(place_of(EXPR(DW_OP_reg5, DW_OP_piece, 8), p8), REG, 1, 5, 0);
	check_place(place_of(EXPR(DW_OP_reg0, DW_OP_piece, 8, DW_OP_reg1, DW_OP_piece, 8), p16),
		    REG, 2, 0, 1);
	/* the first piece is not a whole register, the sizes do not add up, a piece is missing, a third one */
	NONE(EXPR(DW_OP_reg0, DW_OP_piece, 4, DW_OP_reg1, DW_OP_piece, 4), 8);
	NONE(EXPR(DW_OP_reg0, DW_OP_piece, 8, DW_OP_reg1, DW_OP_piece, 4), 16);
	NONE(EXPR(DW_OP_reg0, DW_OP_piece, 8, DW_OP_piece, 8), 16);
	NONE(EXPR(DW_OP_reg0, DW_OP_piece, 4), 8);
	NONE(EXPR(DW_OP_reg0, DW_OP_piece, 8, DW_OP_reg1, DW_OP_piece, 8, DW_OP_reg2, DW_OP_piece,
		  8),
	     16);
	NONE(EXPR(DW_OP_reg0, DW_OP_stack_value), 8);
	NONE(EXPR(DW_OP_lit0, DW_OP_reg0), 8);
	NONE(EXPR(DW_OP_regx, 0xff, 0xff, 0xff, 0xff, 0x0f), 8);
}

TEST(a_place_in_memory_or_a_computed_value)
{
	const struct dw_placed p = placed(8, false);

	check_place(place_of(EXPR(DW_OP_breg6, 0x70), p), MEM | OFF, 2, 6, (uint32_t)-16);
	check_place(place_of(EXPR(DW_OP_breg6, 0), p), MEM, 1, 6, 0);
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_stack_value), p), REG | OFF, 2, 6, 8);
	check_place(place_of(EXPR(DW_OP_breg6, 0, DW_OP_stack_value), p), REG, 1, 6, 0);
	check_place(place_of(EXPR(DW_OP_bregx, 40, 4), p), MEM | OFF, 2, 40, 4);
	check_place(place_of(EXPR(DW_OP_fbreg, 0x60), p), MEM | OFF, 2, BTF_LOC_FBREG,
		    (uint32_t)-32);
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_plus_uconst, 8), p), MEM | OFF, 2, 6, 16);
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_lit4, DW_OP_minus), p), MEM | OFF, 2, 6, 4);
	check_place(place_of(EXPR(DW_OP_lit4, DW_OP_breg6, 8, DW_OP_plus), p), MEM | OFF, 2, 6, 12);
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_piece, 8), p), MEM | OFF, 2, 6, 8);
	/* the value that is in memory */
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_deref, DW_OP_stack_value), p), MEM | OFF, 2,
		    6, 8);
	check_place(place_of(EXPR(DW_OP_breg6, 8, DW_OP_deref_size, 4, DW_OP_stack_value),
			     placed(4, false)),
		    MEM | OFF, 2, 6, 8);
	/* at an address that is in memory, of another width, changed, of two registers, beyond 32 bits */
	NONE(EXPR(DW_OP_breg6, 8, DW_OP_deref), 8);
	NONE(EXPR(DW_OP_breg6, 8, DW_OP_deref, DW_OP_stack_value), 4);
	NONE(EXPR(DW_OP_breg6, 8, DW_OP_deref, DW_OP_plus_uconst, 1, DW_OP_stack_value), 8);
	NONE(EXPR(DW_OP_breg6, 0, DW_OP_breg7, 0, DW_OP_plus), 8);
	NONE(EXPR(DW_OP_lit4, DW_OP_breg6, 8, DW_OP_minus), 8);
	NONE(EXPR(DW_OP_breg6, 0, DW_OP_lit1, DW_OP_and, DW_OP_stack_value), 4);
	NONE(EXPR(DW_OP_breg6, 0x80, 0x80, 0x80, 0x80, 0x08), 8);
	NONE(EXPR(DW_OP_breg6, 8, DW_OP_piece, 4), 8);
	NONE(EXPR(DW_OP_entry_value, 1, DW_OP_reg5, DW_OP_stack_value), 8);
	NONE(EXPR(DW_OP_implicit_pointer, 1, 0, 0, 0, 0), 8);
}

TEST(the_frame_base_may_be_a_register)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 } };
	struct dw_placed p = placed(8, false);

	p.frame_base = dw_frame_base(&l, EXPR(DW_OP_reg7));
	check_place(place_of(EXPR(DW_OP_fbreg, 8), p), MEM | OFF, 2, 7, 8);
	p.frame_base = dw_frame_base(&l, EXPR(DW_OP_breg7, 8));
	check_place(place_of(EXPR(DW_OP_fbreg, 8), p), MEM | OFF, 2, 7, 16);
	p.frame_base = dw_frame_base(&l, EXPR(DW_OP_call_frame_cfa));
	check_place(place_of(EXPR(DW_OP_fbreg, 0), p), MEM, 1, BTF_LOC_FBREG, 0);
	/* clang 21 */
	p.frame_base = dw_frame_base(&l,
				     EXPR(DW_OP_call_frame_cfa, DW_OP_consts, 0x70, DW_OP_plus));
	check_place(place_of(EXPR(DW_OP_fbreg, 8), p), MEM | OFF, 2, BTF_LOC_FBREG, (uint32_t)-8);
	check_place(place_of(EXPR(DW_OP_call_frame_cfa, DW_OP_lit8, DW_OP_plus), p), MEM | OFF, 2,
		    BTF_LOC_FBREG, 8);
	p.frame_base = dw_frame_base(&l, EXPR(DW_OP_reg7, DW_OP_lit8));
	check_place(place_of(EXPR(DW_OP_fbreg, 0), p), 0, 0, 0, 0);
	p.frame_base = dw_frame_base(&l, EXPR(DW_OP_lit8));
	check_place(place_of(EXPR(DW_OP_fbreg, 0), p), 0, 0, 0, 0);
}

TEST(a_constant_has_the_size_and_the_sign_of_the_parameter)
{
	check_place(place_of(EXPR(DW_OP_lit2, DW_OP_stack_value), placed(4, false)), CST, 1, 2, 0);
	check_place(place_of(EXPR(DW_OP_const1s, 0xff, DW_OP_stack_value), placed(4, true)),
		    CST | BTF_LOC_SIGNED, 1, UINT32_MAX, 0);
	check_place(place_of(EXPR(DW_OP_const1s, 0xff, DW_OP_stack_value), placed(2, false)), CST,
		    1, 0xffff, 0);
	check_place(place_of(EXPR(DW_OP_const1s, 0xff, DW_OP_stack_value), placed(8, true)),
		    CST | BTF_LOC_SIGNED, 2, UINT32_MAX, UINT32_MAX);
	check_place(place_of(EXPR(DW_OP_const1u, 0x80, DW_OP_stack_value), placed(1, true)),
		    CST | BTF_LOC_SIGNED, 1, (uint32_t)-128, 0);
	check_place(place_of(EXPR(DW_OP_lit1, DW_OP_const1u, 33, DW_OP_shl, DW_OP_lit1, DW_OP_shr,
				  DW_OP_stack_value),
			     placed(8, false)),
		    CST, 2, 0, 1);
	check_place(place_of(EXPR(DW_OP_lit1, DW_OP_lit31, DW_OP_shl, DW_OP_neg, DW_OP_stack_value),
			     placed(8, false)),
		    CST, 2, 0x80000000, UINT32_MAX);
	check_place(place_of(EXPR(DW_OP_lit0, DW_OP_not, DW_OP_lit4, DW_OP_shra, DW_OP_stack_value),
			     placed(4, false)),
		    CST, 1, UINT32_MAX, 0);
	check_place(place_of(EXPR(DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl, DW_OP_stack_value),
			     placed(8, false)),
		    CST, 2, 0, 0);
	check_place(place_of(EXPR(DW_OP_implicit_value, 4, 1, 2, 3, 4), placed(4, false)), CST, 1,
		    0x04030201, 0);
	/* memory at a constant address, too many bytes, another size, no operand */
	NONE(EXPR(DW_OP_lit2), 4);
	NONE(EXPR(DW_OP_lit2, DW_OP_stack_value), 16);
	NONE(EXPR(DW_OP_implicit_value, 4, 1, 2, 3, 4), 8);
	NONE(EXPR(DW_OP_neg, DW_OP_stack_value), 8);
	NONE(EXPR(DW_OP_lit1, DW_OP_shl, DW_OP_stack_value), 8);
	NONE(EXPR(DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, DW_OP_lit1, DW_OP_stack_value),
	     8);
}

TEST(an_address_constant_is_relative_to_nothing_yet)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 } };
	const struct bytes expr = EXPR(DW_OP_addr, 0x10, 0x20, 0, 0, 1, 0, 0, 0, DW_OP_plus_uconst,
				       8, DW_OP_stack_value);
	const struct dw_location loc = { .form = DW_FORM_exprloc, .expr = expr };
	struct dw_placed p = placed(8, false);
	struct dw_addr addr = { 0 };

	check_place(dw_location_place(&l, &loc, &p, &addr), CST | BTF_LOC_ADDR, 2, 0x2018, 1);
	CHECK_EQ(addr.added, 8);
	CHECK(addr.ptr == expr.ptr + 1);
	p.size = 4;
	check_place(dw_location_place(&l, &loc, &p, &addr), 0, 0, 0, 0);
	/* memory there */
	NONE(EXPR(DW_OP_addr, 0x10, 0x20, 0, 0, 0, 0, 0, 0), 8);
}

/* The place at @at by the list @list. */
static struct cu_place place_in_list(struct bytes list, uint64_t at)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 }, .base = 0x1000 };
	const struct dw_location loc = { .form = DW_FORM_sec_offset };
	struct dw_placed p = placed(8, false);
	struct dw_addr addr;

	obj.debug[DEBUG_LOCLISTS] = list;
	p.addr = at;
	return dw_location_place(&l, &loc, &p, &addr);
}

TEST(only_the_entry_of_a_list_that_has_the_address_counts)
{
	struct make_buf list = { 0 };
	const uint8_t bytes[] = {
		DW_LLE_offset_pair,
		0x00,
		0x10,
		1,
		DW_OP_reg1,
		DW_LLE_offset_pair,
		0x10,
		0x10,
		1,
		DW_OP_reg2,
		DW_LLE_default_location,
		1,
		DW_OP_reg6,
		DW_LLE_offset_pair,
		0x10,
		0x20,
		1,
		DW_OP_reg3,
		DW_LLE_start_length,
		0x30,
		0x10,
		0,
		0,
		0,
		0,
		0,
		0,
		8,
		1,
		DW_OP_reg4,
		DW_LLE_end_of_list,
	};

	for (size_t i = 0; i < sizeof(bytes); i++)
		dw_int(&list, 1, bytes[i]);
	const struct bytes padded = dw_padded(&list);
	for (uint64_t at = 0x1000; at < 0x1040; at += 8) {
		uint32_t reg = at < 0x1010 ? 1 : at < 0x1020 ? 3 : at == 0x1030 ? 4 : 6;

		check_place(place_in_list(padded, at), REG, 1, reg, 0);
	}
}

/* Each of the three numbers may have any padding. */
TEST(an_entry_of_a_list_ends_in_its_section)
{
	for (size_t padding = 0; padding < 64; padding++) {
		struct make_buf list = { 0 };

		dw_int(&list, 1, DW_LLE_offset_pair);
		for (size_t i = 0; i < padding; i++)
			dw_int(&list, 1, 0x80);
		dw_int(&list, 1, 0);
		check_place(place_in_list(dw_padded(&list), 0x1010), 0, 0, 0, 0);
	}
}
