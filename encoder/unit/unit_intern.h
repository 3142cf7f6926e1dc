/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_intern.h - enter the types of a unit in the type pool
 *
 * A unit is a list of records, whose references are numbers of records of the unit (unit_tid). A unit of DWARF
 * (unit_types.c) and a member of an archive (encoder/member/member_types.c) each provide these records as a struct
 * record_source. The code here is inline, so that it is compiled once for each source.
 *
 * A record can be looked up in the pool when all records that it refers to by id have been entered. Until then the
 * type waits on a stack. A type with a name is referred to by name, so others need not wait for it; this ends the
 * recursion of structs with pointers to themselves. A cycle without a name, which C cannot express but DWARF can, gets
 * a placeholder that is equal to no other record.
 */
#ifndef BTFENC_ENCODER_UNIT_UNIT_INTERN_H
#define BTFENC_ENCODER_UNIT_UNIT_INTERN_H

#include "encoder/unit/unit_encoder.h"

/*
 * The records of the unit at hand, m->nr_records - 1. Before unit_intern(), m->refs has the name references of its types
 * with names, and NO_REF for all others. The functions are not called for m->index_tid.
 */
struct record_source {
	/* If @t is a pointer, a qualifier, a type tag or a typedef, *ret is its record. */
	bool (*reference)(struct unit_encoder *m, unit_tid t, uint32_t ret[BTF_REC_WORDS]);
	/*
	 * Is @t, which is no reference(), equal to @rec of the pool? May be false for an equal record, which is
	 * looked up then. Most records are equal to a guess, and this is all that they cost, so it compares the
	 * source as it is: an archive takes 25 % longer if each record is converted first.
	 */
	bool (*is)(struct unit_encoder *m, unit_tid t, const uint32_t *rec);
	/* Call unit_want() for all types that @t refers to. */
	void (*targets)(struct unit_encoder *m, unit_tid t);
	/* Make m->words the record of @t. What BTF cannot express is reported to @log. */
	void (*record)(struct unit_encoder *m, unit_tid t, const struct omission_log *log);
};

/*
 * The pool reference to @t, which the record that @t is a part of has as @like, if they are equal. If @t is not entered
 * yet, it is compared with the type that @like refers to. Returns NO_REF if they differ.
 */
/* NOLINTNEXTLINE(misc-no-recursion): unit_enter_like() ends */
ALWAYS_INLINE pool_ref unit_ref_like(struct unit_encoder *m, unit_tid t, pool_ref like)
{
	pool_ref ref = m->refs[t];

	return unlikely(ref == NO_REF) && unit_enter_like(m, t, like) ? like : ref;
}

/* For record_source.targets: push @t on the stack unless it is entered. */
ALWAYS_INLINE void unit_want(struct unit_encoder *m, unit_tid t)
{
	if (m->refs[t] == NO_REF)
		vec_push(&m->stack, t);
}

ALWAYS_INLINE bool unit_is(struct unit_encoder *m, unit_tid t, const struct pool_type *p,
			   const struct record_source *s)
{
	if (likely(p) && likely(s->is(m, t, p->rec)))
		return true;
	m->differs = false;
	return false;
}

/*
 * In most units the same type follows the one before (type_pool.h). So a type is first compared with that guess. The
 * comparison also enters the types that the type refers to. Returns NULL if the guess is wrong.
 */
ALWAYS_INLINE struct pool_type *unit_guess(struct unit_encoder *m, unit_tid t,
					   const struct record_source *s)
{
	const struct pool_type *before = m->entered[t - 1];

	if (unlikely(!before))
		return NULL;

	struct pool_type *p = atomic_load_explicit(&before->next, memory_order_acquire);
	if (likely(unit_is(m, t, p, s)))
		return p;
	p = atomic_load_explicit(&before->next_before, memory_order_acquire);
	return unit_is(m, t, p, s) ? p : NULL;
}

/* Enter @t, which is no reference(). Returns false if it has to wait. */
ALWAYS_INLINE bool unit_enter_other(struct unit_encoder *m, unit_tid t,
				    const struct record_source *s)
{
	struct pool_type *p = unit_guess(m, t, s);

	if (likely(p)) {
		__builtin_prefetch(atomic_load_explicit(&p->next, memory_order_relaxed));
		unit_entered(m, t, p);
	} else if (!unit_enter_record(m, t)) {
		return false;
	}
	unit_note_kind(m, t);
	return true;
}

/* Enter @t, or push on the stack what it waits for. */
ALWAYS_INLINE void unit_enter_type(struct unit_encoder *m, unit_tid t,
				   const struct record_source *s)
{
	uint32_t rec[BTF_REC_WORDS];
	size_t asked = m->stack.nr;

	if (!s->reference(m, t, rec)) {
		if (likely(unit_enter_other(m, t, s)))
			return;
	} else if (likely(m->refs[rec[BTF_REC_SIZE_TYPE]] != NO_REF) ||
		   unit_guess_target(m, t, rec)) {
		rec[BTF_REC_SIZE_TYPE] = m->refs[rec[BTF_REC_SIZE_TYPE]];
		unit_enter(m, t, rec, BTF_REC_WORDS);
		return;
	} else {
		vec_push(&m->stack, rec[BTF_REC_SIZE_TYPE]);
	}
	unit_wait(m, t, asked);
}

/* Enter all types of the unit. Those with lower numbers come first, and before each what it waits for. */
ALWAYS_INLINE void unit_intern(struct unit_encoder *m, const struct record_source *s)
{
	const uint32_t *done = m->btf->types.items;
	uint32_t nr = m->nr_records;

	/* the name references of a member add strings to the pool */
	unit_prepare_owners(m);
	for (unit_tid t = 1; t < nr; t++) {
		if (unlikely(t == m->index_tid)) {
			m->entered[t] = m->entered[t - 1];
			continue;
		}
		if (!done[t])
			unit_enter_type(m, t, s);
		while (unlikely(m->stack.nr)) {
			unit_tid top = m->stack.items[m->stack.nr - 1];

			if (done[top])
				m->stack.nr--;
			else
				unit_enter_type(m, top, s);
		}
		if (unlikely(!done[t]))
			unit_enter_type(m, t, s);
		type_pool_follows(m->entered[t - 1], m->entered[t]);
	}
}

#endif
