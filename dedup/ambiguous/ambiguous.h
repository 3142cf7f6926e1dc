/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ambiguous.h - where a name does not tell which type is meant
 *
 * The type pool takes "struct foo" for one type, whatever unit says it. That gives the
 * result of the rule in dedup.h as long as it is one. It is not
 *
 *   - if two units define it differently, or one unit has two of it (a definition in a
 *     function, say, beside one outside, or beside a declaration);
 *   - if libbpf's rule might take two types for equal that are not: it does not compare the
 *     elements of arrays when it meets one array in the place of two, and gives up
 *     comparing below 16 levels (docs/spec/dedup.md 3.7).
 *
 * There the rule has to see what each unit says; ambiguous_resolve() finds out of which units, and of
 * which of their types. In a kernel a dozen names have several definitions, most of them private
 * to two or three drivers, and a few dozen units of thousands are concerned. What they
 * say beside that is the same for all, and shared.
 */
#ifndef BTFENC_DEDUP_AMBIGUOUS_SETTLE_H
#define BTFENC_DEDUP_AMBIGUOUS_SETTLE_H

#include "dedup/base/base_names.h"
#include "dedup/dedup.h"
#include "dedup/pool/str_pool.h"
#include "dedup/pool/type_pool.h"

/* What a unit said. Borrows. */
struct resolve_unit {
	const uint32_t *types; /* pool ids; [0] is not used */
	size_t nr;
	bool irregular; /* has what the pool does not know (type_pool.h) and must be needs_exact, whatever else */
	/* names that have several owners in it, with POOL_STRUCT for unions, too */
	const pool_ref *multiply_defined;
	size_t nr_multiply_defined;
};

/*
 * What matters of a type beside what it says: bits. A unit that is needs_exact says what has any of them
 * itself.
 */
enum own_record {
	OWN_SAID = 1, /* whose it is; so with all that have any other bit, and what leads to them */
	/* which of two copies is referred to: if a unit has two, the pool does not tell enough */
	OWN_COPIES = 2, /* because another type looks like it but for an array */
	OWN_NAMES = 4,  /* because it leads to a name of which some unit has two */
};

/* Owns its arrays. */
struct resolved_names {
	/* by unit */
	struct resolved_unit {
		bool needs_exact; /* has types that are needs_exact, each as this unit says it */
		bool all_exact;   /* all of them are, not the tainted ones alone */
		bool like_base; /* it has a type that the rule may take for another one of the base */
	} * units;
	size_t nr_need_exact;
	bool *tainted; /* by pool id: is needs_exact in every unit that has it */
	/* by pool id: see enum own_record; NULL if no unit is needs_exact */
	uint8_t *own;
	bool names_look_alike; /* the rule may take two definitions of one name for equal */
	/* by string id: what a name reference means outside of needs_exact types, or 0 */
	uint32_t *named[POOL_NR_SPACES];
};

/*
 * @base_conflicts: over a base, what means something else there (base_names.h), else NULL. Not while
 * others use the pools. Once, for it changes where some types are first.
 */
void ambiguous_resolve(const struct type_pool *types, const struct str_pool *strings,
		       const struct resolve_unit *units, size_t nr_units,
		       const struct pool_ref_list *base_conflicts, struct resolved_names *ret);
void resolved_names_release(struct resolved_names *s);

/* For one unit after the base_conflicts: which types have been there. Borrows the rest. */
struct pool_copies {
	const struct type_pool *types;
	const struct resolved_names *resolved;
	/*
	 * By pool id, plus 1: the last unit that has it, and in which it was referred to before.
	 * NULL until somebody asks.
	 */
	struct pool_copy {
		uint32_t there, asked;
	} * of;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} waiting; /* of what was asked for: pool ids whose own references were not looked at yet */
};

void pool_copies_init(struct pool_copies *c, const struct type_pool *types,
		      const struct resolved_names *s);
void pool_copies_release(struct pool_copies *c);
/*
 * Does the pool know enough of how the needs_exact types of @unit, the @u-th, refer to one another? Not if
 * two have one name, or if one is there twice and it matters which is meant.
 */
bool pool_copies_suffice(struct pool_copies *c, size_t u, const struct resolve_unit *unit);

/* Is a type of unit @u, with pool id @id, needs_exact as this unit says it? */
static inline bool needs_exact_dedup(const struct resolved_names *s, size_t u, uint32_t id)
{
	return s->tainted[id] || s->units[u].all_exact || (s->units[u].needs_exact && s->own[id]);
}

#endif
