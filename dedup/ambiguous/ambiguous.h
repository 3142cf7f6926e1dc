/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ambiguous.h - resolve names that have several meanings
 *
 * The type pool refers to "struct port" by its name, whichever unit refers to it. Deduplicating
 * the pool's records is right as long as the name has one meaning. ambiguous_resolve() finds the
 * units and types for which that does not hold. Their units emit records of their own for these
 * types, and libbpf's rules (dedup.h) compare them one by one. ambiguous.c describes the algorithm.
 */
#ifndef BTFENC_DEDUP_AMBIGUOUS_AMBIGUOUS_H
#define BTFENC_DEDUP_AMBIGUOUS_AMBIGUOUS_H

#include "dedup/base/base_names.h"
#include "dedup/dedup.h"
#include "dedup/pool/id_list.h"
#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"

/* The types of one unit. Borrows. */
struct resolve_unit {
	struct id_list types; /* pool ids in the order of the unit; the first is 0 */
	bool irregular;       /* the pool cannot represent all its types: needs exact dedup */
	/* names that the unit defines or declares several times, with POOL_STRUCT for unions, too */
	const pool_ref *multiply_defined;
	size_t nr_multiply_defined;
};

/* Owns its arrays. */
struct resolved_names {
	/* by unit */
	struct resolved_unit {
		bool needs_exact; /* emits records of its own */
		bool all_exact;   /* for all its types, not only for the tainted ones */
	} * units;
	size_t nr_need_exact;
	bool *tainted; /* by pool id: each unit that has the type emits a record of its own */
	/* by pool id: if a unit has the type twice, the result depends on which copy is referenced */
	bool *copies_matter;
	/* by string id: the pool id that a name reference of a shared record means, or 0 */
	uint32_t *named[POOL_NR_SPACES];
};

/*
 * Fill @ret, which the caller releases. @base_conflicts: names and types that conflict with the
 * base (base_names.h); NULL without a base. Changes first uses in the pools: call it once, and
 * while no other thread uses them.
 */
void ambiguous_resolve(const struct type_pool *types, const struct str_pool *strings,
		       const struct resolve_unit *units, size_t nr_units,
		       const struct pool_ref_list *base_conflicts, struct resolved_names *ret);
void resolved_names_release(struct resolved_names *s);

/* Does unit @u emit a record of its own for the type with pool id @id? */
static inline bool needs_exact_dedup(const struct resolved_names *s, size_t u, uint32_t id)
{
	return s->tainted[id] || s->units[u].all_exact;
}

/* Visits the units one by one, see pool_copies_suffice(). Borrows the pool and the names. */
struct pool_copies {
	const struct type_pool *types;
	const struct resolved_names *resolved;
	/*
	 * By pool id, 1 + the number of the last unit that has the type, and of the last unit in
	 * which it was referenced before. NULL until a unit needs exact dedup.
	 */
	struct pool_copy {
		uint32_t there, asked;
	} * of;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} waiting; /* referenced types whose own references are still to be visited */
};

void pool_copies_init(struct pool_copies *c, const struct type_pool *types,
		      const struct resolved_names *s);
void pool_copies_release(struct pool_copies *c);
/*
 * Do the pool's records tell how the own records of @unit, the @u-th, refer to each other? If not,
 * the unit must be read again. The pool has a type once that the unit may have twice.
 */
bool pool_copies_suffice(struct pool_copies *c, size_t u, const struct resolve_unit *unit);

#endif
