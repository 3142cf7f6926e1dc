/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pile.h - concatenated .BTF sections as a text, and the members that are found in them
 *
 * A text is a sequence of words:
 *
 *	t      a member with types: int, and a pointer to it
 *	m      a member without types
 *	t/32   with a header of 32 bytes instead of 24
 *	t'abc  with one more string, so that it is longer
 *	e'a.c  a unit without types, as gcc 12 -gbtf writes it
 *	~t     in the other byte order
 *	t@2=3  byte 2 of it is 3; t@-1=3: its last byte. Several can follow.
 *	<100   a member without types that ends at offset 100
 *	cc*8   8 bytes 0xcc
 *	0+     zeros up to a multiple of 4
 *	=text  these bytes
 */
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

/* Append the words of @text. Returns the offset of the last one. */
size_t put_words(struct pile *p, const char *text);

struct pile make_pile(const char *text);

/* Memory of exactly these bytes, so that a sanitizer sees each read too far. */
void *exact_copy(const struct pile *p);

static inline void free_copy(void **copy)
{
	free(*copy);
}

/* Walk @p and open every member. @ret may be NULL. */
struct err *read_all(const struct pile *p, struct archive *ret);

/*
 * The content of @p, in memory that is kept: the offsets of its members, "N empty" with the number of units
 * without types, and "swapped".
 */
const char *pile_members(const struct pile *p);

/* These members and no others. */
#define CHECK_MEMBERS(p, members) CHECK_STR(pile_members(p), members)

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
