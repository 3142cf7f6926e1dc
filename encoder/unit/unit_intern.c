/* SPDX-License-Identifier: GPL-2.0-only */
/* unit_intern.c - the parts of unit_intern.h that are not inline */
#include "encoder/unit/unit_intern.h"
#include "dedup/pool/pool_refs.h"

#include <stdlib.h>

/* unit_encoder.seen has room for 14 bits of the serial number. */
enum { SERIAL_END = 1 << 14 };

/* Depth at which unit_enter_like() gives up. */
enum { DEEPEST = 64 };

void unit_prepare_owners(struct unit_encoder *m)
{
	uint32_t end = atomic_load(&m->run->strings->end);

	if (end > m->seen_cap) {
		size_t cap = m->seen_cap;

		m->seen = mem_grow(m->seen, &m->seen_cap, end, sizeof(m->seen[0]));
		memset(m->seen + cap, 0, (m->seen_cap - cap) * sizeof(m->seen[0]));
	}
	if (++m->serial == SERIAL_END) {
		memset(m->seen, 0, m->seen_cap * sizeof(m->seen[0]));
		m->serial = 1;
	}
}

void unit_begin_types(struct unit_encoder *m)
{
	size_t nr = m->nr_records;

	vec_reserve(&m->btf->types, nr);
	memset(m->btf->types.items, 0, nr * sizeof(m->btf->types.items[0]));
	m->btf->types.nr = nr;
	m->btf->index_tid = m->index_tid;
	m->state = mem_grow(m->state, &m->state_cap, nr, sizeof(m->state[0]));
	memset(m->state, TYPE_NEW, nr);
	m->refs = mem_grow(m->refs, &m->refs_cap, nr, sizeof(m->refs[0]));
	memset(m->refs, 0xff, nr * sizeof(m->refs[0])); /* NO_REF */
	m->refs[0] = 0;                                 /* void */
	m->refs[m->index_tid] = POOL_REF_INDEX;
	m->first_seen.nr = 0;
	m->entered = mem_grow(m->entered, &m->entered_cap, nr, sizeof(m->entered[0]));
	memset(m->entered, 0, nr * sizeof(m->entered[0]));
	m->entered[0] = &m->before_first;
}

/* --- entering ------------------------------------------------------------------------ */

/* NOLINTBEGIN(misc-no-recursion): at most DEEPEST deep */

/* Cycles in the pool always contain a reference by name, so this ends. */
bool unit_enter_like(struct unit_encoder *m, unit_tid t, pool_ref like)
{
	uint32_t ref[BTF_REC_WORDS];
	bool same;

	/* without @differs, a graph of types would be compared once for each path through it */
	if (m->differs || !ref_is_id(like) || m->depth == DEEPEST)
		return false;

	struct pool_type *p = type_pool_at(m->run->types, like);
	const uint32_t *rec = p->rec;
	m->depth++;
	bool reference = m->source->reference(m, t, ref);
	if (reference)
		same = ref[BTF_REC_INFO] == rec[BTF_REC_INFO] &&
		       ref[BTF_REC_NAME] == rec[BTF_REC_NAME] &&
		       unit_ref_like(m, ref[BTF_REC_SIZE_TYPE], rec[BTF_REC_SIZE_TYPE]) ==
			       rec[BTF_REC_SIZE_TYPE];
	else
		same = m->source->is(m, t, rec);
	m->depth--;
	m->differs = !same;
	if (!same)
		return false;
	unit_entered(m, t, p);
	if (!reference)
		unit_note_kind(m, t);
	return true;
}

/* NOLINTEND(misc-no-recursion) */

bool unit_guess_target(struct unit_encoder *m, unit_tid t, const uint32_t ref[BTF_REC_WORDS])
{
	const struct pool_type *before = m->entered[t - 1], *p = NULL;

	if (before)
		p = atomic_load_explicit(&before->next, memory_order_acquire);

	bool same = p && p->rec[BTF_REC_INFO] == ref[BTF_REC_INFO] &&
		    p->rec[BTF_REC_NAME] == ref[BTF_REC_NAME] &&
		    unit_enter_like(m, ref[BTF_REC_SIZE_TYPE], p->rec[BTF_REC_SIZE_TYPE]);
	m->differs = false;
	return same;
}

