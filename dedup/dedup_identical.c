/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_identical.c - compare two copies of a type that one compiler wrote
 *
 * If a type of the candidate's graph is paired with a second type, the graphs can still be equal:
 * if the first type and the second are copies of each other. This comparison uses the records
 * alone. It ignores the map, a FWD is not equal to a struct, and cycles are not recognized: all
 * types within 16 levels of structs and prototypes must be equal, and deeper types count as
 * different.
 *
 * Of two arrays libbpf compares only the lengths. It intends to compare the element types, but
 * compares those of the first array with themselves. So it may merge two structs that differ. Here
 * the elements must be equal, too, however deep: below them there is no limit of levels, and cycles
 * end. So the result differs from that of libbpf only if elements differ.
 *
 * libbpf's recursion visits a shared type once for each path to it, which takes exponential time.
 * The types are equal only if all visited pairs are, so a pair that was equal is visited again
 * only with fewer levels left than before. References that lead back to themselves without a
 * struct remain: there libbpf does not terminate.
 */
#include "dedup/dedup_internal.h"

#include <inttypes.h>
#include <stdlib.h>

/* Levels that may be left: at first, and below the elements of an array. */
enum { MAX_DEPTH = 16, NO_LIMIT = INT32_MAX };

struct identical_run {
	struct pair_run pairs;
	uint32_t depth;
};

enum visit { VISIT_NEW, VISIT_DONE, VISIT_LOOP };

/* Does the pair have to be compared in this walk? If so, store that it was. */
static enum visit visit(struct identical_state *s, uint32_t a, uint32_t b, uint32_t depth)
{
	uint64_t hash = hash_pair(a, b);
	uint32_t nr = HASH_FIND(&s->by_pair, hash, i,
				s->seen.items[i - 1].a == a && s->seen.items[i - 1].b == b);

	if (!nr) {
		vec_push(&s->seen, ((struct seen_pair){ .a = a, .b = b }));
		nr = (uint32_t)s->seen.nr;
		hash_table_add(&s->by_pair, hash, nr);
	} else if (s->seen.items[nr - 1].depth <= depth) {
		return s->seen.items[nr - 1].walk == s->walk ? VISIT_LOOP : VISIT_DONE;
	}
	s->seen.items[nr - 1].walk = s->walk;
	s->seen.items[nr - 1].depth = depth;
	return VISIT_NEW;
}

/* Compare two records of one kind; *rest: the types that they refer to, one level below. */
static bool same_record(enum btf_kind kind, const uint32_t *a, const uint32_t *b,
			struct pair_run *rest)
{
	return kind == BTF_UNKN || dedup_shallow(kind, a, b, rest);
}

/* The levels left for what a type of @kind refers to. */
static uint32_t depth_below(enum btf_kind kind, uint32_t depth)
{
	return kind == BTF_ARRAY || depth == NO_LIMIT ? NO_LIMIT : depth - 1;
}

/* The next pair of different ids, and the depth to compare it with. */
static bool next_pair(struct identical_state *s, uint32_t *a, uint32_t *b, uint32_t *depth)
{
	while (s->stack.nr) {
		struct identical_run *top = &s->stack.items[s->stack.nr - 1];

		*depth = top->depth;
		while (pair_run_next(&top->pairs, a, b)) {
			if (*a != *b)
				return true;
		}
		s->stack.nr--;
	}
	return false;
}

/*
 * Follow the pair through kinds that only refer, and compare the two records after them. If they are equal,
 * the types that they refer to are pushed on the stack.
 */
static struct err *walk_pair(struct dedup *d, uint32_t a, uint32_t b, uint32_t depth, bool *ret)
{
	struct identical_state *s = &d->identical;
	struct identical_run run = { 0 };

	*ret = false;
	s->walk++;
	for (;;) {
		const uint32_t *rec_a = dedup_rec(d, a), *rec_b = dedup_rec(d, b);
		enum btf_kind kind = d->kind[a];

		TRY(dedup_count_pair(d));
		if (kind != d->kind[b])
			return NULL;
		switch (visit(s, a, b, depth)) {
		case VISIT_NEW:
			break;
		case VISIT_DONE:
			*ret = true;
			return NULL;
		case VISIT_LOOP:
			return err_new(ERR_FORMAT,
				       "types %" PRIu32 " and %" PRIu32
				       " refer to themselves without a struct in between",
				       a, b);
		}
		if (!dedup_only_refers(kind)) {
			*ret = same_record(kind, rec_a, rec_b, &run.pairs);
			break;
		}
		if (rec_a[BTF_REC_INFO] != rec_b[BTF_REC_INFO] ||
		    rec_a[BTF_REC_NAME] != rec_b[BTF_REC_NAME])
			return NULL;
		a = rec_a[BTF_REC_SIZE_TYPE];
		b = rec_b[BTF_REC_SIZE_TYPE];
	}
	run.depth = depth_below(d->kind[a], depth);
	if (run.pairs.left)
		vec_push(&s->stack, run);
	return NULL;
}

struct err *dedup_identical(struct dedup *d, uint32_t a, uint32_t b, bool *ret)
{
	struct identical_state *s = &d->identical;
	uint32_t depth = MAX_DEPTH;

	s->stack.nr = 0;
	s->seen.nr = 0;
	hash_table_clear(&s->by_pair);
	do {
		*ret = false;
		if (depth)
			TRY(walk_pair(d, a, b, depth, ret));
		if (!*ret)
			return NULL;
	} while (next_pair(s, &a, &b, &depth));
	return NULL;
}
