/* SPDX-License-Identifier: GPL-2.0-only */
/* t_dw_languages.c - types that C does not have become the nearest type of BTF */
#include "tests/lib/dwarftext.h"

static const struct dw_read_opts opts = { 0 };

/* A test that reads the only unit of @dwarf_, which must give @want_. */
#define UNIT(name_, dwarf_, want_)                               \
	TEST_WITH(name_, result, r)                              \
	{                                                        \
		CHECK_OK(dwarf_read(r, "unit5 " dwarf_, &opts)); \
		CHECK_STR(cu_text(r), (want_));                  \
		CHECK(!r->diags.first);                          \
	}

#define INT "int: base int size=4; "

UNIT(a_range_is_the_type_of_its_elements,
     "lang=Ada95 { " INT "range: range type=int upper=100; small: range small type=range; "
     "ptr type=small }",
     "1 INT int 4; 2 TYPEDEF small 1; 3 PTR 2")

UNIT(a_struct_of_open_size_ends_with_its_last_member,
     "lang=Ada95 { " INT "struct open size/expr=[lit0] { member a type=int at/data4=0; "
     "member b type=int at/data4=12; member c type=int at/data4=8; "
     "member beyond type=int at/data4=0x20000000 } }",
     "1 INT int 4; 2 STRUCT open 16 { a 1 @0, b 1 @96, c 1 @64, beyond 1 @4294967295 far }")

UNIT(a_string_is_an_array_of_characters,
     "lang=Fortran95 { string size=8; endless: string length=0; ptr type=endless }",
     "1 INT char 1 encoding 8; 2 ARRAY [8] of 1; 3 INT char 1 encoding 8; 4 ARRAY [0] of 3; 5 PTR 4")

UNIT(types_of_a_module_are_found, "lang=Fortran95 { module m { " INT "} }", "1 INT int 4")

/* The other unspecified type is void. */
#define NULLPTR(name)                         \
	"lang=C++ { null: unspecified '" name \
	"'; other: unspecified; ptr type=null; ptr type=other }"
UNIT(the_type_of_nullptr_is_a_pointer, NULLPTR("decltype(nullptr)"), "1 PTR 0; 2 PTR 1; 3 PTR 0")
UNIT(gnu_has_another_name_for_the_type_of_nullptr, NULLPTR("typeof (nullptr)"),
     "1 PTR 0; 2 PTR 1; 3 PTR 0")

/* gcc 16 for ppc64le; a kernel refuses a typedef whose name is no identifier. */
TEST_WITH(a_long_double_of_ieee_is_no_typedef, result, r)
{
	CHECK_OK(dwarf_open(r,
			    "unit5 lang=C11 { " INT "a: typedef 'long double' type=int; "
			    "b: typedef mine type=int; ptr type=a; ptr type=b }",
			    &opts));
	r->obj.machine = EM_PPC64;
	CHECK_UNIT(r, 0, "1 INT int 4; 2 TYPEDEF mine 1; 3 PTR 1; 4 PTR 2");
}

#define MEMBERS(lang)                                                            \
	"lang=" lang " { " INT "struct s size=12 { member third type=int at=8; " \
	"member first type=int at=0; member second type=int at=4; member alike type=int at=4 } }"
UNIT(members_in_rust_are_in_the_order_of_their_places, MEMBERS("Rust"),
     "1 INT int 4; 2 STRUCT s 12 { first 1 @0, second 1 @32, alike 1 @32, third 1 @64 }")
UNIT(members_in_c_are_in_the_order_of_the_source, MEMBERS("C11"),
     "1 INT int 4; 2 STRUCT s 12 { third 1 @64, first 1 @0, second 1 @32, alike 1 @32 }")
