/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_languages.c - what other languages than C say becomes the nearest that BTF has */
#include "loader/dwarf/dw_read_cu.h"
#include "tests/lib/dwarfread.h"
#include "tests/lib/testlib.h"

enum {
	UNIT = 1,
	INT,
	RANGE,
	NAMED_RANGE,
	OPEN,
	MEMBER,
	STRING,
	ENDLESS,
	MODULE,
	NULLPTR,
	NO_TYPE,
	STRUCT,
	PTR,
	TYPEDEF,
};

static void declare(struct dwarfmake *d)
{
	dw_abbrev_decl(d, UNIT, DW_TAG_compile_unit, true, DW_AT_language, DW_FORM_data1, 0);
	dw_abbrev_decl(d, INT, DW_TAG_base_type, false, DW_AT_name, DW_FORM_string, DW_AT_byte_size,
		       DW_FORM_data1, 0);
	dw_abbrev_decl(d, RANGE, DW_TAG_subrange_type, false, DW_AT_type, DW_FORM_ref4,
		       DW_AT_upper_bound, DW_FORM_data1, 0);
	dw_abbrev_decl(d, NAMED_RANGE, DW_TAG_subrange_type, false, DW_AT_name, DW_FORM_string,
		       DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, OPEN, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_exprloc, 0);
	dw_abbrev_decl(d, STRUCT, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, MEMBER, DW_TAG_member, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_data4, 0);
	dw_abbrev_decl(d, STRING, DW_TAG_string_type, false, DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, ENDLESS, DW_TAG_string_type, false, DW_AT_string_length, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, MODULE, DW_TAG_module, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(d, NULLPTR, DW_TAG_unspecified_type, false, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(d, NO_TYPE, DW_TAG_unspecified_type, false, 0);
	dw_abbrev_decl(d, PTR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, TYPEDEF, DW_TAG_typedef, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, 0);
}

static void begin(struct dwarfmake *d, unsigned int lang)
{
	declare(d);
	dw_unit_begin(d, 5);
	dw_uleb(&d->info, UNIT);
	dw_int(&d->info, 1, lang);
}

static uint32_t put_int(struct dwarfmake *d)
{
	uint32_t at = dw_here(d);

	dw_uleb(&d->info, INT);
	dw_text(&d->info, "int");
	dw_int(&d->info, 1, 4);
	return at;
}

static void put_member(struct dwarfmake *d, const char *name, uint32_t type, uint32_t at)
{
	dw_uleb(&d->info, MEMBER);
	dw_text(&d->info, name);
	dw_int(&d->info, 4, type);
	dw_int(&d->info, 4, at);
}

static struct err *read_unit_for(struct dwarfmake *d, uint16_t machine, struct result *r)
{
	static const struct dw_read_opts opts = { 0 };

	dw_int(&d->info, 1, 0);
	dw_unit_end(d);
	TRY(result_open(d, &opts, r));
	r->obj.machine = machine;
	return result_read(r, 0);
}

static struct err *read_unit(struct dwarfmake *d, struct result *r)
{
	return read_unit_for(d, EM_X86_64, r);
}

static const char *text(const struct result *r, uint32_t id)
{
	return str_pool_text(&r->strings, id);
}

TEST(a_range_is_what_it_is_made_of)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };

	begin(&d, DW_LANG_Ada95);
	uint32_t number = put_int(&d), range = dw_here(&d);
	dw_uleb(&d.info, RANGE);
	dw_int(&d.info, 4, number);
	dw_int(&d.info, 1, 100);
	uint32_t named = dw_here(&d);
	dw_uleb(&d.info, NAMED_RANGE);
	dw_text(&d.info, "small");
	dw_int(&d.info, 4, range);
	dw_uleb(&d.info, PTR);
	dw_int(&d.info, 4, named);
	CHECK_OK(read_unit(&d, &r));
	CHECK_EQ(r.cu.types.nr, 4);
	CHECK_EQ(r.cu.types.items[2].kind, BTF_TYPEDEF);
	CHECK_STR(text(&r, r.cu.types.items[2].name), "small");
	CHECK_EQ(r.cu.types.items[2].ref, 1);
	CHECK_EQ(r.cu.types.items[3].ref, 2);
	CHECK(!r.diags.first);
}

TEST(a_struct_of_open_size_ends_with_its_last_member)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };

	begin(&d, DW_LANG_Ada95);
	uint32_t number = put_int(&d);
	dw_uleb(&d.info, OPEN);
	dw_text(&d.info, "open");
	dw_int(&d.info, 1, 1);
	dw_int(&d.info, 1, DW_OP_lit0);
	put_member(&d, "a", number, 0);
	put_member(&d, "b", number, 12);
	put_member(&d, "c", number, 8);
	put_member(&d, "beyond", number, 0x20000000);
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_unit(&d, &r));
	CHECK_EQ(r.cu.types.items[2].size, 16);
	CHECK_EQ(r.cu.types.items[2].nr, 4);
	const struct cu_member *m = &r.cu.members.items[r.cu.types.items[2].first];
	CHECK_EQ(m[1].flags, 0);
	CHECK_EQ(m[3].flags, CU_MEMBER_FAR);
}

