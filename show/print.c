/* SPDX-License-Identifier: GPL-2.0-only */
/* print.c - see print.h */
#include "show/print_internal.h"

/* The columns of a type, and of a name; bodies instead of types take more. */
enum { TYPE_WIDTH = 26, NAME_WIDTH = 23, NAME_WIDTH_UNION = 21, NAME_WIDTH_EXPANDED = 55 };

/* A vmlinux with all its types expanded takes less than a hundred times its own size. */
enum { ROOM_LEAST = 64 << 20, ROOM_TIMES = 1024 };

uint64_t print_room(size_t size)
{
	return ROOM_LEAST + (uint64_t)size * ROOM_TIMES;
}

struct err *print_type(struct printer *p, uint32_t id, const char *prefix, const char *suffix)
{
	enum btf_kind kind = types_kind(p->types, id);
	struct frame f = {
		.prefix = prefix,
		.suffix = suffix,
		.type_width = TYPE_WIDTH,
		.name_width = p->style->expand             ? NAME_WIDTH_EXPANDED :
			      types_is_union(p->types, id) ? NAME_WIDTH_UNION :
							     NAME_WIDTH,
		.stats = true,
		.relative = p->style->relative,
	};

	if (types_is_struct(p->types, id))
		print_struct(p, id, &f);
	else if (types_is_union(p->types, id))
		print_union(p, id, &f);
	else if (kind == BTF_TYPEDEF)
		print_typedef(p, id, &f);
	else
		print_enum(p, id, &f);
	if (!p->style->no_semicolon)
		text_char(p->text, ';');
	return types_failed(p->types);
}
