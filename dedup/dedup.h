/* SPDX-License-Identifier: GPL-2.0-only */
/* dedup.h - merge equal types, with libbpf's result */
#ifndef BTFENC_DEDUP_DEDUP_H
#define BTFENC_DEDUP_DEDUP_H

#include "base/err.h"
#include "btf/btf_types.h"

/*
 * Rewrite @t so that equal types are kept once, and renumber it. The result is the
 * one of libbpf's btf__dedup(), record for record, on the same input; only own
 * records change. ERR_FORMAT if the types form a loop of references without a struct,
 * or if a VAR, DATASEC or DECL_TAG is used as a type; @t is then undefined, but for
 * its release.
 *
 * @base_typedefs: find typedefs of the base, as libbpf since 1.8 does. pahole 1.31's
 * libbpf looked them up under another key and never found one.
 */
struct dedup_opts {
	bool base_typedefs;
	/* what the base has, if it was indexed for several splits, with the same @base_typedefs */
	const struct base_index *base;
	/* where to put by old id which id has taken its place, NULL: nobody asks */
	uint32_t *ids;
};

struct base_index;

MUST_CHECK struct err *dedup_run(struct btf_types *t, const struct dedup_opts *opts);

/* Compare two records word by word. Equal records have equal hashes. */
uint64_t dedup_hash_words(const uint32_t *rec);
bool dedup_same_words(const uint32_t *a, const uint32_t *b);

#endif
