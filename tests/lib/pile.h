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
size_t put_member(struct pile *p, struct member m);

/* A unit without types as gcc 12 -gbtf writes it. */
size_t put_empty_unit(struct pile *p, const char *path);

/* Memory of exactly these bytes, so that a sanitizer sees each read too far. */
void *exact_copy(const struct pile *p);

static inline void free_copy(void **copy)
{
	free(*copy);
}

/* Walk and open every member, as who combines them does. @a may be NULL. */
struct err *read_all(const struct pile *p, struct archive *ret);

static inline void check_offsets(const struct archive *a, const size_t *offsets, size_t nr)
{
	CHECK_EQ(a->members.nr, nr);
	for (size_t i = 0; i < nr; i++)
		CHECK_EQ(a->members.items[i].offset, offsets[i]);
}

/* These members and no others. */
void check_members(const struct pile *p, const size_t *offsets, size_t nr);

#define CHECK_MEMBERS(p, ...)                             \
	check_members(p, (const size_t[]){ __VA_ARGS__ }, \
		      ARRAY_SIZE(((const size_t[]){ __VA_ARGS__ })))

#define CHECK_REFUSED(p, part) CHECK_ERR_TEXT(read_all(p, NULL), ERR_FORMAT, part)

/* The error names member @nr at @offset. */
void check_refused_at(const struct pile *p, size_t nr, size_t offset);

/* Three members with headers of three lengths, zeros for an alignment before the last. */
struct three {
	struct pile p;
	size_t at[3], end[3];
};

struct three make_three(void);

/* The strings of member @nr end @more bytes later than they do. */
struct pile stretch(const struct three *t, size_t nr, size_t more);

#endif
