/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive_guess.c - is a .BTF section one BTF, or many? */
#include "loader/btf/archive.h"

#include "tests/lib/pile.h"

static enum archive_guess guess(const struct pile *p)
{
	CLEANUP(free_copy) void *copy = exact_copy(p);

	CLEANUP(archive_release) struct archive a = { 0 };
	enum archive_guess g = archive_guess((struct bytes){ copy, p->len }, false, &a);

	CHECK(g == ARCHIVE_MANY ? a.members.nr > 0 : !a.members.nr);
	return g;
}

TEST(one_btf_is_no_archive)
{
	struct pile nothing = { 0 }, one = { 0 }, padded, unit = { 0 };

	put_member(&one, (struct member){ .types = true });
	padded = one;
	put_fill(&padded, 0, 3);
	put_empty_unit(&unit, "a.c");
	CHECK_EQ(guess(&nothing), ARCHIVE_NONE);
	CHECK_EQ(guess(&one), ARCHIVE_NONE);
	CHECK_EQ(guess(&padded), ARCHIVE_NONE);
	CHECK_EQ(guess(&unit), ARCHIVE_NONE);
}

TEST(split_btf_is_no_archive)
{
	struct pile none = { 0 }, one = { 0 }, other = { 0 };
	uint32_t zero = 0;

	put_member(&none, (struct member){ .types = true });
	memcpy(none.bytes + 20, &zero, sizeof(zero));
	none.len -= sizeof("\0int");
	CHECK_EQ(guess(&none), ARCHIVE_NONE);
	put_member(&one, (struct member){ .types = true });
	one.bytes[one.len - sizeof("\0int")] = 'p';
	CHECK_EQ(guess(&one), ARCHIVE_NONE);
	put_member(&other, (struct member){ .types = true, .swap = true });
	other.bytes[other.len - sizeof("\0int")] = 'p';
	CHECK_EQ(guess(&other), ARCHIVE_NONE);
}

TEST(two_make_an_archive)
{
	struct three t = make_three();
	struct pile p = { 0 };

	CHECK_EQ(guess(&t.p), ARCHIVE_MANY);
	put_empty_unit(&p, "a.c");
	put_member(&p, (struct member){ .types = true });
	CHECK_EQ(guess(&p), ARCHIVE_MANY);
}

TEST(what_is_damaged_may_be_an_archive)
{
	struct pile text = { 0 };
	struct three t = make_three();

	put(&text, "text", 4);
	CHECK_EQ(guess(&text), ARCHIVE_DAMAGED);
	for (size_t field = 0; field <= 20; field += 4) {
		struct pile p = t.p;

		memset(p.bytes + field, 0xff, 4);
		CHECK_EQ(guess(&p), ARCHIVE_DAMAGED);
	}
	struct pile all = stretch(&t, 0, t.end[2] - t.end[0]);
	CHECK_EQ(guess(&all), ARCHIVE_DAMAGED);
	for (size_t len = 1; len < 24; len++) {
		t.p.len = len;
		CHECK_EQ(guess(&t.p), ARCHIVE_DAMAGED);
	}
}
