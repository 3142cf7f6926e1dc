/* SPDX-License-Identifier: GPL-2.0-only */
/* member_print.c - a member: its declaration, and where it lies */
#include "show/print_internal.h"

#include <inttypes.h>

static void print_boundary(struct printer *p, uint64_t offset, const struct frame *f)
{
	uint64_t line = offset / p->style->cacheline, ago = offset % p->style->cacheline;

	if (line <= *f->cacheline)
		return;
	print_comment(p, COLOR_COMMENT);
	text_printf(p->text, "--- cacheline %" PRIu64 " boundary (%" PRIu64 " bytes)", line,
		    offset - ago);
	if (ago)
		text_printf(p->text, " was %" PRIu64 " byte%s ago", ago, print_plural(ago));
	text_str(p->text, " ---");
	print_comment_end(p);
	text_char(p->text, '\n');
	text_indent(p->text, f->indent);
	*f->cacheline = line;
}

/* The comment behind a member, @spaces columns on. */
static void print_offset(struct printer *p, const struct layout_member *m, uint64_t offset,
			 size_t spaces, const struct frame *f)
{
	bool hex = p->style->hex;

	if (p->style->quiet || f->pointed)
		return;
	text_spaces(p->text, spaces ? spaces : 1);
	print_comment(p, COLOR_COMMENT);
	text_number(p->text, offset, 5, hex);
	if (m->bitfield_size) {
		text_char(p->text, ':');
		text_number(p->text, m->bitfield_offset, 2, hex);
	}
	text_char(p->text, ' ');
	text_number(p->text, m->size, m->bitfield_size ? 2 : 5, hex);
	print_comment_end(p);
}

/* Its type and name, without the semicolon; returns how long an attribute behind it is. */
static size_t print_member_decl(struct printer *p, const struct layout_member *m,
				const struct frame *f)
{
	const char *name = types_str(p->types, m->name);
	uint64_t start;

	if (!types_is_tagged(p->types, m->type)) {
		print_decl(p, m->type, name, f);
	} else {
		print_decl(p, m->type, NULL, f);
		if (name && (!types_name(p->types, m->type) || p->style->expand))
			text_char(p->text, ' ');
		text_str(p->text, name ? name : "");
	}
	if (m->bitfield_size)
		text_printf(p->text, ":%u", m->bitfield_size);
	start = text_pos(p->text);
	if (m->alignment && !p->style->no_aligned)
		text_printf(p->text, " __attribute__((__aligned__(%u)))", m->alignment);
	return (size_t)(text_pos(p->text) - start);
}

/* Where the comment goes behind a body: it is put as if the line began with what follows that. */
static int width_after_body(const struct printer *p, const struct layout_member *m,
			    size_t attribute, const struct frame *f)
{
	const char *name = types_str(p->types, m->name);
	int used = (int)attribute + (name ? (int)strlen(name) : -1);

	if (types_is_struct(p->types, m->type) && p->types->facts[m->type].packed &&
	    !p->style->no_packed)
		used += (int)sizeof(PRINT_PACKED) - 1;
	return f->type_width + f->name_width - used - 3;
}

void print_member(struct printer *p, const struct layout_member *m, bool of_union,
		  const struct frame *f)
{
	struct frame inner = *f;
	uint64_t offset = m->byte_offset;
	uint64_t start, used;
	size_t attribute;
	int width;

	if (!f->relative) {
		offset += f->base;
		if (!of_union)
			inner.base = offset;
	}
	if (!p->style->quiet && !f->pointed)
		print_boundary(p, offset, f);
	start = text_pos(p->text);
	attribute = print_member_decl(p, m, &inner);
	text_char(p->text, ';');
	used = text_pos(p->text) - start;
	if (types_is_tagged(p->types, m->type) && !types_name(p->types, m->type)) {
		width = width_after_body(p, m, attribute, f);
		print_offset(p, m, offset, (size_t)(width < 0 ? -width : width), f);
		return;
	}
	width = f->type_width + f->name_width;
	print_offset(p, m, offset,
		     width > 0 && (uint64_t)width > used ? (size_t)((uint64_t)width - used) : 1, f);
}
