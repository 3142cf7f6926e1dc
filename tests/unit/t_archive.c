/* SPDX-License-Identifier: GPL-2.0-only */
#include "loader/archive.h"

#include "base/cleanup.h"
#include "dedup/btf_view.h"
#include "dedup/btf_wire.h"
#include "tests/lib/testlib.h"

#include <sys/mman.h>
#include <unistd.h>

/* Bytes that grow while a test writes an archive down. */
struct pile {
	uint8_t bytes[2048];
	size_t len;
};

/* INT int, PTR to it */
static const uint32_t records[] = { 1, 0x01000000, 4, 0x01000020, 0, 0x02000000, 1 };

static void put(struct pile *p, const void *bytes, size_t len)
{
	CHECK(len <= sizeof(p->bytes) - p->len);
	memcpy(p->bytes + p->len, bytes, len);
	p->len += len;
}

static void put_fill(struct pile *p, uint8_t byte, size_t len)
{
	while (len--)
		put(p, &byte, 1);
}

/* What a member has; zeroed is one without types in our byte order. */
struct member {
	uint32_t hdr_len; /* 0: 24 */
	bool types, swap;
	const char *name; /* one more string, to get another length */
};

/* Offset of the new member. */
static size_t put_member(struct pile *p, struct member m)
{
	size_t at = p->len, hdr_len = m.hdr_len ? m.hdr_len : BTF_HDR_CLASSIC;
	size_t type_len = m.types ? sizeof(records) : 0;
	size_t str_len = (m.types ? sizeof("\0int") : 1) + (m.name ? strlen(m.name) + 1 : 0);
	struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, m.swap),
		.version = 1,
		.hdr_len = swap32((uint32_t)hdr_len, m.swap),
		.type_len = swap32((uint32_t)type_len, m.swap),
		.str_off = swap32((uint32_t)type_len, m.swap),
		.str_len = swap32((uint32_t)str_len, m.swap),
	};

	put(p, &h, hdr_len < sizeof(h) ? hdr_len : sizeof(h));
	put_fill(p, 0, at + hdr_len - p->len);
	for (size_t i = 0; m.types && i < ARRAY_SIZE(records); i++) {
		uint32_t w = swap32(records[i], m.swap);

		put(p, &w, sizeof(w));
	}
	put(p, "\0int", m.types ? sizeof("\0int") : 1);
	if (m.name)
		put(p, m.name, strlen(m.name) + 1);
	return at;
}

/* A unit without types as gcc 12 -gbtf writes it. */
static size_t put_empty_unit(struct pile *p, const char *path)
{
	struct btf_wire_header h = {
		.magic = BTF_WIRE_MAGIC,
		.version = 1,
		.hdr_len = BTF_HDR_CLASSIC,
	};
	size_t at = p->len;

	put(p, &h, BTF_HDR_CLASSIC);
	put(p, "", 1);
	put(p, path, strlen(path) + 1);
	put(p, "", 1);
	return at;
}

/* Memory of exactly these bytes, so that a sanitizer sees each read too far. */
static void *exact_copy(const struct pile *p)
{
	void *copy = malloc(p->len ? p->len : 1);

	if (!copy)
		abort();
	memcpy(copy, p->bytes, p->len);
	return copy;
}

static void free_copy(void **copy)
{
	free(*copy);
}

/* Walk and open every member, as who combines them does. @a may be NULL. */
static struct err *read_all(const struct pile *p, struct archive *ret)
{
	CLEANUP(free_copy) void *copy = exact_copy(p);
	CLEANUP(archive_release) struct archive a = { 0 };
	struct err *e = archive_walk((struct bytes){ copy, p->len }, false, &a);

	if (e)
		CHECK(!a.members.items && !a.bytes.ptr); /* untouched */
	TRY(e);
	for (size_t i = 0; i < a.members.nr; i++) {
		CLEANUP(btf_view_release) struct btf_view v = { 0 };

		TRY(err_at(btf_view_open(archive_bytes(&a, i), NULL, &v), "member %zu at %#zx",
			   i + 1, a.members.items[i].offset));
		CHECK_EQ(v.size, a.members.items[i].size);
		CHECK_EQ(v.swapped, a.swap);
	}
	if (ret) {
		*ret = TAKE(a);
		ret->bytes = (struct bytes){ 0 };
	}
	return NULL;
}

static void check_offsets(const struct archive *a, const size_t *offsets, size_t nr)
{
	CHECK_EQ(a->members.nr, nr);
	for (size_t i = 0; i < nr; i++)
		CHECK_EQ(a->members.items[i].offset, offsets[i]);
}

/* These members and no others. */
static void check_members(const struct pile *p, const size_t *offsets, size_t nr)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	CHECK_OK(read_all(p, &a));
	check_offsets(&a, offsets, nr);
}

