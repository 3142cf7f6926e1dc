/* SPDX-License-Identifier: GPL-2.0-only */
/* t_archive_damaged.c - an archive that was cut, or has wrong lengths, is never read as another one */
#include "loader/btf/archive.h"

#include "tests/lib/archivemake.h"

/* Which member an archive that ends at @len has no end of; 0: it walks well. */
static size_t cut_member(const struct three *t, size_t len)
{
	for (size_t i = 0; i < 3; i++) {
		if (len > t->at[i] && len < t->end[i])
			return i + 1;
	}
	return len ? 0 : 1;
}

TEST(every_cut_is_noticed)
{
	struct three t = make_three();

	for (size_t len = t.m.len; len-- > 0;) {
		struct archivemake cut = t.m;
		size_t nr = cut_member(&t, len);

		cut.len = len;
		/* between two members nothing tells that there were more */
		if (nr)
			check_refused_at(&cut, nr, t.at[nr - 1]);
		else
			CHECK_MEMBERS(&cut, len < t.at[1] + 1 ? "0" : "0 67");
	}
}

/*
 * Damage of member @nr is harmless, and then all members are where they were, or the error
 * is at this member or, if a wrong length led there, at what is taken for the next.
 */
static void check_damaged(const struct three *t, const struct archivemake *m, size_t nr)
{
	struct err *e = read_all(m, NULL);
	size_t at_nr = 0, at = 0, len = 0;

	if (!e) {
		CHECK_MEMBERS(m, "0 67 132");
		return;
	}
	CHECK(sscanf(err_text(e), "member %zu at %zx: %zn", &at_nr, &at, &len) == 2);
	CHECK_ERR_TEXT(e, ERR_FORMAT, ": ");
	CHECK(len);
	if (at_nr == nr + 1)
		CHECK(at >= t->at[nr] && at < t->end[nr]);
	else
		CHECK(at_nr == nr + 2 && at > t->at[nr] && at < m->len);
}

TEST(each_field_of_each_header_damaged)
{
	static const uint32_t values[] = { 0,      1,       2,         3,         4,          8,
					   23,     24,      25,        28,        32,         33,
					   40,     64,      100,       128,       255,        256,
					   0xffff, 0x10000, 0x7ffffff, 0x7ffffff, 0x80000000, -64u,
					   -32u,   -28u,    -24u,      -8u,       -4u,        -1u };

	for (size_t nr = 0; nr < 3; nr++) {
		struct three t = make_three();
		uint32_t hdr_len = load32(t.m.bytes + t.at[nr] + 4);

		for (size_t field = 0; field < hdr_len; field += 4) {
			uint32_t old = load32(t.m.bytes + t.at[nr] + field);

			for (size_t i = 0; i < 2 * ARRAY_SIZE(values); i++) {
				struct archivemake m = t.m;
				uint32_t v = values[i / 2] + (i % 2 ? old : 0);

				memcpy(m.bytes + t.at[nr] + field, &v, sizeof(v));
				check_damaged(&t, &m, nr);
			}
		}
	}
}

TEST(no_bit_drops_a_member_in_silence)
{
	struct three t = make_three();

	for (size_t bit = 0; bit < t.m.len * 8; bit++) {
		struct archivemake m = t.m;
		size_t nr = 0;

		while (nr < 2 && bit / 8 >= t.at[nr + 1])
			nr++;
		m.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		check_damaged(&t, &m, nr);
	}
}

TEST(members_that_overlap_are_refused)
{
	struct three t = make_three();

	for (size_t nr = 0; nr < 3; nr++) {
		size_t padding = nr < 2 ? t.at[nr + 1] - t.end[nr] : 0;

		for (size_t more = padding + 1; more < 256; more++) {
			struct archivemake m = stretch(&t, nr, more);

			check_damaged(&t, &m, nr);
			CHECK_REFUSED(&m, "member ");
		}
	}
}

TEST(a_member_does_not_take_in_the_next)
{
	struct three t = make_three();
	struct archivemake both = stretch(&t, 0, t.end[1] - t.end[0]);
	struct archivemake all = stretch(&t, 0, t.end[2] - t.end[0]);
	struct archivemake last = stretch(&t, 1, t.end[2] - t.end[1]);

	CHECK_REFUSED(&both, "member 1 at 0: BTF+0x43: another header among the strings");
	CHECK_REFUSED(&all, "member 1 at 0: BTF+0x84: another header among the strings");
	CHECK_REFUSED(&last, "member 2 at 0x43: BTF+0x41: another header among the strings");
}

TEST(a_member_does_not_take_in_the_last_and_the_padding)
{
	struct three t = make_three();

	PUT_PARTS(&t.m, FILL(0, 7));
	for (size_t zeros = 0; zeros <= 7; zeros++) {
		struct archivemake m = stretch(&t, 1, t.end[2] - t.end[1] + zeros);

		CHECK_REFUSED(&m, "member 2 at 0x43: BTF+0x41: another header among the strings");
	}
}

