/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_block.c - see facts_block.h */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "loader/elf/elf_fields.h"

#include <stdlib.h>
#include <zlib.h>

enum { FACTS_MAGIC = 0xdb7f };

/* Offsets in the header. */
enum {
	HEAD_MAGIC = 0,
	HEAD_VERSION = 2,
	HEAD_ADDR_SIZE = 3,
	HEAD_LEN = 4,
	HEAD_KEY_LEN = 8,
	HEAD_KEY_SUM = 12,
	HEAD_KEY_BLOCKS = 20,
	HEAD_SLOTS = 24,
	HEAD_BTF_LEN = 28,
	HEAD_STRINGS_LEN = 32,
	HEAD_CRC = 36,
};

/* Four words, which most processors add in one step. */
typedef uint32_t lanes __attribute__((vector_size(16)));

/*
 * Hot: it reads every byte of an archive. Word i of n counts n - i times in the sum of sums. Lane l adds up the words l,
 * l + 4, l + 8 and so on, so at the end it has counted each of them l times too often.
 */
uint64_t facts_sum(struct bytes btf)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint32_t nr_lanes = sizeof(lanes) / sizeof(uint32_t);
	lanes lane_sum = { 0 }, lane_sums = { 0 }, words;
	uint32_t sum = 0, sums = 0;
	size_t at = 0;

	for (; btf.len - at >= sizeof(words); at += sizeof(words)) {
		memcpy(&words, btf.ptr + at, sizeof(words));
		for (uint32_t l = 0; big && l < nr_lanes; l++)
			words[l] = swap32(words[l], true);
		lane_sum += words;
		lane_sums += lane_sum;
	}
	for (uint32_t l = 0; l < nr_lanes; l++) {
		sum += lane_sum[l];
		sums += nr_lanes * lane_sums[l] - l * lane_sum[l];
	}
	while (at < btf.len) {
		uint32_t word = 0;

		for (size_t i = 0; i < sizeof(word) && at < btf.len; i++, at++)
			word |= (uint32_t)btf.ptr[at] << 8 * i;
		sum += word;
		sums += sum;
	}
	return (uint64_t)sums << 32 | sum;
}

/* --- writing ------------------------------------------------------------------------ */

static void put_bytes(struct byte_vec *out, struct bytes b)
{
	if (!b.len)
		return;
	vec_reserve(out, b.len);
	memcpy(out->items + out->nr, b.ptr, b.len);
	out->nr += b.len;
}

static void put_at(uint8_t *header, const struct facts_parts *p, size_t at, size_t width,
		   uint64_t value)
{
	field_put(header + at, width, p->swap, value);
}

static uint32_t crc_of(const uint8_t *block, size_t slots_len, size_t len)
{
	uint32_t crc = (uint32_t)crc32_z(0, block, HEAD_CRC);
	size_t behind = FACTS_HEADER_LEN + slots_len;

	return (uint32_t)crc32_z(crc, block + behind, len - behind);
}

struct err *facts_block_append(const struct facts_parts *p, struct byte_vec *out)
{
	size_t start = out->nr, slots_len = (size_t)p->nr_slots * p->addr_size;
	uint64_t len = (uint64_t)FACTS_HEADER_LEN + slots_len + p->btf.len + p->strings.len +
		       p->body.len;

	if (len > UINT32_MAX)
		return err_new(ERR_LIMIT, "%s: a block of %#jx bytes", FACTS_SECTION,
			       (uintmax_t)len);
	vec_reserve(out, len);
	memset(out->items + start, 0, FACTS_HEADER_LEN + slots_len);
	out->nr += FACTS_HEADER_LEN;
	if (p->slots.ptr)
		put_bytes(out, p->slots);
	else
		out->nr += slots_len;
	put_bytes(out, p->btf);
	put_bytes(out, p->strings);
	put_bytes(out, p->body);

	uint8_t *header = out->items + start;
	put_at(header, p, HEAD_MAGIC, 2, FACTS_MAGIC);
	put_at(header, p, HEAD_VERSION, 1, FACTS_VERSION);
	put_at(header, p, HEAD_ADDR_SIZE, 1, p->addr_size);
	put_at(header, p, HEAD_LEN, 4, len);
	put_at(header, p, HEAD_KEY_LEN, 4, p->key.len);
	put_at(header, p, HEAD_KEY_SUM, 8, p->key.sum);
	put_at(header, p, HEAD_KEY_BLOCKS, 4, p->key.nr_blocks);
	put_at(header, p, HEAD_SLOTS, 4, p->nr_slots);
	put_at(header, p, HEAD_BTF_LEN, 4, p->btf.len);
	put_at(header, p, HEAD_STRINGS_LEN, 4, p->strings.len);
	put_at(header, p, HEAD_CRC, 4, crc_of(header, slots_len, len));
	return NULL;
}

