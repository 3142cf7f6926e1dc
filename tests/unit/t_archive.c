/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive.c - where the members of an archive are, and what may lie between them */
#include "loader/btf/archive.h"

#include "tests/lib/pile.h"

#include <sys/mman.h>
#include <unistd.h>

TEST(members_of_all_headers_at_any_byte)
{
	struct three t = make_three();

	CHECK_MEMBERS(&t.p, t.at[0], t.at[1], t.at[2]);
}

TEST(one_member_walks_well)
{
	struct pile p = { 0 };
	CLEANUP(archive_release) struct archive a = { 0 };

	put_member(&p, (struct member){ .types = true });
	CHECK_OK(read_all(&p, &a));
	CHECK_EQ(a.members.nr, 1);
	CHECK_EQ(a.members.items[0].size, p.len);
	CHECK_EQ(a.nr_empty, 0);
	CHECK(!a.swap);
}

TEST(no_member_at_all_is_an_error)
{
	struct pile nothing = { 0 }, zeros = { 0 }, text = { 0 };

	put_fill(&zeros, 0, 64);
	put(&text, "there is no BTF in here, not at all", 35);
	CHECK_REFUSED(&nothing, "member 1 at 0: 0 bytes hold no BTF");
	CHECK_REFUSED(&zeros, "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f");
	CHECK_REFUSED(&text, "member 1 at 0: BTF+0x0: magic 0x6874, expected 0xeb9f");
}

TEST(members_without_types_are_members)
{
	struct pile p = { 0 };
	size_t first = put_member(&p, (struct member){ 0 });
	size_t second = put_member(&p, (struct member){ .hdr_len = 32 });
	size_t third = put_member(&p, (struct member){ .types = true });

	CHECK_MEMBERS(&p, first, second, third);
}

TEST(all_members_in_the_other_byte_order)
{
	struct pile p = { 0 };
	CLEANUP(archive_release) struct archive a = { 0 };

	put_member(&p, (struct member){ .types = true, .swap = true, .name = "x" });
	put_member(&p, (struct member){ .types = true, .swap = true });
	CHECK_OK(read_all(&p, &a));
	CHECK_EQ(a.members.nr, 2);
	CHECK(a.swap);
}

TEST(both_byte_orders_are_refused)
{
	for (int first = 0; first < 2; first++) {
		struct pile p = { 0 };

		put_member(&p, (struct member){ .types = true, .swap = first });
		size_t at = put_member(&p, (struct member){ .types = true, .swap = !first });
		check_refused_at(&p, 2, at);
		CHECK_REFUSED(&p, "byte order differs from that of member 1");
	}
}

/* A member that ends at offset @end. */
static void put_member_to(struct pile *p, size_t end)
{
	char name[512] = "";

	CHECK(end > p->len + BTF_HDR_CLASSIC + 2 && end < p->len + sizeof(name));
	memset(name, 'n', end - p->len - BTF_HDR_CLASSIC - 2);
	put_member(p, (struct member){ .name = name });
	CHECK_EQ(p->len, end);
}

/* A member up to @end, @len bytes of @fill, and another member. */
static struct pile make_padded(size_t end, uint8_t fill, size_t len)
{
	struct pile p = { 0 };

	put_member_to(&p, end);
	put_fill(&p, fill, len);
	put_member(&p, (struct member){ .types = true });
	return p;
}

TEST(zeros_up_to_an_alignment_are_padding)
{
	for (size_t align = 2; align <= 256; align *= 2) {
		struct pile most = make_padded(512 - align + 1, 0, align - 1);
		struct pile least = make_padded(511, 0, 1);

		CHECK_MEMBERS(&most, 0, 512);
		CHECK_MEMBERS(&least, 0, 512);
	}
}

TEST(zeros_too_short_for_a_member_are_padding)
{
	struct pile odd = make_padded(100, 0, 3);
	struct pile most = make_padded(100, 0, BTF_HDR_CLASSIC);
	struct pile lost = make_padded(100, 0, BTF_HDR_CLASSIC + 1);

	CHECK_MEMBERS(&odd, 0, 103);
	CHECK_MEMBERS(&most, 0, 124);
	CHECK_REFUSED(&lost, "member 2 at 0x64: 25 zeros, expected a header, or zeros for an "
			     "alignment");
}

