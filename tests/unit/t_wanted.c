/* SPDX-License-Identifier: GPL-2.0-only */
/* The name of a type may be spelled as in C. */
#include "show/wanted.h"

#include "tests/lib/testlib.h"

TEST(integers_have_one_name)
{
	CHECK_STR(wanted_base_name("unsigned"), "unsigned int");
	CHECK_STR(wanted_base_name("signed"), "int");
	CHECK_STR(wanted_base_name("int unsigned short"), "short unsigned int");
	CHECK_STR(wanted_base_name("short"), "short int");
	CHECK_STR(wanted_base_name("unsigned  long"), "long unsigned int");
	CHECK_STR(wanted_base_name(" long "), "long int");
	CHECK_STR(wanted_base_name("long int long"), "long long int");
	CHECK_STR(wanted_base_name("unsigned long long"), "long long unsigned int");
	CHECK_STR(wanted_base_name("signed char"), "signed char");
	CHECK_STR(wanted_base_name("unsigned char"), "unsigned char");
	CHECK_STR(wanted_base_name("char"), "char");
	CHECK_STR(wanted_base_name("unsigned __int128"), "__int128 unsigned");
}

TEST(what_c_does_not_allow_keeps_its_name)
{
	static const char *const names[] = {
		"long double", "_Bool",           "double",         "",
		"u32",         "unsigned signed", "long long long", "short long",
		"int int",     "char int",        "unsigned u32",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		CHECK_STR(wanted_base_name(names[i]), names[i]);
}

TEST(a_keyword_is_no_part_of_the_name)
{
	struct wanted w = wanted_read("struct  foo");

	CHECK(w.sort == WANTED_STRUCT);
	CHECK_STR(w.name, "foo");
	CHECK_STR(w.asked, "struct  foo");
	CHECK(wanted_takes(&w, BTF_STRUCT, false) && wanted_takes(&w, BTF_FWD, false));
	CHECK(!wanted_takes(&w, BTF_UNION, false) && !wanted_takes(&w, BTF_FWD, true));
	CHECK(wanted_read("union foo").sort == WANTED_UNION);
	CHECK(wanted_read("enum foo").sort == WANTED_ENUM);
	CHECK(wanted_read("typedef foo").sort == WANTED_TYPEDEF);
	CHECK(wanted_read("class foo").sort == WANTED_STRUCT);
	CHECK(wanted_read("structure").sort == WANTED_ANY);
	CHECK(wanted_read("struct").sort == WANTED_ANY);
	CHECK(wanted_read("struct ").sort == WANTED_ANY);
	CHECK(wanted_takes(&(struct wanted){ 0 }, BTF_INT, false));
}
