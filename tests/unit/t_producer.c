/* SPDX-License-Identifier: GPL-2.0-only */
/* t_producer.c - which program wrote a member is seen by its types */
#include "encoder/unit/unit_btf.h"

#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

static const struct {
	const char *name, *types;
	enum producer producer;
} cases[] = {
	{ "types like those of pahole",
	  "int; int char 1 0x1000008; int _Bool 1 0x4000008; array 1 1 3; fwd f; enum declared 4;"
	  "func_proto 0 {p 1}; func func 7; var v 1; datasec .data 4 {9 0 4}",
	  PRODUCER_PAHOLE_LIKE },
	{ "a character", "int 'unsigned char' 1 0x2000008", PRODUCER_GCC },
	{ "a declaration with a type", "fwd f 6", PRODUCER_GCC },
	{ "a function without a name", "func_proto 0; func 1", PRODUCER_GCC },
	{ "an index that is not an int", "int; int 'long unsigned int' 8 64; array 1 2 3",
	  PRODUCER_GCC },
	{ "an array without an index", "int; array 1 0 0", PRODUCER_GCC },
	{ "an index that does not exist", "int; array 1 3 1", PRODUCER_PAHOLE_LIKE },
	{ "an array of arrays, as of pahole 1.32", "int; array 1 1 2; array 2 1 3",
	  PRODUCER_PAHOLE_LIKE },
	{ "a section without a size", "int; var v 1; datasec .bss 0 {2 0 4}", PRODUCER_GCC },
	{ "an extern variable", "int; var v 1 extern", PRODUCER_GCC },
	{ "an enum without a size", "enum e 0", PRODUCER_GCC },
	{ "the index of clang",
	  "int; int __ARRAY_SIZE_TYPE__ 4 32; array 1 2 3; var v 1; datasec .bss 0 {4 0 4}",
	  PRODUCER_CLANG },
};

TEST_EACH(the_producer_of_a_member_is_seen_by_its_types, cases, c)
{
	VIEW(m);

	test_view_add(&m, c->types);
	CHECK_EQ(producer_of(&m.view), c->producer);
}