TEST(zeros_at_the_end_are_padding)
{
	struct pile p = { 0 };

	put_member(&p, (struct member){ .types = true });
	put_member_to(&p, 256 - 64 + 1);
	put_fill(&p, 0, 63);
	CHECK_MEMBERS(&p, 0, sizeof(records) + BTF_HDR_CLASSIC + 5);
	put_fill(&p, 0, 1);
	CHECK_REFUSED(&p, "member 3 at 0xc1: 64 zeros");
}

TEST(a_member_that_became_zeros_is_missed)
{
	for (size_t i = 0; i < 3; i++) {
		struct three t = make_three();

		memset(t.p.bytes + t.at[i], 0, t.end[i] - t.at[i]);
		check_refused_at(&t.p, i + 1, i == 2 ? t.end[1] : t.at[i]);
	}
}

TEST(fill_bytes_up_to_an_alignment_are_padding)
{
	struct pile p = make_padded(200, 0xcc, 8), longer = make_padded(193, 0x90, 63);

	CHECK_MEMBERS(&p, 0, 208);
	CHECK_MEMBERS(&longer, 0, 256);
}

TEST(other_bytes_between_members_are_refused)
{
	struct pile unaligned = make_padded(200, 0xcc, 5);
	struct pile too_long = make_padded(190, 0xcc, 18); /* up to 208, a multiple of 16 */
	struct pile mixed = make_padded(200, 0xcc, 8);
	struct pile after_zeros = make_padded(196, 0, 12);

	mixed.bytes[204] = 0xcd;
	memset(after_zeros.bytes + 200, 0xcc, 8);
	CHECK_REFUSED(&unaligned, "member 2 at 0xc8: BTF+0x0: magic 0xcccc, expected 0xeb9f");
	CHECK_REFUSED(&too_long, "member 2 at 0xbe: BTF+0x0: magic");
	CHECK_REFUSED(&mixed, "member 2 at 0xc8: BTF+0x0: magic");
	CHECK_REFUSED(&after_zeros, "member 2 at 0xc8: BTF+0x0: magic");
}

TEST(fill_bytes_lead_to_a_header)
{
	struct pile end = make_padded(200, 0xcc, 8), bad = make_padded(200, 0xcc, 8);

	end.len = 208;
	bad.bytes[208 + 2] = 2;
	CHECK_REFUSED(&end, "member 2 at 0xc8: BTF+0x0: 8 bytes cannot hold the header of 24");
	CHECK_REFUSED(&bad, "member 2 at 0xd0: BTF+0x0: version 0x2, expected 1");
}

TEST(the_first_member_is_at_the_start)
{
	struct pile p = { 0 };

	put_fill(&p, 0, 8);
	put_member(&p, (struct member){ .types = true });
	CHECK_REFUSED(&p, "member 1 at 0: BTF+0x0: magic 0, expected 0xeb9f");
}

/* Members around, and in different places, empty units. */
static void check_empty_unit_at(size_t place)
{
	struct pile p = { 0 };
	CLEANUP(archive_release) struct archive a = { 0 };
	size_t offsets[3];

	for (size_t i = 0; i <= ARRAY_SIZE(offsets); i++) {
		if (i == place) {
			put_empty_unit(&p, "/src/lib/empty.c");
			put_empty_unit(&p, "a.c");
			put_fill(&p, 0, -p.len & 3);
		}
		if (i < ARRAY_SIZE(offsets))
			offsets[i] = put_member(&p, (struct member){ .types = true });
	}
	CHECK_OK(read_all(&p, &a));
	check_offsets(&a, offsets, ARRAY_SIZE(offsets));
	CHECK_EQ(a.nr_empty, 2);
}

TEST(empty_units_of_gcc_are_passed_over_and_counted)
{
	for (size_t place = 0; place <= 3; place++)
		check_empty_unit_at(place);
}

