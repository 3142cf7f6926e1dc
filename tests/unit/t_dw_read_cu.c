/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_read_cu.c - units by hand become struct cu */
#include "loader/dwarf/dw_read_cu.h"

#include "tests/lib/dwarfread.h"
#include "tests/lib/testlib.h"

enum {
	UNIT = 1,
	INT,
	PTR,
	STRUCT,
	MEMBER,
	TYPEDEF,
	FWD,
	FUNC,
	PARAM,
	VAR,
	ENUM,
	VALUE,
	ARRAY,
	RANGE,
	CLANG_UNIT,
	CHANGED,
	ABSTRACT,
	ABSTRACT_PARAM,
	COPY,
	COPY_PARAM,
	COPY_CONST,
	NOTE,
	NOTED_PTR,
	NOTED_OPEN_PTR
};

static void declare(struct dwarfmake *d)
{
	dw_abbrev_decl(d, UNIT, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string,
		       DW_AT_language, DW_FORM_data1, 0);
	dw_abbrev_decl(d, INT, DW_TAG_base_type, false, DW_AT_name, DW_FORM_string, DW_AT_byte_size,
		       DW_FORM_data1, DW_AT_encoding, DW_FORM_data1, 0);
	dw_abbrev_decl(d, PTR, DW_TAG_pointer_type, false, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, STRUCT, DW_TAG_structure_type, true, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, MEMBER, DW_TAG_member, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, DW_AT_data_member_location, DW_FORM_data1, 0);
	dw_abbrev_decl(d, TYPEDEF, DW_TAG_typedef, false, DW_AT_name, DW_FORM_strp, DW_AT_type,
		       DW_FORM_ref4, 0);
	dw_abbrev_decl(d, FWD, DW_TAG_structure_type, false, DW_AT_name, DW_FORM_string,
		       DW_AT_declaration, DW_FORM_flag_present, 0);
	dw_abbrev_decl(d, FUNC, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr, 0);
	dw_abbrev_decl(d, PARAM, DW_TAG_formal_parameter, false, DW_AT_name, DW_FORM_string,
		       DW_AT_type, DW_FORM_ref4, DW_AT_location, DW_FORM_exprloc, 0);
	dw_abbrev_decl(d, VAR, DW_TAG_variable, false, DW_AT_name, DW_FORM_string, DW_AT_type,
		       DW_FORM_ref4, DW_AT_external, DW_FORM_flag_present, DW_AT_location,
		       DW_FORM_exprloc, 0);
	dw_abbrev_decl(d, ENUM, DW_TAG_enumeration_type, true, DW_AT_name, DW_FORM_string,
		       DW_AT_byte_size, DW_FORM_data1, 0);
	dw_abbrev_decl(d, VALUE, DW_TAG_enumerator, false, DW_AT_name, DW_FORM_string,
		       DW_AT_const_value, DW_FORM_sdata, 0);
	dw_abbrev_decl(d, ARRAY, DW_TAG_array_type, true, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, RANGE, DW_TAG_subrange_type, false, DW_AT_upper_bound, DW_FORM_data1, 0);
	dw_abbrev_decl(d, CLANG_UNIT, DW_TAG_compile_unit, true, DW_AT_producer, DW_FORM_string, 0);
	dw_abbrev_decl(d, CHANGED, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string,
		       DW_AT_calling_convention, DW_FORM_data1, 0);
	dw_abbrev_decl(d, ABSTRACT, DW_TAG_subprogram, true, DW_AT_name, DW_FORM_string, 0);
	dw_abbrev_decl(d, ABSTRACT_PARAM, DW_TAG_formal_parameter, false, DW_AT_name,
		       DW_FORM_string, DW_AT_type, DW_FORM_ref4, 0);
	dw_abbrev_decl(d, COPY, DW_TAG_subprogram, true, DW_AT_abstract_origin, DW_FORM_ref4,
		       DW_AT_low_pc, DW_FORM_addr, 0);
	dw_abbrev_decl(d, COPY_PARAM, DW_TAG_formal_parameter, false, DW_AT_abstract_origin,
		       DW_FORM_ref4, DW_AT_location, DW_FORM_exprloc, 0);
	dw_abbrev_decl(d, COPY_CONST, DW_TAG_formal_parameter, false, DW_AT_abstract_origin,
		       DW_FORM_ref4, DW_AT_const_value, DW_FORM_data1, 0);
	dw_abbrev_decl(d, NOTE, TAG_GNU_ANNOTATION, false, DW_AT_name, DW_FORM_string,
		       DW_AT_const_value, DW_FORM_string, 0);
	for (int children = 0; children < 2; children++)
		dw_abbrev_decl(d, NOTED_PTR + (unsigned int)children, DW_TAG_pointer_type, children,
			       DW_AT_type, DW_FORM_ref4, ATTR_GNU_ANNOTATION, DW_FORM_ref4, 0);
}

