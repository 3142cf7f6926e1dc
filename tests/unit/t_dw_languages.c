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

UNIT(a_range_of_what_is_no_type_is_void,
     "lang=Ada95 { " INT "v: var v type=int; range: range type=v; ptr type=range }",
     "1 INT int 4; 2 PTR 0; void 1")

UNIT(a_struct_of_open_size_ends_with_its_last_member,
     "lang=Ada95 { " INT "struct open size/expr=[lit0] { member a type=int at/data4=0; "
     "member b type=int at/data4=12; member c type=int at/data4=8; "
     "member beyond type=int at/data4=0x20000000 } }",
     "1 INT int 4; 2 STRUCT open 16 { a 1 @0, c 1 @64, b 1 @96, beyond 1 @4294967295 far }")

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

UNIT(an_implicit_constant_may_need_more_than_32_bits,
     "lang=C11 { " INT "enum e size=8 { value a const/const=0x100000005; value b const=7 } }",
     "1 INT int 4; 2 ENUM e 8 { a=4294967301, b=7 }")

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
UNIT(members_in_rust_are_in_the_order_of_their_offsets, MEMBERS("Rust"),
     "1 INT int 4; 2 STRUCT s 12 { first 1 @0, second 1 @32, alike 1 @32, third 1 @64 }")
UNIT(members_in_c_are_in_the_order_of_the_source, MEMBERS("C11"),
     "1 INT int 4; 2 STRUCT s 12 { third 1 @64, first 1 @0, second 1 @32, alike 1 @32 }")

/* A declaration below an enumeration, and its definition. Types of a method do not mix with the values. */
TEST(a_method_of_an_enum_has_its_name_if_asked_for)
{
	static const char *const want[] = {
		"1 INT int 4; 2 ENUM e 1 { a=1, b=2 }",
		"1 INT int 4; 2 ENUM e 1 { a=1, b=2 }; FUNC method 0 (self 1 bytes 4); FUNC method 0",
	};

	for (size_t on = 0; on < ARRAY_SIZE(want); on++) {
		const struct dw_read_opts methods = { .enum_funcs = on, .func_names_end = 1000 };
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_read(&r,
				    "unit5 lang=Rust { " INT "enum e size=1 { value a const=1; "
				    "m: func method { param self type=int; "
				    "enum nested size=4 { value no const=9 } } "
				    "value b const=2 } func spec=m }",
				    &methods));
		CHECK_STR(cu_text(&r), want[on]);
	}
}

TEST(types_below_inlined_subroutines_are_left_out_if_asked_for)
{
	static const char *const want[] = {
		"1 STRUCT inner 4; 2 STRUCT outer 4; 3 PTR 1; FUNC f 0",
		"1 STRUCT outer 4; 2 PTR 0; FUNC f 0; void 1",
	};

	for (size_t skip = 0; skip < ARRAY_SIZE(want); skip++) {
		const struct dw_read_opts inlined = { .skip_inlined = skip,
						      .func_names_end = 1000 };
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_read(
			&r,
			"unit5 lang=C11 { func f { block { inlined { block { "
			"s: struct inner size=4 } } struct outer size=4 } } ptr type=s }",
			&inlined));
		CHECK_STR(cu_text(&r), want[skip]);
	}
}

/* A discriminant at 4, the last variant without a value, and one at an offset that no union has. */
#define VARIANTS(lang)                                                                             \
	"unit5 lang=" lang " { " INT "struct e size=12 { variants { member type=int at=4; "        \
	"variant discr=7 { member A type=int at=0 } variant discr=200 { member B type=int at=0 } " \
	"variant { member C type=int at=0 } variant discr=9 { member off type=int at=4 } } } }"

TEST_WITH(variants_of_rust_become_a_union_if_asked_for, result, r)
{
	static const struct dw_read_opts variants = { .variants = true };

	CHECK_OK(dwarf_read(r, VARIANTS("Rust"), &variants));
	CHECK_STR(cu_text(r),
		  "1 INT int 4; 2 ENUM 4 { A=7, B=200 }; 3 STRUCT 12 { __discr 2 @32 }; "
		  "4 UNION 12 { - 3 @0, A 1 @0, B 1 @0, C 1 @0 }; 5 STRUCT e 12 { - 4 @0 }");
	CHECK_EQ(r->cu.nr_unknown, 1);
}

TEST_WITH(a_variant_part_may_be_empty, result, r)
{
	static const struct dw_read_opts variants = { .variants = true };

	CHECK_OK(dwarf_read(r,
			    "unit5 lang=Rust { " INT "struct never size=4 { variants; "
			    "member m type=int at=0 } ptr type=int }",
			    &variants));
	CHECK_STR(cu_text(r), "1 INT int 4; 2 STRUCT never 4 { m 1 @0 }; 3 PTR 1");
}

