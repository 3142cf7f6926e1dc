/* SPDX-License-Identifier: GPL-2.0-only */
#include "encoder/unit/unit_btf.h"

#include "tests/lib/btfmember.h"

TEST(pahole_like_members_are_not_taken_for_gcc_ones)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_number(m, "char", 1, BTF_ENC_SIGNED);
	add_number(m, "_Bool", 1, BTF_ENC_BOOL);
	add_array(t, i, i, 3);
	add_fwd(t, str(m, "f"), false);
	ADD(t, str(m, "declared"), btf_info(BTF_ENUM, 0, false), 4);
	add_func(t, str(m, "func"), BTF_LINK_STATIC, add_proto(t, 0, str(m, "p"), i));
	uint32_t var = add_var(t, str(m, "v"), i);
	ADD(t, str(m, ".data"), btf_info(BTF_DATASEC, 1, false), 4, var, 0, 4);
	CHECK_EQ(producer_of(&m->view), PRODUCER_PAHOLE_LIKE);
}

TEST(a_character_tells_gcc)
{
	MEMBER(m);
	add_number(m, "unsigned char", 1, BTF_ENC_CHAR);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(a_declaration_with_a_type_tells_gcc)
{
	MEMBER(m);
	ADD(t, str(m, "f"), btf_info(BTF_FWD, 0, false), 6);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(a_function_without_a_name_tells_gcc)
{
	MEMBER(m);
	add_func(t, 0, BTF_LINK_STATIC, ADD(t, 0, btf_info(BTF_FUNC_PROTO, 0, false), 0));
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(an_index_that_is_no_int_tells_gcc)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_array(t, i, add_index(m), 3);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(an_array_without_index_tells_gcc)
{
	MEMBER(m);
	add_array(t, add_the_int(m), 0, 0);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(an_array_of_arrays_tells_gcc)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_array(t, add_array(t, i, i, 2), i, 3);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(a_section_without_a_size_tells_gcc)
{
	MEMBER(m);
	add_section(m, ".bss", add_var(t, str(m, "v"), add_the_int(m)));
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(an_extern_variable_tells_gcc)
{
	MEMBER(m);
	ADD(t, str(m, "v"), btf_info(BTF_VAR, 0, false), add_the_int(m), BTF_LINK_EXTERN);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(an_enum_without_a_size_tells_gcc)
{
	MEMBER(m);
	ADD(t, str(m, "e"), btf_info(BTF_ENUM, 0, false), 0);
	CHECK_EQ(producer_of(&m->view), PRODUCER_GCC);
}

TEST(the_index_of_clang_tells_clang)
{
	MEMBER(m);
	uint32_t i = add_the_int(m);

	add_array(t, i, add_number(m, "__ARRAY_SIZE_TYPE__", 4, 0), 3);
	add_section(m, ".bss", add_var(t, str(m, "v"), i));
	CHECK_EQ(producer_of(&m->view), PRODUCER_CLANG);
}