TEST(an_empty_unit_in_the_other_byte_order)
{
	struct pile p = { 0 };
	CLEANUP(archive_release) struct archive a = { 0 };
	size_t unit = put_empty_unit(&p, "a.c"), at;
	uint16_t magic = swap16(BTF_WIRE_MAGIC, true);
	uint32_t hdr_len = swap32(BTF_HDR_CLASSIC, true);

	memcpy(p.bytes + unit, &magic, sizeof(magic));
	memcpy(p.bytes + unit + 4, &hdr_len, sizeof(hdr_len));
	at = put_member(&p, (struct member){ .types = true, .swap = true });
	CHECK_OK(read_all(&p, &a));
	check_offsets(&a, &at, 1);
	CHECK(a.swap);

	at = put_member(&p, (struct member){ .types = true });
	check_refused_at(&p, 2, at);
}

TEST(only_empty_units_are_no_archive)
{
	struct pile p = { 0 };

	put_empty_unit(&p, "a.c");
	put_empty_unit(&p, "b.c");
	CHECK_REFUSED(&p, "hold no BTF");
}

/* A name that has a whole member in it, as far as a name can. */
TEST(no_header_is_looked_for_in_the_text_of_an_empty_unit)
{
	struct pile p = { 0 };
	CLEANUP(archive_release) struct archive a = { 0 };
	size_t at;

	put_empty_unit(&p, "/src/\x9f\xeb\x01");
	put_empty_unit(&p, "\x9f\xeb");
	at = put_member(&p, (struct member){ .types = true });
	CHECK_OK(read_all(&p, &a));
	check_offsets(&a, &at, 1);
	CHECK_EQ(a.nr_empty, 2);
}

TEST(what_follows_an_empty_unit_must_be_a_header)
{
	struct pile p = { 0 };

	put_member(&p, (struct member){ 0 });
	put_empty_unit(&p, "a.c");
	size_t at = p.len;
	put(&p, "\x9f\xeb\x01\0stray", 9);
	put_member(&p, (struct member){ .types = true });
	check_refused_at(&p, 2, at);
}

TEST(an_empty_unit_without_its_text_is_a_damaged_member)
{
	struct pile p = { 0 };
	size_t unit = (put_member(&p, (struct member){ 0 }), put_empty_unit(&p, "a.c"));
	size_t whole = p.len;

	for (p.len = unit + 1; p.len < whole; p.len++)
		check_refused_at(&p, 2, unit);
	p.len = whole;
	p.bytes[unit + 12] = 4; /* some types after all */
	check_refused_at(&p, 2, unit);
}

TEST(many_small_members)
{
	enum { NR = 40000, SIZE = BTF_HDR_CLASSIC + 1 };
	CLEANUP(archive_release) struct archive a = { 0 };
	uint8_t *bytes = test_keep(malloc((size_t)NR * SIZE));
	struct pile one = { 0 };

	put_member(&one, (struct member){ 0 });
	CHECK_EQ(one.len, SIZE);
	for (size_t i = 0; i < NR; i++)
		memcpy(bytes + i * SIZE, one.bytes, SIZE);
	CHECK_OK(archive_walk((struct bytes){ bytes, (size_t)NR * SIZE }, false, &a));
	CHECK_EQ(a.members.nr, NR);
	CHECK_EQ(a.members.items[NR - 1].offset, (size_t)(NR - 1) * SIZE);
	CHECK(a.members.cap <= 2 * NR);
	CHECK(a.bytes.ptr == bytes);
}

TEST(a_mapped_file_says_the_same_after_its_pages_are_given_back)
{
	enum { NR = 200000, SIZE = BTF_HDR_CLASSIC + 1 }; /* several strides */
	CLEANUP(archive_release) struct archive mapped = { 0 }, plain = { 0 };
	struct pile one = { 0 };
	int fd = memfd_create("archive", MFD_CLOEXEC);
	size_t len = (size_t)NR * SIZE;

	put_member(&one, (struct member){ 0 });
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
