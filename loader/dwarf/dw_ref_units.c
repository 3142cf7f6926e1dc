/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_ref_units.c - units that are told in others: type units, partial units
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

#include <stdlib.h>

void dw_ref_units_reset(struct dw_reader *r)
{
	for (size_t i = 1; i < r->ref_units.nr; i++)
		object_room_release(&r->ref_units.items[i].room);
	hash_table_clear(&r->ref_unit_index);
	r->ref_units.nr = 0;
	r->ref_units_end = 0;
}

void dw_ref_units_release(struct dw_reader *r)
{
	dw_ref_units_reset(r);
	free(r->ref_units.items);
	hash_table_release(&r->ref_unit_index);
}

struct ref_unit *dw_ref_unit_add(struct dw_reader *r, const struct dw_file *file,
				 const struct dw_unit *unit)
{
	uint64_t hash = hash_mix((uintptr_t)unit, 0);
	uint32_t nr = HASH_FIND(&r->ref_unit_index, hash, i,
				r->ref_units.items[i - 1].unit == unit);

	if (nr)
		return &r->ref_units.items[nr - 1];
	if (r->ref_units.nr && unit->end - unit->start >= DIE_FOREIGN - r->ref_units_end)
		return NULL;
	hash_table_add(&r->ref_unit_index, hash, (uint32_t)r->ref_units.nr + 1);

	struct ref_unit *p = vec_add(&r->ref_units);
	*p = (struct ref_unit){ .file = file,
				.unit = unit,
				.base_offset = (die_off)r->ref_units_end };
	/* entries are looked up by their blocks of 8 bytes: those of two parts must not share one */
	r->ref_units_end += (unit->end - unit->start + 7) & ~(uint64_t)7;
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

	const struct ref_unit *p = dw_ref_unit_add(r, file, unit);
	return p ? p->base_offset + (die_off)(off - unit->start) : DIE_FOREIGN;
}

NOINLINE die_off dw_far_ref(struct dw_reader *r, uint64_t form, uint64_t v)
{
	const struct dw_file *sup = r->file->sup ? &r->file->sup->file : NULL;
	const struct dw_unit *unit;

	switch (form) {
	case DW_FORM_ref_addr:
		return die_in(r, r->file, dw_file_unit_at(r->file, v), v);
	case DW_FORM_ref_sig8:
		unit = dw_file_type_unit(r->file, v);
		return die_in(r, r->file, unit, unit ? unit->start + unit->type_off : 0);
	default: /* DW_FORM_ref_sup4 and 8 */
		return sup ? die_in(r, sup, dw_file_unit_at(sup, v), v) : DIE_FOREIGN;
	}
}
