/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * archivemake.h - concatenated .BTF sections, made part by part, and the members that are found in them
 *
 *	struct archivemake m = MAKE_ARCHIVE(T, FILL(0, 3), MEMBER("int; ptr 1", .hdr_len = 32));
 *	CHECK_MEMBERS(&m, "0 60");
 *
 * The types of a member are in the notation of btftext.h.
 */
#ifndef BTFENC_TESTS_LIB_ARCHIVEMAKE_H
#define BTFENC_TESTS_LIB_ARCHIVEMAKE_H

#include "base/cleanup.h"
#include "btf/btf_view.h"
#include "btf/btf_wire.h"
#include "loader/btf/archive.h"
#include "tests/lib/testlib.h"

/* Bytes that grow while a test makes an archive. */
struct archivemake {
	uint8_t bytes[2048];
	size_t len;
};

struct archive_part {
	enum {
		PART_NONE,
		PART_MEMBER,
		PART_MEMBER_UP_TO, /* without types, and its end is at offset @nr */
		PART_UNTYPED,      /* a unit without types, as of gcc 12 -gbtf; @text is its path */
		PART_BYTES,        /* @text */
		PART_FILL,         /* @nr times @byte */
		PART_ALIGN,        /* zeros up to a multiple of @nr */
	} sort;
	const char *types; /* of a member, or NULL */
	const char *text;  /* one more string of a member, or NULL */
	uint32_t hdr_len;  /* 0: 24 */
	bool swap;         /* in the other byte order */
	size_t nr;
	uint8_t byte;

	/* bytes that are others; from the end of the part if @at is negative */
	struct {
		int at;
		uint8_t byte;
	} changes[4];
};

/* clang-format off */
#define MEMBER(types_, ...) { .sort = PART_MEMBER, .types = (types_), __VA_ARGS__ }
#define UP_TO(end) { .sort = PART_MEMBER_UP_TO, .nr = (end) }
#define UNTYPED(path, ...) { .sort = PART_UNTYPED, .text = (path), __VA_ARGS__ }
#define BYTES(string) { .sort = PART_BYTES, .text = (string) }
#define FILL(value, times) { .sort = PART_FILL, .byte = (value), .nr = (times) }
#define ALIGN(multiple) { .sort = PART_ALIGN, .nr = (multiple) }
/* clang-format on */

#define TYPES "int; ptr 1"
#define T MEMBER(TYPES)
#define T_SWAPPED MEMBER(TYPES, .swap = true)
#define M MEMBER(NULL)
/* With headers of three lengths, and at any byte. */
#define THREE_MEMBERS                                                       \
	MEMBER(TYPES, "a", .hdr_len = 32), MEMBER(TYPES, "abcd"), ALIGN(4), \
		MEMBER(TYPES, .hdr_len = 40)

void archive_put(struct archivemake *m, const struct archive_part *parts, size_t nr);

void archive_put_bytes(struct archivemake *m, const void *bytes, size_t len);

struct archivemake make_archive(const struct archive_part *parts, size_t nr);

#define PARTS(...)                                    \
	(const struct archive_part[]){ __VA_ARGS__ }, \
		sizeof((const struct archive_part[]){ __VA_ARGS__ }) / sizeof(struct archive_part)
#define PUT_PARTS(m, ...) archive_put(m, PARTS(__VA_ARGS__))
#define MAKE_ARCHIVE(...) make_archive(PARTS(__VA_ARGS__))

/* Walk @m and open every member. @ret may be NULL. */
struct err *read_all(const struct archivemake *m, struct archive *ret);

/*
 * The content of @m, in memory that is kept: the offsets of its members, "N empty" with the number of units
 * without types, and "swapped".
 */
const char *members_of(const struct archivemake *m);

/* These members and no others. */
#define CHECK_MEMBERS(m, members) CHECK_STR(members_of(m), members)

#define CHECK_REFUSED(m, part) CHECK_ERR_TEXT(read_all(m, NULL), ERR_FORMAT, part)

/* The error names member @nr at @offset. */
void check_refused_at(const struct archivemake *m, size_t nr, size_t offset);

/* THREE_MEMBERS, and where they are. */
struct three {
	struct archivemake m;
	size_t at[3], end[3];
};

struct three make_three(void);

/* The strings of member @nr end @more bytes later than they do. */
struct archivemake stretch(const struct three *t, size_t nr, size_t more);

#endif
