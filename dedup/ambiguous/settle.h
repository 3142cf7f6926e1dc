/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle.h - where a name does not tell which type is meant
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
 * There the rule has to see what each unit says; settle() finds out of which units, and of
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
struct settle_unit {
	const uint32_t *types; /* pool ids; [0] is not used */
	size_t nr;
	bool odd; /* has what the pool does not know (type_pool.h) and must be judged, whatever else */
	/* names that have several owners in it, with POOL_STRUCT for unions, too */
	const pool_ref *crowded;
	size_t nr_crowded;
};

/*
 * What matters of a type beside what it says: bits. A unit that is judged says what has any of them
 * itself.
 */
enum settle_own {
	OWN_SAID = 1, /* whose it is; so with all that have any other bit, and what leads to them */
	/* which of two copies is referred to: if a unit has two, the pool does not tell enough */
	OWN_COPIES = 2, /* because another type looks like it but for an array */
	OWN_NAMES = 4,  /* because it leads to a name of which some unit has two */
};

/* Owns its arrays. */
struct settled {
	/* by unit */
	struct settled_unit {
		bool judged; /* has types that are judged, each as this unit says it */
		bool whole;  /* all of them are, not the unclear ones alone */
		bool alike;  /* it has a type that the rule may take for another one of the base */
	} * units;
	size_t nr_judged;
	bool *unclear; /* by pool id: is judged in every unit that has it */
	/* by pool id: see enum settle_own; NULL if no unit is judged */
	uint8_t *own;
	bool names_alike; /* the rule may take two definitions of one name for equal */
	/* by string id: what a name reference means outside of judged types, or 0 */
	uint32_t *named[POOL_NR_SPACES];
};

/*
 * @other: over a base, what means something else there (base_names.h), else NULL. Not while
 * others use the pools. Once, for it changes where some types are first.
 */
void settle(const struct type_pool *types, const struct str_pool *strings,
	    const struct settle_unit *units, size_t nr_units, const struct pool_ref_list *other,
	    struct settled *ret);
void settled_release(struct settled *s);

/* For one unit after the other: which types have been there. Borrows the rest. */
struct settle_copies {
	const struct type_pool *types;
	const struct settled *settled;
	/*
	 * By pool id, plus 1: the last unit that has it, and in which it was referred to before.
	 * NULL until somebody asks.
	 */
	struct settle_copy {
		uint32_t there, asked;
	} * of;
	struct {
		uint32_t *items;
		size_t nr, cap;
	} waiting; /* of what was asked for: pool ids whose own references were not looked at yet */
};

void settle_copies_init(struct settle_copies *c, const struct type_pool *types,
			const struct settled *s);
void settle_copies_release(struct settle_copies *c);
/*
 * Does the pool know enough of how the judged types of @unit, the @u-th, refer to one another? Not if
 * two have one name, or if one is there twice and it matters which is meant.
 */
bool settle_copies_known(struct settle_copies *c, size_t u, const struct settle_unit *unit);

/* Is a type of unit @u, with pool id @id, judged as this unit says it? */
static inline bool settled_is_judged(const struct settled *s, size_t u, uint32_t id)
{
	return s->unclear[id] || s->units[u].whole || (s->units[u].judged && s->own[id]);
}

#endif
