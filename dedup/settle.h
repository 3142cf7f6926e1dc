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
 *     comparing below 16 levels (spec btf-and-dedup 3.7).
 *
 * Units in which that matters have to be given to the rule as they are; settle() finds
 * them. In a kernel a dozen names have several definitions, most of them private to two or
 * three drivers, and a few dozen units of thousands are concerned.
 */
#ifndef BTFENC_DEDUP_SETTLE_H
#define BTFENC_DEDUP_SETTLE_H

#include "dedup/base_names.h"
#include "dedup/dedup.h"
#include "dedup/str_pool.h"
#include "dedup/type_pool.h"

/* What a unit said. Borrows. */
struct settle_unit {
	const uint32_t *types; /* pool ids; [0] is not used */
	size_t nr;
	bool odd; /* must be judged as it is, whatever else */
	/* names that have several owners in it, with POOL_STRUCT for unions, too */
	const pool_ref *crowded;
	size_t nr_crowded;
};

/* A declaration that the rule would bind to a definition, and this definition. */
struct settle_bind {
	uint32_t fwd, def; /* pool ids */
};

/* Owns its arrays. */
struct settled {
	bool *exact; /* by unit: must be judged as it is */
	size_t nr_exact;
	bool *unclear; /* by pool id, up to @end: so must every unit that has it */
	uint32_t end;
	/* by string id: what a name reference means outside of these units, or 0 */
	uint32_t *named[POOL_NR_SPACES];
	struct {
		struct settle_bind *items;
		size_t nr, cap;
	} binds;
};

/*
 * @other: over a base, names that mean something else there (base_names.h), else NULL. Not while
 * others use the pools. Once, for it changes where some types are first.
 */
void settle(const struct type_pool *types, const struct str_pool *strings,
	    const struct settle_unit *units, size_t nr_units, const struct pool_names *other,
	    struct settled *ret);
/*
 * The same for the first units of many, to guess of the others which will have to be judged: those
 * that have what is unclear. Changes nothing.
 */
void settle_so_far(const struct type_pool *types, const struct str_pool *strings,
		   const struct settle_unit *units, size_t nr_units, const struct pool_names *other,
		   struct settled *ret);
void settled_release(struct settled *s);

#endif
