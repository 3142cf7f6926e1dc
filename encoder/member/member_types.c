/* SPDX-License-Identifier: GPL-2.0-only */
/* member_types.c - add the types of a member to the pool, as unit_types.c does for DWARF */
#include "encoder/member/member_reader.h"

#include <stdlib.h>

/* The depth at which a comparison of records gives up. */
enum { DEEPEST = 64 };

static NOINLINE void enter_array_or_int(struct member_reader *r, uint32_t t,
					const struct pool_type *p)
{
	struct unit_btf *f = r->encoder->btf;

	if (btf_info_kind(p->rec[BTF_REC_INFO]) == BTF_ARRAY)
		f->has_arrays = true;
	else if (p->rec[BTF_REC_NAME] == r->encoder->run->int_name &&
		 (!f->first_int || t < f->first_int))
		f->first_int = t;
}

/* Number @t of the unit, id @id of the member, is @p. */
ALWAYS_INLINE void enter(struct member_reader *r, uint32_t id, uint32_t t, struct pool_type *p)
{
	uint32_t kind = btf_info_kind(p->rec[BTF_REC_INFO]);

	r->entries[t] = p;
	__builtin_prefetch(atomic_load_explicit(&p->next, memory_order_relaxed));
	unit_place(r->encoder, t, p);
	if (r->refs[id])
		unit_check_owner(r->encoder, r->refs[id]);
	else
		r->refs[id] = p->id;
	if (unlikely(kind == BTF_ARRAY || kind == BTF_INT))
		enter_array_or_int(r, t, p);
}

/* --- comparing ----------------------------------------------------------------------- */

static bool same_unknown(struct member_reader *r, uint32_t id, pool_ref ref);

/* NOLINTBEGIN(misc-no-recursion): at most DEEPEST deep */

/* Does @ref of the pool refer to the same type as @id of the member? */
ALWAYS_INLINE bool same_ref(struct member_reader *r, uint32_t id, pool_ref ref)
{
	if (unlikely(id >= r->end))
		return false;

	pool_ref known = r->refs[id];
	if (likely(known == ref))
		return ref || !id;
	return !known && same_unknown(r, id, ref);
}

ALWAYS_INLINE bool same_name(const struct member_reader *r, uint32_t off, uint32_t name)
{
	return member_known_string(r, off) == name;
}

/*
 * Is record @from of the member the same type as @rec of the pool? Hot: mostly pool_type.next
 * predicts the type, and this comparison is all that a record costs. May be false for equal types.
 */
static bool same_record(struct member_reader *r, const uint32_t *from, const uint32_t *rec)
{
	uint32_t info = from[BTF_REC_INFO], vlen = btf_info_vlen(info);
	const uint32_t *elem = from + BTF_REC_WORDS;

	if (info != rec[BTF_REC_INFO] || !same_name(r, from[BTF_REC_NAME], rec[BTF_REC_NAME]))
		return false;

	uint32_t size = from[BTF_REC_SIZE_TYPE], its_size = rec[BTF_REC_SIZE_TYPE];
	rec += BTF_REC_WORDS;
	switch (btf_info_kind(info)) {
	case BTF_STRUCT:
	case BTF_UNION:
		if (size != its_size)
			return false;
		for (uint32_t i = 0; i < vlen; i++, elem += 3, rec += 3) {
			if (elem[2] != rec[2] || !same_name(r, elem[0], rec[0]) ||
			    !same_ref(r, elem[1], rec[1]))
				return false;
		}
		return true;
	case BTF_FUNC_PROTO:
		if (!same_ref(r, size, its_size))
			return false;
		for (uint32_t i = 0; i < vlen; i++, elem += 2, rec += 2) {
			if (!same_name(r, elem[0], rec[0]) || !same_ref(r, elem[1], rec[1]))
				return false;
		}
		return true;
	case BTF_ENUM:
		if (size != its_size)
			return false;
		for (uint32_t i = 0; i < vlen; i++, elem += 2, rec += 2) {
			if (elem[1] != rec[1] || !same_name(r, elem[0], rec[0]))
				return false;
		}
		return true;
	case BTF_ARRAY:
		/* the size of an array must be 0, which the check of the result finds */
		return size == its_size && elem[2] == rec[2] && elem[1] < r->index_end &&
		       same_ref(r, elem[0], rec[0]);
	case BTF_FWD:
		return true;
	case BTF_INT:
		return size == its_size && elem[0] == rec[0];
	default:
		return (btf_info_kind(info) == BTF_PTR ||
			btf_kind_is_modifier(btf_info_kind(info))) &&
		       same_ref(r, size, its_size);
	}
}

