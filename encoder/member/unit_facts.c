/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_facts.c - see unit_facts.h */
#include "encoder/member/unit_facts.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
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

/* Beside the features, which are fewer. */
#define INCOMPLETE (UINT32_C(1) << 31)
#define RECOMPILED (UINT32_C(1) << 30)

void unit_facts_release(struct unit_facts *f)
{
	FREE_ALL(f->funcs.items, f->vars.items, f->tags.items, f->words.items, f->slots.items);
	*f = (struct unit_facts){ 0 };
}

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

static void put(struct byte_vec *out, uint32_t v)
{
	while (v >= 0x80) {
		vec_push(out, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	vec_push(out, (uint8_t)v);
}

static void put_bytes(struct byte_vec *out, struct bytes b)
{
	if (!b.len)
		return;
	vec_reserve(out, b.len);
	memcpy(out->items + out->nr, b.ptr, b.len);
	out->nr += b.len;
}

static void put_proto(struct byte_vec *out, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	put(out, rec[BTF_REC_SIZE_TYPE]);
	put(out, vlen);
	for (uint32_t i = 0; i < vlen * 2; i++)
		put(out, rec[BTF_REC_WORDS + i]);
}

static void put_tags(struct byte_vec *out, const struct unit_facts *f, uint32_t first, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		put(out, f->tags.items[first + i].value);
		put(out, (uint32_t)f->tags.items[first + i].component + 1);
	}
}

static void put_func(struct byte_vec *out, const struct unit_facts *f,
		     const struct func_facts *func)
{
	put(out, func->name);
	put(out, func->flags << 2 | (uint32_t)func->second_form << 1 | (func->slot != 0));
	put_proto(out, f->words.items + func->proto);
	put(out, func->nr_tags);
	put_tags(out, f, func->tags, func->nr_tags);
}

static void put_var(struct byte_vec *out, const struct unit_facts *f, const struct var_facts *v)
{
	put(out, v->name);
	put(out, v->type);
	put(out, v->size);
	put(out, v->nr_tags << 2 | (uint32_t)(v->added != 0) << 1 | v->external);
	if (v->added)
		put(out, v->added);
	put_tags(out, f, v->tags, v->nr_tags);
}

void facts_body_append(const struct unit_facts *f, struct byte_vec *out)
{
	put(out, f->name);
	put(out, f->lang);
	put(out, f->kabi);
	put(out, f->features | (f->incomplete ? INCOMPLETE : 0) | (f->recompiled ? RECOMPILED : 0));
	put(out, f->level);
	put(out, f->func_start);
	put(out, f->index);
	put(out, (uint32_t)f->funcs.nr);
	for (size_t i = 0; i < f->funcs.nr; i++)
		put_func(out, f, &f->funcs.items[i]);
	put(out, (uint32_t)f->vars.nr);
	for (size_t i = 0; i < f->vars.nr; i++)
		put_var(out, f, &f->vars.items[i]);
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

/* --- reading a body ------------------------------------------------------------------ */

/* Reads on; past the end, or of what is no number, it gives 0 and remembers. */
struct reader {
	const uint8_t *pos, *end;
	bool bad;
	uint32_t end_string, end_type;
	uint32_t slots; /* read so far */
};

static NOINLINE uint32_t get_long(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 35; shift += 7) {
		if (r->pos == r->end)
			break;
		uint8_t byte = *r->pos++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		r->bad |= v > UINT32_MAX;
		return (uint32_t)v;
	}
	r->bad = true;
	return 0;
}

/* Hot: most numbers have one byte or two. */
ALWAYS_INLINE uint32_t get(struct reader *r)
{
	const uint8_t *p = r->pos;

	if (likely(r->end - p >= 2)) {
		if (p[0] < 0x80) {
			r->pos = p + 1;
			return p[0];
		}
		if (p[1] < 0x80) {
			r->pos = p + 2;
			return (p[0] & 0x7fU) | (uint32_t)p[1] << 7;
		}
	}
	return get_long(r);
}

/* A number below @end. */
static uint32_t get_below(struct reader *r, uint32_t end)
{
	uint32_t v = get(r);

	r->bad |= v >= end;
	return r->bad ? 0 : v;
}

/* How many of something follow that takes a byte at least. */
static uint32_t get_count(struct reader *r)
{
	return get_below(r, (uint32_t)(r->end - r->pos) + 1);
}

static uint32_t get_string(struct reader *r)
{
	return get_below(r, r->end_string);
}

static void get_proto(struct reader *r, struct unit_facts *f)
{
	uint32_t ret = get_below(r, r->end_type), vlen = get_count(r);

	vec_push(&f->words, 0);
	vec_push(&f->words, btf_info(BTF_FUNC_PROTO, vlen & BTF_VLEN_MAX, false));
	vec_push(&f->words, ret);
	r->bad |= vlen > BTF_VLEN_MAX;
	for (uint32_t i = 0; i < vlen && !r->bad; i++) {
		vec_push(&f->words, get_string(r));
		vec_push(&f->words, get_below(r, r->end_type));
	}
}

static void get_tags(struct reader *r, struct unit_facts *f, uint32_t nr)
{
	r->bad |= nr > (size_t)(r->end - r->pos);
	for (uint32_t i = 0; i < nr && !r->bad; i++) {
		uint32_t value = get_string(r);

		vec_push(&f->tags, ((struct unit_tag){ value, (int32_t)(get(r) - 1) }));
	}
}

static void get_func(struct reader *r, struct unit_facts *f)
{
	struct func_facts func = { .name = get_string(r) };
	uint32_t word = get(r);

	func.flags = word >> 2;
	func.second_form = word & 2;
	func.slot = word & 1 ? ++r->slots : 0;
	func.proto = (uint32_t)f->words.nr;
	get_proto(r, f);
	func.tags = (uint32_t)f->tags.nr;
	func.nr_tags = get_count(r);
	get_tags(r, f, func.nr_tags);
	r->bad |= !func.name || (func.flags & ~(uint32_t)UNIT_FUNC_STORED) ||
		  (func.second_form && (func.slot || !f->funcs.nr));
	vec_push(&f->funcs, func);
}

static void get_var(struct reader *r, struct unit_facts *f)
{
	struct var_facts v = { .name = get_string(r), .slot = ++r->slots };

	v.type = get_below(r, r->end_type);
	v.size = get(r);
	uint32_t word = get(r);

	v.external = word & 1;
	if (word & 2)
		v.added = get(r);
	v.tags = (uint32_t)f->tags.nr;
	v.nr_tags = word >> 2;
	get_tags(r, f, v.nr_tags);
	vec_push(&f->vars, v);
}

struct err *facts_block_read(const struct facts_block *b, size_t len, uint32_t end_type,
			     struct unit_facts *ret)
{
	CLEANUP(unit_facts_release) struct unit_facts f = { 0 };
	struct reader r = {
		.pos = b->body.ptr,
		.end = b->body.ptr + b->body.len,
		.end_string = (uint32_t)(len + b->strings.len),
		.end_type = end_type,
	};
	size_t slots_len = (size_t)b->nr_slots * b->addr_size;
	uint32_t crc = crc_of(b->all.ptr, slots_len, b->all.len);
	uint32_t expected = (uint32_t)get_at(b->all.ptr, b->swap, HEAD_CRC, 4);

	if (crc != expected)
		return err_new(ERR_FORMAT, "checksum %#x, expected %#x", crc, expected);
	if (b->strings.len && b->strings.ptr[b->strings.len - 1])
		return err_new(ERR_FORMAT, "the last string has no end");
	vec_push(&f.words, 0);
	f.name = get_string(&r);
	f.lang = get_below(&r, UINT16_MAX + 2);
	f.kabi = get_string(&r);
	uint32_t features = get(&r);
	f.features = features & ~(INCOMPLETE | RECOMPILED);
	f.incomplete = features & INCOMPLETE;
	f.recompiled = features & RECOMPILED;
	f.level = get(&r);
	f.func_start = get_below(&r, end_type + 1);
	f.index = get_below(&r, end_type);
	uint32_t nr = get_count(&r);
	for (uint32_t i = 0; i < nr && !r.bad; i++)
		get_func(&r, &f);
	nr = get_count(&r);
	for (uint32_t i = 0; i < nr && !r.bad; i++)
		get_var(&r, &f);
	if (r.bad || r.pos != r.end || r.slots != b->nr_slots)
		return err_new(ERR_FORMAT, "the facts are inconsistent at %#zx of %#zx",
			       (size_t)(r.pos - b->body.ptr), b->body.len);
	*ret = TAKE(f);
	return NULL;
}
