/* SPDX-License-Identifier: GPL-2.0-only */
/* member_note.c - see member_note.h */
#include "encoder/member/member_note.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"

#include <stdlib.h>
#include <zlib.h>

static const char MAGIC[] = "btfnote";

enum { NOTE_VERSION = 4, TRAILER_LEN = MEMBER_NOTE_TAIL };

/* Beside the features, which are fewer. */
#define INCOMPLETE (UINT32_C(1) << 31)
#define RECOMPILED (UINT32_C(1) << 30)

void member_note_release(struct member_note *n)
{
	FREE_ALL(n->funcs.items, n->tags.items, n->words.items, n->own.items, n->var_types.items,
		 n->sizes.items);
	*n = (struct member_note){ 0 };
}

/* --- writing ------------------------------------------------------------------------ */

static void put(struct member_note_bytes *out, uint32_t v)
{
	while (v >= 0x80) {
		vec_push(out, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	vec_push(out, (uint8_t)v);
}

static void put32(struct member_note_bytes *out, uint32_t v)
{
	for (unsigned int i = 0; i < 4; i++)
		vec_push(out, (uint8_t)(v >> 8 * i));
}

static void put_bytes(struct member_note_bytes *out, const void *p, size_t len)
{
	if (!len)
		return;
	vec_reserve(out, len);
	memcpy(out->items + out->nr, p, len);
	out->nr += len;
}

static void put_proto(struct member_note_bytes *out, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(rec[BTF_REC_INFO]);

	put(out, rec[BTF_REC_SIZE_TYPE]);
	put(out, vlen);
	for (uint32_t i = 0; i < vlen * 2; i++)
		put(out, rec[BTF_REC_WORDS + i]);
}

static void put_func(struct member_note_bytes *out, const struct member_note *n,
		     const struct member_func *f)
{
	put(out, f->name);
	put(out, f->flags << 4 | f->at << 1 | (f->symbol != 0));
	if (f->symbol)
		put(out, f->symbol);
	put_proto(out, n->words.items + f->proto);
	put(out, f->nr_tags);
	for (uint32_t i = 0; i < f->nr_tags; i++) {
		put(out, n->tags.items[f->tags + i].value);
		put(out, (uint32_t)n->tags.items[f->tags + i].component + 1);
	}
}

static void put_own(struct member_note_bytes *out, const struct member_note *n)
{
	put(out, (uint32_t)n->own.nr);
	for (size_t i = 1; i < n->own.nr; i++) {
		const uint32_t *rec = n->words.items + n->own.items[i];
		size_t nr = n->own.items[i] ? btf_rec_words(rec) : 0;

		put(out, (uint32_t)nr);
		for (size_t w = 0; w < nr; w++)
			put(out, rec[w]);
	}
	if (!n->own.nr)
		return;
	put(out, (uint32_t)n->var_types.nr);
	for (size_t i = 0; i < n->var_types.nr; i++)
		put(out, n->var_types.items[i]);
}

/* Nothing at all if there are none, as most objects have none. A size of 0 says that more follows. */
static void put_sizes(struct member_note_bytes *out, const struct member_note *n)
{
	uint32_t next = 0;

	for (size_t i = 0; i < n->sizes.nr; i++) {
		const struct member_size *s = &n->sizes.items[i];

		put(out, s->var - next);
		if (s->symbol) {
			put(out, 0);
			put(out, s->symbol);
			put(out, s->name);
		}
		if (s->name) {
			put(out, s->type);
			put(out, s->home);
			put(out, s->linkage);
		}
		put(out, s->size);
		next = s->var + !s->name;
	}
}

void member_note_pack(const struct member_note *n, struct bytes own_strings,
		      struct member_note_bytes *out)
{
	size_t start = out->nr;

	put_bytes(out, own_strings.ptr, own_strings.len);
	put(out, n->unit);
	put(out, n->lang);
	put(out, n->kabi);
	put(out, n->features | (n->incomplete ? INCOMPLETE : 0) | (n->recompiled ? RECOMPILED : 0));
	put(out, n->func_start);
	put(out, n->index);
	put(out, (uint32_t)n->funcs.nr);
	for (size_t i = 0; i < n->funcs.nr; i++)
		put_func(out, n, &n->funcs.items[i]);
	put_own(out, n);
	put_sizes(out, n);

	size_t len = out->nr - start;
	uint32_t crc = (uint32_t)crc32_z(0, out->items + start, len);
	put32(out, (uint32_t)(len + TRAILER_LEN));
	put32(out, (uint32_t)own_strings.len);
	put32(out, crc);
	put_bytes(out, MAGIC, sizeof(MAGIC) - 1);
	vec_push(out, NOTE_VERSION);
	vec_push(out, 0);
}

/* --- reading ------------------------------------------------------------------------ */

static uint32_t get32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

struct err *member_note_find(struct bytes strings, size_t *ret_len, struct bytes *ret_body)
{
	*ret_len = strings.len;
	*ret_body = (struct bytes){ 0 };
	if (strings.len < TRAILER_LEN)
		return NULL;

	const uint8_t *trailer = strings.ptr + strings.len - TRAILER_LEN;
	if (memcmp(trailer + 12, MAGIC, sizeof(MAGIC) - 1) || trailer[TRAILER_LEN - 1])
		return NULL;

	uint32_t len = get32(trailer), own = get32(trailer + 4);
	if (len < TRAILER_LEN || len >= strings.len || own > len - TRAILER_LEN ||
	    strings.ptr[strings.len - len - 1])
		return err_new(ERR_FORMAT, "a note of %#x bytes, of which %#x are strings, in %#zx",
			       len, own, strings.len);
	*ret_len = strings.len - len;
	if (trailer[12 + sizeof(MAGIC) - 1] != NOTE_VERSION)
		return err_new(ERR_UNSUPPORTED, "a note of version %u, expected %d",
			       trailer[12 + sizeof(MAGIC) - 1], NOTE_VERSION);

	struct bytes all = bytes_from(strings, *ret_len);
	uint32_t crc = (uint32_t)crc32_z(0, all.ptr, len - TRAILER_LEN);
	if (crc != get32(trailer + 8))
		return err_new(ERR_FORMAT, "checksum %#x, expected %#x", crc, get32(trailer + 8));
	if (own && all.ptr[own - 1])
		return err_new(ERR_FORMAT, "the last string of the note has no end");
	*ret_body = (struct bytes){ all.ptr + own, len - TRAILER_LEN - own };
	return NULL;
}

/* Reads on; past the end, or of what is no number, it gives 0 and remembers. */
struct reader {
	const uint8_t *pos, *end;
	bool bad;
	uint32_t end_string;
};

static uint32_t get(struct reader *r)
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
	uint32_t v = get(r);

	r->bad |= v > (size_t)(r->end - r->pos);
	return r->bad ? 0 : v;
}

static uint32_t get_string(struct reader *r)
{
	return get_below(r, r->end_string);
}

static void get_proto(struct reader *r, struct member_note *n)
{
	uint32_t ret = get(r), vlen = get_count(r);

	vec_push(&n->words, 0);
	vec_push(&n->words, btf_info(BTF_FUNC_PROTO, vlen & 0xffffff, false));
	vec_push(&n->words, ret);
	r->bad |= vlen > KERNEL_MAX_VLEN;
	for (uint32_t i = 0; i < vlen && !r->bad; i++) {
		vec_push(&n->words, get_string(r));
		vec_push(&n->words, get(r));
	}
}

static void get_func(struct reader *r, struct member_note *n)
{
	struct member_func f = { .name = get_string(r) };
	uint32_t word = get(r);

	f.flags = word >> 4;
	f.at = word >> 1 & 7;
	f.symbol = word & 1 ? get_string(r) : 0;
	f.proto = (uint32_t)n->words.nr;
	get_proto(r, n);
	f.tags = (uint32_t)n->tags.nr;
	f.nr_tags = get_count(r);
	for (uint32_t i = 0; i < f.nr_tags && !r->bad; i++) {
		uint32_t value = get_string(r);

		vec_push(&n->tags, ((struct unit_tag){ value, (int32_t)(get(r) - 1) }));
	}
	r->bad |= !f.name || f.at > MEMBER_FUNC_WEAK_PARTS;
	vec_push(&n->funcs, f);
}

/* May a record of its own be of this kind? */
static bool is_type(uint32_t kind)
{
	return kind != BTF_FUNC && kind != BTF_VAR && kind != BTF_DATASEC;
}

/* The record at @rec is @nr words, and must be whole. */
static bool own_fits(const struct reader *r, uint32_t *rec, size_t nr, uint32_t end)
{
	if (nr < BTF_REC_WORDS || !is_type(btf_info_kind(rec[BTF_REC_INFO])) ||
	    btf_rec_words(rec) != nr)
		return false;
	btf_rec_each_name(rec, name)
	{
		if (*name >= r->end_string)
			return false;
	}
	btf_rec_each_type(rec, type)
	{
		if (*type >= end && *type != POOL_REF_INDEX)
			return false;
	}
	return true;
}

static void get_own(struct reader *r, struct member_note *n)
{
	uint32_t nr = get_count(r);

	if (!nr)
		return;
	vec_push(&n->own, 0);
	for (uint32_t i = 1; i < nr && !r->bad; i++) {
		uint32_t words = get_count(r);
		size_t start = n->words.nr;

		vec_push(&n->own, words ? (uint32_t)start : 0);
		for (uint32_t w = 0; w < words && !r->bad; w++)
			vec_push(&n->words, get(r));
		r->bad |= words && (r->bad || !own_fits(r, n->words.items + start, words, nr));
	}
	uint32_t vars = get_count(r);
	for (uint32_t i = 0; i < vars && !r->bad; i++)
		vec_push(&n->var_types, get_below(r, nr));
}

static void get_part(struct reader *r, uint32_t end_type, struct member_size *s)
{
	s->symbol = get_string(r);
	s->name = get_string(r);
	if (s->name) {
		s->type = get_below(r, end_type);
		s->home = get_string(r);
		s->linkage = get_below(r, BTF_LINK_GLOBAL + 1);
		r->bad |= !s->type || !s->home;
	}
	s->size = get(r);
	r->bad |= !s->symbol;
}

/* To the end of the body. */
static void get_sizes(struct reader *r, uint32_t end_type, struct member_note *n)
{
	uint32_t next = 0;

	while (!r->bad && r->pos != r->end) {
		uint32_t skipped = get(r);
		struct member_size s = { .var = next + skipped, .size = get(r) };

		if (!s.size)
			get_part(r, end_type, &s);
		r->bad |= s.var < next || s.var == UINT32_MAX || !s.size;
		if (!r->bad)
			vec_push(&n->sizes, s);
		next = s.var + !s.name;
	}
}

/* Prototypes come before the records that they may refer to. */
static bool protos_fit(const struct member_note *n, uint32_t end_type)
{
	uint32_t end = n->own.nr ? (uint32_t)n->own.nr : end_type;

	for (size_t i = 0; i < n->funcs.nr; i++) {
		btf_rec_each_type(n->words.items + n->funcs.items[i].proto, type)
		{
			if (*type >= end)
				return false;
		}
	}
	return true;
}

struct err *member_note_read(struct bytes body, struct bytes strings, uint32_t end_type,
			     struct member_note *ret)
{
	CLEANUP(member_note_release) struct member_note n = { 0 };
	struct reader r = {
		.pos = body.ptr,
		.end = body.ptr + body.len,
		.end_string = (uint32_t)strings.len,
	};

	vec_push(&n.words, 0);
	n.unit = get_string(&r);
	n.lang = get_below(&r, UINT16_MAX + 2);
	n.kabi = get_string(&r);
	uint32_t features = get(&r);
	n.features = features & ~(INCOMPLETE | RECOMPILED);
	n.incomplete = features & INCOMPLETE;
	n.recompiled = features & RECOMPILED;
	n.func_start = get_below(&r, end_type + 1);
	n.index = get_below(&r, end_type);
	uint32_t nr = get_count(&r);
	for (uint32_t i = 0; i < nr && !r.bad; i++)
		get_func(&r, &n);
	get_own(&r, &n);
	get_sizes(&r, n.own.nr ? (uint32_t)n.own.nr : end_type, &n);
	if (r.bad || r.pos != r.end || !protos_fit(&n, end_type))
		return err_new(ERR_FORMAT, "the note does not hold together at %#zx of %#zx",
			       (size_t)(r.pos - body.ptr), body.len);
	*ret = TAKE(n);
	return NULL;
}