#define CHECK_MEMBERS(p, ...)                             \
	check_members(p, (const size_t[]){ __VA_ARGS__ }, \
		      ARRAY_SIZE(((const size_t[]){ __VA_ARGS__ })))

#define CHECK_REFUSED(p, part) CHECK_ERR_TEXT(read_all(p, NULL), ERR_FORMAT, part)

/* The error names member @nr at @offset. */
static void check_refused_at(const struct pile *p, size_t nr, size_t offset)
{
	char place[64];

	snprintf(place, sizeof(place), "member %zu at %#zx: ", nr, offset);
	CHECK_REFUSED(p, place);
}

/* Three members with headers of three lengths, zeros for an alignment before the last. */
struct three {
	struct pile p;
	size_t at[3], end[3];
};

static struct three make_three(void)
{
	struct three t = { 0 };

	t.at[0] = put_member(&t.p, (struct member){ .types = true, .hdr_len = 32, .name = "a" });
	t.end[0] = t.p.len;
	t.at[1] = put_member(&t.p, (struct member){ .types = true, .name = "abcd" });
	t.end[1] = t.p.len;
	put_fill(&t.p, 0, -t.p.len & 3);
	t.at[2] = put_member(&t.p, (struct member){ .types = true, .hdr_len = 40 });
	t.end[2] = t.p.len;
	CHECK(t.at[1] % 2 && t.at[2] > t.end[1]);
	return t;
}

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

	for (size_t len = t.p.len; len-- > 0;) {
		struct pile cut = t.p;
		size_t nr = cut_member(&t, len);
		CLEANUP(archive_release) struct archive a = { 0 };

		cut.len = len;
		if (nr) {
			check_refused_at(&cut, nr, t.at[nr - 1]);
			continue;
		}
		/* between two members: nothing tells that there were more */
		CHECK_OK(read_all(&cut, &a));
		check_offsets(&a, t.at, len < t.at[1] + 1 ? 1 : 2);
	}
}

/*
 * Damage of member @nr is harmless, and then all members are where they were, or the error
 * is at this member or, if a wrong length led there, at what is taken for the next.
 */
static void check_damaged(const struct three *t, const struct pile *p, size_t nr)
{
	CLEANUP(archive_release) struct archive a = { 0 };
	struct err *e = read_all(p, &a);
	size_t at_nr = 0, at = 0, len = 0;

	if (!e) {
		check_offsets(&a, t->at, 3);
		return;
	}
	CHECK(sscanf(err_text(e), "member %zu at %zx: %zn", &at_nr, &at, &len) == 2);
	CHECK_ERR_TEXT(e, ERR_FORMAT, ": ");
	CHECK(len);
	if (at_nr == nr + 1)
		CHECK(at >= t->at[nr] && at < t->end[nr]);
	else
		CHECK(at_nr == nr + 2 && at > t->at[nr] && at < p->len);
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
		uint32_t hdr_len = load32(t.p.bytes + t.at[nr] + 4);

		for (size_t field = 0; field < hdr_len; field += 4) {
			uint32_t old = load32(t.p.bytes + t.at[nr] + field);

			for (size_t i = 0; i < 2 * ARRAY_SIZE(values); i++) {
				struct pile p = t.p;
				uint32_t v = values[i / 2] + (i % 2 ? old : 0);

				memcpy(p.bytes + t.at[nr] + field, &v, sizeof(v));
				check_damaged(&t, &p, nr);
			}
		}
	}
}

TEST(no_bit_drops_a_member_in_silence)
{
	struct three t = make_three();

	for (size_t bit = 0; bit < t.p.len * 8; bit++) {
		struct pile p = t.p;
		size_t nr = 0;

		while (nr < 2 && bit / 8 >= t.at[nr + 1])
			nr++;
		p.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		check_damaged(&t, &p, nr);
	}
}

/* The strings of member @nr end @more bytes later than they do. */
static struct pile stretch(const struct three *t, size_t nr, size_t more)
{
	struct pile p = t->p;
	uint32_t len = load32(p.bytes + t->at[nr] + 20) + (uint32_t)more;

	memcpy(p.bytes + t->at[nr] + 20, &len, sizeof(len));
	return p;
}

TEST(members_that_overlap_are_refused)
{
	struct three t = make_three();

	for (size_t nr = 0; nr < 3; nr++) {
		size_t padding = nr < 2 ? t.at[nr + 1] - t.end[nr] : 0;

		for (size_t more = padding + 1; more < 256; more++) {
			struct pile p = stretch(&t, nr, more);

			check_damaged(&t, &p, nr);
			CHECK_REFUSED(&p, "member ");
		}
	}
}