bool unit_enter_record(struct unit_encoder *m, unit_tid t)
{
	size_t asked = m->stack.nr;

	m->source->targets(m, t);
	if (m->stack.nr > asked)
		return false;
	m->source->record(m, t, &m->log);
	btf_rec_each_type(m->words.items, type)
	{
		if (*type != POOL_REF_INDEX)
			*type = unit_ref(m, *type);
	}
	unit_enter(m, t, m->words.items, m->words.nr);
	return true;
}

/* Enter a record like no other for type @t, which refers to itself through types without names. */
static void enter_placeholder(struct unit_encoder *m, unit_tid t)
{
	const uint32_t rec[] = { 0, btf_info(BTF_UNKN, 0, false), m->btf->unit, t };
	struct pool_type *p;

	m->btf->irregular = true;
	type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &p);
	unit_entered(m, t, p);
}

void unit_wait(struct unit_encoder *m, unit_tid t, size_t first)
{
	for (size_t i = first; i < m->stack.nr; i++) {
		if (m->state[m->stack.items[i]] != TYPE_WAITS && m->stack.items[i] != t)
			continue;
		m->stack.nr = first;
		enter_placeholder(m, t);
		return;
	}
	m->state[t] = TYPE_WAITS;
}

/* --- strings ------------------------------------------------------------------------- */

/* Sort m->first_seen by the order of the unit. */
static void sort_first_seen(struct unit_encoder *m)
{
	size_t nr = m->first_seen.nr, sorted = 1;
	struct first_seen_type *old;
	uint32_t *at; /* by type: where it is, plus 1 */

	while (sorted < nr &&
	       m->first_seen.items[sorted - 1].type < m->first_seen.items[sorted].type)
		sorted++;
	if (sorted >= nr)
		return;
	old = mem_dup(m->first_seen.items, nr * sizeof(*old));
	at = mem_zalloc(m->btf->types.nr, sizeof(*at));
	for (size_t i = 0; i < nr; i++)
		at[old[i].type] = (uint32_t)i + 1;
	m->first_seen.nr = 0;
	for (size_t t = 0; t < m->nr_records; t++) {
		if (at[t])
			m->first_seen.items[m->first_seen.nr++] = old[at[t] - 1];
	}
	free(old);
	free(at);
}

static bool is_placeholder(const struct pool_type *p)
{
	return btf_info_kind(p->rec[BTF_REC_INFO]) == BTF_UNKN;
}

/* The unit is the first one with @f: note the first use of its strings. */
static void use_strings(struct unit_encoder *m, const struct first_seen_type *f)
{
	const uint32_t *rec = f->p->rec;

	if (unlikely(is_placeholder(f->p))) {
		m->source->record(m, f->type, NULL);
		rec = m->words.items;
	}

	const struct btf_kind_layout *l = btf_rec_layout(rec);
	const uint32_t *elem = rec + BTF_REC_WORDS + l->fixed;
	str_pool_use(m->run->strings, rec[BTF_REC_NAME], unit_next_place(m));
	for (uint32_t i = l->elem_name < 0 ? 0 : btf_rec_vlen(rec); i; i--, elem += l->elem)
		str_pool_use(m->run->strings, elem[l->elem_name], unit_next_place(m));
	unit_list_enum(m->btf, f->p);
}

/* The name of an index type comes between those of the types and those of their tags. */
static void use_all_strings(struct unit_encoder *m)
{
	size_t i = 0, nr = m->first_seen.nr;

	while (i < nr && m->first_seen.items[i].type < m->index_tid)
		use_strings(m, &m->first_seen.items[i++]);
	m->btf->index_step = m->step++;
	while (i < nr)
		use_strings(m, &m->first_seen.items[i++]);
}

/* --- reference types that the unit has several times ---------------------------------- */

/*
 * Deduplication keeps the one that its depth-first walk over reference types finishes first, which is not always
 * the first in the unit (docs/spec/dedup.md 3.10).
 */

/* The targets of the reference types of a unit, in the order of that walk. */
struct walk_refs {
	VEC(uint32_t) to, start;
	VEC(uint32_t) next; /* by type: index in @to of the first that the walk has not passed */
	VEC(bool) is_reference;
};

static struct pool_type *pooled(const struct unit_encoder *m, unit_tid t)
{
	return type_pool_at(m->run->types, m->btf->types.items[t]);
}

