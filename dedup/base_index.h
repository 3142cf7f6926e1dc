/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * base_index.h - the types of a base as candidates, looked up when somebody asks
 *
 * libbpf enters every type of the base into its table of candidates before it looks at the
 * first type of the split. A vmlinux has 100,000 of them, a module asks for a few
 * thousand. Here a chain of candidates gets those of the base when it is first looked up
 * (dedup_chain() in dedup_internal.h).
 *
 * The result is the same. A chain holds types of one key; before anything of the split enters
 * it, libbpf's has in it what the base has of that key, in the order that follows from when
 * each was entered and how often the table has grown since. The table grows by the number of
 * types of all keys (cand_table.h), so when a type of the base was entered is told by how many
 * candidates have lower ids: it enters its chain at the end that was the front then.
 */
#ifndef BTFENC_DEDUP_BASE_INDEX_H
#define BTFENC_DEDUP_BASE_INDEX_H

#include "base/err.h"
#include "base/hash_table.h"
#include "btf/btf_types.h"

/* A type under one of its keys. */
struct base_entry {
	uint32_t key;     /* cand_key() */
	uint32_t id : 31; /* ascending in a chain */
	uint32_t end : 1; /* the end of its chain that it enters at */
	uint32_t next;    /* of the same key; 0: none */
};

/* A struct or union, for declarations that want one of its name. */
struct base_owner {
	uint32_t name, id;
};

/* Owns its arrays, borrows @types. Read-only once made: any number of threads may share it. */
struct base_index {
	const struct btf_types *types; /* the base, and what that stands on */
	uint32_t end;                  /* one past its highest id */
	uint32_t counted;              /* how many of its types libbpf's table holds */
	bool typedefs;                 /* are typedefs to be found? */
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
 * Index all types of @base, for any number of splits. ERR_FORMAT if the kind of one is
 * unknown. @ret must be zeroed; release it in any case.
 */
MUST_CHECK struct err *base_index_all(const struct btf_types *base, bool typedefs,
				      struct base_index *ret);
/*
 * Index what one split asks for: only those types that some type of @split may turn out to be
 * (candidate_filter.c says why the others do not matter). Quicker, if it is for this one alone.
 */
MUST_CHECK struct err *base_index_for(const struct btf_types *split, bool typedefs,
				      struct base_index *ret);
void base_index_release(struct base_index *x);

#endif
