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
 * Then every type from which such a one can be reached is unclear, and a unit that
 * has an unclear type has to be given to the rule as it is. In a kernel that is the
 * case for some twenty names, which hardly anything refers to.
 */
#ifndef BTFENC_DEDUP_SETTLE_H
#define BTFENC_DEDUP_SETTLE_H

#include "dedup/str_pool.h"
#include "dedup/type_pool.h"

/* Owns its arrays. */
struct settled {
	bool *unclear; /* by pool id */
	bool any;
	/* by string id: the definition that a name reference means, or the declaration, or 0 */
	uint32_t *named[POOL_NR_SPACES];
};

/*
 * @crowded are names that have several owners in one unit: references to what they
 * are, with POOL_STRUCT for unions, too. Not while others use the pools.
 */
void settle(const struct type_pool *types, const struct str_pool *strings, const pool_ref *crowded,
	    size_t nr_crowded, struct settled *ret);
void settled_release(struct settled *s);

#endif
