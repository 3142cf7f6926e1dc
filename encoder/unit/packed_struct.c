/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packed_struct.c - find packed structs by the offsets of their members
 *
 * Which functions are left out depends on this guess, so it is pahole's: holes mean "not
 * packed", whatever the alignment of the members. Only that each struct is judged by
 * itself: pahole takes a struct that is misaligned inside a struct with holes for packed, but only
 * after it has examined that one.
 */
#include "encoder/unit/unit_encoder.h"

#include <stdlib.h>

/* A static member has no offset, and that of a virtual base is not constant. */
static bool has_offset(const struct cu_member *m)
{
	return !(m->flags & (CU_MEMBER_STATIC | CU_MEMBER_VIRTUAL));
}

/* Types whose alignment is still to be determined. */
struct todo {
	unit_tid *items;
	size_t nr, cap;
};

/*
 * The largest alignment of anything that a value of type @t is made of. Each type is
 * looked at once, however often and however deep it is nested.
 */
static uint32_t natural_alignment(const struct cu *cu, unit_tid t)
{
	struct todo todo = { 0 };
	uint8_t *seen = NULL; /* only where there is more than one way */
	uint32_t largest = 1;

	vec_push(&todo, t);
	while (todo.nr) {
		const struct cu_type *type = &cu->types.items[t = todo.items[--todo.nr]];
		uint32_t align = 1;

		switch (btf_ctype(type->kind)) {
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
		case BTF_C_ARRAY:
		case BTF_C_STRUCT:
			if (!seen)
				seen = mem_zalloc(cu->types.nr, 1);
			if (seen[t])
				break;
			seen[t] = true;
			if (!btf_kind_is_struct(type->kind))
				vec_push(&todo, type->ref);
			for (uint32_t i = 0; i < type->nr; i++) {
				const struct cu_member *m = &cu->members.items[type->first + i];

				if (has_offset(m))
					vec_push(&todo, m->type);
			}
			break;
		case BTF_C_POINTER:
			align = cu->addr_size;
			break;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_ENUM:
			align = type->size;
			break;
		case BTF_C_FUNCTION:
		case BTF_C_FORWARD:
		case BTF_C_VOID:
		case BTF_C_NONE:
			break;
		}
		if (align > largest)
			largest = align;
	}
	free(todo.items);
	free(seen);
	return largest;
}

/* Where a member is, as far as holes are concerned; all in bits. */
struct extent {
	uint32_t start, end;
	/* the storage unit of a bit field, or the member itself */
	uint32_t unit, unit_size;
};

/*
 * The unit of a bit field is the piece of its type's size, at a multiple of that, in which it
 * begins. If a field of DWARF 2 to 4 begins after the unit that DWARF names, its unit is the second
 * next one: pahole counts the step twice.
 */
static struct extent extent_of(const struct cu *cu, const struct cu_member *m)
{
	uint64_t bytes = cu_type_size(cu, m->type);
	struct extent e = { .start = m->offset };

	if (!m->bits) {
		e.unit_size = (uint32_t)(bytes * 8);
		e.unit = e.start;
		e.end = e.start + e.unit_size;
		return e;
	}
	if ((m->flags & CU_MEMBER_OLD_BITS) && m->old_size)
		bytes = m->old_size;
	e.end = e.start + m->bits;
	e.unit_size = (uint32_t)(bytes * 8);
	e.unit = e.unit_size ? e.start / e.unit_size * e.unit_size : e.start / 8 * 8;
	if ((m->flags & CU_MEMBER_OLD_BITS) && bytes) {
		int64_t shift = (int32_t)m->old_offset;
		uint64_t said = ((uint64_t)e.start - (uint64_t)shift) / 8;

		if (shift < 0) {
			shift += e.unit_size;
			said -= bytes;
		}
		if ((uint64_t)shift + said % bytes * 8 >= e.unit_size)
			e.unit += e.unit_size;
	}
	return e;
}

/* The scan for holes, between two members. */
struct hole_scan {
	uint32_t last;                /* bit behind the member before */
	bool in_bits;                 /* that was a bit field, ... */
	uint32_t unit_end, unit_size; /* ... and its storage */
};

/* Take @m, return whether whole bytes are free before it. */
static bool hole_before(struct hole_scan *s, const struct extent *e, bool bits)
{
	bool hole = false;

	if (s->in_bits)
		s->last = e->start < s->unit_end ? e->start : s->unit_end;
	if (!bits)
		hole = (int32_t)(e->start / 8 - s->last / 8) > 0;
	else
		hole = s->last < e->unit && e->unit <= e->start;
	s->last = e->end;
	s->in_bits = bits;
	if (!bits) {
		s->unit_size = 0;
		s->unit_end = e->end;
	} else if (e->end > s->unit_end || e->unit_size > s->unit_size) {
		/* the next unit, or the same by a wider type; it may reach into one more */
		s->unit_size = e->unit_size;
		s->unit_end = e->unit + e->unit_size;
		if (e->end > s->unit_end)
			s->unit_end += e->unit_size;
	}
	return hole;
}

/* Is there a hole of whole bytes before a member, or anything behind the last? */
static bool has_holes(const struct cu *cu, const struct cu_type *type)
{
	struct hole_scan s = { .unit_end = type->size * 8 };
	uint8_t holes = 0; /* as many as pahole has room for */

	for (uint32_t i = 0; i < type->nr; i++) {
		const struct cu_member *m = &cu->members.items[type->first + i];
		struct extent e = extent_of(cu, m);

		if ((m->flags & CU_MEMBER_STATIC) ||
		    ((m->flags & CU_MEMBER_INHERITANCE) &&
		     ((m->flags & CU_MEMBER_VIRTUAL) || !e.unit_size)))
			continue;
		holes = (uint8_t)(holes + hole_before(&s, &e, m->bits));
	}
	if (s.in_bits && s.unit_end < type->size * 8)
		s.last = s.unit_end;
	else if (s.in_bits)
		s.last = type->size * 8;
	return holes || (uint16_t)(type->size - s.last / 8);
}

bool packed_struct(const struct cu *cu, unit_tid t, uint32_t max_align)
{
	const struct cu_type *type = &cu->types.items[t];
	uint32_t largest = 1;

	if (has_holes(cu, type))
		return false;
	for (uint32_t i = 0; i < type->nr; i++) {
		const struct cu_member *m = &cu->members.items[type->first + i];
		uint32_t align;

		if (!has_offset(m))
			continue;
		align = natural_alignment(cu, m->type);
		if (max_align && align > max_align)
			align = max_align;
		if (align > largest)
			largest = align;
		/* the offset of a bit field is that of its storage */
		if (align > 1 && extent_of(cu, m).unit / 8 % align)
			return true;
	}
	return type->size % largest != 0;
}
