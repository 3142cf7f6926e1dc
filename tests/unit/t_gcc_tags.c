/* SPDX-License-Identifier: GPL-2.0-only */
#include "encoder/member/gcc_tags.h"

#include "tests/lib/btfmember.h"

TEST(a_name_of_an_enum_and_a_struct_stays_a_struct)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	MEMBER(m);
	uint32_t name = str(m, "foo");

	ADD(t, name, btf_info(BTF_ENUM, 0, false), 4);
	add_struct0(t, name);
	gcc_tags_add(&tags, &m->view);
	CHECK(!gcc_tags_say_enum(&tags, "foo"));
	CHECK(!gcc_tags_say_enum(&tags, "bar"));
}

TEST(more_tags_than_the_table_starts_with_are_found)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	struct made *all = test_keep(calloc(300, sizeof(*all)));
	char name[16];

	for (int i = 0; i < 300 * 10; i++) {
		struct made *m = &all[i / 10];

		if (i % 10 == 0)
			made_start(m);
		snprintf(name, sizeof(name), "e%d", i);
		ADD(&m->view.types, str(m, name), btf_info(BTF_ENUM, 0, false), 4);
		if (i % 10 == 9)
			gcc_tags_add(&tags, &m->view);
	}
	for (int i = 0; i < 300 * 10; i++) {
		snprintf(name, sizeof(name), "e%d", i);
		CHECK(gcc_tags_say_enum(&tags, name));
	}
	CHECK_EQ(tags.names.names.nr, 3000);
	for (int i = 0; i < 300; i++)
		btf_view_release(&all[i].view);
}
