/* SPDX-License-Identifier: GPL-2.0-only */
/* archive_seal.c - see archive_seal.h */
#include "encoder/archive/archive_seal.h"

#include "base/arena.h"
#include "btf/btf_wire.h"

#include <inttypes.h>
#include <zlib.h>

#define MAGIC "btfenc-seal-1 "

/* Where the numbers stand behind the magic, and how many digits they have. */
enum {
	LENGTH_AT = sizeof(MAGIC) - 1,
	LENGTH_DIGITS = 16,
	SUM_AT = LENGTH_AT + LENGTH_DIGITS + 1,
	SIZE_AT = SUM_AT + 8 + 1,
	SEALSUM_AT = SIZE_AT + 8 + 1,
	DIGITS = 8, /* of the others */
	OBJECT_AT = BTF_HDR_CLASSIC + 1,
	MAX_OBJECT = 1 << 20,
};

_Static_assert(SEALSUM_AT + DIGITS + 1 == ARCHIVE_SEAL_NUMBERS, "layout of a seal");

uint32_t archive_seal_sum(struct bytes b)
{
	return (uint32_t)crc32_z(0, b.ptr, b.len);
}

size_t archive_seal_padding(uint64_t len)
{
	return (size_t)(-len & (ARCHIVE_SEAL_ALIGN - 1));
}

static void put_digits(uint8_t *to, unsigned int nr, uint64_t v)
{
	static const char digits[] = "0123456789abcdef";

	for (unsigned int i = 0; i < nr; i++)
		to[i] = (uint8_t)digits[v >> 4 * (nr - 1 - i) & 0xf];
}

/* The one way of writing a number that put_digits() has. */
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

/* What is written between the numbers. */
static bool has_frame(const uint8_t *numbers)
{
	return !memcmp(numbers, MAGIC, LENGTH_AT) && numbers[SUM_AT - 1] == ' ' &&
	       numbers[SIZE_AT - 1] == ' ' && numbers[SEALSUM_AT - 1] == ' ' &&
	       numbers[ARCHIVE_SEAL_NUMBERS - 1] == '\0';
}

size_t archive_seal_size(const uint8_t *numbers)
{
	uint64_t size;

	if (!has_frame(numbers) || !get_digits(numbers + SIZE_AT, DIGITS, &size))
		return 0;
	return size > OBJECT_AT + ARCHIVE_SEAL_NUMBERS && size % ARCHIVE_SEAL_ALIGN == 0 ?
		       (size_t)size :
		       0;
}

/* The header is checked field by field, for the sum does not help against what was never a seal. */
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
	return *ret_size <= b.len && *ret_size > OBJECT_AT + ARCHIVE_SEAL_NUMBERS;
}

bool archive_seal_parse(struct bytes b, struct archive_seal *ret)
{
	struct archive_seal s = { 0 };
	uint64_t member_sum, sum;

	if (!parse_header(b, &s.swap, &s.size))
		return false;

	const uint8_t *numbers = b.ptr + s.size - ARCHIVE_SEAL_NUMBERS;
	if (archive_seal_size(numbers) != s.size ||
	    !get_digits(numbers + LENGTH_AT, LENGTH_DIGITS, &s.member_len) ||
	    !get_digits(numbers + SUM_AT, DIGITS, &member_sum) ||
	    !get_digits(numbers + SEALSUM_AT, DIGITS, &sum))
		return false;
	if (sum != archive_seal_sum((struct bytes){ b.ptr, s.size - DIGITS - 1 }) ||
	    !memchr(b.ptr + OBJECT_AT, '\0', s.size - OBJECT_AT - ARCHIVE_SEAL_NUMBERS))
		return false;
	s.member_sum = (uint32_t)member_sum;
	s.object = (const char *)b.ptr + OBJECT_AT;
	*ret = s;
	return true;
}

bool archive_seal_anywhere(struct bytes b)
{
	const uint8_t *p = b.ptr, *end = b.ptr + b.len;
	struct archive_seal seal;

	while (p < end && (p = memmem(p, (size_t)(end - p), MAGIC, LENGTH_AT)) != NULL) {
		if ((size_t)(end - p) < ARCHIVE_SEAL_NUMBERS)
			break;

		size_t size = archive_seal_size(p);
		size_t at = (size_t)(p - b.ptr) + ARCHIVE_SEAL_NUMBERS;
		if (size && size <= at && archive_seal_parse(bytes_from(b, at - size), &seal))
			return true;
		p++;
	}
	return false;
}

struct err *archive_seal_make(const char *object, struct bytes member, bool swap, uint8_t **ret_ptr,
			      size_t *ret_len)
{
	size_t object_len = strlen(object) + 1;

	if (object_len > MAX_OBJECT)
		return err_new(ERR_LIMIT, "the name of an object has %zu bytes", object_len - 1);

	size_t len = OBJECT_AT + object_len + ARCHIVE_SEAL_NUMBERS;
	len += archive_seal_padding(len);

	const struct btf_wire_header h = {
		.magic = swap16(BTF_WIRE_MAGIC, swap),
		.version = BTF_WIRE_VERSION,
		.hdr_len = swap32(BTF_HDR_CLASSIC, swap),
		.str_len = swap32((uint32_t)(len - BTF_HDR_CLASSIC), swap),
	};
	uint8_t *p = mem_zalloc(1, len), *numbers = p + len - ARCHIVE_SEAL_NUMBERS;

	memcpy(p, &h, BTF_HDR_CLASSIC);
	memcpy(p + OBJECT_AT, object, object_len);
	memset(numbers, ' ', ARCHIVE_SEAL_NUMBERS - 1);
	memcpy(numbers, MAGIC, LENGTH_AT);
	put_digits(numbers + LENGTH_AT, LENGTH_DIGITS, member.len);
	put_digits(numbers + SUM_AT, DIGITS, archive_seal_sum(member));
	put_digits(numbers + SIZE_AT, DIGITS, len);
	put_digits(numbers + SEALSUM_AT, DIGITS,
		   archive_seal_sum((struct bytes){ p, len - DIGITS - 1 }));
	*ret_ptr = p;
	*ret_len = len;
	return NULL;
}
