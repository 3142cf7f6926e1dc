/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive.c - where the members of an archive are, and what may lie between them */
#include "loader/btf/archive.h"

#include "tests/lib/archivemake.h"

#include <sys/mman.h>
#include <unistd.h>

#define TWO_UNTYPED UNTYPED("/src/lib/empty.c"), UNTYPED("a.c")

static const struct {
	const char *name;
	struct archive_part parts[7];
	const char *members;
} cases[] = {
	{ "one member", { T }, "0" },
	{ "members with headers of all lengths, at any byte", { THREE_MEMBERS }, "0 67 132" },
	{ "members without types", { M, MEMBER(NULL, .hdr_len = 32), T }, "0 25 58" },
	{ "members of the other byte order",
	  { MEMBER(TYPES, "x", .swap = true), T_SWAPPED },
	  "0 59, swapped" },

	/* --- padding --- */
	{ "zeros that are shorter than a member", { UP_TO(100), FILL(0, 3), T }, "0 103" },
	{ "zeros that are as long as a header", { UP_TO(100), FILL(0, 24), T }, "0 124" },
	{ "zeros at the end", { T, UP_TO(193), FILL(0, 63) }, "0 57" },
	{ "fill bytes up to a multiple of 16", { UP_TO(200), FILL(0xcc, 8), T }, "0 208" },
	{ "fill bytes up to a multiple of 64", { UP_TO(193), FILL(0x90, 63), T }, "0 256" },

	/* --- units without types --- */
	{ "before the members", { TWO_UNTYPED, ALIGN(4), T, T, T }, "76 133 190, 2 empty" },
	{ "behind the first member", { T, TWO_UNTYPED, ALIGN(4), T, T }, "0 132 189, 2 empty" },
	{ "behind the second member", { T, T, TWO_UNTYPED, ALIGN(4), T }, "0 57 188, 2 empty" },
	{ "behind all members", { T, T, T, TWO_UNTYPED, ALIGN(4) }, "0 57 114, 2 empty" },
	{ "in the other byte order",
	  { UNTYPED("a.c", .swap = true), T_SWAPPED },
	  "30, 1 empty, swapped" },
	/* a name that contains a header, as far as a name can */
	{ "headers in their names",
	  { UNTYPED("/src/\x9f\xeb\x01"), UNTYPED("\x9f\xeb"), T },
	  "64, 2 empty" },
};

TEST_EACH(members_of_an_archive_are_found, cases, c)
{
	struct archivemake m = make_archive(c->parts, ARRAY_SIZE(c->parts));

	CHECK_MEMBERS(&m, c->members);
}

static const struct {
	const char *name;
	struct archive_part parts[7];
	const char *problem;
} bad_cases[] = {
	{ "nothing", { { .sort = PART_NONE } }, "member 1 at 0: 0 bytes hold no BTF" },
	{ "zeros", { FILL(0, 64) }, "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f" },
	{ "text",
	  { BYTES("there_is_no_BTF_in_here,_not_at_all") },
	  "member 1 at 0: BTF+0x0: magic 0x6874, expected 0xeb9f" },
	{ "zeros before the first member",
	  { FILL(0, 8), T },
	  "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f" },
	{ "a member of the other byte order",
	  { T, T_SWAPPED },
	  "member 2 at 0x39: BTF+0x0: byte order differs from that of member 1" },
	{ "a member of our byte order",
	  { T_SWAPPED, T },
	  "member 2 at 0x39: BTF+0x0: byte order differs from that of member 1" },

	/* --- between members --- */
	{ "zeros in which a member fits",
	  { UP_TO(100), FILL(0, 25), T },
	  "member 2 at 0x64: 25 zeros, expected a header, or zeros for an alignment" },
	{ "zeros at the end in which a member fits",
	  { T, UP_TO(193), FILL(0, 64) },
	  "member 3 at 0xc1: 64 zeros" },
	{ "fill bytes that end at no alignment",
	  { UP_TO(200), FILL(0xcc, 5), T },
	  "member 2 at 0xc8: BTF+0x0: magic 0xcccc, expected 0xeb9f" },
	{ "fill bytes beyond an alignment",
	  { UP_TO(190), FILL(0xcc, 18), T },
	  "member 2 at 0xbe: BTF+0x0: magic" },
	{ "mixed fill bytes",
	  { UP_TO(200), FILL(0xcc, 4), FILL(0xcd, 1), FILL(0xcc, 3), T },
	  "member 2 at 0xc8: BTF+0x0: magic" },
	{ "fill bytes behind zeros",
	  { UP_TO(196), FILL(0, 4), FILL(0xcc, 8), T },
	  "member 2 at 0xc8: BTF+0x0: magic" },
	{ "fill bytes at the end",
	  { UP_TO(200), FILL(0xcc, 8) },
	  "member 2 at 0xc8: BTF+0x0: 8 bytes cannot hold the header of 24" },
	{ "fill bytes before a damaged header",
	  { UP_TO(200), FILL(0xcc, 8), MEMBER(TYPES, .changes = { { 2, 2 } }) },
	  "member 2 at 0xd0: BTF+0x0: version 0x2, expected 1" },

	/* --- units without types --- */
	{ "nothing else", { UNTYPED("a.c"), UNTYPED("b.c") }, "hold no BTF" },
	{ "two byte orders", { UNTYPED("a.c", .swap = true), T_SWAPPED, T }, "member 2 at 0x57: " },
	{ "no header follows",
	  { M, UNTYPED("a.c"), BYTES("\x9f\xeb\x01"), FILL(0, 1), BYTES("stray"), T },
	  "member 2 at 0x37: " },
	{ "a unit with types after all",
	  { M, UNTYPED("a.c", .changes = { { 12, 4 } }) },
	  "member 2 at 0x19: " },
};

TEST_EACH(bytes_that_are_no_member_are_refused, bad_cases, c)
{
	struct archivemake m = make_archive(c->parts, ARRAY_SIZE(c->parts));

	CHECK_REFUSED(&m, c->problem);
}

TEST(zeros_up_to_an_alignment_are_padding)
{
	for (size_t align = 2; align <= 256; align *= 2) {
		struct archivemake m = MAKE_ARCHIVE(UP_TO(512 - align + 1), FILL(0, align - 1), T);

		CHECK_MEMBERS(&m, "0 512");
	}
}

TEST(a_member_that_became_zeros_is_missed)
{
	for (size_t i = 0; i < 3; i++) {
		struct three t = make_three();

		memset(t.m.bytes + t.at[i], 0, t.end[i] - t.at[i]);
		check_refused_at(&t.m, i + 1, i == 2 ? t.end[1] : t.at[i]);
	}
}

TEST(a_unit_without_types_that_is_cut_is_a_damaged_member)
{
	struct archivemake m = MAKE_ARCHIVE(M, UNTYPED("a.c"));
	size_t whole = m.len;

	for (m.len = 25 + 1; m.len < whole; m.len++)
		check_refused_at(&m, 2, 25);
}

TEST(many_small_members)
{
	enum { NR = 40000, SIZE = BTF_HDR_CLASSIC + 1 };
	CLEANUP(archive_release) struct archive a = { 0 };
	uint8_t *bytes = test_keep(malloc((size_t)NR * SIZE));
	struct archivemake one = MAKE_ARCHIVE(M);

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
	struct archivemake one = MAKE_ARCHIVE(M);
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
