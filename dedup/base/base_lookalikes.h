/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_lookalikes.h - structs without a name that differ from one of a base only in elements of arrays
 *
 * libbpf's rules (dedup.h) may merge such a struct with that of the base, because they may merge two
 * different arrays with one array of the base (array_lookalikes.c). If the base also has an equal
 * struct, the one that libbpf chooses depends on the other types of the unit that it compares: a merge
 * of a struct also merges its members, and an array in a shared record does not count as an array of
 * this unit that was merged before. So a unit with such a struct must emit all its records itself.
 *
 * base_names.c finds types with a name. libbpf does not search typedefs of a base.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_LOOKALIKES_H
#define BTFENC_DEDUP_BASE_BASE_LOOKALIKES_H

#include "dedup/base/base_match.h"

/* A struct or union without a name, and a key that is equal for all that look alike. */
struct shallow_signature {
	uint64_t key;
	uint32_t id;
};

/* Owns its items. Zeroed is empty; release it. */
struct shallow_signatures {
	struct shallow_signature *items; /* by key, once sorted */
	size_t nr, cap;
};

/* Is @rec a struct or union without a name that has members? */
static inline bool has_shallow_signature(const uint32_t *rec)
{
	uint32_t kind = btf_info_kind(rec[BTF_REC_INFO]);

	return btf_kind_is_struct(kind) && !rec[BTF_REC_NAME] && btf_info_vlen(rec[BTF_REC_INFO]);
}

void shallow_signatures_release(struct shallow_signatures *o);
/* Add type @id of @base, which is @rec, if has_shallow_signature(). */
void shallow_signatures_add(struct shallow_signatures *o, const struct btf_view *base,
			    const uint32_t *rec, uint32_t id);
void shallow_signatures_sort(struct shallow_signatures *o);

/* List the types of a pool that may look alike: they lead to two arrays without a name in between. */
void base_lookalikes_list(const struct type_pool *types, const struct str_pool *strings,
			  struct shallow_signatures *ret);

/*
 * May libbpf merge @asked, a type of the pool, with a different one of @found, which are sorted types of the
 * base of @a?
 */
bool base_has_lookalike(struct base_match *a, const struct shallow_signature *asked,
			const struct shallow_signatures *found);

#endif
