/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_expr.c - what location expressions tell */
#include "loader/dwarf/dw_expr.h"

#include "tests/lib/dwarfmake.h"
#include "tests/lib/testlib.h"

static struct object object(void)
{
	return (struct object){ .addr_size = 8,
				.machine = EM_X86_64,
				.swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };
}

#define EXPR(...) \
	((struct bytes){ (const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ }) })

static struct cu_param param_of(struct bytes expr, uint16_t bytes)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 } };
	struct cu_param p = { .reg = CU_NO_REG, .bytes = bytes };

	dw_location_param(&l, &(struct dw_location){ .form = DW_FORM_exprloc, .expr = expr }, &p);
	return p;
}

static bool addr_of(struct bytes expr, uint64_t *ret)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 } };
	const struct dw_location loc = { .form = DW_FORM_exprloc, .expr = expr };
	struct dw_addr addr = { 0 };
	bool found = dw_location_addr(&l, &loc, &addr);

	if (found)
		CHECK(addr.ptr == expr.ptr + 1);
	*ret = addr.value;
	return found;
}

TEST(an_address_and_a_constant_added_to_it)
{
	uint64_t addr;

	CHECK(addr_of(EXPR(DW_OP_addr, 0x10, 0x20, 0, 0, 0, 0, 0, 0), &addr));
	CHECK_EQ(addr, 0x2010);
	CHECK(addr_of(EXPR(DW_OP_addr, 0x10, 0x20, 0, 0, 0, 0, 0, 0, DW_OP_plus_uconst, 8), &addr));
	CHECK_EQ(addr, 0x2018);
	CHECK(!addr_of(EXPR(DW_OP_fbreg, 0), &addr));
	CHECK(!addr_of(EXPR(DW_OP_addr, 1, 2), &addr));
	CHECK(!addr_of((struct bytes){ NULL, 0 }, &addr));
}

TEST(an_indexed_address_is_looked_up)
{
	struct object obj = object();
	struct make_buf table = { 0 };
	uint64_t addr;

	dw_int(&table, 8, 0); /* the header of the table */
	dw_int(&table, 8, 0x1000);
	dw_int(&table, 8, 0x2000);
	obj.debug[DEBUG_ADDR] = dw_padded(&table);

	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 }, .addr_base = 8 };
	CHECK(dw_indexed_addr(&l, 1, &addr));
	CHECK_EQ(addr, 0x2000);
	CHECK(!dw_indexed_addr(&l, 2, &addr));
	CHECK(!dw_indexed_addr(&l, UINT64_MAX, &addr));
}

TEST(a_register_and_a_register_by_its_value)
{
	CHECK_EQ(param_of(EXPR(DW_OP_reg5), 4).reg, 5);
	CHECK_EQ(param_of(EXPR(DW_OP_breg4, 0, DW_OP_stack_value), 8).reg, 4);
	CHECK_EQ(param_of(EXPR(DW_OP_breg4, 0), 8).reg, CU_NO_REG);
	CHECK_EQ(param_of(EXPR(DW_OP_entry_value, 1, DW_OP_reg2), 8).reg, 2);
	CHECK_EQ(param_of(EXPR(DW_OP_GNU_entry_value, 1, DW_OP_reg2, DW_OP_stack_value), 8).reg, 2);
}

TEST(the_stack_and_constants_are_flags)
{
	CHECK(param_of(EXPR(DW_OP_fbreg, 0x70), 8).flags & CU_PARAM_STACK);
	CHECK(param_of(EXPR(DW_OP_lit7, DW_OP_stack_value), 8).flags & CU_PARAM_LITERAL);
	CHECK(param_of(EXPR(DW_OP_constu, 0x80, 1, DW_OP_stack_value), 8).flags & CU_PARAM_LITERAL);
	CHECK_EQ(param_of(EXPR(DW_OP_reg5), 8).flags, 0);
}

TEST(pieces_of_a_struct_say_which_bytes_arrive)
{
	struct cu_param p = param_of(EXPR(DW_OP_reg5, DW_OP_piece, 8, DW_OP_reg4, DW_OP_piece, 8),
				     16);

	CHECK_EQ(p.reg, 5);
	CHECK_EQ(p.later_fields, 1);
}

