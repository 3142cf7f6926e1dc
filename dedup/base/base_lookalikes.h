/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_lookalikes.h - structs without a name that look like one of a base but for what arrays hold
 *
 * The rule of dedup.h may take such a struct for that of the base, because it takes two arrays for
 * one that the base has in the place of both (array_lookalikes.c). If the base has another struct that is
 * truly the same, then which of the two it is depends on what else of the unit is compared: what is
 * found equal takes with it what is inside, and an array that another unit has said is none of this
 * one's that could have been met before. So a unit that has it says everything itself.
 *
 * Of what has a name, base_names.c finds that out. libbpf does not look for the typedefs of a base.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_LOOKALIKES_H
#define BTFENC_DEDUP_BASE_BASE_LOOKALIKES_H

#include "dedup/base/base_match.h"

/* Structs and unions without a name, by what any that look alike have in common. */
struct shallow_signature {
	uint64_t key;
	uint32_t id;
};

/* Owns its items. Zeroed is empty; release it. */
struct shallow_signatures {
	struct shallow_signature *items; /* by key, once sorted */
	size_t nr, cap;
};

/* Has @rec no name, but members? */
static inline bool has_shallow_signature(const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	return (kind == BTF_STRUCT || kind == BTF_UNION) && !rec[BTF_REC_NAME] &&
	       btf_info_vlen(rec[BTF_REC_INFO]);
}

void shallow_signatures_release(struct shallow_signatures *o);
/* Add type @id of @base, which is @rec, if it counts. */
void shallow_signatures_add(struct shallow_signatures *o, const struct btf_view *base,
			    const uint32_t *rec, uint32_t id);
void shallow_signatures_sort(struct shallow_signatures *o);

/* Those of a pool that may be concerned: they lead to two arrays without a name in between. */
void base_lookalikes_list(const struct type_pool *types, const struct str_pool *strings,
			  struct shallow_signatures *ret);

/*
 * Is @asked of the pool one that the rule may take for one of @found, which are sorted, although it
 * is another? @a is for @found's base.
 */
bool base_has_lookalike(struct base_match *a, const struct shallow_signature *asked,
			const struct shallow_signatures *found);

#endif
