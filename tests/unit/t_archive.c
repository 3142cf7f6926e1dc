/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive.c - where the members of an archive are, and what may lie between them */
#include "loader/btf/archive.h"

#include "tests/lib/pile.h"

#include <sys/mman.h>
#include <unistd.h>

static const struct {
	const char *name, *pile, *members;
} cases[] = {
	{ "one member", "t", "0" },
	{ "members with headers of all lengths, at any byte", "t/32'a t'abcd 0+ t/40", "0 67 132" },
	{ "members without types", "m m/32 t", "0 25 58" },
	{ "members of the other byte order", "~t'x ~t", "0 59, swapped" },

	/* --- padding --- */
	{ "zeros that are shorter than a member", "<100 0*3 t", "0 103" },
	{ "zeros that are as long as a header", "<100 0*24 t", "0 124" },
	{ "zeros at the end", "t <193 0*63", "0 57" },
	{ "fill bytes up to a multiple of 16", "<200 cc*8 t", "0 208" },
	{ "fill bytes up to a multiple of 64", "<193 90*63 t", "0 256" },

	/* --- units without types --- */
	{ "before the members", "e'/src/lib/empty.c e'a.c 0+ t t t", "76 133 190, 2 empty" },
	{ "behind the first member", "t e'/src/lib/empty.c e'a.c 0+ t t", "0 132 189, 2 empty" },
	{ "behind the second member", "t t e'/src/lib/empty.c e'a.c 0+ t", "0 57 188, 2 empty" },
	{ "behind all members", "t t t e'/src/lib/empty.c e'a.c 0+", "0 57 114, 2 empty" },
	{ "in the other byte order", "~e'a.c ~t", "30, 1 empty, swapped" },
	/* a name that contains a header, as far as a name can */
	{ "headers in their names", "e'/src/\x9f\xeb\x01 e'\x9f\xeb t", "64, 2 empty" },
};

TEST_EACH(members_of_an_archive_are_found, cases, c)
{
	struct pile p = make_pile(c->pile);

	CHECK_MEMBERS(&p, c->members);
}

static const struct {
	const char *name, *pile, *problem;
} bad_cases[] = {
	{ "nothing", "", "member 1 at 0: 0 bytes hold no BTF" },
	{ "zeros", "0*64", "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f" },
	{ "text", "=there_is_no_BTF_in_here,_not_at_all",
	  "member 1 at 0: BTF+0x0: magic 0x6874, expected 0xeb9f" },
	{ "zeros before the first member", "0*8 t",
	  "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f" },
	{ "a member of the other byte order", "t ~t",
	  "member 2 at 0x39: BTF+0x0: byte order differs from that of member 1" },
	{ "a member of our byte order", "~t t",
	  "member 2 at 0x39: BTF+0x0: byte order differs from that of member 1" },

	/* --- between members --- */
	{ "zeros in which a member fits", "<100 0*25 t",
	  "member 2 at 0x64: 25 zeros, expected a header, or zeros for an alignment" },
	{ "zeros at the end in which a member fits", "t <193 0*64", "member 3 at 0xc1: 64 zeros" },
	{ "fill bytes that end at no alignment", "<200 cc*5 t",
	  "member 2 at 0xc8: BTF+0x0: magic 0xcccc, expected 0xeb9f" },
	{ "fill bytes beyond an alignment", "<190 cc*18 t", "member 2 at 0xbe: BTF+0x0: magic" },
	{ "mixed fill bytes", "<200 cc*4 cd*1 cc*3 t", "member 2 at 0xc8: BTF+0x0: magic" },
	{ "fill bytes behind zeros", "<196 0*4 cc*8 t", "member 2 at 0xc8: BTF+0x0: magic" },
	{ "fill bytes at the end", "<200 cc*8",
	  "member 2 at 0xc8: BTF+0x0: 8 bytes cannot hold the header of 24" },
	{ "fill bytes before a damaged header", "<200 cc*8 t@2=2",
	  "member 2 at 0xd0: BTF+0x0: version 0x2, expected 1" },

	/* --- units without types --- */
	{ "nothing else", "e'a.c e'b.c", "hold no BTF" },
	{ "two byte orders", "~e'a.c ~t t", "member 2 at 0x57: " },
	{ "no header follows", "m e'a.c 9f*1 eb*1 1*1 0*1 =stray t", "member 2 at 0x37: " },
	{ "a unit with types after all", "m e'a.c@12=4", "member 2 at 0x19: " },
};