/* Does the unit have equal reference types that no lower unit has? */
static bool fresh_twice(const struct unit_encoder *m)
{
	for (size_t i = 0; i < m->first_seen.nr; i++) {
		const struct first_seen_type *f = &m->first_seen.items[i];

		if (pool_place_unit(f->before) == m->btf->unit &&
		    dedup_in_ref_pass(btf_info_kind(f->p->rec[BTF_REC_INFO])))
			return true;
	}
	return false;
}

/* Is @t in the pass of reference types? Then m->words is its record. */
static bool get_reference(struct unit_encoder *m, unit_tid t)
{
	const struct pool_type *p;

	if (!t || t == m->index_tid)
		return false;
	p = pooled(m, t);
	if (!is_placeholder(p) && !dedup_in_ref_pass(btf_rec_kind(p->rec)))
		return false;
	m->source->record(m, t, NULL);
	return dedup_in_ref_pass(btf_rec_kind(m->words.items));
}

static void list_refs(struct unit_encoder *m, struct walk_refs *refs)
{
	for (unit_tid t = 0; t < m->nr_records; t++) {
		bool is_reference = get_reference(m, t);

		vec_push(&refs->start, (uint32_t)refs->to.nr);
		vec_push(&refs->next, (uint32_t)refs->to.nr);
		vec_push(&refs->is_reference, is_reference);
		if (!is_reference)
			continue;
		btf_rec_each_type(m->words.items, type)
		{
			if (*type != POOL_REF_INDEX)
				vec_push(&refs->to, *type);
		}
	}
	vec_push(&refs->start, (uint32_t)refs->to.nr);
}

/* The next reference type that @t refers to and the walk has not visited; 0 for none. */
static uint32_t next_target(const struct unit_encoder *m, const struct walk_refs *refs, uint32_t t)
{
	for (uint32_t *i = &refs->next.items[t]; *i < refs->start.items[t + 1]; ++*i) {
		uint32_t target = refs->to.items[*i];

		if (m->state[target] == TYPE_NEW && refs->is_reference.items[target])
			return target;
	}
	return 0;
}

/* The walk has finished @t. It is kept, unless an equal type was finished before. */
static void place_first(const struct unit_encoder *m, uint32_t t)
{
	struct pool_type *p = pooled(m, t);

	if (pool_place_unit(pool_type_place(p)) != m->btf->unit)
		pool_type_place_at(p, m->btf->unit, t);
}

/* Place the reference types of the unit in the order of the walk. */
static void place_in_walk_order(struct unit_encoder *m, const struct walk_refs *refs)
{
	uint32_t nr = m->nr_records, unit = m->btf->unit;

	memset(m->state, TYPE_NEW, nr);
	for (uint32_t t = 1; t < nr; t++) {
		if (refs->is_reference.items[t])
			pool_type_forget_first_use(pooled(m, t), unit);
	}
	for (uint32_t t = 1; t < nr; t++) {
		if (refs->is_reference.items[t] && m->state[t] == TYPE_NEW)
			vec_push(&m->stack, t);
		while (m->stack.nr) {
			uint32_t top = m->stack.items[m->stack.nr - 1];

			if (m->state[top] == TYPE_DONE) {
				m->stack.nr--;
				continue;
			}
			m->state[top] = TYPE_WAITS;

			uint32_t target = next_target(m, refs, top);
			if (target) {
				vec_push(&m->stack, target);
				continue;
			}
			m->state[top] = TYPE_DONE;
			m->stack.nr--;
			place_first(m, top);
		}
	}
}

void unit_end_types(struct unit_encoder *m)
{
	struct walk_refs refs = { 0 };

	sort_first_seen(m);
	use_all_strings(m);
	if (!fresh_twice(m))
		return;
	list_refs(m, &refs);
	place_in_walk_order(m, &refs);
	FREE_ALL(refs.to.items, refs.start.items, refs.next.items, refs.is_reference.items);
}

void unit_records(struct unit_encoder *m, struct raw_unit *ret)
{
	vec_push(&ret->start, 0);
	vec_push(&ret->words, 0); /* so that no record starts at 0 */
	for (unit_tid t = 1; t < m->nr_records; t++) {
		bool index = t == m->index_tid;

		vec_push(&ret->start, index ? 0 : (uint32_t)ret->words.nr);
		if (index)
			continue;
		m->source->record(m, t, NULL);
		vec_reserve(&ret->words, m->words.nr);
		memcpy(ret->words.items + ret->words.nr, m->words.items,
		       m->words.nr * sizeof(m->words.items[0]));
		ret->words.nr += m->words.nr;
	}
}
