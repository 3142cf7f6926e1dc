/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_ref_units.c - a unit is read with the parts of other units that it refers to */
#include "tests/lib/dwarftext.h"

static const struct dw_read_opts all = { .vars = true, .func_names_end = 1000 };

#define WRONG "types4 sig=0x1111 { struct wrong size=4 } "
#define RIGHT "types4 sig=0x2222 { struct right size=8 } "

TEST_WITH(a_signature_leads_to_its_type, result, r)
{
	CHECK_OK(dwarf_open(r,
			    WRONG RIGHT "unit4 first.c { ptr type/sig8=0x2222 } unit4 second.c { }",
			    &all));
	CHECK_UNIT(r, 0, "1 PTR 2; 2 STRUCT right 8");
	CHECK_UNIT(r, 1, "");

	/* the rest is read as if it were one more unit */
	CHECK(dw_file_has_left(&r->file));
	CHECK_EQ(dw_file_nr_readings(&r->file), 3);
	dw_file_find_left(&r->file);
	CHECK_UNIT(r, 2, "1 STRUCT wrong 4");
}

TEST_WITH(a_single_unit_has_all_types_of_its_file, result, r)
{
	CHECK_OK(dwarf_open(r, WRONG "unit4 first.c { }", &all));
	CHECK_EQ(dw_file_nr_readings(&r->file), 1);
	CHECK_UNIT(r, 0, "1 STRUCT wrong 4");
}

TEST_WITH(a_struct_may_stand_for_a_signature, result, r)
{
	CHECK_OK(dwarf_open(r, RIGHT "unit4 first.c { s: struct signature=0x2222; ptr type=s }",
			    &all));
	CHECK_UNIT(r, 0, "1 PTR 2; 2 STRUCT right 8");
}

TEST_WITH(an_unknown_signature_is_void_and_noted, result, r)
{
	CHECK_OK(dwarf_open(r, "unit4 first.c { ptr type/sig8=0x2222 }", &all));
	CHECK_UNIT(r, 0, "1 PTR 0; void 1");
}

TEST_WITH(type_units_may_refer_to_one_another_and_to_themselves, result, r)
{
	enum { NR = 200 }; /* more than a small table of parts holds */
	struct dwarfmake d = { 0 };
	struct make_buf text = { 0 };

	for (unsigned int i = 0; i < NR; i++) {
		const char *unit = make_text("types4 sig=%u { struct s size=8; ptr type/sig8=%u; "
					     "ptr type/sig8=%u; ptr type/sig8=%u } ",
					     i, i * 3 % NR, i, (i + 1) % NR);

		make_put(&text, unit, strlen(unit));
	}
	dw_text(&text, "unit4 first.c { ptr type/sig8=5 } unit4 second.c { ptr type/sig8=6 }");
	dwarf_text(&d, (const char *)text.ptr);
	CHECK_OK(result_open(&d, &all, r));
	for (size_t i = 0; i < 2; i++) {
		const struct cu_type *t = (CHECK_OK(result_read(r, i)), r->cu.types.items);

		CHECK_EQ(r->cu.types.nr, 1 + 1 + 4 * NR);
		for (unit_tid id = 1; id < r->cu.types.nr; id++) {
			if (t[id].kind == BTF_PTR)
				CHECK_EQ(t[t[id].ref].kind, BTF_STRUCT);
		}
	}
	CHECK_EQ(r->cu.nr_void, 0);
	dw_file_find_left(&r->file);
	CHECK_UNIT(r, 2, "unwanted");
}

TEST(the_rest_has_a_language_too)
{
	static const uint16_t rust[] = { DW_LANG_Rust }, c11[] = { DW_LANG_C11 };

	for (int excluded = 0; excluded < 2; excluded++) {
		const struct dw_read_opts opts = { .langs = excluded ? c11 : rust, .nr_langs = 1 };
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_open(&r,
				    "types4 sig=0x1111 lang=C11 { struct unused size=4 } "
				    "unit4 first.c { } unit4 second.c { }",
				    &opts));
		dw_file_find_left(&r.file);
		CHECK_UNIT(&r, 2, excluded ? "unwanted" : "1 STRUCT unused 4");
		CHECK(!r.cu.incomplete);
	}
}

TEST_WITH(a_type_outside_of_its_unit_is_refused, result, r)
{
	struct dwarfmake d = { 0 };

	dwarf_text(&d, WRONG "unit4 first.c { }");
	dw_patch(&d.types, 19, 1000);
	CHECK_ERR_TEXT(result_open(&d, &all, r), ERR_FORMAT,
		       ".debug_types+0: the unit's type at 0x3e8");
}

