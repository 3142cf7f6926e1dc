/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive_guess.c - is a .BTF section one BTF, or many? */
#include "loader/btf/archive.h"

#include "tests/lib/pile.h"

static void check_guess(const struct pile *p, enum archive_guess guess)
{
	CLEANUP(free_copy) void *copy = exact_copy(p);
	CLEANUP(archive_release) struct archive a = { 0 };

	CHECK_EQ(archive_guess((struct bytes){ copy, p->len }, false, &a), guess);
	CHECK_EQ(a.members.nr > 0, guess == ARCHIVE_MANY);
}

static const struct {
	const char *name, *pile;
	enum archive_guess guess;
} cases[] = {
	{ "nothing", "", ARCHIVE_NONE },
	{ "one BTF", "t", ARCHIVE_NONE },
	{ "zeros behind it", "t 0*3", ARCHIVE_NONE },
	{ "a unit without types", "e'a.c", ARCHIVE_NONE },
	/* their strings do not begin with an empty one */
	{ "split BTF", "t@-5=70", ARCHIVE_NONE },
	{ "split BTF of the other byte order", "~t@-5=70", ARCHIVE_NONE },
	{ "three members", "t/32'a t'abcd 0+ t/40", ARCHIVE_MANY },
	{ "a unit without types and a member", "e'a.c t", ARCHIVE_MANY },
	{ "text", "=text", ARCHIVE_DAMAGED },
};

TEST_EACH(one_btf_is_told_from_many, cases, c)
{
	struct pile p = make_pile(c->pile);

	check_guess(&p, c->guess);
}

TEST(split_btf_without_strings_is_no_archive)
{
	struct pile p = make_pile("t@20=0");

	p.len -= sizeof("\0int");
	check_guess(&p, ARCHIVE_NONE);
}

TEST(what_is_damaged_may_be_an_archive)
{
	struct three t = make_three();

	for (size_t field = 0; field <= 20; field += 4) {
		struct pile p = t.p;

		memset(p.bytes + field, 0xff, 4);
		check_guess(&p, ARCHIVE_DAMAGED);
	}
	struct pile all = stretch(&t, 0, t.end[2] - t.end[0]);
	check_guess(&all, ARCHIVE_DAMAGED);
	for (size_t len = 1; len < 24; len++) {
		t.p.len = len;
		check_guess(&t.p, ARCHIVE_DAMAGED);
	}
}
