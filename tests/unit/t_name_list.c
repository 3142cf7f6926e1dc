/* SPDX-License-Identifier: GPL-2.0-only */
/* Names and patterns of the command line. */
#include "base/name_list.h"

#include "base/cleanup.h"
#include "tests/lib/testlib.h"

static void add_all(struct name_list *l)
{
	static const char *const texts[] = {
		"page", "task_*", "page", "ta?k", "[a-c]x", "Box<[u8]>"
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		name_list_add(l, texts[i]);
}

TEST(names_match_whole_and_patterns_as_in_a_shell)
{
	CLEANUP(name_list_release) struct name_list l = { 0 };

	CHECK(!name_list_has(&l, "page"));
	add_all(&l);
	CHECK(name_list_has(&l, "page"));
	CHECK(!name_list_has(&l, "pages"));
	CHECK(name_list_has(&l, "task_struct"));
	CHECK(name_list_has(&l, "task_"));
	CHECK(!name_list_has(&l, "mytask_struct"));
	CHECK(name_list_has(&l, "tank"));
	CHECK(name_list_has(&l, "bx"));
	CHECK(!name_list_has(&l, "dx"));
	CHECK(!name_list_has(&l, ""));
}

TEST(a_name_with_brackets_matches_itself)
{
	CLEANUP(name_list_release) struct name_list l = { 0 };

	add_all(&l);
	CHECK(name_list_has(&l, "Box<[u8]>"));
}

TEST(all_entries_that_match_are_found)
{
	CLEANUP(name_list_release) struct name_list l = { 0 };
	uint32_t i;

	add_all(&l);
	name_list_add(&l, "*age");
	i = name_list_first(&l, "page");
	CHECK(i == 1);
	i = name_list_next(&l, "page", i);
	CHECK(i == 3);
	i = name_list_next(&l, "page", i);
	CHECK(i == 7);
	CHECK(name_list_next(&l, "page", i) == 0);
}