static void begin(struct dwarfmake *d, unsigned int version)
{
	declare(d);
	dw_unit_begin(d, version);
	dw_uleb(&d->info, UNIT);
	dw_text(&d->info, "unit.c");
	dw_int(&d->info, 1, DW_LANG_C11);
}

/* Returns where it is. */
static uint32_t put_int(struct dwarfmake *d)
{
	uint32_t at = dw_here(d);

	dw_uleb(&d->info, INT);
	dw_text(&d->info, "int");
	dw_int(&d->info, 1, 4);
	dw_int(&d->info, 1, DW_ATE_signed);
	return at;
}

static void put_named(struct dwarfmake *d, unsigned int code, const char *name, uint32_t type)
{
	dw_uleb(&d->info, code);
	dw_text(&d->info, name);
	dw_int(&d->info, 4, type);
}

static const struct dw_read_opts all = {
	.type_tags = true, .decl_tags = true, .vars = true, .func_names_end = 1000
};

/* Read the only unit. */
static struct err *read_with(struct dwarfmake *d, const struct dw_read_opts *opts, struct result *r)
{
	dw_int(&d->info, 1, 0);
	dw_unit_end(d);
	TRY(result_open(d, opts, r));
	return result_read(r, 0);
}

static const char *text(const struct result *r, uint32_t id)
{
	return str_pool_text(&r->strings, id);
}

TEST(a_base_type_in_every_version)
{
	for (unsigned int version = 2; version <= 5; version++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, version);
		put_int(&d);
		CHECK_OK(read_with(&d, &all, &r));
		CHECK(r.wanted);
		CHECK_STR(text(&r, r.cu.name), "unit.c");
		CHECK_EQ(r.cu.lang, DW_LANG_C11);
		CHECK_EQ(r.cu.addr_size, 8);
		CHECK_EQ(r.cu.types.nr, 2);
		CHECK_EQ(r.cu.types.items[1].kind, BTF_INT);
		CHECK_EQ(r.cu.types.items[1].size, 4);
		CHECK_EQ(r.cu.types.items[1].encoding, DW_ATE_signed);
		CHECK_STR(text(&r, r.cu.types.items[1].name), "int");
	}
}

TEST_WITH(a_list_points_to_itself, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	uint32_t number = put_int(&d), list = dw_here(&d);
	dw_uleb(&d.info, STRUCT);
	dw_text(&d.info, "list");
	dw_int(&d.info, 1, 16);
	put_named(&d, MEMBER, "next", 0);
	size_t patch = d.info.len - 4;
	dw_int(&d.info, 1, 0);
	put_named(&d, MEMBER, "value", number);
	dw_int(&d.info, 1, 8);
	dw_int(&d.info, 1, 0);
	dw_patch(&d, patch, dw_here(&d));
	dw_uleb(&d.info, PTR);
	dw_int(&d.info, 4, list);
	CHECK_OK(read_with(&d, &all, r));

	CHECK_EQ(r->cu.types.nr, 4);
	const struct cu_type *s = &r->cu.types.items[2], *p = &r->cu.types.items[3];
	CHECK_EQ(s->kind, BTF_STRUCT);
	CHECK_EQ(s->size, 16);
	CHECK_EQ(s->nr, 2);
	const struct cu_member *m = &r->cu.members.items[s->first];
	CHECK_STR(text(r, m[0].name), "next");
	CHECK_EQ(m[0].type, 3);
	CHECK_EQ(m[1].type, 1);
	CHECK_EQ(m[1].offset, 64);
	CHECK_EQ(p->kind, BTF_PTR);
	CHECK_EQ(p->ref, 2);
}

