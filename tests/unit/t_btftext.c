/* SPDX-License-Identifier: GPL-2.0-only */
/* t_btftext.c - the notation of tests/lib/btftext.h */
#include "tests/lib/btftext.h"

#include "base/cleanup.h"
#include "tests/lib/btfbuild.h"
#include "tests/lib/testlib.h"

TEST(types_of_each_kind_are_printed_as_they_are_written)
{
	static const char text[] =
		"int; int A; int char 1 0x1000008; int u8 1 8; ptr 1; array 1 2 10; "
		"struct s 8 {a 1, b 1 32}; union u 4 {a 1, 1}; "
		"struct! bits 4 {a 1 0:5, b 1 5:27, c 1}; "
		"enum E 4 {A 0, B 4294967295}; enum! E 4 {A -1}; fwd f; fwd! f; typedef t 1; "
		"volatile 1; "
		"const 1; restrict 5; func f 19; func g 19 global; func_proto 1 {x 1, 0}; var v 1; "
		"var w 1 static; var x 1 extern; datasec .data 8 {21 0 8, 22 8 4}; float double 8; "
		"decl_tag 'a b' 1; decl_tag t 7 0; type_tag '1x' 1; "
		"enum64 E 8 {A 18446744073709551615}; "
		"enum64! E 8 {A -1}; "
		"loc_param 8 57 {4294967295, 4294967264}; loc_proto {31, 0}; loc_proto; "
		"locsec inline.text {18 32 16, 18 33 0}";
	VIEW(v);

	test_view_add(&v, text);
	CHECK_STR(test_view_text(&v), text);
}

TEST(numbers_are_the_words_of_the_record)
{
	VIEW(v);

	test_view_add(
		&v,
		"struct! s 8 {a 1 3:5}; ptr/2 n 7; enum64 8 {A -2}; array 1 2 3; func f 1 global");
	CHECK(HAS_WORDS(&v.view.types, 1, 1u << 31 | BTF_STRUCT << 24 | 1, 8, 3, 1,
			5u << 24 | 3,                                   /* s */
			5, BTF_PTR << 24 | 2, 7,                        /* n */
			0, BTF_ENUM64 << 24 | 1, 8, 7, -2u, UINT32_MAX, /* nameless */
			0, BTF_ARRAY << 24, 0, 1, 2, 3,                 /* */
			9, BTF_FUNC << 24 | BTF_LINK_GLOBAL, 1));
	CHECK_MEM(v.view.strings.ptr, "\0s\0a\0n\0A\0f", v.view.strings.len);
}
