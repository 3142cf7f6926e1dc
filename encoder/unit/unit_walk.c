/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_walk.c - determine which of several equal reference types of a unit deduplication keeps
 *
 * A unit may have equal reference types. Deduplication keeps the one that its depth-first walk
 * finishes first, which is not always the first in the unit (docs/spec/dedup.md 3.10).
 */
#include "encoder/unit/unit_encoder.h"

#include <stdlib.h>

/* unit_encoder.seen has room for 14 bits of the serial number. */
enum { SERIAL_END = 1 << 14 };

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

struct pool_type *unit_add_placeholder(struct unit_encoder *m, unit_tid t)
{
	const uint32_t rec[] = { 0, btf_info(BTF_UNKN, 0, false), m->btf->unit, t };

	struct pool_type *p;

	m->btf->irregular = true;
	type_pool_add(m->run->types, m->arena, rec, ARRAY_SIZE(rec), &p);
	return p;
}

void unit_sort_first_seen(struct unit_encoder *m)
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
	for (size_t t = 0; t < m->btf->types.nr; t++) {
		if (at[t])
			m->first_seen.items[m->first_seen.nr++] = old[at[t] - 1];
	}
	free(old);
	free(at);
}

bool unit_fresh_twice(const struct unit_encoder *m)
{
	for (size_t i = 0; i < m->first_seen.nr; i++) {
		const struct first_seen_type *f = &m->first_seen.items[i];

		if (pool_place_unit(f->before) == m->btf->unit &&
		    dedup_in_ref_pass(btf_info_kind(f->p->rec[BTF_REC_INFO])))
			return true;
	}
	return false;
}

void walk_refs_release(struct walk_refs *r)
{
	FREE_ALL(r->to.items, r->start.items, r->is_reference.items);
}

/* The next reference type that @t refers to and the walk has not visited; 0 for none. */
static uint32_t next_target(const struct unit_encoder *m, const struct walk_refs *refs, uint32_t t)
{
	for (uint32_t i = refs->start.items[t]; i < refs->start.items[t + 1]; i++) {
		uint32_t target = refs->to.items[i];

		if (m->state[target] == TYPE_NEW && refs->is_reference.items[target])
			return target;
	}
	return 0;
}

static struct pool_type *pooled(const struct unit_encoder *m, uint32_t t)
{
	return type_pool_at(m->run->types, m->btf->types.items[t]);
}

/* The walk has finished @t. It is kept, unless an equal type was finished before. */
static void place_first(const struct unit_encoder *m, uint32_t t)
{
	struct pool_type *p = pooled(m, t);

	if (pool_place_unit(pool_type_place(p)) != m->btf->unit)
		pool_type_place_at(p, m->btf->unit, t);
}

void unit_place_in_walk_order(struct unit_encoder *m, struct walk_refs *refs)
{
	uint32_t nr = (uint32_t)refs->start.nr, unit = m->btf->unit;

	vec_push(&refs->start, (uint32_t)refs->to.nr);
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