TEST_WITH(a_declaration_is_no_empty_struct, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	dw_uleb(&d.info, FWD);
	dw_text(&d.info, "elsewhere");
	CHECK_OK(read_with(&d, &all, r));
	CHECK_EQ(r->cu.types.nr, 2);
	CHECK(r->cu.types.items[1].flags & CU_TYPE_FWD);
}

TEST_WITH(values_of_an_enum_keep_their_sign, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	dw_uleb(&d.info, ENUM);
	dw_text(&d.info, "e");
	dw_int(&d.info, 1, 4);
	dw_uleb(&d.info, VALUE);
	dw_text(&d.info, "MINUS");
	dw_int(&d.info, 1, 0x7f);
	dw_uleb(&d.info, VALUE);
	dw_text(&d.info, "PLUS");
	dw_int(&d.info, 1, 0x05);
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_with(&d, &all, r));
	const struct cu_type *e = &r->cu.types.items[1];
	CHECK_EQ(e->kind, BTF_ENUM);
	CHECK_EQ(e->nr, 2);
	CHECK_EQ(r->cu.enumerators.items[e->first].value, -1);
	CHECK_EQ(r->cu.enumerators.items[e->first + 1].value, 5);
}

TEST_WITH(dimensions_of_an_array_are_multiplied, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	uint32_t number = put_int(&d);
	dw_uleb(&d.info, ARRAY);
	dw_int(&d.info, 4, number);
	for (int i = 2; i <= 4; i++) {
		dw_uleb(&d.info, RANGE);
		dw_int(&d.info, 1, (uint64_t)i);
	}
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_with(&d, &all, r));
	CHECK_EQ(r->cu.types.items[2].kind, BTF_ARRAY);
	CHECK_EQ(r->cu.types.items[2].size, 3 * 4 * 5);
	CHECK_EQ(r->cu.types.items[2].ref, 1);
}

TEST_WITH(all_dimensions_of_an_array_count, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	uint32_t number = put_int(&d);
	dw_uleb(&d.info, ARRAY);
	dw_int(&d.info, 4, number);
	for (int i = 1; i <= 65; i++) {
		dw_uleb(&d.info, RANGE);
		dw_int(&d.info, 1, i == 65); /* the last one has two elements, the others one */
	}
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_with(&d, &all, r));
	CHECK_EQ(r->cu.types.items[2].kind, BTF_ARRAY);
	CHECK_EQ(r->cu.types.items[2].size, 2);
}

static void put_func(struct dwarfmake *d, uint32_t type)
{
	put_named(d, FUNC, "f", type);
	dw_int(&d->info, 8, 0x1234);
	put_named(d, PARAM, "a", type);
	dw_int(&d->info, 2, 0x5501); /* one byte: DW_OP_reg5 */
	dw_int(&d->info, 1, 0);
}

TEST_WITH(a_function_and_where_its_parameter_arrives, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	put_func(&d, put_int(&d));
	CHECK_OK(read_with(&d, &all, r));
	CHECK_EQ(r->cu.funcs.nr, 1);
	const struct cu_func *f = &r->cu.funcs.items[0];
	CHECK_STR(text(r, f->name), "f");
	CHECK_EQ(f->ret, 1);
	CHECK_EQ(f->addr, 0x1234);
	CHECK_EQ(f->nr_params, 1);
	const struct cu_param *p = &r->cu.params.items[f->first_param];
	CHECK_STR(text(r, p->name), "a");
	CHECK_EQ(p->type, 1);
	CHECK_EQ(p->reg, 5);
}