/* --- reading blocks ------------------------------------------------------------------ */

static uint64_t get_at(const uint8_t *header, bool swap, size_t at, size_t width)
{
	return field_get(header + at, width, swap);
}

struct err *facts_block_open(struct bytes section, size_t *at, bool swap, struct facts_block *ret)
{
	*ret = (struct facts_block){ .swap = swap };
	while (*at < section.len && !section.ptr[*at])
		++*at;
	if (*at == section.len)
		return NULL;

	struct bytes rest = bytes_from(section, *at);
	const uint8_t *p = rest.ptr;
	if (rest.len < FACTS_HEADER_LEN || get_at(p, swap, HEAD_MAGIC, 2) != FACTS_MAGIC)
		return err_new(ERR_FORMAT, "%s+%#zx: no block starts here", FACTS_SECTION, *at);
	if (p[HEAD_VERSION] != FACTS_VERSION)
		return err_new(ERR_UNSUPPORTED, "%s+%#zx: a block of version %u, expected %d",
			       FACTS_SECTION, *at, p[HEAD_VERSION], FACTS_VERSION);

	uint64_t len = get_at(p, swap, HEAD_LEN, 4), nr_slots = get_at(p, swap, HEAD_SLOTS, 4);
	uint64_t btf = get_at(p, swap, HEAD_BTF_LEN, 4),
		 strings = get_at(p, swap, HEAD_STRINGS_LEN, 4);
	uint64_t slots_len = nr_slots * p[HEAD_ADDR_SIZE];
	uint64_t parts = FACTS_HEADER_LEN + slots_len + btf + strings;
	if (len > rest.len || parts > len || (p[HEAD_ADDR_SIZE] != 4 && p[HEAD_ADDR_SIZE] != 8) ||
	    !get_at(p, swap, HEAD_KEY_BLOCKS, 4))
		return err_new(ERR_FORMAT,
			       "%s+%#zx: a block of %#jx bytes, with parts of %#jx, in %#zx",
			       FACTS_SECTION, *at, (uintmax_t)len, (uintmax_t)parts, rest.len);

	const uint8_t *behind = p + FACTS_HEADER_LEN + slots_len;
	ret->all = (struct bytes){ p, (size_t)len };
	ret->addr_size = p[HEAD_ADDR_SIZE];
	ret->nr_slots = (uint32_t)nr_slots;
	ret->crc = (uint32_t)get_at(p, swap, HEAD_CRC, 4);
	ret->key = (struct facts_key){
		.len = (uint32_t)get_at(p, swap, HEAD_KEY_LEN, 4),
		.nr_blocks = (uint32_t)get_at(p, swap, HEAD_KEY_BLOCKS, 4),
		.sum = get_at(p, swap, HEAD_KEY_SUM, 8),
	};
	ret->btf = (struct bytes){ behind, (size_t)btf };
	ret->strings = (struct bytes){ behind + btf, (size_t)strings };
	ret->body = (struct bytes){ behind + btf + strings, (size_t)(len - parts) };
	*at += (size_t)len;
	return NULL;
}

uint64_t facts_block_addr(const struct facts_block *b, uint32_t slot)
{
	if (!slot)
		return 0;
	assert(slot <= b->nr_slots);
	return field_get(b->all.ptr + FACTS_HEADER_LEN + (size_t)(slot - 1) * b->addr_size,
			 b->addr_size, b->swap);
}

struct err *facts_block_check_sum(const struct facts_block *b)
{
	size_t slots_len = (size_t)b->nr_slots * b->addr_size;
	uint32_t crc = crc_of(b->all.ptr, slots_len, b->all.len);

	return crc == b->crc ? NULL :
			       err_new(ERR_FORMAT, "checksum %#x, expected %#x", crc, b->crc);
}

struct err *facts_block_check(const struct facts_block *b, size_t len, uint32_t end_type,
			      struct facts_start *ret)
{
	TRY(facts_block_check_sum(b));
	if (b->strings.len && b->strings.ptr[b->strings.len - 1])
		return err_new(ERR_FORMAT, "the last string has no end");
	return facts_body_check(b, len, end_type, ret);
}