TEST_EACH(bytes_that_are_no_member_are_refused, bad_cases, c)
{
	struct pile p = make_pile(c->pile);

	CHECK_REFUSED(&p, c->problem);
}

TEST(zeros_up_to_an_alignment_are_padding)
{
	for (size_t align = 2; align <= 256; align *= 2) {
		char text[40];

		snprintf(text, sizeof(text), "<%zu 0*%zu t", 512 - align + 1, align - 1);
		struct pile p = make_pile(text);
		CHECK_MEMBERS(&p, "0 512");
	}
}

TEST(a_member_that_became_zeros_is_missed)
{
	for (size_t i = 0; i < 3; i++) {
		struct three t = make_three();

		memset(t.p.bytes + t.at[i], 0, t.end[i] - t.at[i]);
		check_refused_at(&t.p, i + 1, i == 2 ? t.end[1] : t.at[i]);
	}
}

TEST(a_unit_without_types_that_is_cut_is_a_damaged_member)
{
	struct pile p = make_pile("m e'a.c");
	size_t whole = p.len;

	for (p.len = 25 + 1; p.len < whole; p.len++)
		check_refused_at(&p, 2, 25);
}

TEST(many_small_members)
{
	enum { NR = 40000, SIZE = BTF_HDR_CLASSIC + 1 };
	CLEANUP(archive_release) struct archive a = { 0 };
	uint8_t *bytes = test_keep(malloc((size_t)NR * SIZE));
	struct pile one = make_pile("m");

	CHECK_EQ(one.len, SIZE);
	for (size_t i = 0; i < NR; i++)
		memcpy(bytes + i * SIZE, one.bytes, SIZE);
	CHECK_OK(archive_walk((struct bytes){ bytes, (size_t)NR * SIZE }, false, &a));
	CHECK_EQ(a.members.nr, NR);
	CHECK_EQ(a.members.items[NR - 1].offset, (size_t)(NR - 1) * SIZE);
	CHECK_EQ(a.members.items[NR - 1].size, SIZE);
	CHECK(a.members.cap <= 2 * NR);
	CHECK(a.bytes.ptr == bytes);
}

TEST(a_mapped_file_says_the_same_after_its_pages_are_given_back)
{
	enum { NR = 200000, SIZE = BTF_HDR_CLASSIC + 1 }; /* several strides */
	CLEANUP(archive_release) struct archive mapped = { 0 }, plain = { 0 };
	struct pile one = make_pile("m");
	int fd = memfd_create("archive", MFD_CLOEXEC);
	size_t len = (size_t)NR * SIZE;

	CHECK(fd >= 0);
	for (size_t i = 0; i < NR; i++)
		CHECK_EQ(pwrite(fd, one.bytes, SIZE, (off_t)(i * SIZE)), SIZE);
	uint8_t *map = mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	CHECK(map != MAP_FAILED);
	CHECK_OK(archive_walk((struct bytes){ map, len }, true, &mapped));
	CHECK_OK(archive_walk((struct bytes){ map, len }, false, &plain));
	CHECK_EQ(mapped.members.nr, NR);
	CHECK_EQ(plain.members.nr, NR);
	CHECK_MEM(mapped.members.items, plain.members.items, NR * sizeof(plain.members.items[0]));
	munmap(map, len);
}