TEST(a_string_is_an_array_of_characters)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };

	begin(&d, DW_LANG_Fortran95);
	dw_uleb(&d.info, STRING);
	dw_int(&d.info, 1, 8);
	uint32_t endless = dw_here(&d);
	dw_uleb(&d.info, ENDLESS);
	dw_int(&d.info, 4, 0);
	dw_uleb(&d.info, PTR);
	dw_int(&d.info, 4, endless);
	CHECK_OK(read_unit(&d, &r));
	const struct cu_type *t = r.cu.types.items;
	CHECK_EQ(r.cu.types.nr, 6);
	CHECK_EQ(t[2].kind, BTF_ARRAY);
	CHECK_EQ(t[2].size, 8);
	CHECK_EQ(t[t[2].ref].kind, BTF_INT);
	CHECK_EQ(t[t[2].ref].size, 1);
	CHECK_EQ(t[4].kind, BTF_ARRAY);
	CHECK_EQ(t[4].size, 0);
	CHECK_EQ(t[5].ref, 4);
}

TEST(types_of_a_module_are_found)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };

	begin(&d, DW_LANG_Fortran95);
	dw_uleb(&d.info, MODULE);
	dw_text(&d.info, "m");
	put_int(&d);
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_unit(&d, &r));
	CHECK_EQ(r.cu.types.nr, 2);
}

TEST(the_type_of_nullptr_is_a_pointer_but_no_other_unspecified_one)
{
	static const char *const names[] = { "decltype(nullptr)", "typeof (nullptr)" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, DW_LANG_C_plus_plus);
		uint32_t null = dw_here(&d);
		dw_uleb(&d.info, NULLPTR);
		dw_text(&d.info, names[i]);
		uint32_t other = dw_here(&d);
		dw_uleb(&d.info, NO_TYPE);
		dw_uleb(&d.info, PTR);
		dw_int(&d.info, 4, null);
		dw_uleb(&d.info, PTR);
		dw_int(&d.info, 4, other);
		CHECK_OK(read_unit(&d, &r));
		CHECK_EQ(r.cu.types.nr, 4);
		CHECK_EQ(r.cu.types.items[1].kind, BTF_PTR);
		CHECK_EQ(r.cu.types.items[1].ref, 0);
		CHECK_EQ(r.cu.types.items[2].ref, 1);
		CHECK_EQ(r.cu.types.items[3].ref, 0);
	}
}

/* gcc 16 for ppc64le; a kernel refuses a typedef whose name is no identifier. */
TEST(a_long_double_of_ieee_is_no_typedef)
{
	CLEANUP(result_release) struct result r = { 0 };
	struct dwarfmake d = { 0 };

	begin(&d, DW_LANG_C11);
	uint32_t number = put_int(&d), names[2];
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		names[i] = dw_here(&d);
		dw_uleb(&d.info, TYPEDEF);
		dw_text(&d.info, i ? "mine" : "long double");
		dw_int(&d.info, 4, number);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		dw_uleb(&d.info, PTR);
		dw_int(&d.info, 4, names[i]);
	}
	CHECK_OK(read_unit_for(&d, EM_PPC64, &r));
	CHECK_EQ(r.cu.types.nr, 5);
	CHECK_EQ(r.cu.types.items[2].kind, BTF_TYPEDEF);
	CHECK_EQ(r.cu.types.items[3].ref, 1);
	CHECK_EQ(r.cu.types.items[4].ref, 2);
}

TEST(members_in_rust_stand_in_the_order_of_their_places)
{
	static const unsigned int langs[] = { DW_LANG_Rust, DW_LANG_C11 };

	for (size_t i = 0; i < ARRAY_SIZE(langs); i++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, langs[i]);
		uint32_t number = put_int(&d);
		dw_uleb(&d.info, STRUCT);
		dw_text(&d.info, "s");
		dw_int(&d.info, 1, 12);
		put_member(&d, "third", number, 8);
		put_member(&d, "first", number, 0);
		put_member(&d, "second", number, 4);
		put_member(&d, "alike", number, 4);
		dw_int(&d.info, 1, 0);
		CHECK_OK(read_unit(&d, &r));
		const struct cu_member *m = &r.cu.members.items[r.cu.types.items[2].first];
		CHECK_STR(text(&r, m[0].name), i ? "third" : "first");
		CHECK_STR(text(&r, m[1].name), i ? "first" : "second");
		CHECK_STR(text(&r, m[2].name), i ? "second" : "alike");
		CHECK_STR(text(&r, m[3].name), i ? "alike" : "third");
	}
}
