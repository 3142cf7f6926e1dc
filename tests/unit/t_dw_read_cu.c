/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_read_cu.c - units of DWARF become struct cu */
#include "loader/dwarf/dw_read_cu.h"

#include "tests/lib/dwarftext.h"

static const struct dw_read_opts all = {
	.type_tags = true, .decl_tags = true, .vars = true, .func_names_end = 1000
};

/* A test that reads the only unit of @dwarf_, which must give @want_. */
#define UNIT(name_, dwarf_, want_)                       \
	TEST_WITH(name_, result, r)                      \
	{                                                \
		CHECK_OK(dwarf_read(r, (dwarf_), &all)); \
		CHECK_STR(cu_text(r), (want_));          \
	}

/* A test that @dwarf_ is refused with a message that contains @message_. */
#define DAMAGED(name_, dwarf_, message_)                                               \
	TEST_WITH(name_, result, r)                                                    \
	{                                                                              \
		CHECK_ERR_TEXT(dwarf_read(r, (dwarf_), &all), ERR_FORMAT, (message_)); \
	}

#define INT "int: base int size=4 enc=signed; "

TEST(a_base_type_in_every_version)
{
	for (int version = 2; version <= 5; version++) {
		CLEANUP(result_release) struct result r = { 0 };
		const char *text = make_text("unit%d unit.c lang=C11 { " INT "}", version);

		IN_ROW(text);
		CHECK_OK(dwarf_read(&r, text, &all));
		CHECK_STR(cu_text(&r), "1 INT int 4 encoding 5");
		CHECK(r.wanted);
		CHECK_STR(str_pool_text(&r.strings, r.cu.name), "unit.c");
		CHECK_EQ(r.cu.lang, DW_LANG_C11);
		CHECK_EQ(r.cu.addr_size, 8);
	}
}

/* --- types --- */

UNIT(a_list_points_to_itself,
     "unit5 { " INT "list: struct list size=16 { member next type=ptr at=0; "
     "member value type=int at=8 } ptr: ptr type=list }",
     "1 INT int 4 encoding 5; 2 STRUCT list 16 { next 3 @0, value 1 @64 }; 3 PTR 2")

UNIT(a_declaration_is_no_empty_struct, "unit5 { struct elsewhere !decl; struct empty size=0 }",
     "1 STRUCT elsewhere declaration; 2 STRUCT empty")

UNIT(values_of_an_enum_keep_their_sign,
     "unit5 { enum e size=4 { value MINUS const=-1; value PLUS const=5 } }",
     "1 ENUM e 4 { MINUS=-1, PLUS=5 }")

/* The same unit with arrays of several dimensions as chains and as flat arrays. */
static const struct {
	const char *name, *dwarf, *chains, *flat;
} arrays[] = {
	{ "a pointer refers to the outermost array",
	  "array: array type=int { range upper=2; range upper=3; range upper=4 }"
	  "array type=int { range upper=6 } ptr type=array",
	  "2 ARRAY [5] of 1; 3 ARRAY [4] of 2; 4 ARRAY [3] of 3; 5 ARRAY [7] of 1; 6 PTR 4",
	  "2 ARRAY [60] of 1; 3 ARRAY [7] of 1; 4 PTR 2" },
	{ "an array without length", "array type=int { range; range upper=4 }",
	  "2 ARRAY [5] of 1; 3 ARRAY [0] of 2", "2 ARRAY [0] of 1" },
	{ "an array of a typedef of an array",
	  "inner: array type=int { range upper=1 } row: typedef name/strp=row type=inner; "
	  "array type=row { range upper=2; range upper=3 }",
	  "2 ARRAY [2] of 1; 3 TYPEDEF row 2; 4 ARRAY [4] of 3; 5 ARRAY [3] of 4",
	  "2 ARRAY [2] of 1; 3 TYPEDEF row 2; 4 ARRAY [12] of 3" },
	{ "an array of void", "array type=0 { range upper=1; range upper=2 }",
	  "2 ARRAY [3] of 0; 3 ARRAY [2] of 2; void 1", "2 ARRAY [6] of 0; void 1" },
};

TEST_EACH(dimensions_of_an_array_are_a_chain_or_multiplied, arrays, c)
{
	const char *dwarf = make_text("unit5 { " INT "%s }", c->dwarf);

	for (int flat = 0; flat <= 1; flat++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dw_read_opts opts = all;

		opts.flat_arrays = flat;
		CHECK_OK(dwarf_read(&r, dwarf, &opts));
		CHECK_STR(cu_text(&r),
			  make_text("1 INT int 4 encoding 5; %s", flat ? c->flat : c->chains));
	}
}