static void put_member(struct dwarfmake *d, const char *name, uint32_t type, uint8_t at)
{
	put_named(d, MEMBER, name, type);
	dw_int(&d->info, 1, at);
}

/* Returns where it is: members at bytes 0 and 8, and one without a name at 12. */
static uint32_t put_three(struct dwarfmake *d, uint32_t number)
{
	uint32_t at = dw_here(d);

	dw_uleb(&d->info, STRUCT);
	dw_text(&d->info, "three");
	dw_int(&d->info, 1, 16);
	put_member(d, "a", number, 0);
	put_member(d, "b", number, 8);
	put_member(d, "", number, 12);
	dw_int(&d->info, 1, 0);
	return at;
}

static void put_pieces(struct dwarfmake *d, const char *name, uint32_t type, const uint8_t *expr,
		       uint8_t len)
{
	put_named(d, PARAM, name, type);
	dw_int(&d->info, 1, len);
	make_put(&d->info, expr, len);
}

TEST(of_a_changed_function_the_member_that_arrives_is_known)
{
	static const struct {
		uint8_t expr[6], len;
		const char *member;
	} cases[] = {
		{ { DW_OP_reg5, DW_OP_piece, 4 }, 3, "a" },
		{ { DW_OP_piece, 8, DW_OP_reg5, DW_OP_piece, 4 }, 5, "b" },
		/* nothing starts there; it has no name; both registers */
		{ { DW_OP_piece, 4, DW_OP_reg5, DW_OP_piece, 4 }, 5, NULL },
		{ { DW_OP_piece, 12, DW_OP_reg5, DW_OP_piece, 4 }, 5, NULL },
		{ { DW_OP_reg5, DW_OP_piece, 8, DW_OP_reg4, DW_OP_piece, 8 }, 6, NULL },
	};

	for (int clang = 0; clang < 2; clang++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		declare(&d);
		dw_unit_begin(&d, 5);
		dw_uleb(&d.info, CLANG_UNIT);
		dw_text(&d.info, clang ? "clang version 22" : "GNU C11 12");
		uint32_t three = put_three(&d, put_int(&d));
		dw_uleb(&d.info, CHANGED);
		dw_text(&d.info, "f");
		dw_int(&d.info, 1, DW_CC_nocall);
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
			put_pieces(&d, "s", three, cases[i].expr, cases[i].len);
		dw_int(&d.info, 1, 0);
		CHECK_OK(read_with(&d, &all, &r));
		CHECK_EQ(r.cu.funcs.nr, 1);
		CHECK_EQ(r.cu.funcs.items[0].flags, clang ? CU_FUNC_CHANGED : 0);
		CHECK_EQ(r.cu.params.nr, ARRAY_SIZE(cases));
		for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
			uint32_t member = r.cu.params.items[i].member;

			CHECK_EQ(member != 0, clang && cases[i].member);
			if (member)
				CHECK_STR(text(&r, r.cu.members.items[member - 1].name),
					  cases[i].member);
		}
	}
}

static void put_var(struct dwarfmake *d, uint32_t type)
{
	put_named(d, VAR, "v", type);
	dw_int(&d->info, 1, 9);
	dw_int(&d->info, 1, DW_OP_addr);
	dw_int(&d->info, 8, 0x4000);
}

TEST(a_variable_has_an_address_if_variables_are_wanted)
{
	for (int vars = 0; vars < 2; vars++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dw_read_opts opts = all;
		struct dwarfmake d = { 0 };

		opts.vars = vars;
		begin(&d, 5);
		put_var(&d, put_int(&d));
		CHECK_OK(read_with(&d, &opts, &r));
		CHECK_EQ(r.cu.vars.nr, vars);
		if (!vars)
			continue;
		CHECK_EQ(r.cu.vars.items[0].addr, 0x4000);
		CHECK_EQ(r.cu.vars.items[0].type, 1);
		CHECK(r.cu.vars.items[0].flags & CU_VAR_EXTERNAL);
	}
}