TEST(nor_does_one_in_the_other_byte_order)
{
	struct archivemake m = MAKE_ARCHIVE(T_SWAPPED, T_SWAPPED);
	uint32_t len = swap32(sizeof("\0int") + 57, true);

	CHECK_MEMBERS(&m, "0 57, swapped");
	memcpy(m.bytes + 20, &len, sizeof(len));
	CHECK_REFUSED(&m, "member 1 at 0: BTF+0x39: another header among the strings");
}

/* Any bytes may stand behind the last string, as long as they end with a zero. */
TEST(what_only_looks_like_a_header_may_be_among_the_strings)
{
	static const struct {
		size_t offset;
		uint8_t byte;
	} changes[] = { { 0, 0x9e }, { 1, 0xea }, { 2, 2 }, { 3, 1 }, { 4, 23 } };

	for (size_t i = 0; i < ARRAY_SIZE(changes); i++) {
		struct three t = make_three();
		struct archivemake m = stretch(&t, 0, t.end[1] - t.end[0]);

		m.bytes[t.at[1] + changes[i].offset] = changes[i].byte;
		CHECK_MEMBERS(&m, "0 132");
	}
}

TEST(so_may_a_member_that_ends_too_early)
{
	struct three t = make_three();
	struct archivemake m = { 0 };

	archive_put_bytes(&m, t.m.bytes, t.end[0]);
	archive_put_bytes(&m, t.m.bytes + t.at[1], t.end[1] - t.at[1]);
	archive_put_bytes(&m, "and more", 9);
	m = stretch(&(struct three){ .m = m }, 0, m.len - t.end[0]);
	PUT_PARTS(&m, T);
	CHECK_MEMBERS(&m, "0 138");
}

/* Four zeros precede the strings, which were at 72. btfenc does not know the header from 40 on. */
TEST(nothing_lies_outside_of_the_sections)
{
	struct archivemake gap =
		MAKE_ARCHIVE(MEMBER(TYPES, .hdr_len = 44,
				    .changes = { { 16, 0x20 }, { 73, 0 }, { 74, 0 }, { 75, 0 } }),
			     BYTES("int"), FILL(0, 1));
	struct archivemake in_gap =
		MAKE_ARCHIVE(MEMBER(TYPES, .hdr_len = 44,
				    .changes = { { 16, 0x20 }, { 73, 0 }, { 74, 1 }, { 75, 0 } }),
			     BYTES("int"), FILL(0, 1));
	struct archivemake in_header = MAKE_ARCHIVE(MEMBER(TYPES, .hdr_len = 44,
							   .changes = { { 40, 1 } }),
						    FILL(0, 4));

	CHECK_MEMBERS(&gap, "0");
	CHECK_REFUSED(&in_gap, "member 1 at 0: BTF+0x4a: 0x1 outside of all sections");
	CHECK_REFUSED(&in_header, "member 1 at 0: BTF+0x28: 0x1 outside of all sections");
}

/* A member with a layout section, which no reader needs. */
static struct archivemake make_layout(uint32_t off, uint8_t gap_byte)
{
	struct archivemake plain = MAKE_ARCHIVE(T), m = { 0 };
	struct btf_wire_header h = { 0 };

	memcpy(&h, plain.bytes, BTF_HDR_CLASSIC);
	h.hdr_len = BTF_HDR_LAYOUT;
	h.str_off = h.type_len + off + 8;
	h.layout_off = h.type_len + off;
	h.layout_len = 8;
	archive_put_bytes(&m, &h, sizeof(h));
	archive_put_bytes(&m, plain.bytes + BTF_HDR_CLASSIC, h.type_len);
	PUT_PARTS(&m, FILL(gap_byte, off), FILL(0x11, 8));
	archive_put_bytes(&m, plain.bytes + BTF_HDR_CLASSIC + h.type_len, h.str_len);
	PUT_PARTS(&m, T);
	return m;
}

TEST(a_layout_section_is_part_of_its_member)
{
	struct archivemake tight = make_layout(0, 0), gap = make_layout(4, 0),
			   junk = make_layout(4, 3);

	CHECK_MEMBERS(&tight, "0 73");
	CHECK_MEMBERS(&gap, "0 77");
	CHECK_REFUSED(&junk, "member 1 at 0: BTF+0x3c: 0x3 outside of all sections");
}

TEST(lengths_near_the_end_of_32_bits_do_not_wrap)
{
	struct three t = make_three();

	for (size_t field = 8; field <= 20; field += 4) {
		for (uint32_t v = 0xffffff00; v; v++) {
			struct archivemake m = t.m;

			memcpy(m.bytes + t.at[1] + field, &v, sizeof(v));
			check_refused_at(&m, 2, t.at[1]);
		}
	}
}
