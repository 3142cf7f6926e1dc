/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_names.h - which names mean something else in a base?
 *
 * The type pool says types by name (type_pool.h), and ambiguous_resolve() finds out where that is not enough.
 * Split BTF has one more unit to think of, the base: the rule compares its types with those of the
 * split, and never changes them. If "struct foo" is something else there, then whoever leads to it
 * may or may not find his like in the base, and which depends on the unit that he is in.
 *
 * A base matches with a name of the pool if
 *
 *   - it does not have it,
 *   - or only declares it, and the pool does, too,
 *   - or defines it once, does not declare it, and the pool has that definition or none.
 *
 * What leads to such names only has the same candidates in the base and the same answers in
 * every unit: its graph is in the base the same, or not there from some name on. It is not so where
 * an array of the base stands for several (base_lookalikes.h): a name whose definitions differ only in what
 * arrays hold, or a struct without a name that looks like another.
 */
#ifndef BTFENC_DEDUP_BASE_BASE_NAMES_H
#define BTFENC_DEDUP_BASE_BASE_NAMES_H

#include "dedup/base/base_lookalikes.h"

/* References to types of a pool. Zeroed is empty; free() @items. */
struct pool_ref_list {
	pool_ref *items;
	size_t nr, cap;
};

/* What a base has under a name, of structs and unions, or of enums. */
struct base_name {
	uint32_t def; /* its definition; 0: none */
	bool declared, multiply_defined;
};

/*
 * Who has which name in a base, for many that stand on it. Borrows the base and its strings.
 * Zeroed is empty; read-only once made, for any number of threads.
 */
struct base_names {
	const struct string_index *strings;
	struct {
		struct base_named {
			struct base_name structs, enums;
		} * items;
		size_t nr, cap;
	} names;
	struct hash_table by_offset; /* of a name, where it is first: index in @names, plus one */
	struct shallow_signatures nameless;
};

/* @strings: all of @base. @ret must be zeroed; release it. */
void base_names_index(const struct btf_view *base, const struct string_index *strings,
		      struct base_names *ret);
void base_names_release(struct base_names *n);

/*
 * Append to @ret each name that @base does not match with, of those that the types of the pool have,
 * as far as some unit has them; one may come twice. And the ids of types that look like another one
 * of @base: who has them has to say everything itself. @names: those of @base, in whose strings those of
 * the pool are then looked for (string_index_find()); or NULL to find what is needed for this pool
 * alone. *ret_same, the caller's, is by pool id a type of the base that says the same, or 0; of what
 * has a name only if the base matches with it, and of a declaration it is the definition.
 * Not while others use the pools.
 */
void find_base_conflicts(const struct type_pool *types, struct str_pool *strings,
			 const struct btf_view *base, const struct base_names *names,
			 struct pool_ref_list *ret, uint32_t **ret_same);

#endif
