/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_block.c - see facts_block.h */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "encoder/unit/unit_btf.h"
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

/* Writes a body. */
struct writer {
	const struct unit_facts *f;
	const struct facts_ids *ids;
	struct byte_vec *out;
};

static void put_string(const struct writer *w, uint32_t id)
{
	put(w->out, id ? w->ids->string(w->ids->ctx, id) : 0);
}

static void put_type(const struct writer *w, unit_tid t)
{
	put(w->out, t ? w->ids->type(w->ids->ctx, t) : 0);
}

static void put_proto(const struct writer *w, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	put_type(w, rec[BTF_REC_SIZE_TYPE]);
	put(w->out, vlen);
	for (uint32_t i = 0; i < vlen; i++) {
		put_string(w, rec[BTF_REC_WORDS + 2 * i]);
		put_type(w, rec[BTF_REC_WORDS + 2 * i + 1]);
	}
}

static void put_tags(const struct writer *w, uint32_t first, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		put_string(w, w->f->tags.items[first + i].value);
		put(w->out, (uint32_t)w->f->tags.items[first + i].component + 1);
	}
}

static void put_func(const struct writer *w, const struct func_facts *func)
{
	bool slot = func->has_addr && !func->second_form;

	put_string(w, func->name);
	put(w->out, func->flags << 2 | (uint32_t)func->second_form << 1 | slot);
	put_proto(w, w->f->words.items + func->proto);
	put(w->out, func->nr_tags);
	put_tags(w, func->tags, func->nr_tags);
}

static void put_var(const struct writer *w, const struct var_facts *v)
{
	put_string(w, v->name);
	put_type(w, v->type);
	put(w->out, v->size <= UINT32_MAX ? (uint32_t)v->size : 0);
	put(w->out, v->nr_tags << 2 | (uint32_t)(v->added != 0) << 1 | v->external);
	if (v->added)
		put(w->out, (uint32_t)v->added);
	put_tags(w, v->tags, v->nr_tags);
}

