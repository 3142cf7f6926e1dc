/* SPDX-License-Identifier: GPL-2.0-only */
/* cu.c - see cu.h */
#include "loader/dwarf/cu.h"

#include <stdlib.h>

void cu_reset(struct cu *cu)
{
	cu->name = 0;
	cu->lang = 0;
	cu->entries_lang = 0;
	cu->clang = cu->incomplete = false;
	cu->work = 0;
	cu->nr_void = cu->nr_unknown = 0;
	cu->missing = 0;
	cu->excluded.nr = 0;
	cu->types.nr = cu->members.nr = cu->enumerators.nr = 0;
	cu->funcs.nr = cu->params.nr = cu->vars.nr = cu->tags.nr = 0;
	cu->inlined.nr = cu->sites.nr = cu->places.nr = cu->place_slots.nr = 0;
	cu->nr_unplaced = 0;
	vec_push(&cu->types, ((struct cu_type){ .kind = BTF_UNKN }));
	vec_reserve(&cu->members, 1);
	vec_reserve(&cu->params, 1);
}

void cu_release(struct cu *cu)
{
	FREE_ALL(cu->types.items, cu->members.items, cu->enumerators.items, cu->funcs.items,
		 cu->params.items, cu->vars.items, cu->tags.items, cu->excluded.items,
		 cu->inlined.items, cu->sites.items, cu->places.items, cu->place_slots.items);
	*cu = (struct cu){ 0 };
}

uint64_t cu_type_size(const struct cu *cu, unit_tid type)
{
	uint64_t count = 1;

	for (size_t steps = 0; steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *t = &cu->types.items[type];

		switch (btf_ctype(t->kind)) {
		case BTF_C_POINTER:
		case BTF_C_FUNCTION:
			return count * cu->addr_size;
		case BTF_C_STRUCT:
			/* what C++ gives an empty class so that it has an address */
			if (t->size == 1 && (t->flags & CU_TYPE_NO_MEMBERS))
				return 0;
			return count * t->size;
		case BTF_C_INT:
		case BTF_C_FLOAT:
		case BTF_C_ENUM:
			return count * t->size;
		case BTF_C_ARRAY:
			count *= t->size;
			break;
		case BTF_C_TYPEDEF:
		case BTF_C_QUALIFIER:
			break;
		case BTF_C_FORWARD:
		case BTF_C_VOID:
		case BTF_C_NONE:
			return 0;
		}
		type = t->ref;
	}
	return 0;
}

const struct cu_type *cu_bare_type(const struct cu *cu, unit_tid type)
{
	for (size_t steps = 0; steps < CU_MAX_CHAIN; steps++) {
		const struct cu_type *t = &cu->types.items[type];

		if (!btf_kind_is_modifier(t->kind))
			return t;
		type = t->ref;
	}
	return &cu->types.items[0];
}

uint64_t cu_open_element(const struct cu *cu, unit_tid type)
{
	const struct cu_type *t = cu_bare_type(cu, type);

	return t->kind == BTF_ARRAY && !t->size ? cu_type_size(cu, t->ref) : 0;
}