/* The discriminant of an enum of one variant is left out, that of a niche may have a type of one byte. */
TEST_WITH(variants_need_no_discriminant, result, r)
{
	static const struct dw_read_opts variants = { .variants = true };

	CHECK_OK(dwarf_read(
		r,
		"unit5 lang=Rust { " INT "b: base u8 size=1; "
		"struct one size=4 { variants { variant { member only type=int at=0 } } } "
		"struct none size=0 { variants { } } "
		"struct two size=8 { variants { member type=b at=5; "
		"variant { member Some type=int at=0 } "
		"variant discr=3 { member None type=int at=0 } } } }",
		&variants));
	CHECK_STR(cu_text(r),
		  "1 INT int 4; 2 INT u8 1; 3 UNION 4 { only 1 @0 }; 4 STRUCT one 4 { - 3 @0 }; "
		  "5 STRUCT none; 6 ENUM 1 { None=3 }; 7 STRUCT 8 { __discr 6 @40 }; "
		  "8 UNION 8 { - 7 @0, Some 1 @0, None 1 @0 }; 9 STRUCT two 8 { - 8 @0 }");
}

TEST_WITH(variants_of_rust_are_left_out_without_the_feature, result, r)
{
	CHECK_OK(dwarf_read(r, VARIANTS("Rust"), &opts));
	CHECK_STR(cu_text(r), "1 INT int 4; 2 STRUCT e 12");
	CHECK_EQ(r->cu.nr_unknown, 1);
}

/* --- types that C does not have: docs/spec/encoding.md 6.14 --- */

