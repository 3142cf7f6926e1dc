/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_parts.c - units that are told in others: type units, partial units
 *
 * A compiler may put a type into a unit of its own, known by a signature, for the linker to
 * keep one of each (-fdebug-types-section); dwz moves what units have in common into partial
 * units, in the same file or one that several files share. What remains refers there.
 *
 * We undo that: a struct cu is made of a unit and of all those that it needs, directly or by way
 * of others. The types are then read once for each unit that has them, as if nobody had ever
 * shared them, so everything that comes later sees what it always sees.
 *
 * A part gets its range of offsets at the first reference to it, which can thus be noted down
 * like any other; it is read when those before it have been. No unit becomes a part twice, so
 * units may refer to one another as they like.
 */
#include "loader/dwarf/dw_reader.h"

#include "base/hash.h"

#include <stdlib.h>

void dw_parts_reset(struct dw_reader *r)
{
	for (size_t i = 1; i < r->parts.nr; i++)
		object_room_release(&r->parts.items[i].room);
	if (r->part_of_cap && r->parts.nr)
		memset(r->part_of, 0, r->part_of_cap * sizeof(r->part_of[0]));
	r->parts.nr = 0;
	r->parts_end = 0;
}

void dw_parts_release(struct dw_reader *r)
{
	dw_parts_reset(r);
	free(r->parts.items);
	free(r->part_of);
}

/* Where @unit has its place in part_of, or would have it. */
static size_t slot_of(const struct dw_reader *r, const struct dw_unit *unit)
{
	size_t mask = r->part_of_cap - 1;
	size_t i = (size_t)hash_mix((uintptr_t)unit, 0) & mask;

	while (r->part_of[i] && r->parts.items[r->part_of[i] - 1].unit != unit)
		i = (i + 1) & mask;
	return i;
}

static void make_room(struct dw_reader *r)
{
	size_t cap = r->part_of_cap ? r->part_of_cap * 2 : 64;

	if (r->parts.nr < r->part_of_cap / 2)
		return;
	while (r->parts.nr >= cap / 2)
		cap *= 2;
	free(r->part_of);
	r->part_of = mem_zalloc(cap, sizeof(r->part_of[0]));
	r->part_of_cap = cap;
	for (size_t i = 0; i < r->parts.nr; i++)
		r->part_of[slot_of(r, r->parts.items[i].unit)] = (uint32_t)i + 1;
}

struct part *dw_part_add(struct dw_reader *r, const struct dw_file *file,
			 const struct dw_unit *unit)
{
	/* the first part is that of every unit, and mostly the only one */
	if (r->parts.nr) {
		make_room(r);
		if (r->parts.nr == 1)
			r->part_of[slot_of(r, r->parts.items[0].unit)] = 1;

		uint32_t *place = &r->part_of[slot_of(r, unit)];
		if (*place)
			return &r->parts.items[*place - 1];
		if (unit->end - unit->start >= DIE_FOREIGN - r->parts_end)
			return NULL;
		*place = (uint32_t)r->parts.nr + 1;
	}

	struct part *p = vec_add(&r->parts);
	*p = (struct part){ .file = file, .unit = unit, .bias = (die_off)r->parts_end };
	/* entries are looked up by their blocks of 8 bytes: those of two parts must not share one */
	r->parts_end += (unit->end - unit->start + 7) & ~(uint64_t)7;
	return p;
}

/* The DIE at @off of @unit of @file. */
static die_off die_in(struct dw_reader *r, const struct dw_file *file, const struct dw_unit *unit,
		      uint64_t off)
{
	if (!unit)
		return DIE_FOREIGN;
	if (r->merged && file == r->root && unit->section == DEBUG_INFO)
		return (die_off)off;

	const struct part *p = dw_part_add(r, file, unit);
	return p ? p->bias + (die_off)(off - unit->start) : DIE_FOREIGN;
}

NOINLINE die_off dw_far_ref(struct dw_reader *r, uint64_t form, uint64_t v)
{
	const struct dw_file *alt = r->file->alt ? &r->file->alt->file : NULL;
	const struct dw_unit *unit;

	switch (form) {
	case DW_FORM_ref_addr:
		return die_in(r, r->file, dw_file_unit_at(r->file, v), v);
	case DW_FORM_ref_sig8:
		unit = dw_file_type_unit(r->file, v);
		return die_in(r, r->file, unit, unit ? unit->start + unit->type_off : 0);
	default: /* DW_FORM_ref_sup4 and 8 */
		return alt ? die_in(r, alt, dw_file_unit_at(alt, v), v) : DIE_FOREIGN;
	}
}