/* The last one has two elements, the others one. */
#define FOUR_RANGES "range upper=0; range upper=0; range upper=0; range upper=0; "
#define SIXTEEN_RANGES FOUR_RANGES FOUR_RANGES FOUR_RANGES FOUR_RANGES
TEST(all_dimensions_of_an_array_count)
{
	for (int flat = 0; flat <= 1; flat++) {
		CLEANUP(result_release) struct result r = { 0 };
		struct dw_read_opts opts = all;

		opts.flat_arrays = flat;
		CHECK_OK(dwarf_read(&r,
				    "unit5 { " INT "array type=int { " SIXTEEN_RANGES SIXTEEN_RANGES
					    SIXTEEN_RANGES SIXTEEN_RANGES "range upper=1 } }",
				    &opts));
		CHECK_EQ(r.cu.types.nr, flat ? 3 : 67);
		CHECK_EQ(r.cu.types.items[2].size, 2);
	}
}

UNIT(a_reference_to_nothing_becomes_void_with_a_note, "unit5 { typedef name/strp=t type=0x7777 }",
     "1 TYPEDEF t 0; void 1")

UNIT(a_member_of_no_type_is_void_and_no_other_type,
     "unit5 { " INT
     "struct s size=8 { member lost type=0x7777 at=0; member found type=int at=4 } }",
     "1 INT int 4 encoding 5; 2 STRUCT s 8 { lost 0 @0, found 1 @32 }; void 1")

/* gcc writes its annotations as attributes; clang writes children. */
#define TAGGED(end)                                                 \
	"unit5 { " INT "tag: note btf_type_tag const/string=user; " \
	"ptr type=int note=tag " end " }"
UNIT(a_pointer_has_the_type_tag_that_gcc_refers_to, TAGGED(";"),
     "1 INT int 4 encoding 5; 2 TYPE_TAG user 1; 3 PTR 2")
UNIT(a_pointer_with_children_has_the_type_tag_that_gcc_refers_to, TAGGED("{ }"),
     "1 INT int 4 encoding 5; 2 TYPE_TAG user 1; 3 PTR 2")

UNIT(types_functions_and_their_parts_have_the_decl_tags_that_gcc_refers_to,
     "unit5 { " INT "second: note btf_decl_tag const/string=second; "
     "first: note btf_decl_tag const/string=first note=second; "
     "struct s size=4 note=first { member m type=int at=0 note=second } "
     "func f type=int addr=0x10 note=first { param a type=int note=second } "
     "func leaf addr=0x20 note=second }",
     "1 INT int 4 encoding 5; 2 STRUCT s 4 { m 1 @0 }; FUNC f 1 @0x10 (a 1 bytes 4); "
     "FUNC leaf 0 @0x20; TAG second TYPE 2.0; TAG first TYPE 2; TAG second TYPE 2; "
     "TAG second FUNC 0.0; TAG first FUNC 0; TAG second FUNC 0; TAG second FUNC 1")

UNIT(types_functions_variables_and_their_parts_have_the_decl_tags_that_clang_writes_into_them,
     "unit5 { " INT "struct s size=4 { llvm_note btf_decl_tag const/string=whole; "
     "member m type=int at=0 { llvm_note btf_decl_tag const/string=part } } "
     "func f type=int addr=0x10 { llvm_note btf_decl_tag const/string=whole; "
     "param a type=int { llvm_note btf_decl_tag const/string=part } } "
     "var v type=int !ext loc=[addr 0x4000] { llvm_note btf_decl_tag const/string=whole } }",
     "1 INT int 4 encoding 5; 2 STRUCT s 4 { m 1 @0 }; FUNC f 1 @0x10 (a 1 bytes 4); "
     "VAR v 1 @0x4000 external; TAG whole TYPE 2; TAG part TYPE 2.0; TAG whole FUNC 0; "
     "TAG part FUNC 0.0; TAG whole VAR 0")

/* --- functions and variables --- */

UNIT(a_function_and_where_its_parameter_arrives,
     "unit5 { " INT "func f type=int addr=0x1234 { param a type=int loc=[reg5] } }",
     "1 INT int 4 encoding 5; FUNC f 1 @0x1234 (a 1 bytes 4 reg5 loc)")

/*
 * "s" has members at bytes 0 and 8, and one without a name at 12. The table of members has others
 * before them.
 */
#define CHANGED(producer)                                                          \
	"unit5 producer='" producer "' { " INT                                     \
	"struct before size=12 { member x type=int at=0; member y type=int at=4; " \
	"member z type=int at=8 } "                                                \
	"s: struct s size=16 { member a type=int at=0; member b type=int at=8; "   \
	"member '' type=int at=12 } "                                              \
	"func f call=nocall { param first type=s loc=[reg5 piece 4]; "             \
	"param second type=s loc=[piece 8 reg5 piece 4]; "                         \
	"param none type=s loc=[piece 4 reg5 piece 4]; "                           \
	"param unnamed type=s loc=[piece 12 reg5 piece 4]; "                       \
	"param both type=s loc=[reg5 piece 8 reg4 piece 8] } }"
