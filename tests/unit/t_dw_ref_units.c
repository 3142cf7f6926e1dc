/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_ref_units.c - a unit is read with what it refers to in others */
#include "loader/dwarf/dw_read_cu.h"
#include "tests/lib/dwarfread.h"
#include "tests/lib/testlib.h"

enum {
	UNIT = 1,
	TYPE_UNIT,
	PARTIAL,
	INT,
	STRUCT,
	PTR_SIG,
	PTR_ADDR,
	PTR,
	STAND_IN,
	IMPORT,
	FUNC,
	IMPORTS_NOTHING
};

static void declare(struct dwarfmake *d)
{
	dw_abbrev_decl(d, UNIT, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(d, TYPE_UNIT, DW_TAG_type_unit, true, DW_AT_language, DW_FORM_data1, 0);
	dw_abbrev_decl(d, PARTIAL, DW_TAG_partial_unit, true, 0);
	dw_abbrev_decl(d, INT, DW_TAG_base_type, false, DW_AT_name, DW_FORM_string, DW_AT_byte_size,
		       DW_FORM_data1, 0);
	dw_abbrev_decl(d, STRUCT, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, PTR_SIG, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref_sig8, 0);
	dw_abbrev_decl(d, PTR_ADDR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref_addr, 0);
	dw_abbrev_decl(d, PTR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, STAND_IN, DW_TAG_structure_type, false, DW_AT_signature, DW_FORM_ref_sig8,
		       0);
	dw_abbrev_decl(d, IMPORTS_NOTHING, DW_TAG_imported_unit, false, DW_AT_name, DW_FORM_string,
		       0);
	dw_abbrev_decl(d, IMPORT, DW_TAG_imported_unit, false, DW_AT_import, DW_FORM_ref_addr, 0);
	dw_abbrev_decl(d, FUNC, DW_TAG_subprogram, false, DW_AT_name, DW_FORM_string, 0);
}

static void begin_unit(struct dwarfmake *d, const char *name)
{
	dw_unit_begin(d, 4);
	dw_uleb(&d->info, UNIT);
	dw_text(&d->info, name);
}

static void end_unit(struct dwarfmake *d)
{
	dw_int(&d->info, 1, 0);
	dw_unit_end(d);
}

static void begin_type_unit(struct dwarfmake *d)
{
	dw_unit_begin(d, 4);
	dw_uleb(&d->info, TYPE_UNIT);
	dw_int(&d->info, 1, DW_LANG_C11);
}

/* Where the first type of a type unit is. */
enum { FIRST_IN_TYPE_UNIT = 23 + 2 };

static void end_type_unit(struct dwarfmake *d, uint64_t signature)
{
	dw_int(&d->info, 1, 0);
	dw_make_type_unit(d, signature, FIRST_IN_TYPE_UNIT);
}

/* Where it is, in the section. */
static uint32_t put_sized(struct dwarfmake *d, unsigned int code, const char *name,
			  unsigned int size)
{
	uint32_t at = (uint32_t)d->info.len;

	dw_uleb(&d->info, code);
	dw_text(&d->info, name);
	dw_int(&d->info, 1, size);
	return at;
}

static void put_ref(struct dwarfmake *d, unsigned int code, unsigned int width, uint64_t to)
{
	dw_uleb(&d->info, code);
	dw_int(&d->info, width, to);
}

static struct err *open_all(struct dwarfmake *d, struct result *r)
{
	static const struct dw_read_opts all = { .vars = true, .func_names_end = 1000 };

	return result_open(d, &all, r);
}

/* How many types are called @name, and the last of them. */
static size_t count(const struct result *r, const char *name, unit_tid *ret)
{
	size_t n = 0;

	*ret = 0;
	for (unit_tid i = 1; i < r->cu.types.nr; i++) {
		if (strcmp(str_pool_text(&r->strings, r->cu.types.items[i].name), name) != 0)
			continue;
		*ret = i;
		n++;
	}
	return n;
}

TEST_WITH(a_signature_leads_to_its_type, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	begin_type_unit(&d);
	put_sized(&d, STRUCT, "wrong", 4);
	end_type_unit(&d, 0x1111);
	begin_type_unit(&d);
	put_sized(&d, STRUCT, "right", 8);
	end_type_unit(&d, 0x2222);
	begin_unit(&d, "first.c");
	put_ref(&d, PTR_SIG, 8, 0x2222);
	end_unit(&d);
	begin_unit(&d, "second.c");
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_OK(result_read(r, 0));
	CHECK(r->wanted);
	CHECK_EQ(r->cu.types.items[1].kind, BTF_PTR);
	CHECK_EQ(count(r, "right", &there), 1);
	CHECK_EQ(r->cu.types.items[1].ref, there);
	CHECK_EQ(count(r, "wrong", &there), 0);

	/* what is left is read as if it were one more unit */
	CHECK_OK(result_read(r, 1));
	CHECK_EQ(r->cu.types.nr, 1);
	CHECK(dw_file_has_left(&r->file));
	CHECK_EQ(dw_file_nr_readings(&r->file), 3);
	dw_file_find_left(&r->file);
	CHECK_OK(result_read(r, 2));
	CHECK(r->wanted);
	CHECK_EQ(count(r, "wrong", &there), 1);
	CHECK_EQ(count(r, "right", &there), 0);
	CHECK_EQ(r->cu.nr_void, 0);
}

TEST_WITH(a_single_unit_has_all_types_of_its_file, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	begin_type_unit(&d);
	put_sized(&d, STRUCT, "unused", 4);
	end_type_unit(&d, 0x1111);
	begin_unit(&d, "first.c");
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_EQ(dw_file_nr_readings(&r->file), 1);
	CHECK_OK(result_read(r, 0));
	CHECK_EQ(count(r, "unused", &there), 1);
}

TEST_WITH(a_struct_may_stand_for_a_signature, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	begin_type_unit(&d);
	put_sized(&d, STRUCT, "right", 8);
	end_type_unit(&d, 7);
	begin_unit(&d, "first.c");
	uint32_t stand_in = dw_here(&d);
	put_ref(&d, STAND_IN, 8, 7);
	put_ref(&d, PTR, 4, stand_in);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_OK(result_read(r, 0));
	CHECK_EQ(r->cu.types.nr, 3);
	CHECK_EQ(count(r, "right", &there), 1);
	CHECK_EQ(r->cu.types.items[1].ref, there);
}

TEST_WITH(an_unknown_signature_is_void_and_noted, result, r)
{
	struct dwarfmake d = { 0 };

	declare(&d);
	begin_unit(&d, "first.c");
	put_ref(&d, PTR_SIG, 8, 0x2222);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_OK(result_read(r, 0));
	CHECK_EQ(r->cu.types.items[1].ref, 0);
	CHECK_EQ(r->cu.nr_void, 1);
}

TEST_WITH(type_units_may_refer_to_one_another_and_to_themselves, result, r)
{
	struct dwarfmake d = { 0 };
	enum { NR = 200 }; /* more than a small table of parts holds */

	declare(&d);
	for (unsigned int i = 0; i < NR; i++) {
		begin_type_unit(&d);
		put_sized(&d, STRUCT, "s", 8);
		put_ref(&d, PTR_SIG, 8, i * 3 % NR);
		put_ref(&d, PTR_SIG, 8, i);
		put_ref(&d, PTR_SIG, 8, (i + 1) % NR);
		end_type_unit(&d, i);
	}
	begin_unit(&d, "first.c");
	put_ref(&d, PTR_SIG, 8, 5);
	end_unit(&d);
	begin_unit(&d, "second.c");
	put_ref(&d, PTR_SIG, 8, 6);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	for (size_t i = 0; i < 2; i++) {
		CHECK_OK(result_read(r, i));
		CHECK_EQ(r->cu.types.nr, 1 + 1 + 4 * NR);
		for (unit_tid t = 1; t < r->cu.types.nr; t++)
			if (r->cu.types.items[t].kind == BTF_PTR)
				CHECK_EQ(r->cu.types.items[r->cu.types.items[t].ref].kind,
					 BTF_STRUCT);
	}
	CHECK_EQ(r->cu.nr_void, 0);
	dw_file_find_left(&r->file);
	CHECK_OK(result_read(r, 2));
	CHECK(!r->wanted);
}

TEST(what_is_left_has_a_language_too)
{
	static const uint16_t rust[] = { DW_LANG_Rust }, c11[] = { DW_LANG_C11 };

	for (int excluded = 0; excluded < 2; excluded++) {
		const struct dw_read_opts opts = { .langs = excluded ? c11 : rust, .nr_langs = 1 };
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		declare(&d);
		begin_type_unit(&d);
		put_sized(&d, STRUCT, "unused", 4);
		end_type_unit(&d, 0x1111);
		begin_unit(&d, "first.c");
		end_unit(&d);
		begin_unit(&d, "second.c");
		end_unit(&d);
		CHECK_OK(result_open(&d, &opts, &r));
		dw_file_find_left(&r.file);
		CHECK_OK(result_read(&r, 2));
		CHECK_EQ(r.wanted, !excluded);
	}
}

TEST_WITH(a_type_outside_of_its_unit_is_refused, result, r)
{
	struct dwarfmake d = { 0 };

	declare(&d);
	begin_type_unit(&d);
	put_sized(&d, STRUCT, "s", 4);
	dw_int(&d.info, 1, 0);
	dw_make_type_unit(&d, 1, 1000);
	begin_unit(&d, "first.c");
	end_unit(&d);
	CHECK_ERR_TEXT(open_all(&d, r), ERR_FORMAT, ".debug_types+0: the unit's type at 0x3e8");
}

TEST_WITH(damage_in_a_type_unit_is_told_with_its_section, result, r)
{
	struct dwarfmake d = { 0 };

	declare(&d);
	begin_type_unit(&d);
	dw_uleb(&d.info, 99);
	end_type_unit(&d, 1);
	begin_unit(&d, "first.c");
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_ERR_TEXT(result_read(r, 0), ERR_FORMAT, ".debug_types+0x19: no abbreviation");
}

TEST_WITH(an_import_of_nothing_costs_nothing_else, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	begin_unit(&d, "first.c");
	put_sized(&d, STRUCT, "before", 4);
	dw_uleb(&d.info, IMPORTS_NOTHING);
	dw_text(&d.info, "nothing");
	put_sized(&d, STRUCT, "behind", 4);
	end_unit(&d);
	begin_unit(&d, "second.c");
	put_sized(&d, STRUCT, "other", 4);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_OK(result_read(r, 0));
	CHECK_EQ(count(r, "before", &there), 1);
	CHECK_EQ(count(r, "behind", &there), 1);
	CHECK_OK(result_read(r, 1));
	CHECK_EQ(count(r, "other", &there), 1);
}

/* A partial unit with a struct, which imports the one at @import if that is not 0. */
static uint32_t put_partial(struct dwarfmake *d, const char *name, uint32_t import)
{
	dw_unit_begin(d, 4);
	dw_uleb(&d->info, PARTIAL);
	put_ref(d, IMPORT, 4, import);
	uint32_t at = put_sized(d, STRUCT, name, 4);
	dw_uleb(&d->info, FUNC);
	dw_text(&d->info, "f");
	end_unit(d);
	return at;
}

TEST_WITH(units_share_partial_ones, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	/* each imports the other */
	uint32_t one = put_partial(&d, "one", 0x2b);
	uint32_t second = (uint32_t)d.info.len;
	put_partial(&d, "two", 11);
	CHECK(second < 0x2b && d.info.len > 0x2b);
	put_partial(&d, "three", 11);
	begin_unit(&d, "first.c");
	put_ref(&d, PTR_ADDR, 4, one);
	end_unit(&d);
	begin_unit(&d, "second.c");
	put_sized(&d, INT, "int", 4);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK(!r->file.merged);

	CHECK_OK(result_read(r, 0));
	CHECK(!r->wanted);
	CHECK_OK(result_read(r, 3));
	CHECK(r->wanted);
	CHECK_EQ(count(r, "one", &there), 1);
	CHECK_EQ(r->cu.types.items[1].ref, there);
	CHECK_EQ(count(r, "two", &there), 1);
	CHECK_EQ(count(r, "three", &there), 0);
	CHECK_EQ(r->cu.funcs.nr, 2);
	CHECK_OK(result_read(r, 4));
	CHECK_EQ(r->cu.types.nr, 2);
	CHECK_EQ(r->cu.nr_void, 0);
}

TEST_WITH(a_whole_unit_lends_its_types_but_not_its_functions, result, r)
{
	struct dwarfmake d = { 0 };
	unit_tid there;

	declare(&d);
	put_partial(&d, "unused", 11);
	begin_unit(&d, "first.c");
	uint32_t at = put_sized(&d, STRUCT, "s", 4);
	dw_uleb(&d.info, FUNC);
	dw_text(&d.info, "f");
	end_unit(&d);
	begin_unit(&d, "second.c");
	put_ref(&d, PTR_ADDR, 4, at);
	put_ref(&d, PTR_ADDR, 4, (uint32_t)d.unit + 1); /* into its own header */
	put_ref(&d, PTR_ADDR, 4, 0xffffff);
	end_unit(&d);
	CHECK_OK(open_all(&d, r));
	CHECK_OK(result_read(r, 2));
	CHECK_EQ(count(r, "s", &there), 1);
	CHECK_EQ(r->cu.types.items[1].ref, there);
	CHECK_EQ(r->cu.types.items[2].ref, 0);
	CHECK_EQ(r->cu.types.items[3].ref, 0);
	CHECK_EQ(r->cu.funcs.nr, 0);
	CHECK_EQ(r->cu.nr_void, 2);
}
