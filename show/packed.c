/* SPDX-License-Identifier: GPL-2.0-only */
/* packed.c - see packed.h */
#include "show/packed.h"

/* A struct of type @id, or a typedef of one, lies @at bytes from where it could be aligned. */
static void look_at(struct show_types *t, uint32_t id, uint64_t at)
{
	uint32_t bare = types_bare(t, id);

	if (!types_is_struct(t, bare) || at % types_alignment(t, bare) == 0)
		return;
	t->facts[bare].packed = true;
	t->facts[bare].guessed = true;
}

void packed_look_into_struct(struct show_types *t, const struct layout *l)
{
	for (size_t i = 0; i < l->nr; i++)
		look_at(t, l->items[i].type, l->items[i].byte_offset);
}

void packed_look_into_union(struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);

	if (t->facts[id].guessed || types_kind(t, id) == BTF_FWD)
		return;
	t->facts[id].guessed = true;
	for (uint32_t i = 0; i < types_vlen(t, id); i++)
		look_at(t, types_member(rec, i).type, rec[BTF_REC_SIZE_TYPE]);
}

/* @l has no holes. */
static bool is_crowded(struct show_types *t, const struct layout *l)
{
	uint32_t largest = 1;

	for (size_t i = 0; i < l->nr; i++) {
		const struct layout_member *m = &l->items[i];
		uint32_t alignment = types_alignment(t, types_bare(t, m->type));

		if (m->byte_offset % alignment)
			return true;
		if (largest < alignment)
			largest = alignment;
	}
	return l->size % largest != 0;
}

bool packed_guess(struct show_types *t, uint32_t id, const struct layout *l)
{
	struct type_facts *f = &t->facts[id];

	if (f->guessed)
		return f->packed;
	if (l->padding || l->nr_holes) {
		packed_look_into_struct(t, l);
		f->packed = false;
	} else {
		f->packed = is_crowded(t, l);
	}
	f->guessed = true;
	return f->packed;
}
