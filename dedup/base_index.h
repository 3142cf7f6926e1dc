/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_index.h - the types of a base as candidates for deduplication, fetched on demand
 *
 * libbpf adds every type of the base to its table of candidates before it looks at the first type
 * of the split. A vmlinux has 100,000 types, and a module looks for a few thousand. Here a chain of
 * candidates gets the types of the base when it is looked up for the first time (dedup_chain() in
 * dedup_internal.h).
 *
 * The order of candidates is libbpf's (docs/spec/dedup.md 3.5). A chain has the types of one key. Before
 * libbpf adds a type of the split to a chain, the chain has all types of the base with that key. Their
 * order follows from how often the table grew after each was added, and the table grows with the
 * number of candidates of all keys. So the index stores for each type at which end of its chain
 * it is, as counted from the candidates with lower ids (cand_table.h).
 */
#ifndef BTFENC_DEDUP_BASE_INDEX_H
#define BTFENC_DEDUP_BASE_INDEX_H

#include "base/err.h"
#include "base/hash_table.h"
#include "btf/btf_types.h"

/* A type with one of its keys. */
struct base_entry {
	uint32_t key;     /* cand_key() */
	uint32_t id : 31; /* ascending in a chain */
	uint32_t end : 1; /* at which end of its chain it is added */
	uint32_t next;    /* of the same key; 0: none */
};

/* A struct or union. Forward declarations search it by name. */
struct base_owner {
	uint32_t name, id;
};

/* Owns its arrays, borrows @types. Read-only once made: any number of threads may share it. */
struct base_index {
	const struct btf_types *types; /* the base, and its own base */
	uint32_t end;                  /* one past its highest id */
	uint32_t counted;              /* number of its types in libbpf's table */
	bool typedefs;                 /* index typedefs as well */
	uint8_t *kinds;                /* by id */
	struct {
		struct base_entry *items; /* 0 is not used */
		size_t nr, cap;
	} entries;
	struct {
		struct base_owner *items; /* by id */
		size_t nr, cap;
	} owners;
	struct hash_table first; /* by key: the first entry of its chain */
};

/*
 * Index the types of @base. @split: only those with which a type of @split may be merged, which
 * is faster for a single split; NULL: all, for any number of splits. ERR_FORMAT if the kind of one is unknown. @ret
 * must be zeroed; release it in any case.
 */
MUST_CHECK struct err *base_index_make(const struct btf_types *base, bool typedefs,
				       const struct btf_types *split, struct base_index *ret);
void base_index_release(struct base_index *x);

#endif