TEST_WITH(a_reference_to_nothing_becomes_void_with_a_note, result, r)
{
	struct dwarfmake d = { 0 };

	dw_text(&d.str, "name");
	begin(&d, 5);
	dw_uleb(&d.info, TYPEDEF);
	dw_int(&d.info, 4, 0);
	dw_int(&d.info, 4, 0x7777);
	CHECK_OK(read_with(&d, &all, r));
	CHECK_STR(text(r, r->cu.types.items[1].name), "name");
	CHECK_EQ(r->cu.types.items[1].ref, 0);
	CHECK_EQ(r->cu.nr_void, 1);
}

TEST_WITH(a_member_of_no_type_is_void_and_no_other_type, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	uint32_t number = put_int(&d);
	dw_uleb(&d.info, STRUCT);
	dw_text(&d.info, "s");
	dw_int(&d.info, 1, 8);
	put_named(&d, MEMBER, "lost", 0x7777);
	dw_int(&d.info, 1, 0);
	put_named(&d, MEMBER, "found", number);
	dw_int(&d.info, 1, 4);
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_with(&d, &all, r));
	const struct cu_member *m = &r->cu.members.items[r->cu.types.items[2].first];
	CHECK_EQ(m[0].type, 0);
	CHECK_EQ(m[1].type, 1);
}

TEST(languages_and_names_leave_units_out)
{
	static const uint16_t c11[] = { DW_LANG_C11 };
	static const char *const prefix[] = { "uni" };
	struct dw_read_opts opts[4] = { all, all, all, all };
	static const bool wanted[] = { false, true, false, true };

	opts[0].langs = opts[1].langs = c11;
	opts[0].nr_langs = opts[1].nr_langs = 1;
	opts[1].lang_only = true;
	opts[2].exclude = prefix;
	opts[2].nr_exclude = 1;
	for (size_t i = 0; i < ARRAY_SIZE(opts); i++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, 5);
		put_int(&d);
		CHECK_OK(read_with(&d, &opts[i], &r));
		CHECK_EQ(r.wanted, wanted[i]);
	}
}

TEST_WITH(a_code_without_abbreviation_is_refused_with_its_offset, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	dw_uleb(&d.info, 99);
	CHECK_ERR_TEXT(read_with(&d, &all, r), ERR_FORMAT, ".debug_info+0x15: ");
}

TEST_WITH(a_die_that_leaves_its_unit_is_refused, result, r)
{
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	dw_uleb(&d.info, PTR);
	dw_int(&d.info, 2, 0);
	CHECK_ERR_TEXT(read_with(&d, &all, r), ERR_FORMAT, "leaves its unit");
}

