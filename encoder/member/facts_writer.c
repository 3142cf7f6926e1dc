/* SPDX-License-Identifier: GPL-2.0-only */
/* facts_writer.c - write the body of a block (facts_block.h) */
#include "encoder/member/facts_block.h"

#include "base/cleanup.h"
#include "base/sort.h"
#include "btf/btf_kind.h"
#include "encoder/member/facts_internal.h"

#include <stdlib.h>

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
	/*
	 * Most functions that are inlined are also among the others: by index in @f->funcs, plus 1: which of @f->inlined;
	 * and by index in that: its number in the block. NULL without any.
	 */
	uint32_t *inlined_of, *number;
	size_t nr_shared;
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

static void put_func(const struct writer *w, size_t i)
{
	const struct func_facts *func = &w->f->funcs.items[i];
	bool slot = func->has_addr && !func->second_form;
	uint32_t flags = func->flags | (w->inlined_of && w->inlined_of[i] ? FUNC_IS_INLINED : 0u);

	put_string(w, func->name);
	put(w->out, flags << 2 | (uint32_t)func->second_form << 1 | slot);
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
	for (uint32_t form = 1; form < ARRAY_SIZE(place_forms); form++) {
		const struct place_form *f = &place_forms[form];

		if (f->flags == p->flags && (!f->nr || f->nr == p->nr))
			return form;
	}
	return 0;
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
	uint32_t form = form_of(p);

	if (!form || ((p->flags & BTF_LOC_ADDR) && !slot)) {
		put(w->out, 0);
		return;
	}
	vec_push(w->out, (uint8_t)(form << 4 | (p->size - 1u)));
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

	assert(w->number); /* there is a site, so there is an inlined function */
	put(w->out, (uint64_t)w->number[s->func] << 1 | (s->added != 0));
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

	put(w->out, f->inlined.nr - w->nr_shared);
	for (size_t i = 0; i < f->inlined.nr; i++) {
		if (w->number[i] < w->nr_shared)
			continue;
		put_string(w, f->inlined.items[i].name);
		put_proto(w, f->words.items + f->inlined.items[i].proto);
	}
	put(w->out, f->sites.nr);
	for (size_t i = 0; i < f->sites.nr; i++)
		put_site(w, &f->sites.items[i], &next_slot);
}

static bool same_record(const uint32_t *a, const uint32_t *b)
{
	size_t nr = btf_rec_words(a);

	return nr == btf_rec_words(b) && !memcmp(a, b, nr * sizeof(*a));
}

/* The first function of f->inlined that is @func, and no other before it is; nr if there is none. */
static size_t find_inlined(const struct writer *w, const struct sort_key *by_name,
			   const struct func_facts *func)
{
	const struct unit_facts *f = w->f;
	const size_t nr = f->inlined.nr;

	for (size_t k = LOWER_BOUND(0, nr, n, by_name[n].key < func->name);
	     k < nr && by_name[k].key == func->name; k++) {
		size_t i = by_name[k].id;

		if (w->number[i] == UINT32_MAX &&
		    same_record(f->words.items + func->proto,
				f->words.items + f->inlined.items[i].proto))
			return i;
	}
	return nr;
}

/* Number the inlined functions: first those that are among the others, in their order. */
static void number_inlined(struct writer *w)
{
	const struct unit_facts *f = w->f;
	CLEANUP(mem_free) struct sort_key *by_name = mem_alloc(f->inlined.nr * sizeof(*by_name));
	uint32_t next = 0;

	w->inlined_of = mem_zalloc(f->funcs.nr, sizeof(w->inlined_of[0]));
	w->number = mem_alloc(f->inlined.nr * sizeof(w->number[0]));
	memset(w->number, 0xff, f->inlined.nr * sizeof(w->number[0]));
	for (size_t i = 0; i < f->inlined.nr; i++)
		by_name[i] = (struct sort_key){ f->inlined.items[i].name, (uint32_t)i };
	sort_by_key(by_name, f->inlined.nr);
	for (size_t i = 0; i < f->funcs.nr; i++) {
		size_t found = find_inlined(w, by_name, &f->funcs.items[i]);

		if (found == f->inlined.nr)
			continue;
		w->inlined_of[i] = (uint32_t)found + 1;
		w->number[found] = next++;
	}
	w->nr_shared = next;
	for (size_t i = 0; i < f->inlined.nr; i++) {
		if (w->number[i] == UINT32_MAX)
			w->number[i] = next++;
	}
}

void facts_body_append(const struct unit_facts *f, const struct facts_start *start,
		       const struct facts_ids *ids, struct byte_vec *out)
{
	const struct facts_head *h = &f->head;
	struct writer w = { .f = f, .ids = ids, .out = out };

	if (f->inlined.nr)
		number_inlined(&w);
	put_string(&w, h->name);
	put(out, h->lang);
	put_string(&w, h->kabi);
	put(out, h->features | (h->incomplete ? INCOMPLETE : 0) | (h->recompiled ? RECOMPILED : 0));
	put(out, h->level);
	put(out, start->func_start);
	put(out, start->index);
	put(out, (uint32_t)f->funcs.nr);
	for (size_t i = 0; i < f->funcs.nr; i++)
		put_func(&w, i);
	put(out, (uint32_t)f->vars.nr);
	for (size_t i = 0; i < f->vars.nr; i++)
		put_var(&w, &f->vars.items[i]);
	if (h->features & FEATURE_INLINE)
		put_sites(&w);
	FREE_ALL(w.inlined_of, w.number);
}
