/* SPDX-License-Identifier: GPL-2.0-only */
/* bytes.h - a borrowed range of bytes, unaligned loads, and beginnings of strings */
#ifndef BTFENC_BASE_BYTES_H
#define BTFENC_BASE_BYTES_H

#include "base/compiler.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Owns nothing; @ptr may be NULL when @len is 0. */
struct bytes {
	const uint8_t *ptr;
	size_t len;
};

/* The rest of @b from @pos, which must be inside or at the end. */
static inline struct bytes bytes_from(struct bytes b, size_t pos)
{
	assert(pos <= b.len);
	return (struct bytes){ b.ptr + pos, b.len - pos };
}

/* Does [@pos, @pos + @len) lie in @b? Cannot overflow. */
static inline bool bytes_have(struct bytes b, uint64_t pos, uint64_t len)
{
	return pos <= b.len && len <= b.len - pos;
}

static inline bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

ALWAYS_INLINE uint16_t load16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE uint32_t load32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

ALWAYS_INLINE uint64_t load64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The index in memory of the first byte of @w that is not 0. @w is not 0. */
ALWAYS_INLINE unsigned int first_byte(uint64_t w)
{
	bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

	return (unsigned int)(little ? __builtin_ctzll(w) : __builtin_clzll(w)) / 8;
}

ALWAYS_INLINE uint16_t swap16(uint16_t v, bool swap)
{
	return swap ? __builtin_bswap16(v) : v;
}

ALWAYS_INLINE uint32_t swap32(uint32_t v, bool swap)
{
	return swap ? __builtin_bswap32(v) : v;
}

ALWAYS_INLINE uint64_t swap64(uint64_t v, bool swap)
{
	return swap ? __builtin_bswap64(v) : v;
}

/* Set the highest bit in each byte of @w that is zero, and no other bit. */
ALWAYS_INLINE uint64_t zero_bytes(uint64_t w)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7f;

	return ~(((w & low) + low) | w | low);
}

/* The number of bytes before the first zero of the 8 bytes at @p; 8 if there is none. */
ALWAYS_INLINE unsigned int len_in_8(const void *p)
{
	uint64_t zeros = zero_bytes(load64(p));

	return zeros ? first_byte(zeros) : 8;
}

#endif