void facts_body_append(const struct unit_facts *f, const struct facts_start *start,
		       const struct facts_ids *ids, struct byte_vec *out)
{
	const struct facts_head *h = &f->head;
	const struct writer w = { f, ids, out };

	put_string(&w, h->name);
	put(out, h->lang);
	put_string(&w, h->kabi);
	put(out, h->features | (h->incomplete ? INCOMPLETE : 0) | (h->recompiled ? RECOMPILED : 0));
	put(out, h->level);
	put(out, start->func_start);
	put(out, start->index);
	put(out, (uint32_t)f->funcs.nr);
	for (size_t i = 0; i < f->funcs.nr; i++)
		put_func(&w, &f->funcs.items[i]);
	put(out, (uint32_t)f->vars.nr);
	for (size_t i = 0; i < f->vars.nr; i++)
		put_var(&w, &f->vars.items[i]);
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
	uint32_t nr_funcs, slots; /* read so far */
	const struct facts_block *b;
	const struct facts_ids *ids; /* NULL: only check */
	bool has_addr;               /* of the last function that is no second form */
	uint64_t addr;
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

/* Hot: most numbers have at most three bytes. */
ALWAYS_INLINE uint32_t get(struct reader *r)
{
	const uint8_t *p = r->pos;

	if (likely(r->end - p >= 3)) {
		if (p[0] < 0x80) {
			r->pos = p + 1;
			return p[0];
		}
		if (p[1] < 0x80) {
			r->pos = p + 2;
			return (p[0] & 0x7fU) | (uint32_t)p[1] << 7;
		}
		if (p[2] < 0x80) {
			r->pos = p + 3;
			return (p[0] & 0x7fU) | (p[1] & 0x7fU) << 7 | (uint32_t)p[2] << 14;
		}
	}
	return get_long(r);
}

/* A number below @end. */
ALWAYS_INLINE uint32_t get_below(struct reader *r, uint32_t end)
{
	uint32_t v = get(r);

	r->bad |= v >= end;
	return r->bad ? 0 : v;
}

/* How many of something follow that takes a byte at least. */
ALWAYS_INLINE uint32_t get_count(struct reader *r)
{
	return get_below(r, (uint32_t)(r->end - r->pos) + 1);
}

ALWAYS_INLINE uint32_t get_string(struct reader *r)
{
	return get_below(r, r->end_string);
}

ALWAYS_INLINE uint32_t get_type(struct reader *r)
{
	return get_below(r, r->end_type);
}

static uint32_t string_id(const struct reader *r, uint32_t offset)
{
	return offset ? r->ids->string(r->ids->ctx, offset) : 0;
}

/* In a prototype. Sets *lost if it is none of the unit. */
static unit_tid type_id(const struct reader *r, uint32_t id, bool *lost)
{
	unit_tid t = id ? r->ids->type(r->ids->ctx, id) : 0;

	*lost |= id && !t;
	return t;
}

/* Returns where it starts in the words of @f, or 0. Only functions that are kept have @f. */
ALWAYS_INLINE uint32_t get_proto(struct reader *r, struct unit_facts *f)
{
	uint32_t ret = get_type(r), vlen = get_count(r), start = 0;
	bool lost = false;

	r->bad |= vlen > BTF_VLEN_MAX;
	if (f) {
		start = (uint32_t)f->words.nr;
		vec_push(&f->words, 0);
		vec_push(&f->words, btf_info(BTF_FUNC_PROTO, vlen & BTF_VLEN_MAX, false));
		vec_push(&f->words, type_id(r, ret, &lost));
	}
	for (uint32_t i = 0; i < vlen && !r->bad; i++) {
		uint32_t name = get_string(r), type = get_type(r);

		if (!f)
			continue;
		vec_push(&f->words, string_id(r, name));
		vec_push(&f->words, type_id(r, type, &lost));
	}
	return lost ? 0 : start;
}

static void get_tags(struct reader *r, struct unit_facts *f, uint32_t nr)
{
	r->bad |= nr > (size_t)(r->end - r->pos);
	for (uint32_t i = 0; i < nr && !r->bad; i++) {
		uint32_t value = get_string(r);
		int32_t component = (int32_t)(get(r) - 1);

		if (f)
			vec_push(&f->tags, ((struct unit_tag){ string_id(r, value), component }));
	}
}

ALWAYS_INLINE void get_func(struct reader *r, struct unit_facts *f)
{
	uint32_t name = get_string(r), word = get(r), flags = word >> 2;
	bool second = word & 2, slot = word & 1;

	r->slots += slot;
	r->bad |= !name || (flags & ~(uint32_t)UNIT_FUNC_STORED) ||
		  (second && (slot || !r->nr_funcs));
	r->nr_funcs++;
	if (f && !second) {
		r->has_addr = slot;
		r->addr = slot ? facts_block_addr(r->b, r->slots) : 0;
	}
	if (f && !r->ids->wanted(r->ids->ctx, name, second))
		f = NULL;
	struct func_facts func = {
		.name = f ? string_id(r, name) : 0,
		.flags = flags,
		.second_form = second,
		.has_addr = r->has_addr,
		.addr = r->addr,
		.slot = CU_NO_SLOT,
		.tags = f ? (uint32_t)f->tags.nr : 0,
	};
	func.proto = get_proto(r, f);
	func.nr_tags = get_count(r);
	get_tags(r, f, func.nr_tags);
	if (f)
		vec_push(&f->funcs, func);
}

static void get_var(struct reader *r, struct unit_facts *f)
{
	uint32_t name = get_string(r), type = get_type(r), size = get(r), word = get(r);
	uint32_t added = word & 2 ? get(r) : 0, slot = ++r->slots;

	if (f)
		vec_push(&f->vars, ((struct var_facts){
					   .name = string_id(r, name),
					   .type = type ? r->ids->type(r->ids->ctx, type) : 0,
					   .size = size,
					   .external = word & 1,
					   .addr = facts_block_addr(r->b, slot) + added,
					   .added = added,
					   .slot = CU_NO_SLOT,
					   .tags = (uint32_t)f->tags.nr,
					   .nr_tags = word >> 2,
				   }));
	get_tags(r, f, word >> 2);
}

/* Only checks without @f: inline, so that the check has code of its own. */
ALWAYS_INLINE void get_body(struct reader *r, struct facts_start *start, struct facts_head *head,
			    struct unit_facts *f)
{
	uint32_t features, nr;

	start->name = get_string(r);
	start->lang = head->lang = get_below(r, UINT16_MAX + 2);
	head->kabi = get_string(r);
	features = get(r);
	head->features = features & ~(INCOMPLETE | RECOMPILED);
	head->incomplete = features & INCOMPLETE;
	head->recompiled = features & RECOMPILED;
	head->level = get(r);
	start->func_start = get_below(r, r->end_type + 1);
	start->index = get_type(r);
	nr = get_count(r);
	for (uint32_t i = 0; i < nr && !r->bad; i++)
		get_func(r, f);
	nr = get_count(r);
	for (uint32_t i = 0; i < nr && !r->bad; i++)
		get_var(r, f);
}

struct err *facts_block_check(const struct facts_block *b, size_t len, uint32_t end_type,
			      struct facts_start *ret)
{
	struct facts_head head;
	struct reader r = {
		.pos = b->body.ptr,
		.end = b->body.ptr + b->body.len,
		.end_string = (uint32_t)(len + b->strings.len),
		.end_type = end_type,
		.b = b,
	};
	size_t slots_len = (size_t)b->nr_slots * b->addr_size;
	uint32_t crc = crc_of(b->all.ptr, slots_len, b->all.len);
	uint32_t expected = (uint32_t)get_at(b->all.ptr, b->swap, HEAD_CRC, 4);

	if (crc != expected)
		return err_new(ERR_FORMAT, "checksum %#x, expected %#x", crc, expected);
	if (b->strings.len && b->strings.ptr[b->strings.len - 1])
		return err_new(ERR_FORMAT, "the last string has no end");
	get_body(&r, ret, &head, NULL);
	if (r.bad || r.pos != r.end || r.slots != b->nr_slots)
		return err_new(ERR_FORMAT, "the facts are inconsistent at %#zx of %#zx",
			       (size_t)(r.pos - b->body.ptr), b->body.len);
	return NULL;
}

void facts_block_read(const struct facts_block *b, const struct facts_ids *ids,
		      struct unit_facts *ret)
{
	struct facts_start start;
	struct reader r = {
		.pos = b->body.ptr,
		.end = b->body.ptr + b->body.len,
		.end_string = UINT32_MAX,
		.end_type = UINT32_MAX - 1,
		.b = b,
		.ids = ids,
	};

	unit_facts_clear(ret);
	get_body(&r, &start, &ret->head, ret);
	ret->head.name = string_id(&r, start.name);
	ret->head.kabi = string_id(&r, ret->head.kabi);
}
