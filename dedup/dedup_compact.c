/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_compact.c - drop what was merged and number the rest without gaps
 *
 * Records move towards the start of the list, in their order, and then every id in
 * them is rewritten. Ids of the base stay, but a FWD of the base may have been bound
 * to an own struct, and own references follow it there.
 */
#include "dedup/dedup_internal.h"

#include <inttypes.h>

/* Move the records that stay; new_id is set for those. */
static void compact(struct dedup *d, uint32_t *new_id)
{
	struct btf_types *t = d->t;
	size_t pos = 0;
	uint32_t nr = 0;

	for (uint32_t id = d->first; id < d->end; id++) {
		if (d->map[id] != id)
			continue;

		uint32_t start = t->start.items[id - d->first];
		size_t words = btf_rec_words(t->words.items + start);

		if (pos != start)
			memmove(t->words.items + pos, t->words.items + start,
				words * sizeof(*t->words.items));
		new_id[id] = d->first + nr;
		t->start.items[nr++] = (uint32_t)pos;
		pos += words;
	}
	t->start.nr = nr;
	t->words.nr = pos;
}

/* Sections list VARs, declaration tags may be about one; nothing else refers to such. */
static bool may_refer(enum btf_kind from, enum btf_kind to)
{
	if (likely(!btf_kind_layouts[to].is_no_type))
		return true;
	for (uint32_t kind = 0; kind < BTF_NR_KINDS; kind++) {
		if (btf_kind_layouts[kind].is_no_type &&
		    btf_kind_in(kind, btf_kind_layouts[from].targets))
			return true;
	}
	return false;
}

static struct err *rewrite_rec(const struct dedup *d, const uint32_t *new_id, uint32_t *rec)
{
	enum btf_kind kind = btf_rec_kind(rec);

	btf_rec_each_type(rec, ref)
	{
		uint32_t to = dedup_resolve(d, *ref);

		if (unlikely(!may_refer(kind, d->kind[to])))
			return err_new(ERR_FORMAT, "type %" PRIu32 ": a %s is used as a type", to,
				       btf_kind_layout(d->kind[to])->name);
		*ref = to < d->first ? to : new_id[to];
	}
	return NULL;
}

struct err *dedup_compact(struct dedup *d)
{
	uint32_t *new_id = d->hypot; /* no longer needed, and as long */

	compact(d, new_id);
	for (uint32_t id = 0; d->opts->ids && id < d->end; id++) {
		uint32_t to = dedup_resolve(d, id);

		d->opts->ids[id] = to < d->first ? to : new_id[to];
	}
	for (uint32_t id = d->first; id < btf_types_end(d->t); id++)
		TRY(rewrite_rec(d, new_id, btf_types_rec(d->t, id)));
	return NULL;
}
