/* SPDX-License-Identifier: GPL-2.0-only */
/* deduplicate.c - merge equal records (dedup/dedup.h), unless nothing can be equal */
#include "encoder/program/passes.h"

#include "dedup/base/base_cache.h"
#include "dedup/dedup.h"

#include <stdlib.h>

/* Are the units read, and records found by the ids that they had before? */
static bool reads_units(const struct program *p)
{
	return program_shares_types(p) || program_wants_facts(p) || p->omissions ||
	       feature_on(p->opts, FEATURE_VARS_APART | FEATURE_INLINE_APART);
}

static bool wants_ids(const struct program *p)
{
	return reads_units(p) || feature_on(p->opts, FEATURE_INLINE);
}

/* In a debug build deduplication runs in any case, and an assert checks nothing_to_merge(). */
#ifdef NDEBUG
static const bool always_dedup = false;
#else
static const bool always_dedup = true;
#endif

/*
 * Deduplication finds nothing in a single unit all of whose names have one meaning: the type pool
 * has each of its types once. This is so for nearly every object of a kernel. Tags of functions and
 * variables are not in the pool and may be there twice.
 */
static bool nothing_to_merge(const struct program *p)
{
	const struct program_unit *u = p->units.items;

	return p->units.nr == 1 && !p->request->base && !u->needs_exact && !u->btf.irregular &&
	       !u->btf.multiply_defined.nr && !u->btf.func_tags.nr && !u->btf.var_tags.nr &&
	       !p->inputs[0].kfuncs.nr && !p->lengths;
}

/*
 * All records are appended, so free what they were made from before deduplication allocates memory.
 * Reports and facts ask for it later.
 */
static void drop_units(struct program *p)
{
	if (reads_units(p))
		return;
	for (size_t i = 0; i < p->units.nr; i++)
		program_unit_release(&p->units.items[i]);
	p->units.nr = 0;
	resolved_names_release(&p->resolved);
	type_pool_release(&p->types);
	FREE_ALL(p->placed.items, p->final);
	p->placed.items = NULL;
	p->final = NULL;
}

struct err *deduplicate(struct program *p)
{
	const struct btf_input *base = p->request->base;
	bool nothing = nothing_to_merge(p);
	uint32_t end = btf_types_end(&p->out);

	if (wants_ids(p))
		p->ids = mem_alloc(end * sizeof(p->ids[0]));
	drop_units(p);
	if (nothing && !always_dedup) {
		for (uint32_t id = 0; p->ids && id < end; id++)
			p->ids[id] = id;
		return NULL;
	}
	const struct dedup_opts opts = {
		.ids = p->ids,
		.base_typedefs = feature_on(p->opts, FEATURE_BASE_TYPEDEFS),
		.base = base && base->cache ? &base->cache->types : NULL,
	};

	struct err *e = dedup_run(&p->out, &opts);
	assert(e || !nothing || btf_types_end(&p->out) == end);
	return e;
}
