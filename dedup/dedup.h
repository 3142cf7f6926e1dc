/* SPDX-License-Identifier: GPL-2.0-only */
/* dedup.h - merge equal types, with libbpf's result */
#ifndef BTFENC_DEDUP_DEDUP_H
#define BTFENC_DEDUP_DEDUP_H

#include "base/err.h"
#include "btf/btf_types.h"

/*
 * Merge equal types of @t, and renumber the rest. The result has the same records as that of libbpf's
 * btf__dedup() on the same input, but for arrays (docs/spec/dedup.md 3.7). The base does not change.
 * ERR_FORMAT if the types form a cycle of references without a struct, or if a VAR, DATASEC or DECL_TAG
 * is used as a type; @t may then only be released.
 *
 * @base_typedefs: find typedefs of the base, as libbpf since 1.8 does. pahole 1.31's
 * libbpf looked them up under another key and never found one.
 */
struct dedup_opts {
	bool base_typedefs;
	/* the index of the base, with the same @base_typedefs; NULL: dedup_run() makes it */
	const struct base_index *base;
	/* for tests: find classes of types (dedup_classes.c) before they are known to save time */
	bool classes_first;
	/* receives the new id of each type by its old id; NULL: not needed */
	uint32_t *ids;
};

struct base_index;

MUST_CHECK struct err *dedup_run(struct btf_types *t, const struct dedup_opts *opts);

/* Does deduplication find types of @kind in its pass over references, and not by name or content? */
static inline bool dedup_in_ref_pass(enum btf_kind kind)
{
	return btf_kind_layouts[kind].dedup == BTF_DEDUP_REFS;
}

/* Compare two structs or unions without the types of their members. */
bool dedup_shallow_struct(const uint32_t *a, const uint32_t *b);
/* Compare two records word by word. Equal records have equal hashes. */
uint64_t dedup_hash_words(const uint32_t *rec);
bool dedup_same_words(const uint32_t *a, const uint32_t *b);

#endif
