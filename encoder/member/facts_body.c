/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * facts_body.c - the body of a block: the facts themselves (facts_block.h)
 *
 * The check of a body and the reading of it are one function, so that they cannot disagree on what a byte is.
 */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "btf/btf_kind.h"
#include "encoder/unit/unit_btf.h"

/* Beside the features, which are fewer. */
#define INCOMPLETE (UINT32_C(1) << 31)
#define RECOMPILED (UINT32_C(1) << 30)

/*
 * The form of a place takes four bits. The number of values follows from the form, that of a constant from its
 * size.
 */
static const struct place_form {
	uint8_t flags, nr;
} place_forms[] = {
	{ 0, 0 },
	{ BTF_LOC_CONST, 0 },
	{ BTF_LOC_CONST | BTF_LOC_SIGNED, 0 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR, 0 },
	{ BTF_LOC_CONST | BTF_LOC_ADDR | BTF_LOC_SIGNED, 0 },
	{ BTF_LOC_REG, 1 },
	{ BTF_LOC_REG, 2 },
	{ BTF_LOC_REG | BTF_LOC_DEREF, 1 },
	{ BTF_LOC_REG | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2 },
	{ BTF_LOC_REG | BTF_LOC_DEREF | BTF_LOC_OFFSET | BTF_LOC_SIGNED, 2 },
};

/* --- writing ------------------------------------------------------------------------ */

/* Unsigned LEB128. */
static void put(struct byte_vec *out, uint64_t v)
{
	while (v >= 0x80) {
		vec_push(out, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	vec_push(out, (uint8_t)v);
}

/* Small numbers of either sign become small numbers. */
static uint64_t zigzag(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
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

static uint32_t form_of(const struct cu_place *p)
{
	uint32_t form = 0;

	while (place_forms[form].flags != p->flags ||
	       (place_forms[form].nr && place_forms[form].nr != p->nr))
		form++;
	return form;
}

/* The bits of a constant, with its sign. */
static uint64_t constant_of(const struct cu_place *p)
{
	bool extend = p->nr == 1 && p->flags & BTF_LOC_SIGNED;

	return extend ? (uint64_t)(int32_t)p->values[0] : cu_place_number(p);
}

/* @slot is that of an address constant; without it, the place is unknown. */
static void put_place(const struct writer *w, const struct cu_place *p,
		      const struct cu_place_slot *slot)
{
	if (!p->flags || ((p->flags & BTF_LOC_ADDR) && !slot)) {
		put(w->out, 0);
		return;
	}
	vec_push(w->out, (uint8_t)(form_of(p) << 4 | (p->size - 1u)));
	if (p->flags & BTF_LOC_ADDR) {
		put(w->out, zigzag(slot->added));
	} else if (p->flags & BTF_LOC_CONST) {
		uint64_t v = constant_of(p);

		put(w->out, p->flags & BTF_LOC_SIGNED ? zigzag(v) : v);
	} else {
		/* BTF_LOC_FBREG, which is frequent, becomes 0 */
		put(w->out, p->values[0] + UINT32_C(1));
		if (p->flags & BTF_LOC_OFFSET)
			put(w->out, zigzag((uint64_t)(int32_t)p->values[1]));
		else if (p->nr > 1)
			put(w->out, p->values[1]);
	}
}

static void put_site(const struct writer *w, const struct cu_site *s, size_t *next_slot)
{
	const struct unit_facts *f = w->f;
	const uint32_t *proto = f->words.items + f->inlined.items[s->func].proto;

	put(w->out, (uint64_t)s->func << 1 | (s->added != 0));
	if (s->added)
		put(w->out, s->added);
	for (uint32_t i = 0; i < btf_rec_vlen(proto); i++) {
		uint32_t place = s->first_place + i;

		put_place(w, &f->places.items[place], facts_place_slot(f, next_slot, place));
	}
}

static void put_sites(const struct writer *w)
{
	const struct unit_facts *f = w->f;
	size_t next_slot = 0;

	put(w->out, f->inlined.nr);
	for (size_t i = 0; i < f->inlined.nr; i++) {
		put_string(w, f->inlined.items[i].name);
		put_proto(w, f->words.items + f->inlined.items[i].proto);
	}
	put(w->out, f->sites.nr);
	for (size_t i = 0; i < f->sites.nr; i++)
		put_site(w, &f->sites.items[i], &next_slot);
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
	if (h->features & FEATURE_INLINE)
		put_sites(&w);
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

ALWAYS_INLINE void get_func(struct reader *r, struct unit_facts *f)
{
	uint32_t name = get_string(r), word = get(r), flags = word >> 2, nr_params;
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
	func.proto = get_proto(r, f, &nr_params);
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
	struct inlined_facts inlined = { .name = f ? string_id(r, name) : 0 };

	r->bad |= !name;
	inlined.proto = get_proto(r, f, &nr_params);
	vec_push(&r->nr_params, nr_params);
	if (f)
		vec_push(&f->inlined, inlined);
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

	if (func >= r->nr_params.nr) {
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
	free(r->nr_params.items);
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
	if (head->features & FEATURE_INLINE && (!f || r->ids->sites))
		get_sites(r, f);
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
