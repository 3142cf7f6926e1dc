/* SPDX-License-Identifier: GPL-2.0-only */
/* member_types.c - the types of a member go into the pool, as those of a unit in frag_types.c */
#include "base/hash.h"
#include "encoder/member_reader.h"

#include <stdlib.h>

/* Replace number *@p by what the pool says; ask for it if it is not there. */
ALWAYS_INLINE void to_pool(struct member_reader *r, uint32_t *p, bool *missing)
{
	uint32_t t = *p;

	if (!t || t == POOL_REF_INDEX)
		return;
	*p = r->refs[t];
	if (unlikely(!*p)) {
		vec_push(&r->frag->stack, t);
		*missing = true;
	}
}

static bool refs_to_pool(struct member_reader *r, uint32_t *rec)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(rec[BTF_REC_INFO]));
	uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;
	bool missing = false;

	if (l->main_is_type)
		to_pool(r, &rec[BTF_REC_SIZE_TYPE], &missing);
	if (l->fixed_types)
		to_pool(r, &rec[BTF_REC_WORDS], &missing);
	if (l->elem_type >= 0) {
		for (uint32_t i = 0; i < btf_info_vlen(rec[BTF_REC_INFO]); i++, elem += l->elem)
			to_pool(r, &elem[l->elem_type], &missing);
	}
	return !missing;
}

/* As in frag_types.c: what this worker has met in an earlier member it need not look up. */
static bool enter_reference(struct member_reader *r, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = r->frag;
	uint32_t rec[] = { from[BTF_REC_NAME], from[BTF_REC_INFO], from[BTF_REC_SIZE_TYPE] };
	bool missing = false;

	to_pool(r, &rec[BTF_REC_SIZE_TYPE], &missing);
	if (unlikely(missing))
		return false;

	struct met_record *met = &m->met[hash_words(rec, ARRAY_SIZE(rec)) % ARRAY_SIZE(m->met)];
	if (likely(met->before && !memcmp(met->rec, rec, sizeof(rec)) &&
		   met->before <= m->frag->unit)) {
		m->frag->types.items[t] = r->refs[t] = met->id;
		m->state[t] = TYPE_DONE;
		return true;
	}
	frag_enter(m, t, rec, ARRAY_SIZE(rec));
	memcpy(met->rec, rec, sizeof(rec));
	met->id = r->refs[t] = m->frag->types.items[t];
	met->before = m->frag->unit + 1;
	return true;
}

static bool enter_record(struct member_reader *r, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = r->frag;
	size_t nr = btf_rec_words(from);

	m->words.nr = 0;
	vec_reserve(&m->words, nr);
	memcpy(m->words.items, from, nr * sizeof(*from));
	if (unlikely(!refs_to_pool(r, m->words.items)))
		return false;
	if (btf_info_kind(from[BTF_REC_INFO]) == BTF_ARRAY) {
		m->frag->has_arrays = true;
	} else {
		if (r->refs[t])
			frag_check_crowd(m, r->refs[t]);
	}
	frag_enter(m, t, m->words.items, nr);
	if (!r->refs[t])
		r->refs[t] = m->frag->types.items[t];
	return true;
}

static void intern(struct member_reader *r, uint32_t t)
{
	struct frag_maker *m = r->frag;
	const uint32_t *rec = r->recs.items[t];
	size_t asked = m->stack.nr;

	switch (btf_info_kind(rec[BTF_REC_INFO])) {
	case BTF_PTR:
	case BTF_CONST:
	case BTF_VOLATILE:
	case BTF_RESTRICT:
	case BTF_TYPEDEF:
	case BTF_TYPE_TAG:
		if (likely(enter_reference(r, t, rec)))
			return;
		break;
	default:
		if (likely(enter_record(r, t, rec)))
			return;
		break;
	}
	for (size_t i = asked; i < m->stack.nr; i++) {
		if (m->state[m->stack.items[i]] != TYPE_WAITS && m->stack.items[i] != t)
			continue;
		m->stack.nr = asked;
		frag_enter_lonely(m, t);
		r->refs[t] = m->frag->types.items[t];
		return;
	}
	m->state[t] = TYPE_WAITS;
}

static void intern_all(struct member_reader *r)
{
	struct frag_maker *m = r->frag;

	for (uint32_t t = 1; t < r->recs.nr; t++) {
		if (!r->recs.items[t] || m->state[t] == TYPE_DONE)
			continue;
		intern(r, t);
		if (likely(m->state[t] == TYPE_DONE))
			continue;
		while (m->stack.nr) {
			uint32_t top = m->stack.items[m->stack.nr - 1];

			if (m->state[top] == TYPE_DONE)
				m->stack.nr--;
			else
				intern(r, top);
		}
		intern(r, t);
	}
}

/* A member that nobody deduplicated says some reference types twice. */
static void place_twice(struct member_reader *r)
{
	struct frag_refs refs = { 0 };

	if (!frag_fresh_twice(r->frag))
		return;
	for (size_t t = 0; t < r->recs.nr; t++) {
		uint32_t *rec = r->recs.items[t];
		bool is_ref = rec && frag_is_reference(btf_info_kind(rec[BTF_REC_INFO]));

		frag_refs_next(&refs, is_ref);
		if (!is_ref)
			continue;
		btf_rec_each_type(rec, type)
		{
			if (*type != POOL_REF_INDEX && *type != r->index_place)
				vec_push(&refs.to, *type);
		}
	}
	frag_place_in_walk_order(r->frag, &refs);
	frag_refs_release(&refs);
}

static void find_int(struct member_reader *r)
{
	for (uint32_t t = 1; t < r->recs.nr; t++) {
		const uint32_t *rec = r->recs.items[t];

		if (rec && btf_info_kind(rec[BTF_REC_INFO]) == BTF_INT &&
		    rec[BTF_REC_NAME] == r->frag->run->int_name) {
			r->frag->frag->first_int = t;
			return;
		}
	}
}

void member_add_types(struct member_reader *r)
{
	struct frag_maker *m = r->frag;
	size_t nr = r->recs.nr;

	vec_reserve(&m->frag->types, nr);
	memset(m->frag->types.items, 0, nr * sizeof(m->frag->types.items[0]));
	m->frag->types.nr = nr;
	m->frag->index_place = r->index_place;
	m->state = mem_grow(m->state, &m->state_cap, nr, sizeof(m->state[0]));
	memset(m->state, TYPE_NEW, nr);
	m->fresh.nr = 0;
	m->last = &m->before_first;
	frag_prepare_crowds(m);
	intern_all(r);
	place_twice(r);
	find_int(r);
	m->frag->index_step = r->have_note && r->note.index ?
				      member_rec(r, r->note.index)[BTF_REC_NAME] :
				      (uint32_t)r->view.strings.len;
}
