/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_names.h - find names that have another meaning in a base
 *
 * The type pool refers to types by name (type_pool.h), and ambiguous_resolve() finds the units for which
 * this is not enough. For split BTF it must treat the base as one more unit: libbpf's rules compare
 * the types of the base with those of the split, and never change them. If the base defines
 * "struct foo" differently, a type that leads to it may match a base type in one unit and not in
 * another.
 *
 * A base matches a name of the pool if
 *
 *   - the base does not have the name,
 *   - or both only declare it,
 *   - or the base defines it once and does not declare it, and the pool has that definition or none.
 *
 * A type that leads only to such names has the same candidates in the base, with the same result, in
 * every unit: the base has its whole graph, or lacks it from some name on.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_NAMES_H
#define BTFENC_DEDUP_BASE_BASE_NAMES_H

#include "dedup/base/base_match.h"
#include "dedup/name_filter.h"

/* References to types of a pool. Zeroed is empty; free() @items. */
struct pool_ref_list {
	pool_ref *items;
	size_t nr, cap;
};

/* The types with one name in a base: structs and unions, or enums. */
struct base_name {
	uint32_t def; /* its definition; 0: none */
	bool declared, multiply_defined;
};

/*
 * The types of a base by name, for several splits over it. Borrows the base and its strings. Zeroed is
 * empty. Threads may share it: it is not changed after base_names_index().
 */
struct base_names {
	const struct string_index *strings;
	struct {
		struct base_named {
			struct base_name structs, enums;
		} * items;
		size_t nr, cap;
	} names;
	struct hash_table by_offset; /* index in @names, plus 1, by the first offset of the name */
};

/*
 * Index the types of @base. @strings: of @base. @wanted: only types whose names are at these offsets, or at others
 * that the filter does not distinguish; NULL: all. @ret must be zeroed; release it.
 */
void base_names_index(const struct btf_view *base, const struct string_index *strings,
		      const struct name_filter *wanted, struct base_names *ret);
void base_names_release(struct base_names *n);

/*
 * Append to @ret each name of a type in the pool that @base does not match, if a unit has the type. A
 * name may occur twice.
 *
 * @names: the index of all names of @base; NULL: make one with those of this pool. The strings of the
 * pool are looked up in those of the base (string_index_find()). The caller frees
 * *ret_same: by pool id, an equal type of the base, or 0. A type with a name has one only if the base
 * matches the name; for a declaration it is the definition. No other thread may use the pools.
 */
void find_base_conflicts(const struct type_pool *types, struct str_pool *strings,
			 const struct btf_view *base, const struct base_names *names,
			 struct pool_ref_list *ret, uint32_t **ret_same);

#endif