TEST_WITH(damage_in_a_type_unit_is_reported_with_its_section, result, r)
{
	CHECK_OK(dwarf_open(r, "types4 sig=1 lang=C11 { #99 } unit4 first.c { }", &all));
	CHECK_ERR_TEXT(result_read(r, 0), ERR_FORMAT, ".debug_types+0x19: no abbreviation");
}

TEST_WITH(an_import_of_nothing_costs_nothing_else, result, r)
{
	CHECK_OK(dwarf_open(r,
			    "unit4 first.c { struct before size=4; import nothing; "
			    "struct behind size=4 } unit4 second.c { struct other size=4 }",
			    &all));
	CHECK_UNIT(r, 0, "1 STRUCT before 4; 2 STRUCT behind 4");
	CHECK_UNIT(r, 1, "1 STRUCT other 4");
}

/* P and Q import each other. */
TEST_WITH(units_share_partial_ones, result, r)
{
	CHECK_OK(dwarf_open(r,
			    "P: partial4 { import from=Q; one: struct one size=4; func f } "
			    "Q: partial4 { import from=P; struct two size=4; func f } "
			    "partial4 { import from=P; struct three size=4; func f } "
			    "unit4 first.c { ptr type/global=one } "
			    "unit4 second.c { base int size=4 }",
			    &all));
	CHECK(!r->file.merged);
	CHECK_UNIT(r, 0, "unwanted");
	CHECK_UNIT(r, 3, "1 PTR 2; 2 STRUCT one 4; 3 STRUCT two 4; FUNC f 0; FUNC f 0");
	CHECK_UNIT(r, 4, "1 INT int 4");
}

/* The second reference of second.c is into its own header. */
TEST_WITH(a_whole_unit_lends_its_types_but_not_its_functions, result, r)
{
	CHECK_OK(dwarf_open(r,
			    "P: partial4 { import from=P; struct unused size=4; func f } "
			    "unit4 first.c { s: struct s size=4; func f } "
			    "second: unit4 second.c { ptr type/global=s; "
			    "ptr type/global=second-10; ptr type/global=0xffffff }",
			    &all));
	CHECK_UNIT(r, 2, "1 PTR 4; 2 PTR 0; 3 PTR 0; 4 STRUCT s 4; void 2");
}

/*
 * Units that refer to one another are merged. Notes of the kernel about link time optimization, with the numbers
 * @notes in turn, may change that: the first one decides, or any that is not 0.
 */
TEST(a_note_may_decide_whether_units_are_merged)
{
	static const struct {
		const char *notes;
		bool decides, far_refs, merge, merged;
	} cases[] = {
		{ "", false, false, false, false },  { "", false, true, false, true },
		{ "0", true, true, false, false },   { "0", false, true, false, true },
		{ "0", false, false, false, false }, { "1", true, false, false, true },
		{ "1", false, false, false, true },  { "01", true, false, false, false },
		{ "01", false, false, false, true }, { "10", true, false, false, true },
		{ "", false, false, true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct object_section sections[2] = {
			{ .name = "" }, { .name = ".note.Linux", .type = SHT_NOTE, .align = 4 }
		};
		const struct dw_open_opts opts = { .merge = cases[i].merge,
						   .lto_note_decides = cases[i].decides };
		struct make_buf notes = { 0 };
		struct dwarfmake d = { 0 };

		dwarf_text(
			&d,
			cases[i].far_refs ?
				"unit5 one.c { int: base int size=4 } unit5 two.c { ptr type/global=int }" :
				"unit5 one.c { base int size=4 } unit5 two.c { ptr }");
		for (const char *p = cases[i].notes; *p; p++) {
			dw_int(&notes, 4, 6);
			dw_int(&notes, 4, 4);
			dw_int(&notes, 4, 0x101);
			make_put(&notes, "Linux\0\0", 8);
			dw_int(&notes, 4, (uint64_t)(*p - '0'));
		}
		sections[1].data = dw_padded(&notes);
		CHECK_OK(result_open(&d, &all, &r));
		dw_file_close(&r.file);
		r.obj.sections = sections;
		r.obj.nr_sections = 2;
		CHECK_OK(dw_file_open(&r.obj, &r.strings, &opts, &r.diags, &r.file));
		CHECK_EQ(r.file.merged, cases[i].merged);
	}
}