#define BEFORE "2 STRUCT before 12 { x 1 @0, y 1 @32, z 1 @64 }; "
UNIT(of_a_changed_function_the_member_that_arrives_is_known, CHANGED("clang version 22"),
     "1 INT int 4 encoding 5; " BEFORE "3 STRUCT s 16 { a 1 @0, b 1 @64, - 1 @96 }; "
     "FUNC f 0 changed (first 3 bytes 16 reg5 loc .a, second 3 bytes 16 reg5 loc .b, "
     "none 3 bytes 16 reg5 loc, unnamed 3 bytes 16 reg5 loc, both 3 bytes 16 reg5 loc)")
UNIT(gcc_does_not_say_which_member_arrives, CHANGED("GNU C11 12"),
     "1 INT int 4 encoding 5; " BEFORE "3 STRUCT s 16 { a 1 @0, b 1 @64, - 1 @96 }; "
     "FUNC f 0 (first 3 bytes 16 reg5 loc, second 3 bytes 16 reg5 loc, "
     "none 3 bytes 16 reg5 loc, unnamed 3 bytes 16 reg5 loc, both 3 bytes 16 reg5 loc)")

#define HOW_THEY_ARRIVE                                                   \
	"(in_reg 1 bytes 4 reg5 loc, on_stack 1 bytes 4 loc stack, "      \
	"literal 1 bytes 4 loc literal, large 2 bytes 24 loc in-memory, " \
	"constant 1 bytes 4 const)"
UNIT(parameters_learn_from_their_copies_how_they_arrive,
     "unit5 { " INT "large: struct large size=24 { } f: func f { a: param in_reg type=int; "
     "b: param on_stack type=int; c: param literal type=int; d: param large type=large; "
     "e: param constant type=int } "
     "func origin=f addr=0x1000 { param origin=a loc=[reg5]; param origin=b loc=[fbreg 8]; "
     "param origin=c loc=[lit7 stack_value]; param origin=d loc=[cfa]; "
     "param origin=e const=7 } }",
     "1 INT int 4 encoding 5; 2 STRUCT large 24; FUNC f 0 " HOW_THEY_ARRIVE
     "; FUNC f 0 @0x1000 " HOW_THEY_ARRIVE)

static const char variable[] = "unit5 { " INT "var v type=int !ext loc=[addr 0x4000] }";
UNIT(a_variable_has_an_address, variable, "1 INT int 4 encoding 5; VAR v 1 @0x4000 external")

TEST_WITH(variables_are_read_if_they_are_wanted, result, r)
{
	struct dw_read_opts opts = all;

	opts.vars = false;
	CHECK_OK(dwarf_read(r, variable, &opts));
	CHECK_STR(cu_text(r), "1 INT int 4 encoding 5");
}

/* --- units that are not read, and damage --- */

TEST(languages_and_names_leave_units_out)
{
	static const uint16_t c11[] = { DW_LANG_C11 };
	static const char *const prefix[] = { "uni" };
	static const struct {
		const char *name;
		struct dw_read_opts opts;
		bool wanted;
	} rows[] = {
		{ "C11 is excluded", { .langs = c11, .nr_langs = 1 }, false },
		{ "only C11", { .langs = c11, .nr_langs = 1, .lang_only = true }, true },
		{ "the name is excluded", { .exclude = prefix, .nr_exclude = 1 }, false },
		{ "all", { 0 }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		CLEANUP(result_release) struct result r = { 0 };

		IN_ROW(rows[i].name);
		CHECK_OK(dwarf_read(&r, "unit5 unit.c lang=C11 { " INT "}", &rows[i].opts));
		CHECK_EQ(r.wanted, rows[i].wanted);
	}
}

DAMAGED(a_code_without_abbreviation_is_refused_with_its_offset, "unit5 unit.c lang=C11 { #99 }",
	".debug_info+0x15: ")

DAMAGED(a_die_that_leaves_its_unit_is_refused, "unit5 { ptr type=0; cut=2 }", "leaves its unit")

/* A reader that goes on takes the length of the next unit for an abbreviation code. */
UNIT(a_struct_that_is_open_at_the_end_of_a_unit_ends_with_it,
     "unit4 { " INT "struct s size=4 { member m type=int at=0; unit4 { base i size=4 }",
     "1 INT int 4 encoding 5; 2 STRUCT s 4 { m 1 @0 }")
UNIT(an_array_that_is_open_at_the_end_of_a_unit_ends_with_it,
     "unit5 { " INT "array type=int { unit5 { base i size=4 }",
     "1 INT int 4 encoding 5; 2 ARRAY [1] of 1")