/* Pahole's description comes second. */
static const struct {
	const char *name, *lang, *dwarf, *want, *of_c;
} foreign[] = {
	{ "bounds that do not begin at 0", "Fortran95", "array type=int { range lower=5 upper=7 }",
	  "2 ARRAY [3] of 1", "2 ARRAY [8] of 1" },
	{ "the bounds may be negative", "Ada95",
	  "array type=int { range lower=-3 upper/sdata=-1; range lower=-1 upper=1 }",
	  "2 ARRAY [3] of 1; 3 ARRAY [3] of 2", "2 ARRAY [2] of 1; 3 ARRAY [0] of 2" },
	{ "an explicit bound counts in each language", "C++",
	  "array type=int { range lower=5 upper=7 }", "2 ARRAY [3] of 1", "2 ARRAY [8] of 1" },
	{ "a range may be empty", "Ada95",
	  "array type=int { range lower=5 upper=4 } array type=int { range upper=0 }",
	  "2 ARRAY [0] of 1; 3 ARRAY [0] of 1", "2 ARRAY [5] of 1; 3 ARRAY [1] of 1" },
	{ "a bound that is not constant gives no length", "Ada95",
	  "array type=int { range lower/expr=[lit5] upper=7 } "
	  "array type=int { range lower=5 upper/expr=[lit7] }",
	  "2 ARRAY [0] of 1; 3 ARRAY [0] of 1", "2 ARRAY [8] of 1; 3 ARRAY [0] of 1" },
	{ "Fortran begins at 1", "Fortran95", "array type=int { range upper=4 }",
	  "2 ARRAY [4] of 1", "2 ARRAY [5] of 1" },
	{ "Ada begins at 1", "Ada95", "array type=int { range upper=4 }", "2 ARRAY [4] of 1",
	  "2 ARRAY [5] of 1" },
	{ "Pascal begins at 1", "Pascal", "array type=int { range upper=4 }", "2 ARRAY [4] of 1",
	  "2 ARRAY [5] of 1" },
	{ "Modula begins at 1", "Modula2", "array type=int { range upper=4 }", "2 ARRAY [4] of 1",
	  "2 ARRAY [5] of 1" },
	{ "COBOL begins at 1", "COBOL", "array type=int { range upper=4 }", "2 ARRAY [4] of 1",
	  "2 ARRAY [5] of 1" },
	{ "Julia begins at 1", "Julia", "array type=int { range upper=4 }", "2 ARRAY [4] of 1",
	  "2 ARRAY [5] of 1" },
	{ "D begins at 0", "D", "array type=int { range upper=4 }", "2 ARRAY [5] of 1",
	  "2 ARRAY [5] of 1" },
	{ "the elements of the first dimension of Fortran touch", "Fortran95",
	  "array type=int order=1 { range upper=2; range upper=3 }",
	  "2 ARRAY [2] of 1; 3 ARRAY [3] of 2", "2 ARRAY [4] of 1; 3 ARRAY [3] of 2" },
	{ "an index of an enumeration with gaps", "Ada95",
	  "e: enum color size=1 { value red const=1; value green const=5; value blue const=200 } "
	  "warm: typedef warm type=e; array type=int { range type=e upper/data1=200 } "
	  "array type=int { range type=warm lower=5 upper/data1=200 }",
	  "2 ENUM color 1 { red=1, green=5, blue=200 }; 3 TYPEDEF warm 2; 4 ARRAY [3] of 1; "
	  "5 ARRAY [2] of 1",
	  "2 ENUM color 1 { red=1, green=5, blue=200 }; 3 TYPEDEF warm 2; 4 ARRAY [201] of 1; "
	  "5 ARRAY [201] of 1" },
	{ "elements that are packed, or apart", "Ada95",
	  "array a type=int bit_stride=3 { range upper=12 } array type=int stride=4 { range upper=2 } "
	  "array type=int stride=8 { range upper=2; range upper=3 }",
	  "2 INT a 5 encoding 1 opaque; 3 ARRAY [2] of 1; 4 ARRAY [3] of 1; "
	  "5 INT 48 encoding 1 opaque",
	  "2 ARRAY [13] of 1; 3 ARRAY [3] of 1; 4 ARRAY [4] of 1; 5 ARRAY [3] of 4" },
	{ "the value of a function in Go is a pointer", "Go",
	  "f: proto name=f size=8 { param type=int } proto size=8; v: proto; "
	  "struct s size=8 { member call type=f at=0 }",
	  "2 FUNC_PROTO 0 { - 1 @0 }; 3 PTR 2; 4 FUNC_PROTO 0; 5 PTR 4; 6 FUNC_PROTO 0; "
	  "7 STRUCT s 8 { call 3 @0 }",
	  "2 FUNC_PROTO 0 { - 1 @0 }; 3 FUNC_PROTO 0; 4 FUNC_PROTO 0; 5 STRUCT s 8 { call 2 @0 }" },
	{ "each variable of a function in Pascal is a pointer", "Pascal",
	  "proto { param type=int } f: proto; array type=f { range lower=0 upper=1 }",
	  "2 FUNC_PROTO 0 { - 1 @0 }; 3 PTR 2; 4 FUNC_PROTO 0; 5 PTR 4; 6 ARRAY [2] of 5",
	  "2 FUNC_PROTO 0 { - 1 @0 }; 3 FUNC_PROTO 0; 4 ARRAY [2] of 3" },
	{ "a set has a size", "Pascal", "s: set size=32; ptr type=s",
	  "2 INT 32 encoding 32 opaque; 3 PTR 2", "2 PTR 0; void 1" },
	{ "members that do not fit", "Ada95",
	  "f: base float size=4 enc=4; p: array type=int bit_stride=1 { range upper=12 } "
	  "a: array type=int { range upper=3 } d: array type=int data_at=[lit1] { range } "
	  "struct s size=12 { member all type=f bits=32 bit_at=0; member some type=p bits=12 bit_at=36; "
	  "member long type=a at=4; member where type=int at/expr=[breg0 3]; member there type=d at=4; "
	  "member int type=int bits=3 bit_at=33 }",
	  "2 INT float 4 encoding 4; 3 INT 2 encoding 1 opaque; 4 ARRAY [3] of 1; 5 ARRAY [0] of 1 elsewhere; "
	  "6 STRUCT s 12 { all 2 @0, some 3 @36 lost, long 4 @32 lost, there 5 @32 lost, int 1 @33, "
	  "where 1 @4294967288 lost }",
	  "2 INT float 4 encoding 4; 3 ARRAY [13] of 1; 4 ARRAY [4] of 1; 5 ARRAY [0] of 1; "
	  "6 STRUCT s 12 { all 2 @0, some 3 @36, long 4 @32, where 1 @4294967288, there 5 @32, "
	  "int 1 @33 }" },
	{ "variants", "Ada95",
	  "d: struct shape size/expr=[lit0] { member kind type=int at=0; variants { "
	  "variant discr=1 { member r type=int at=8; member r2 type=int at=12 } "
	  "variant discr=2 { struct inner size=4 { member i type=int at=0 } member n type=int at=8; "
	  "variants { variant { member deep type=int at=16 } } } variant } }",
	  "2 STRUCT 8 { r 1 @0, r2 1 @32 }; 3 STRUCT inner 4 { i 1 @0 }; 4 STRUCT 4 { deep 1 @0 }; "
	  "5 UNION 4 { - 4 @0 }; 6 STRUCT 12 { n 1 @0, - 5 @64 }; 7 UNION 12 { - 2 @0, - 6 @0 }; "
	  "8 STRUCT shape 20 { kind 1 @0, - 7 @64 }",
	  "2 STRUCT shape 4 { kind 1 @0 }" },
	{ "variants without members add nothing", "Ada95",
	  "struct s size=4 { variants { variant { range type=int } variant } member a type=int at=0 } ptr",
	  "2 STRUCT; 3 STRUCT s 4 { a 1 @0 }; 4 PTR 0", "2 STRUCT s 4 { a 1 @0 }; 3 PTR 0" },
};

TEST_EACH(types_that_c_does_not_have_have_their_size, foreign, c)
{
	const char *dwarf = make_text("unit5 lang=%s { " INT "%s }", c->lang, c->dwarf);

	for (int of_c = 0; of_c <= 1; of_c++) {
		const struct dw_read_opts o = { .c_types = of_c };
		CLEANUP(result_release) struct result r = { 0 };

		CHECK_OK(dwarf_read(&r, dwarf, &o));
		CHECK_STR(cu_text(&r), make_text("1 INT int 4; %s", of_c ? c->of_c : c->want));
	}
}
