/* SPDX-License-Identifier: GPL-2.0-only */
/* print.c - see print.h */
#include "show/print_internal.h"

/* The columns of a type, and of a name; bodies instead of types take more. */
enum { TYPE_WIDTH = 26, NAME_WIDTH = 23, NAME_WIDTH_UNION = 21, NAME_WIDTH_EXPANDED = 55 };

/*
 * A vmlinux of 5 MB has 4 times its size of text with all its types expanded, the longest of which has 254 KB.
 */
enum { BYTES_LEAST = 4 << 20, TYPE_BYTES_TIMES = 4, BYTES_TIMES = 256 };
/* "--compile" takes 110,000 steps for it. */
enum { STEPS_LEAST = 1 << 20, STEPS_TIMES = 2 };

struct print_limits print_limits_for(size_t size, const struct text *text)
{
	return (struct print_limits){
		.type_bytes = BYTES_LEAST + (uint64_t)size * TYPE_BYTES_TIMES,
		.bytes = BYTES_LEAST + (uint64_t)size * BYTES_TIMES,
		.steps = STEPS_LEAST + (uint64_t)size * STEPS_TIMES,
		.start = text_pos(text),
	};
}

void print_limits_next(struct print_limits *l, uint32_t id, const struct text *text)
{
	l->type = id;
	l->type_start = text_pos(text);
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

	print_limits_next(p->limits, id, p->text);
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