/*
 * The same for a record that is not in the pool yet, because it is behind the record that refers to
 * it. Circles in the pool always contain a reference by name, so this ends. Records found equal are
 * equal whether or not the record that refers to them is.
 */
static NOINLINE bool same_unknown(struct member_reader *r, uint32_t id, pool_ref ref)
{
	uint32_t t = member_number_of(r, id);

	if (!t || !ref || pool_ref_is_named(ref) || ref == POOL_REF_INDEX || r->depth == DEEPEST)
		return false;

	struct pool_type *p = type_pool_at(r->encoder->run->types, ref);
	const uint32_t *rec = r->recs.items[t];
	r->depth++;
	bool same = same_record(r, rec, p->rec);
	r->depth--;
	if (same)
		enter(r, id, t, p);
	return same;
}

/* NOLINTEND(misc-no-recursion) */

/* --- looking up -------------------------------------------------------------------- */

/* How the pool refers to @id; if it is not in the pool, put it on the stack. */
ALWAYS_INLINE pool_ref to_pool(struct member_reader *r, uint32_t id, bool *missing)
{
	pool_ref ref = likely(id < r->end) ? r->refs[id] : 0;

	if (unlikely(!ref && member_number_of(r, id))) {
		vec_push(&r->encoder->stack, id);
		*missing = true;
	}
	return ref;
}

/* Convert record @from to words of the pool, in m->words. False if it has to wait. */
static bool convert(struct member_reader *r, const uint32_t *from)
{
	const struct btf_kind_layout *l = btf_kind_layout(btf_info_kind(from[BTF_REC_INFO]));
	uint32_t vlen = btf_info_vlen(from[BTF_REC_INFO]);
	struct unit_encoder *m = r->encoder;
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
		r->astray |= from[BTF_REC_WORDS + 1] >= r->index_end;
		rec[BTF_REC_WORDS + 1] = POOL_REF_INDEX; /* one for the whole program */
	}
	if (btf_info_kind(from[BTF_REC_INFO]) == BTF_FWD)
		rec[BTF_REC_SIZE_TYPE] = 0; /* not so with gcc (docs/spec/dedup.md 8.2) */
	return !missing;
}

ALWAYS_INLINE bool is_record(struct member_reader *r, const uint32_t *rec,
			     const struct pool_type *p)
{
	return p && same_record(r, rec, p->rec);
}

/* The type that follows number @t - 1 in other members, if that is @rec; else NULL. */
static struct pool_type *guess(struct member_reader *r, uint32_t t, const uint32_t *rec)
{
	const struct pool_type *before = r->entries[t - 1];

	if (!before)
		return NULL;

	struct pool_type *p = atomic_load_explicit(&before->next, memory_order_acquire);
	if (likely(is_record(r, rec, p)))
		return p;
	p = atomic_load_explicit(&before->next_before, memory_order_acquire);
	return is_record(r, rec, p) ? p : NULL;
}

