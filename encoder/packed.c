/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packed.c - see packed.h
 *
 * Which functions are left out depends on this guess, so it is pahole's: holes mean "not
 * packed", whatever the alignment of the members, except that members which are structs
 * and stand off their alignment have then been found out to be packed themselves.
 */
#include "encoder/packed.h"

static uint64_t member_size(const struct cu *cu, const struct cu_member *m)
{
	return cu_type_size(cu, m->type);
}

/* Strip what does not change the layout. */
static cu_tid strip(const struct cu *cu, cu_tid t)
{
	for (size_t steps = 0; steps < cu->types.nr; steps++) {
		const struct cu_type *type = &cu->types.items[t];

		switch (type->kind) {
		case BTF_TYPEDEF:
		case BTF_CONST:
		case BTF_VOLATILE:
		case BTF_RESTRICT:
		case BTF_ARRAY:
		case BTF_TYPE_TAG:
			t = type->ref;
			break;
		default:
			return t;
		}
	}
	return 0;
}

/* Struct inside struct inside struct: as deep as a compiler allows is deeper than this. */
enum { MAX_DEPTH = 64 };

static uint32_t natural_alignment(const struct cu *cu, cu_tid t, unsigned int depth);

/* The largest of the members'; what is nested deeper than anyone writes counts as bytes. */
static uint32_t struct_alignment(const struct cu *cu, const struct cu_type *type,
				 unsigned int depth)
{
	uint32_t largest = 1;

	for (uint32_t i = 0; i < type->nr && depth < MAX_DEPTH; i++) {
		uint32_t a = natural_alignment(cu, cu->members.items[type->first + i].type, depth + 1);

		if (a > largest)
			largest = a;
	}
	return largest;
}

static uint32_t natural_alignment(const struct cu *cu, cu_tid t, unsigned int depth)
{
	const struct cu_type *type = &cu->types.items[strip(cu, t)];

	switch (type->kind) {
	case BTF_PTR:
		return cu->addr_size;
	case BTF_INT:
	case BTF_ENUM:
		return type->size ? type->size : 1;
	case BTF_STRUCT:
	case BTF_UNION:
		return struct_alignment(cu, type, depth);
	default:
		return 1;
	}
}

static bool counts(const struct cu_member *m)
{
	return !(m->flags & (CU_MEMBER_STATIC | CU_MEMBER_VIRTUAL));
}

/* Is there a hole of whole bytes before a member, or behind the last? */
static bool has_holes(const struct cu *cu, const struct cu_type *type)
{
	uint64_t end = 0;      /* bit behind the previous member */
	uint64_t unit_end = 0; /* end of its storage unit, if it is a bit field */

	for (uint32_t i = 0; i < type->nr; i++) {
		const struct cu_member *m = &cu->members.items[type->first + i];
		uint64_t size = member_size(cu, m) * 8, start = m->offset;

		if ((m->flags & CU_MEMBER_STATIC) ||
		    ((m->flags & CU_MEMBER_INHERITANCE) &&
		     ((m->flags & CU_MEMBER_VIRTUAL) || !size)))
			continue;
		if (m->bits) {
			uint64_t unit = size ? start / size * size : start;

			if (unit / 8 > (end + 7) / 8)
				return true;
			end = start + m->bits;
			unit_end = size ? unit + size : end;
			continue;
		}
		if (unit_end) {
			end = unit_end < start ? unit_end : start;
			unit_end = 0;
		}
		if (start / 8 > end / 8)
			return true;
		end = start + size;
	}
	if (unit_end)
		end = unit_end < (uint64_t)type->size * 8 ? unit_end : (uint64_t)type->size * 8;
	return type->size > end / 8;
}

bool packed_struct(const struct cu *cu, cu_tid t)
{
	const struct cu_type *type = &cu->types.items[t];
	uint32_t largest = 1;

	if (has_holes(cu, type))
		return false;
	for (uint32_t i = 0; i < type->nr; i++) {
		const struct cu_member *m = &cu->members.items[type->first + i];
		uint32_t align;

		if (!counts(m))
			continue;
		align = natural_alignment(cu, m->type, 0);
		if (align > largest)
			largest = align;
		if (align > 1 && m->offset / 8 % align)
			return true;
	}
	return type->size % largest != 0;
}