TEST(the_value_at_entry_is_that_of_one_register)
{
	CHECK_EQ(param_of(EXPR(DW_OP_entry_value, 2, DW_OP_breg4, 0), 8).reg, CU_NO_REG);
	CHECK_EQ(param_of(EXPR(DW_OP_entry_value, 2, DW_OP_reg2, DW_OP_dup), 8).reg, CU_NO_REG);
}

TEST(an_expression_that_is_not_understood_says_nothing)
{
	struct cu_param p = param_of(EXPR(DW_OP_reg5, 0xff), 8);

	CHECK_EQ(p.reg, CU_NO_REG);
	p = param_of(EXPR(DW_OP_entry_value, 9, DW_OP_reg2), 8);
	CHECK_EQ(p.reg, CU_NO_REG);
}

static struct cu_param param_at(struct object *obj, unsigned int version, uint64_t list)
{
	const struct dw_locations l = { .obj = obj, .enc = { (uint8_t)version, 8, 4 } };
	struct cu_param p = { .reg = CU_NO_REG, .bytes = 8 };

	dw_location_param(&l, &(struct dw_location){ .form = DW_FORM_sec_offset, .list = list },
			  &p);
	return p;
}

TEST(of_a_list_the_first_entry_counts)
{
	struct object obj = object();
	struct make_buf old = { 0 }, lists = { 0 };

	for (int i = 0; i < 2; i++) {
		dw_int(&old, 8, (uint64_t)i * 16);
		dw_int(&old, 8, (uint64_t)i * 16 + 16);
		dw_int(&old, 2, 1);
		dw_int(&old, 1, (uint64_t)DW_OP_reg5 - (uint64_t)i);
		dw_int(&lists, 1, DW_LLE_offset_pair);
		dw_uleb(&lists, (uint64_t)i * 16);
		dw_uleb(&lists, (uint64_t)i * 16 + 16);
		dw_uleb(&lists, 1);
		dw_int(&lists, 1, (uint64_t)DW_OP_reg4 - (uint64_t)i);
	}
	dw_int(&old, 8, 0);
	dw_int(&old, 8, 0);
	dw_int(&lists, 1, DW_LLE_end_of_list);
	obj.debug[DEBUG_LOC] = dw_padded(&old);
	obj.debug[DEBUG_LOCLISTS] = dw_padded(&lists);
	CHECK_EQ(param_at(&obj, 4, 0).reg, 5);
	CHECK_EQ(param_at(&obj, 5, 0).reg, 4);
	CHECK_EQ(param_at(&obj, 4, 1 << 20).reg, CU_NO_REG);
	CHECK_EQ(param_at(&obj, 5, 1 << 20).reg, CU_NO_REG);
}

/* A list of one entry, of kind @kind with the first operand @first, that has a register from there on. */
static bool is_late(unsigned int kind, uint64_t first, unsigned int operand_size, uint64_t entry)
{
	struct object obj = object();
	struct make_buf lists = { 0 }, addrs = { 0 };
	const struct dw_locations l = { .obj = &obj, .enc = { 5, 8, 4 }, .base = 0x1000 };
	struct cu_param p = { .reg = CU_NO_REG, .bytes = 8 };

	dw_int(&addrs, 8, 0x4000);
	dw_int(&addrs, 8, 0x5000);
	if (kind != DW_LLE_offset_pair) {
		/* counts for pairs only */
		dw_int(&lists, 1, DW_LLE_base_addressx);
		dw_uleb(&lists, 0);
	}
	dw_int(&lists, 1, kind);
	if (operand_size)
		dw_int(&lists, operand_size, first);
	else if (kind != DW_LLE_default_location)
		dw_uleb(&lists, first);
	if (kind != DW_LLE_default_location)
		dw_uleb(&lists, 4);
	dw_uleb(&lists, 1);
	dw_int(&lists, 1, DW_OP_reg5);
	dw_int(&lists, 1, DW_LLE_end_of_list);
	obj.debug[DEBUG_LOCLISTS] = dw_padded(&lists);
	obj.debug[DEBUG_ADDR] = dw_padded(&addrs);
	dw_location_param(&l, &(struct dw_location){ .form = DW_FORM_sec_offset, .entry = entry },
			  &p);
	CHECK_EQ(p.reg, 5);
	return p.flags & CU_PARAM_LATE;
}

