/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive_guess.c - is a .BTF section one BTF, or many? */
#include "loader/btf/archive.h"

#include "tests/lib/archivemake.h"

static void check_guess(const struct archivemake *m, enum archive_guess guess)
{
	CLEANUP(mem_free) void *copy = mem_dup(m->bytes, m->len);
	CLEANUP(archive_release) struct archive a = { 0 };

	CHECK_EQ(archive_guess((struct bytes){ copy, m->len }, false, &a), guess);
	CHECK_EQ(a.members.nr > 0, guess == ARCHIVE_MANY);
}

static const struct {
	const char *name;
	struct archive_part parts[4];
	enum archive_guess guess;
} cases[] = {
	{ "nothing", { { .sort = PART_NONE } }, ARCHIVE_NONE },
	{ "one BTF", { T }, ARCHIVE_NONE },
	{ "zeros behind it", { T, FILL(0, 3) }, ARCHIVE_NONE },
	{ "a unit without types", { UNTYPED("a.c") }, ARCHIVE_NONE },
	/* their strings do not begin with an empty one */
	{ "split BTF", { MEMBER(TYPES, .changes = { { -5, 0x70 } }) }, ARCHIVE_NONE },
	{ "split BTF of the other byte order",
	  { MEMBER(TYPES, .swap = true, .changes = { { -5, 0x70 } }) },
	  ARCHIVE_NONE },
	{ "three members", { THREE_MEMBERS }, ARCHIVE_MANY },
	{ "a unit without types and a member", { UNTYPED("a.c"), T }, ARCHIVE_MANY },
	{ "text", { BYTES("text") }, ARCHIVE_DAMAGED },
};

TEST_EACH(one_btf_is_told_from_many, cases, c)
{
	struct archivemake m = make_archive(c->parts, ARRAY_SIZE(c->parts));

	check_guess(&m, c->guess);
}

TEST(split_btf_without_strings_is_no_archive)
{
	struct archivemake m = MAKE_ARCHIVE(MEMBER(TYPES, .changes = { { 20, 0 } }));

	m.len -= sizeof("\0int");
	check_guess(&m, ARCHIVE_NONE);
}

TEST(what_is_damaged_may_be_an_archive)
{
	struct three t = make_three();

	for (size_t field = 0; field <= 20; field += 4) {
		struct archivemake m = t.m;

		memset(m.bytes + field, 0xff, 4);
		check_guess(&m, ARCHIVE_DAMAGED);
	}
	struct archivemake all = stretch(&t, 0, t.end[2] - t.end[0]);
	check_guess(&all, ARCHIVE_DAMAGED);
	for (size_t len = 1; len < 24; len++) {
		t.m.len = len;
		check_guess(&t.m, ARCHIVE_DAMAGED);
	}
}
