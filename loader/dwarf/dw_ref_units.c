/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_ref_units.c - references to other units
 *
 * With -fdebug-types-section a compiler puts a type into a unit of its own, known by a signature, of
 * which the linker keeps one. dwz moves what units have in common into partial units, in the
 * same file or in a supplementary one. Other units refer there.
 *
 * btfenc undoes that: a struct cu consists of a unit and of all units that it needs, directly or not. A
 * shared type is read once for each unit that uses it, so later stages see the same as without
 * sharing.
 *
 * A unit gets its range of offsets at the first reference to it, and is read after those that were
 * added before. No unit is added twice, so references may form a cycle.
 */
#include "loader/dwarf/companion.h"
#include "loader/dwarf/dw_reader.h"

#include <stdlib.h>

void dw_ref_units_reset(struct dw_reader *r)
{
	for (size_t i = 1; i < r->ref_units.nr; i++)
		object_room_release(&r->ref_units.items[i].room);
	hash_table_clear(&r->ref_units.index);
	r->ref_units.nr = 0;
	r->ref_units.end = 0;
}

void dw_ref_units_release(struct dw_reader *r)
{
	dw_ref_units_reset(r);
	hash_table_release(&r->ref_units.index);
	free(r->ref_units.items);
}

struct ref_unit *dw_ref_unit_add(struct dw_reader *r, const struct dw_file *file,
				 const struct dw_unit *unit)
{
	uint64_t hash = hash_word((uintptr_t)unit), len = unit->end - unit->start;
	uint32_t known = HASH_FIND(&r->ref_units.index, hash, i,
				   r->ref_units.items[i - 1].unit == unit);

	if (known)
		return &r->ref_units.items[known - 1];
	if (len >= DIE_FOREIGN - r->ref_units.end)
		return NULL;
	vec_push(&r->ref_units,
		 ((struct ref_unit){
			 .file = file, .unit = unit, .base_offset = (die_off)r->ref_units.end }));
	hash_table_add(&r->ref_units.index, hash, (uint32_t)r->ref_units.nr);
	r->ref_units.end += len;
	return &r->ref_units.items[r->ref_units.nr - 1];
}

/* The offset of the DIE at @off of @unit of @file. */
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
	const struct dw_file *sup = r->unit.file->sup ? &r->unit.file->sup->file : NULL;
	const struct dw_unit *unit;

	switch (form) {
	case DW_FORM_ref_addr:
		return die_in(r, r->unit.file, dw_file_unit_at(r->unit.file, v), v);
	case DW_FORM_ref_sig8:
		unit = dw_file_type_unit(r->unit.file, v);
		return die_in(r, r->unit.file, unit, unit ? unit->start + unit->type_off : 0);
	default: /* DW_FORM_ref_sup4 and 8 */
		return sup ? die_in(r, sup, dw_file_unit_at(sup, v), v) : DIE_FOREIGN;
	}
}