TEST(a_location_is_late_if_it_starts_behind_the_function)
{
	CHECK(!is_late(DW_LLE_offset_pair, 8, 0, 0x1008));
	CHECK(is_late(DW_LLE_offset_pair, 8, 0, 0x1000));
	CHECK(!is_late(DW_LLE_startx_length, 1, 0, 0x5000));
	CHECK(is_late(DW_LLE_startx_length, 1, 0, 0x4000));
	CHECK(is_late(DW_LLE_startx_length, 2, 0, 0x5000));
	CHECK(!is_late(DW_LLE_start_length, 0x77, 8, 0x77));
	CHECK(is_late(DW_LLE_start_length, 0x78, 8, 0x77));
	CHECK(!is_late(DW_LLE_default_location, 0, 0, 0x77));
}

/* DWARF 4: a pair counts from the last base, which is that of the unit at first. */
TEST(a_location_of_an_old_list_is_late_by_its_base)
{
	for (uint64_t entry = 0x1008; entry <= 0x2008; entry += 0x1000) {
		struct object obj = object();
		const struct dw_locations l = { .obj = &obj, .enc = { 4, 8, 4 }, .base = 0x1000 };
		const struct dw_location loc = { .form = DW_FORM_sec_offset, .entry = entry };
		struct cu_param p = { .reg = CU_NO_REG, .bytes = 8 };
		struct make_buf old = { 0 };

		if (entry == 0x2008) {
			dw_int(&old, 8, UINT64_MAX);
			dw_int(&old, 8, 0x2000);
		}
		dw_int(&old, 8, 8);
		dw_int(&old, 8, 16);
		dw_int(&old, 2, 1);
		dw_int(&old, 1, DW_OP_reg5);
		dw_int(&old, 8, 0);
		dw_int(&old, 8, 0);
		obj.debug[DEBUG_LOC] = dw_padded(&old);
		dw_location_param(&l, &loc, &p);
		CHECK_EQ(p.reg, 5);
		CHECK(!(p.flags & CU_PARAM_LATE));
	}
}

TEST(lists_of_split_files_have_indexes_instead_of_addresses)
{
	struct object obj = object(), main = object();
	struct dw_locations l = { .obj = &obj, .enc = { 4, 8, 4 }, .split = true, .lists = 3 };
	struct cu_param p = { .reg = CU_NO_REG, .bytes = 8 };
	struct make_buf lists = { 0 }, addrs = { 0 };
	uint64_t addr;

	dw_int(&lists, 3, 0);
	dw_int(&lists, 1, DW_LLE_GNU_base_address_selection_entry);
	dw_uleb(&lists, 300);
	dw_int(&lists, 1, DW_LLE_GNU_start_length_entry);
	dw_uleb(&lists, 1000);
	dw_int(&lists, 4, 16);
	dw_int(&lists, 2, 1);
	dw_int(&lists, 1, DW_OP_reg5);
	dw_int(&lists, 1, DW_LLE_GNU_end_of_list_entry);
	obj.debug[DEBUG_LOC] = dw_padded(&lists);
	dw_location_param(&l, &(struct dw_location){ .form = DW_FORM_sec_offset }, &p);
	CHECK_EQ(p.reg, 5);

	/* and the addresses are in another file */
	dw_int(&addrs, 8, 0);
	dw_int(&addrs, 8, 0x1234);
	main.debug[DEBUG_ADDR] = dw_padded(&addrs);
	l.addr_base = 8;
	CHECK(!dw_indexed_addr(&l, 0, &addr));
	l.addrs = &main;
	CHECK(dw_indexed_addr(&l, 0, &addr));
	CHECK_EQ(addr, 0x1234);
	CHECK(!dw_indexed_addr(&l, 1, &addr));
}

TEST(the_offset_of_a_member_is_a_constant)
{
	struct object obj = object();
	const struct dw_locations l = { .obj = &obj, .enc = { 2, 8, 4 } };
	uint64_t off;

	CHECK(dw_location_offset(&l, EXPR(DW_OP_plus_uconst, 24), &off));
	CHECK_EQ(off, 24);
	CHECK(!dw_location_offset(&l, EXPR(DW_OP_dup), &off));
}