TEST_WITH(parameters_learn_from_their_copies_how_they_arrive, result, r)
{
	static const uint8_t exprs[][3] = { { 1, DW_OP_reg5 },
					    { 2, DW_OP_fbreg, 8 },
					    { 2, DW_OP_lit7, DW_OP_stack_value },
					    { 1, DW_OP_call_frame_cfa } };
	static const char *const names[] = { "in_reg", "on_stack", "literal", "large", "constant" };
	uint32_t params[ARRAY_SIZE(names)];
	struct dwarfmake d = { 0 };

	begin(&d, 5);
	uint32_t number = put_int(&d), large = dw_here(&d);
	dw_uleb(&d.info, STRUCT);
	dw_text(&d.info, "large");
	dw_int(&d.info, 1, 24);
	dw_int(&d.info, 1, 0);

	uint32_t func = dw_here(&d);
	dw_uleb(&d.info, ABSTRACT);
	dw_text(&d.info, "f");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		params[i] = dw_here(&d);
		put_named(&d, ABSTRACT_PARAM, names[i], i == 3 ? large : number);
	}
	dw_int(&d.info, 1, 0);
	dw_uleb(&d.info, COPY);
	dw_int(&d.info, 4, func);
	dw_int(&d.info, 8, 0x1000);
	for (size_t i = 0; i < ARRAY_SIZE(exprs); i++) {
		dw_uleb(&d.info, COPY_PARAM);
		dw_int(&d.info, 4, params[i]);
		make_put(&d.info, exprs[i], exprs[i][0] + 1u);
	}
	dw_uleb(&d.info, COPY_CONST);
	dw_int(&d.info, 4, params[4]);
	dw_int(&d.info, 1, 7);
	dw_int(&d.info, 1, 0);
	CHECK_OK(read_with(&d, &all, r));

	static const uint8_t flags[] = { CU_PARAM_HAS_LOC, CU_PARAM_HAS_LOC | CU_PARAM_STACK,
					 CU_PARAM_HAS_LOC | CU_PARAM_LITERAL,
					 CU_PARAM_HAS_LOC | CU_PARAM_IN_MEMORY,
					 CU_PARAM_HAS_CONST };
	const struct cu_func *f = &r->cu.funcs.items[0];
	CHECK_EQ(f->nr_params, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct cu_param *p = &r->cu.params.items[f->first_param + i];

		CHECK_STR(text(r, p->name), names[i]);
		CHECK_EQ(p->flags, flags[i]);
		CHECK_EQ(p->reg, i ? CU_NO_REG : 5);
		CHECK_EQ(p->bytes, i == 3 ? 24 : 4);
	}
}

/* A reader that goes on takes the length of the next unit for an abbreviation code. */
TEST(what_is_open_at_the_end_of_a_unit_ends_with_it)
{
	for (unsigned int version = 4; version <= 5; version++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, version);
		uint32_t number = put_int(&d);
		if (version == 4) {
			dw_uleb(&d.info, STRUCT);
			dw_text(&d.info, "s");
			dw_int(&d.info, 1, 4);
			put_named(&d, MEMBER, "m", number);
			dw_int(&d.info, 1, 0);
		} else {
			dw_uleb(&d.info, ARRAY);
			dw_int(&d.info, 4, number);
		}
		dw_unit_end(&d);
		dw_unit_begin(&d, version);
		dw_uleb(&d.info, INT);
		dw_text(&d.info, "i");
		dw_int(&d.info, 2, 0);
		dw_unit_end(&d);
		CHECK_OK(result_open(&d, &all, &r));
		CHECK_OK(result_read(&r, 0));
		CHECK_EQ(r.cu.types.nr, 3);
	}
}

/* gcc writes its annotations as attributes; clang writes children. */
TEST(a_pointer_has_the_type_tag_that_gcc_refers_to)
{
	for (uint32_t children = 0; children < 2; children++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dwarfmake d = { 0 };

		begin(&d, 5);
		uint32_t number = put_int(&d), note = dw_here(&d);
		dw_uleb(&d.info, NOTE);
		dw_text(&d.info, "btf_type_tag");
		dw_text(&d.info, "user");
		dw_uleb(&d.info, NOTED_PTR + children);
		dw_int(&d.info, 4, number);
		dw_int(&d.info, 4, note);
		if (children)
			dw_int(&d.info, 1, 0);
		CHECK_OK(read_with(&d, &all, &r));
		CHECK_EQ(r.cu.types.nr, 4);
		const struct cu_type *ptr = &r.cu.types.items[2], *tag = &r.cu.types.items[3];
		if (ptr->kind != BTF_PTR) {
			const struct cu_type *other = ptr;

			ptr = tag;
			tag = other;
		}
		CHECK_EQ(ptr->kind, BTF_PTR);
		CHECK_EQ(tag->kind, BTF_TYPE_TAG);
		CHECK_STR(text(&r, tag->name), "user");
	}
}