TEST(a_member_does_not_take_in_the_next)
{
	struct three t = make_three();
	struct pile both = stretch(&t, 0, t.end[1] - t.end[0]);
	struct pile all = stretch(&t, 0, t.end[2] - t.end[0]);
	struct pile last = stretch(&t, 1, t.end[2] - t.end[1]);

	CHECK_REFUSED(&both, "member 1 at 0: BTF+0x43: another header among the strings");
	CHECK_REFUSED(&all, "member 1 at 0: BTF+0x84: another header among the strings");
	CHECK_REFUSED(&last, "member 2 at 0x43: BTF+0x41: another header among the strings");
}

TEST(a_member_does_not_take_in_the_last_and_the_padding)
{
	struct three t = make_three();

	put_fill(&t.p, 0, 7);
	for (size_t zeros = 0; zeros <= 7; zeros++) {
		struct pile p = stretch(&t, 1, t.end[2] - t.end[1] + zeros);

		CHECK_REFUSED(&p, "member 2 at 0x43: BTF+0x41: another header among the strings");
	}
}

TEST(nor_does_one_in_the_other_byte_order)
{
	struct pile p = { 0 };
	size_t first = put_member(&p, (struct member){ .types = true, .swap = true });
	size_t second = put_member(&p, (struct member){ .types = true, .swap = true });
	uint32_t len = swap32((uint32_t)(sizeof("\0int") + p.len - second), true);

	CHECK_MEMBERS(&p, first, second);
	memcpy(p.bytes + first + 20, &len, sizeof(len));
	CHECK_REFUSED(&p, "member 1 at 0: BTF+0x39: another header among the strings");
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
		struct pile p = stretch(&t, 0, t.end[1] - t.end[0]);

		p.bytes[t.at[1] + changes[i].offset] = changes[i].byte;
		CHECK_MEMBERS(&p, 0, t.at[2]);
	}
}

TEST(so_may_a_member_that_ends_too_early)
{
	struct three t = make_three();
	struct pile p = { 0 };
	size_t second;

	put(&p, t.p.bytes, t.end[0]);
	put(&p, t.p.bytes + t.at[1], t.end[1] - t.at[1]);
	put(&p, "and more", 9);
	p = stretch(&(struct three){ .p = p }, 0, p.len - t.end[0]);
	second = put_member(&p, (struct member){ .types = true });
	CHECK_MEMBERS(&p, 0, second);
}

TEST(nothing_lies_outside_of_the_sections)
{
	struct pile p = { 0 }, q;
	uint32_t w;

	put_member(&p, (struct member){ .types = true, .hdr_len = 44 });
	put_fill(&p, 0, 4);
	q = p;
	w = sizeof(records) + 4;
	memcpy(q.bytes + 16, &w, sizeof(w)); /* a gap before the strings: the first string */
	memcpy(q.bytes + 44 + sizeof(records), "\0\0\0\0\0int", 9);
	CHECK_MEMBERS(&q, 0);
	q.bytes[44 + sizeof(records) + 2] = 1;
	CHECK_REFUSED(&q, "member 1 at 0: BTF+0x4a: 0x1 outside of all sections");
	q = p;
	q.bytes[40] = 1; /* a part of the header that we do not know */
	CHECK_REFUSED(&q, "member 1 at 0: BTF+0x28: 0x1 outside of all sections");
}

/* A member with a layout section, which nobody needs. */
static struct pile make_layout(uint32_t off, uint32_t gap_byte)
{
	struct pile p = { 0 };
	struct btf_wire_header h = {
		.magic = BTF_WIRE_MAGIC,
		.version = 1,
		.hdr_len = BTF_HDR_LAYOUT,
		.type_len = sizeof(records),
		.str_off = sizeof(records) + off + 8,
		.str_len = 5,
		.layout_off = sizeof(records) + off,
		.layout_len = 8,
	};

	put(&p, &h, sizeof(h));
	put(&p, records, sizeof(records));
	put_fill(&p, (uint8_t)gap_byte, off);
	put_fill(&p, 0x11, 8);
	put(&p, "\0int", 5);
	put_member(&p, (struct member){ .types = true });
	return p;
}

TEST(a_layout_section_is_part_of_its_member)
{
	struct pile tight = make_layout(0, 0), gap = make_layout(4, 0), junk = make_layout(4, 3);

	CHECK_MEMBERS(&tight, 0, 32 + sizeof(records) + 13);
	CHECK_MEMBERS(&gap, 0, 32 + sizeof(records) + 17);
	CHECK_REFUSED(&junk, "member 1 at 0: BTF+0x3c: 0x3 outside of all sections");
}

TEST(lengths_near_the_end_of_32_bits_do_not_wrap)
{
	struct three t = make_three();

	for (size_t field = 8; field <= 20; field += 4) {
		for (uint32_t v = 0xffffff00; v; v++) {
			struct pile p = t.p;

			memcpy(p.bytes + t.at[1] + field, &v, sizeof(v));
			check_refused_at(&p, 2, t.at[1]);
		}
	}
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
