/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_stats.h - where the bytes of a BTF go
 *
 * Each byte counts once: that of a record for its kind; that of a string for the kind of the first
 * type that uses it. Both count, too, for the type with a name to which they belong: a type
 * without a name belongs to the first that leads to it, one that none leads to, to itself.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_STATS_H
#define BTFENC_BTF_COMPARE_BTF_STATS_H

#include "base/vec.h"
#include "btf/compare/type_graph.h"

/* Bytes of records and of strings. */
struct btf_bytes {
	uint32_t nr; /* records */
	uint64_t records, strings;
};

/* A type with what belongs to it, by node of the graph, which is its id. */
struct btf_consumer {
	uint32_t id;
	struct btf_bytes bytes;
};

/* The types whose name begins alike, up to an underscore: a name among theirs. */
struct btf_prefix {
	const char *name;
	size_t len; /* with the underscore; 0 for those that have none in their name, or no name */
	struct btf_bytes bytes;
};

/* Sites of inlined functions, by how many of the parameters have a known place. */
struct btf_site_count {
	uint64_t nr, all, some, none, without_params;
};

/* Owns its arrays. Zeroed is empty. */
struct btf_stats {
	uint64_t bytes;   /* of header, records and strings */
	uint64_t strings; /* of these: of strings */
	struct btf_bytes kinds[BTF_NR_KINDS], sum;
	struct btf_site_count sites;
	/* of strings: that no record uses; that are there before, and would do */
	uint64_t unused, repeated;
	/* types that are the same as one before them (btf_compare.h), here or in the base */
	struct btf_bytes copies, copies_of_base;
	struct type_graph graph;
	VEC(struct btf_consumer) consumers; /* the most bytes first */
	VEC(struct btf_consumer)
	copied; /* types with a name that have copies: the bytes of these; likewise */
	VEC(struct btf_prefix) prefixes; /* likewise */
};

/*
 * Count @v, without its base. ERR_LIMIT if there are too many types. @ret must be zeroed;
 * release it in any case, before the view.
 */
MUST_CHECK struct err *btf_stats_count(const struct btf_view *v, struct btf_stats *ret);
/* Add the numbers of @one to @to, which has no lists of types. */
void btf_stats_add(struct btf_stats *to, const struct btf_stats *one);
void btf_stats_release(struct btf_stats *s);

static inline uint64_t btf_stats_header(const struct btf_stats *s)
{
	return s->bytes - s->sum.records - s->strings;
}

static inline uint64_t btf_bytes_sum(const struct btf_bytes *b)
{
	return b->records + b->strings;
}

#endif
