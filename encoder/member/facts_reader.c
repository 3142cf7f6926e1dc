/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * facts_reader.c - check and read the body of a block (facts_block.h)
 *
 * Both are one function, so that they cannot disagree on the meaning of a byte.
 */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "encoder/member/facts_internal.h"

#include <stdlib.h>

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
	bool has_sites;
	VEC(uint32_t) nr_params; /* of each function that is inlined */
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

static uint64_t get64(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned int shift = 0; shift < 64 && r->pos != r->end; shift += 7) {
		uint8_t byte = *r->pos++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		r->bad |= shift == 63 && byte > 1;
		return v;
	}
	r->bad = true;
	return 0;
}

/* A number of zigzag(). */
static uint64_t get_signed(struct reader *r)
{
	uint64_t v = get64(r);

	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
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

/*
 * Returns where it starts in the words of @f, or 0. Only functions that are kept have @f. *ret_nr is the number of its
 * parameters.
 */
ALWAYS_INLINE uint32_t get_proto(struct reader *r, struct unit_facts *f, uint32_t *ret_nr)
{
	uint32_t ret = get_type(r), vlen = get_count(r), start = 0;
	bool lost = false;

	*ret_nr = vlen;
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

static void add_inlined(struct reader *r, struct unit_facts *f, uint32_t name, uint32_t proto,
			uint32_t nr_params)
{
	vec_push(&r->nr_params, nr_params);
	if (f)
		vec_push(&f->inlined, ((struct inlined_facts){ name, proto }));
}

ALWAYS_INLINE void get_func(struct reader *r, struct unit_facts *f)
{
	uint32_t name = get_string(r), word = get(r), flags = word >> 2, nr_params;
	bool second = word & 2, slot = word & 1, inlined = flags & FUNC_IS_INLINED;
	/* where an inlined function goes, whether the function itself is wanted or not */
	struct unit_facts *to = f && inlined && r->ids->sites ? f : NULL;

	r->slots += slot;
	flags &= ~(uint32_t)FUNC_IS_INLINED;
	r->bad |= !name || (flags & ~(uint32_t)UNIT_FUNC_STORED) || (inlined && !r->has_sites) ||
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
	func.proto = get_proto(r, f ? f : to, &nr_params);
	if (unlikely(inlined))
		add_inlined(r, to, to ? string_id(r, name) : 0, func.proto, nr_params);
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

/* --- sites of inlined functions --- */

static void get_inlined(struct reader *r, struct unit_facts *f)
{
	uint32_t name = get_string(r), nr_params;
	uint32_t proto = get_proto(r, f, &nr_params);

	r->bad |= !name;
	add_inlined(r, f, f ? string_id(r, name) : 0, proto, nr_params);
}

/* The address in the next slot. A check does not read it, because there may be none. */
static uint64_t next_addr(struct reader *r, const struct unit_facts *f)
{
	r->slots++;
	return f ? facts_block_addr(r->b, r->slots) : 0;
}

static void get_constant(struct reader *r, struct cu_place *p)
{
	bool is_signed = p->flags & BTF_LOC_SIGNED;
	uint64_t v = is_signed ? get_signed(r) : get64(r);

	p->nr = p->size > 4 ? 2 : 1;
	p->values[0] = (uint32_t)v;
	p->values[1] = p->nr > 1 ? (uint32_t)(v >> 32) : 0;
	r->bad |= p->size > 8 ||
		  (p->nr == 1 && v != (is_signed ? (uint64_t)(int32_t)v : (uint32_t)v));
}

static void get_addr(struct reader *r, struct cu_place *p, struct unit_facts *f)
{
	uint64_t addr = next_addr(r, f), added = get_signed(r);

	r->bad |= p->size != r->b->addr_size;
	addr += added;
	p->nr = p->size > 4 ? 2 : 1;
	p->values[0] = (uint32_t)addr;
	p->values[1] = p->nr > 1 ? (uint32_t)(addr >> 32) : 0;
	if (f)
		vec_push(&f->place_slots,
			 ((struct cu_place_slot){ (uint32_t)f->places.nr, added, CU_NO_SLOT }));
}

static void get_place(struct reader *r, struct unit_facts *f)
{
	uint8_t byte = r->pos < r->end ? *r->pos++ : 0xff; /* which no place has */
	const struct place_form *form;
	struct cu_place p = { .size = (uint8_t)((byte & 0xf) + 1) };

	if (byte >> 4 >= ARRAY_SIZE(place_forms)) {
		r->bad = true;
		return;
	}
	form = &place_forms[byte >> 4];
	p.flags = form->flags;
	p.nr = form->nr;
	if (!p.flags) {
		r->bad |= byte != 0;
		p.size = 0;
	} else if (p.flags & BTF_LOC_ADDR) {
		get_addr(r, &p, f);
	} else if (p.flags & BTF_LOC_CONST) {
		get_constant(r, &p);
	} else {
		p.values[0] = get(r) - 1;
		if (p.flags & BTF_LOC_OFFSET) {
			uint64_t offset = get_signed(r);

			p.values[1] = (uint32_t)offset;
			r->bad |= offset != (uint64_t)(int32_t)offset;
		} else if (p.nr > 1) {
			p.values[1] = get(r);
		}
	}
	if (f)
		vec_push(&f->places, p);
}

static void get_site(struct reader *r, struct unit_facts *f)
{
	uint32_t word = get(r), func = word >> 1;
	struct cu_site s = { .slot = CU_NO_SLOT, .func = func };

	if (r->bad || func >= r->nr_params.nr) {
		r->bad = true;
		return;
	}
	s.added = word & 1 ? get64(r) : 0;
	s.addr = next_addr(r, f) + s.added;
	if (f) {
		s.first_place = (uint32_t)f->places.nr;
		vec_push(&f->sites, s);
	}
	for (uint32_t i = 0; i < r->nr_params.items[func] && !r->bad; i++)
		get_place(r, f);
}

static void get_sites(struct reader *r, struct unit_facts *f)
{
	uint32_t nr = get_count(r);

	for (uint32_t i = 0; i < nr && !r->bad; i++)
		get_inlined(r, f);
	nr = get_count(r);
	for (uint32_t i = 0; i < nr && !r->bad; i++)
		get_site(r, f);
}

/* --- the whole --- */

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
	r->has_sites = features & FEATURE_INLINE;
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
	if (r->has_sites && (!f || r->ids->sites))
		get_sites(r, f);
	free(r->nr_params.items);
}

struct err *facts_body_check(const struct facts_block *b, size_t len, uint32_t end_type,
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
