/* SPDX-License-Identifier: GPL-2.0-only */
/* pile.h - .BTF sections end to end, written down byte by byte, and what is found in them */
#ifndef BTFENC_TESTS_LIB_PILE_H
#define BTFENC_TESTS_LIB_PILE_H

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "btf/btf_wire.h"
#include "loader/btf/archive.h"
#include "tests/lib/testlib.h"

/* Bytes that grow while a test writes an archive down. */
struct pile {
	uint8_t bytes[2048];
	size_t len;
};

/* INT int, PTR to it */
static const uint32_t records[] = { 1, 0x01000000, 4, 0x01000020, 0, 0x02000000, 1 };

static inline void put(struct pile *p, const void *bytes, size_t len)
{
	CHECK(len <= sizeof(p->bytes) - p->len);
	memcpy(p->bytes + p->len, bytes, len);
	p->len += len;
}

static inline void put_fill(struct pile *p, uint8_t byte, size_t len)
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
static inline size_t put_member(struct pile *p, struct member m)
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
static inline size_t put_empty_unit(struct pile *p, const char *path)
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
static inline void *exact_copy(const struct pile *p)
{
	void *copy = malloc(p->len ? p->len : 1);

	if (!copy)
		abort();
	memcpy(copy, p->bytes, p->len);
	return copy;
}

static inline void free_copy(void **copy)
{
	free(*copy);
}

/* Walk and open every member, as who combines them does. @a may be NULL. */
static inline struct err *read_all(const struct pile *p, struct archive *ret)
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

static inline void check_offsets(const struct archive *a, const size_t *offsets, size_t nr)
{
	CHECK_EQ(a->members.nr, nr);
	for (size_t i = 0; i < nr; i++)
		CHECK_EQ(a->members.items[i].offset, offsets[i]);
}

/* These members and no others. */
static inline void check_members(const struct pile *p, const size_t *offsets, size_t nr)
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
static inline void check_refused_at(const struct pile *p, size_t nr, size_t offset)
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

static inline struct three make_three(void)
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

/* The strings of member @nr end @more bytes later than they do. */
static inline struct pile stretch(const struct three *t, size_t nr, size_t more)
{
	struct pile p = t->p;
	uint32_t len = load32(p.bytes + t->at[nr] + 20) + (uint32_t)more;

	memcpy(p.bytes + t->at[nr] + 20, &len, sizeof(len));
	return p;
}

#endif
