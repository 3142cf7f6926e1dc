/* SPDX-License-Identifier: GPL-2.0-only */
/* member_types.c - the types of a member go into the pool, as those of a unit in frag_types.c */
#include "base/hash.h"
#include "encoder/member_reader.h"

#include <stdlib.h>

/* What the pool says to the record that the member calls @id; ask for it if it is not there. */
ALWAYS_INLINE pool_ref to_pool(struct member_reader *r, uint32_t id, bool *missing)
{
	uint32_t t = member_number_of(r, id);
	pool_ref ref = t ? r->refs[t] : 0;

	if (unlikely(t && !ref)) {
		vec_push(&r->frag->stack, t);
		*missing = true;
	}
	return ref;
}

/* As in frag_types.c: what this worker has met in an earlier member it need not look up. */
static bool enter_reference(struct member_reader *r, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = r->frag;
	bool missing = false;
	const uint32_t rec[] = { member_string(r, from[BTF_REC_NAME]), from[BTF_REC_INFO],
				 to_pool(r, from[BTF_REC_SIZE_TYPE], &missing) };

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

/* The words of the pool for the record @from, in m->words. False if it has to wait. */
static bool convert(struct member_reader *r, const uint32_t *from)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(from[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(from[BTF_REC_INFO]);
	struct frag_maker *m = r->frag;
	size_t nr = btf_rec_words(from);
	bool missing = false;

	m->words.nr = 0;
	vec_reserve(&m->words, nr);
	m->words.nr = nr;

	uint32_t *rec = m->words.items, *elem = rec + BTF_REC_WORDS + l->fixed;
	memcpy(rec, from, nr * sizeof(*from));
	rec[BTF_REC_NAME] = member_string(r, from[BTF_REC_NAME]);
	if (l->main_is_type)
		rec[BTF_REC_SIZE_TYPE] = to_pool(r, from[BTF_REC_SIZE_TYPE], &missing);
	for (uint32_t i = 0; i < vlen; i++, elem += l->elem) {
		if (l->elem_name >= 0)
			elem[l->elem_name] = member_string(r, elem[l->elem_name]);
		if (l->elem_type >= 0)
			elem[l->elem_type] = to_pool(r, elem[l->elem_type], &missing);
	}
	if (l->fixed_types) {
		rec[BTF_REC_WORDS] = to_pool(r, from[BTF_REC_WORDS], &missing);
		rec[BTF_REC_WORDS + 1] = POOL_REF_INDEX; /* one for the whole program */
	}
	if (btf_info_kind(from[BTF_REC_INFO]) == BTF_FWD)
		rec[BTF_REC_SIZE_TYPE] = 0; /* not so with gcc (spec btf-and-dedup 8.2) */
	return !missing;
}

/* Does the pool mean by @ref what the member calls @id? */
ALWAYS_INLINE bool same_ref(struct member_reader *r, uint32_t id, pool_ref ref)
{
	uint32_t t = member_number_of(r, id);

	return (t ? r->refs[t] : 0) == ref && (!t || ref);
}

/*
 * Is the record @from what the pool has as @rec? Mostly the guess of what comes next is right
 * (type_pool_next), and then this is all there is to do for a record.
 */
static bool same_record(struct member_reader *r, const uint32_t *from, const uint32_t *rec)
{
	uint32_t vlen = btf_info_vlen(from[BTF_REC_INFO]);
	const uint32_t *elem = from + BTF_REC_WORDS;
	bool same = true;

	if (from[BTF_REC_INFO] != rec[BTF_REC_INFO] ||
	    member_string(r, from[BTF_REC_NAME]) != rec[BTF_REC_NAME])
		return false;

	uint32_t size = from[BTF_REC_SIZE_TYPE], its_size = rec[BTF_REC_SIZE_TYPE];
	rec += BTF_REC_WORDS;
	switch (btf_info_kind(from[BTF_REC_INFO])) {
	case BTF_STRUCT:
	case BTF_UNION:
		same = size == its_size;
		for (uint32_t i = 0; same && i < vlen; i++, elem += 3, rec += 3)
			same = elem[2] == rec[2] && member_string(r, elem[0]) == rec[0] &&
			       same_ref(r, elem[1], rec[1]);
		return same;
	case BTF_FUNC_PROTO:
		same = same_ref(r, size, its_size);
		for (uint32_t i = 0; same && i < vlen; i++, elem += 2, rec += 2)
			same = member_string(r, elem[0]) == rec[0] && same_ref(r, elem[1], rec[1]);
		return same;
	case BTF_ENUM:
		same = size == its_size;
		for (uint32_t i = 0; same && i < vlen; i++, elem += 2, rec += 2)
			same = elem[1] == rec[1] && member_string(r, elem[0]) == rec[0];
		return same;
	case BTF_ARRAY:
		return elem[2] == rec[2] && same_ref(r, elem[0], rec[0]);
	case BTF_FWD:
		return true;
	case BTF_INT:
		return size == its_size && elem[0] == rec[0];
	default:
		return false;
	}
}

static bool enter_record(struct member_reader *r, uint32_t t, const uint32_t *from)
{
	struct frag_maker *m = r->frag;
	struct pool_type *guess = atomic_load_explicit(&m->last->next, memory_order_acquire);

	if (likely(guess && same_record(r, from, guess->rec)))
		frag_entered(m, t, guess);
	else if (convert(r, from))
		frag_enter(m, t, m->words.items, m->words.nr);
	else
		return false;
	if (btf_info_kind(from[BTF_REC_INFO]) == BTF_ARRAY)
		m->frag->has_arrays = true;
	else if (r->refs[t])
		frag_check_crowd(m, r->refs[t]);
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
		size_t targets = btf_info_kind(rec[BTF_REC_INFO]) == BTF_ARRAY ? 1 : SIZE_MAX,
		       nr = 0;
		btf_rec_each_type(rec, type)
		{
			if (nr++ < targets)
				vec_push(&refs.to, member_number_of(r, *type));
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
		    member_string(r, rec[BTF_REC_NAME]) == r->frag->run->int_name) {
			r->frag->frag->first_int = t;
			return;
		}
	}
}

/*
 * The unit is the first that has these types: so are their strings, which stand in the order in
 * which it came to them.
 */
static void use_strings(struct member_reader *r)
{
	struct frag_maker *m = r->frag;

	for (size_t i = 0; i < m->fresh.nr; i++) {
		btf_rec_each_name(r->recs.items[m->fresh.items[i].type], name)
			str_pool_use(m->run->strings, member_string(r, *name),
				     str_place_at(m->frag->unit, *name));
	}
}

/* What has a name is referred to by it, whether it is in the pool yet or not. */
static void name_types(struct member_reader *r)
{
	r->refs = mem_grow(r->refs, &r->refs_cap, r->recs.nr, sizeof(r->refs[0]));
	r->refs[0] = 0;
	for (size_t t = 1; t < r->recs.nr; t++) {
		const uint32_t *rec = r->recs.items[t];

		if (unlikely(!rec)) {
			r->refs[t] = POOL_REF_INDEX;
			continue;
		}
		switch (btf_info_kind(rec[BTF_REC_INFO])) {
		case BTF_STRUCT:
		case BTF_UNION:
		case BTF_FWD:
		case BTF_ENUM:
		case BTF_ENUM64: {
			const uint32_t named[] = { member_string(r, rec[BTF_REC_NAME]),
						   rec[BTF_REC_INFO] };

			r->refs[t] = pool_ref_to(named, 0);
			break;
		}
		default:
			r->refs[t] = 0;
			break;
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
	name_types(r);
	frag_prepare_crowds(m);
	intern_all(r);
	frag_sort_fresh(m);
	use_strings(r);
	place_twice(r);
	find_int(r);
	m->frag->index_step = r->have_note && r->note.index ?
				      member_rec(r, r->note.index)[BTF_REC_NAME] :
				      (uint32_t)r->view.strings.len;
}
