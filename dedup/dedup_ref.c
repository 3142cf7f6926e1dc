/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dedup_ref.c - types that only refer: PTR, CONST, FUNC, ARRAY, FUNC_PROTO, tags, ...
 *
 * Structs and typedefs are mapped, so what a reference leads to can be replaced by
 * its canonical type, and then equal words mean equal types. That goes depth first: a
 * pointer to a const has to wait for the const. The canonical type of a class is
 * therefore the one that is finished first, which is not always the lowest id.
 *
 * A reference that waits for itself has no struct or typedef in its cycle; C cannot say
 * that, and libbpf refuses it as well.
 */
#include "dedup/dedup_internal.h"

#include <inttypes.h>

struct ref_frame {
	uint32_t id;
	struct btf_refs left; /* references that are not replaced yet */
};

/* Replace references until one has to be done itself: that one is returned, 0 if none. */
static uint32_t replace_refs(const struct dedup *d, struct ref_frame *f)
{
	for (; f->left.left; btf_refs_next(&f->left)) {
		uint32_t *ref = f->left.at;

		if (!dedup_is_mapped(d, *ref))
			return *ref;
		*ref = dedup_resolve(d, *ref);
	}
	return 0;
}

/* All references of @id are canonical: find its equal, or keep it. */
static void finish_type(struct dedup *d, uint32_t id, const uint32_t *rec)
{
	uint64_t hash = dedup_hash_words(rec);

	cand_each(dedup_chain(d, hash), hash, cand)
	{
		if (dedup_same_words(rec, dedup_rec(d, cand))) {
			d->map[id] = cand;
			return;
		}
	}
	dedup_keep(d, hash, id);
}

static void begin(struct dedup *d, uint32_t id)
{
	d->map[id] = ID_IN_PROGRESS;
	vec_push(&d->ref_stack, ((struct ref_frame){ id, btf_rec_refs(dedup_rec(d, id)) }));
}

static struct err *do_type(struct dedup *d, uint32_t id)
{
	begin(d, id);
	while (d->ref_stack.nr) {
		struct ref_frame *top = &d->ref_stack.items[d->ref_stack.nr - 1];
		uint32_t wait = replace_refs(d, top);

		if (!wait) {
			finish_type(d, top->id, dedup_rec(d, top->id));
			d->ref_stack.nr--;
			continue;
		}
		if (d->map[wait] == ID_IN_PROGRESS)
			return err_new(ERR_FORMAT,
				       "type %" PRIu32
				       " refers to itself without a struct in between",
				       wait);
		begin(d, wait);
	}
	return NULL;
}

struct err *dedup_ref(struct dedup *d)
{
	for (uint32_t id = d->first; id < d->end; id++) {
		if (d->map[id] == ID_UNSET)
			TRY(do_type(d, id));
	}
	return NULL;
}