/* Add @id to the pool, unless it has to wait for types on the stack. */
static void intern(struct member_reader *r, uint32_t id)
{
	struct unit_encoder *m = r->encoder;
	uint32_t t = r->tid[id];
	const uint32_t *rec = r->recs.items[t];
	size_t asked = m->stack.nr;
	struct pool_type *p = guess(r, t, rec);

	if (!p && convert(r, rec))
		type_pool_add(m->run->types, m->arena, m->words.items, m->words.nr, &p);
	if (p) {
		enter(r, id, t, p);
		return;
	}
	for (size_t i = asked; i < m->stack.nr; i++) {
		/* a type on the stack waits for this one: a circle */
		if (m->state[m->stack.items[i]] != TYPE_WAITS && m->stack.items[i] != id)
			continue;
		m->stack.nr = asked;
		enter(r, id, t, unit_add_placeholder(m, t));
		return;
	}
	m->state[id] = TYPE_WAITS;
}

static void intern_with_refs(struct member_reader *r, uint32_t id)
{
	struct unit_encoder *m = r->encoder;

	vec_push(&m->stack, id);
	while (m->stack.nr) {
		uint32_t top = m->stack.items[m->stack.nr - 1];

		if (!r->entries[r->tid[top]])
			intern(r, top);
		else
			m->stack.nr--;
	}
}

static void intern_all(struct member_reader *r)
{
	for (uint32_t id = 1; id < r->end; id++) {
		uint32_t t = r->tid[id];
		const uint32_t *rec = r->recs.items[t];

		if (unlikely(!rec)) {
			if (t) /* the index type: predict from the type before it */
				r->entries[t] = r->entries[t - 1];
			continue;
		}
		if (!r->entries[t]) {
			struct pool_type *p = guess(r, t, rec);

			if (likely(p))
				enter(r, id, t, p);
			else
				intern_with_refs(r, id);
		}
		type_pool_follows(r->entries[t - 1], r->entries[t]);
	}
}

/* A member that was not deduplicated may have a reference type twice. */
static void place_twice(struct member_reader *r)
{
	struct walk_refs refs = { 0 };

	if (!unit_fresh_twice(r->encoder))
		return;
	for (size_t t = 0; t < r->recs.nr; t++) {
		uint32_t *rec = r->recs.items[t];
		bool is_ref = rec && dedup_in_ref_pass(btf_info_kind(rec[BTF_REC_INFO]));

		walk_refs_next(&refs, is_ref);
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
	unit_place_in_walk_order(r->encoder, &refs);
	walk_refs_release(&refs);
}

/* The unit is the first that has these types, and so their strings. */
static void use_strings(struct member_reader *r)
{
	struct unit_encoder *m = r->encoder;

	for (size_t i = 0; i < m->first_seen.nr; i++) {
		btf_rec_each_name(r->recs.items[m->first_seen.items[i].type], name)
			str_pool_use(m->run->strings, member_string(r, *name),
				     str_place_at(m->btf->unit, *name));
		unit_list_enum(m->btf, m->first_seen.items[i].p);
	}
}

void member_add_types(struct member_reader *r)
{
	struct unit_encoder *m = r->encoder;
	size_t nr = r->recs.nr;

	vec_reserve(&m->btf->types, nr);
	memset(m->btf->types.items, 0, nr * sizeof(m->btf->types.items[0]));
	m->btf->types.nr = nr;
	m->btf->index_place = r->index_place;
	m->state = mem_grow(m->state, &m->state_cap, nr + r->end, sizeof(m->state[0]));
	memset(m->state, TYPE_NEW, r->end);
	r->entries = mem_grow(r->entries, &r->entries_cap, nr, sizeof(r->entries[0]));
	memset(r->entries, 0, nr * sizeof(r->entries[0]));
	r->entries[0] = &m->before_first;
	m->first_seen.nr = 0;
	unit_prepare_owners(m);
	intern_all(r);
	unit_sort_first_seen(m);
	use_strings(r);
	place_twice(r);
	m->btf->index_step = r->have_facts && r->facts.index ?
				     member_rec(r, r->facts.index)[BTF_REC_NAME] :
				     (uint32_t)r->strings.len;
}
