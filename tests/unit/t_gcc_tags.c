/* SPDX-License-Identifier: GPL-2.0-only */
/* t_gcc_tags.c - the tags of all members */
#include "encoder/member/gcc_tags.h"

#include "tests/lib/btftext.h"
#include "tests/lib/testlib.h"

TEST(a_name_of_an_enum_and_a_struct_stays_a_struct)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	VIEW(m);

	test_view_add(&m, "enum foo 4; struct foo 0");
	gcc_tags_add(&tags, &m.view);
	CHECK(!gcc_tags_say_enum(&tags, "foo"));
	CHECK(!gcc_tags_say_enum(&tags, "bar"));
}

TEST(more_tags_than_the_table_starts_with_are_found)
{
	CLEANUP(gcc_tags_release) struct gcc_tags tags = { 0 };
	struct test_view *all = test_keep(calloc(300, sizeof(*all)));
	char name[16];

	for (int i = 0; i < 300 * 10; i++) {
		test_view_addf(&all[i / 10], "enum e%d 4", i);
		if (i % 10 == 9)
			gcc_tags_add(&tags, &all[i / 10].view);
	}
	for (int i = 0; i < 300 * 10; i++) {
		snprintf(name, sizeof(name), "e%d", i);
		CHECK(gcc_tags_say_enum(&tags, name));
	}
	CHECK_EQ(tags.names.names.nr, 3000);
	for (int i = 0; i < 300; i++)
		test_view_release(&all[i]);
}
