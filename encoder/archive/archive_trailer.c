/* SPDX-License-Identifier: GPL-2.0-only */
/* archive_trailer.c - see archive_trailer.h */
#include "encoder/archive/archive_trailer.h"

#include "base/arena.h"
#include "btf/btf_wire.h"

#include <inttypes.h>
#include <zlib.h>

#define MAGIC "btfenc-seal-1 "

/* Offsets behind the magic, and numbers of digits. */
enum {
	LENGTH_AT = sizeof(MAGIC) - 1,
	LENGTH_DIGITS = 16,
	SUM_AT = LENGTH_AT + LENGTH_DIGITS + 1,
	SIZE_AT = SUM_AT + 8 + 1,
	TRAILERSUM_AT = SIZE_AT + 8 + 1,
	DIGITS = 8, /* of the others */
	OBJECT_AT = BTF_HDR_CLASSIC + 1,
	MAX_OBJECT = 1 << 20,
};

_Static_assert(TRAILERSUM_AT + DIGITS + 1 == ARCHIVE_TRAILER_NUMBERS, "layout of a trailer");

uint32_t archive_trailer_sum(struct bytes b)
{
	return (uint32_t)crc32_z(0, b.ptr, b.len);
}

size_t archive_trailer_padding(uint64_t len)
{
	return (size_t)(-len & (ARCHIVE_TRAILER_ALIGN - 1));
}

static void put_digits(uint8_t *to, unsigned int nr, uint64_t v)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned int i = 0; i < nr; i++)
		to[i] = (uint8_t)digits[v >> 4 * (nr - 1 - i) & 0xf];
}

/* Accepts only the form that put_digits() writes. */
static bool get_digits(const uint8_t *p, unsigned int nr, uint64_t *ret)
{
	*ret = 0;
	for (unsigned int i = 0; i < nr; i++) {
		if (p[i] >= '0' && p[i] <= '9')
			*ret = *ret << 4 | (uint64_t)(p[i] - '0');
		else if (p[i] >= 'a' && p[i] <= 'f')
			*ret = *ret << 4 | (uint64_t)(p[i] - 'a' + 10);
		else
			return false;
	}
	return true;
}

/* Check all bytes between the numbers. */
static bool has_frame(const uint8_t *numbers)
{
	return !memcmp(numbers, MAGIC, LENGTH_AT) && numbers[SUM_AT - 1] == ' ' &&
	       numbers[SIZE_AT - 1] == ' ' && numbers[TRAILERSUM_AT - 1] == ' ' &&
	       numbers[ARCHIVE_TRAILER_NUMBERS - 1] == '\0';
}

size_t archive_trailer_size(const uint8_t *numbers)
{
	uint64_t size;

	if (!has_frame(numbers) || !get_digits(numbers + SIZE_AT, DIGITS, &size))
		return 0;
	return size > OBJECT_AT + ARCHIVE_TRAILER_NUMBERS && size % ARCHIVE_TRAILER_ALIGN == 0 ?
		       (size_t)size :
		       0;
}

/* Check each field of the header: only the checksum of a trailer is at a known offset. */
static bool parse_header(struct bytes b, bool *ret_swap, size_t *ret_size)
{
	struct btf_wire_header h;

	if (b.len < OBJECT_AT)
		return false;
	memcpy(&h, b.ptr, BTF_HDR_CLASSIC);

	bool swap = h.magic == swap16(BTF_WIRE_MAGIC, true);
	if ((h.magic != BTF_WIRE_MAGIC && !swap) || h.version != BTF_WIRE_VERSION || h.flags ||
	    swap32(h.hdr_len, swap) != BTF_HDR_CLASSIC || h.type_off || h.type_len || h.str_off)
		return false;
	*ret_swap = swap;
	*ret_size = BTF_HDR_CLASSIC + (size_t)swap32(h.str_len, swap);
	return *ret_size <= b.len && *ret_size > OBJECT_AT + ARCHIVE_TRAILER_NUMBERS;
}

bool archive_trailer_parse(struct bytes b, struct archive_trailer *ret)
{
	struct archive_trailer s = { 0 };
	uint64_t member_sum, sum;

	if (!parse_header(b, &s.swap, &s.size))
		return false;

	const uint8_t *numbers = b.ptr + s.size - ARCHIVE_TRAILER_NUMBERS;
	if (archive_trailer_size(numbers) != s.size ||
	    !get_digits(numbers + LENGTH_AT, LENGTH_DIGITS, &s.member_len) ||
	    !get_digits(numbers + SUM_AT, DIGITS, &member_sum) ||
	    !get_digits(numbers + TRAILERSUM_AT, DIGITS, &sum))
		return false;
	if (sum != archive_trailer_sum((struct bytes){ b.ptr, s.size - DIGITS - 1 }) ||
	    !memchr(b.ptr + OBJECT_AT, '\0', s.size - OBJECT_AT - ARCHIVE_TRAILER_NUMBERS))
		return false;
	s.member_sum = (uint32_t)member_sum;
	s.object = (const char *)b.ptr + OBJECT_AT;
	*ret = s;
	return true;
}

bool archive_trailer_anywhere(struct bytes b)
{
	const uint8_t *p = b.ptr, *end = b.ptr + b.len;
	struct archive_trailer trailer;

	while (p < end && (p = memmem(p, (size_t)(end - p), MAGIC, LENGTH_AT)) != NULL) {
		if ((size_t)(end - p) < ARCHIVE_TRAILER_NUMBERS)
			break;

		size_t size = archive_trailer_size(p);
		size_t at = (size_t)(p - b.ptr) + ARCHIVE_TRAILER_NUMBERS;
		if (size && size <= at && archive_trailer_parse(bytes_from(b, at - size), &trailer))
			return true;
		p++;
	}
	return false;
}

struct err *archive_trailer_make(const char *object, struct bytes member, bool swap,
				 uint8_t **ret_ptr, size_t *ret_len)
{
	size_t object_len = strlen(object) + 1;

	if (object_len > MAX_OBJECT)
		return err_new(ERR_LIMIT, "the name of an object has %zu bytes", object_len - 1);

	size_t len = OBJECT_AT + object_len + ARCHIVE_TRAILER_NUMBERS;
	len += archive_trailer_padding(len);

	const struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = BTF_WIRE_VERSION,
		.hdr_len = swap32(BTF_HDR_CLASSIC, swap),
		.str_len = swap32((uint32_t)(len - BTF_HDR_CLASSIC), swap),
	};
	uint8_t *p = mem_zalloc(1, len), *numbers = p + len - ARCHIVE_TRAILER_NUMBERS;

	memcpy(p, &h, BTF_HDR_CLASSIC);
	memcpy(p + OBJECT_AT, object, object_len);
	memset(numbers, ' ', ARCHIVE_TRAILER_NUMBERS - 1);
	memcpy(numbers, MAGIC, LENGTH_AT);
	put_digits(numbers + LENGTH_AT, LENGTH_DIGITS, member.len);
	put_digits(numbers + SUM_AT, DIGITS, archive_trailer_sum(member));
	put_digits(numbers + SIZE_AT, DIGITS, len);
	put_digits(numbers + TRAILERSUM_AT, DIGITS,
		   archive_trailer_sum((struct bytes){ p, len - DIGITS - 1 }));
	*ret_ptr = p;
	*ret_len = len;
	return NULL;
}
