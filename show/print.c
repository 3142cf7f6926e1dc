/* SPDX-License-Identifier: GPL-2.0-only */
/* print.c - see print.h */
#include "show/print_internal.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "show/reorganize.h"

#include <inttypes.h>

/* Columns of a name in a union, and if bodies of types are printed. */
enum { NAME_WIDTH_UNION = 21, NAME_WIDTH_EXPANDED = 55 };

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

static struct frame outermost(const struct printer *p, uint32_t id, const char *prefix,
			      const char *suffix)
{
	return (struct frame){
		.prefix = prefix,
		.suffix = suffix,
		.type_width = PRINT_TYPE_WIDTH,
		.name_width = p->style->expand             ? NAME_WIDTH_EXPANDED :
			      types_is_union(p->types, id) ? NAME_WIDTH_UNION :
							     PRINT_NAME_WIDTH,
		.stats = true,
		.relative = p->style->relative,
	};
}

/* In the words of pahole, which prints "(null)" for what it does not know. */
static void print_decl_info(struct printer *p, uint32_t id)
{
	struct decl_info d = types_decl(p->types, id);

	text_str(p->text, "/* Used at: ");
	text_escape(p->text, d.unit ? d.unit : "(null)");
	text_printf(p->text, " */\n/* <%" PRIx64 "> ", d.offset);
	text_escape(p->text, d.file ? d.file : "(null)");
	text_printf(p->text, ":%" PRIu64 " */\n", d.line);
	print_may_go_on(p, 0);
}

struct err *print_type(struct printer *p, uint32_t id, const char *prefix, const char *suffix)
{
	enum btf_kind kind = types_kind(p->types, id);
	const struct frame f = outermost(p, id, prefix, suffix);

	print_limits_next(p->limits, id, p->text);
	if (p->style->decl_info)
		print_decl_info(p, id);
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

/* --- reorganized structs -------------------------------------------------------------- */

/* A struct that is reorganized, and what is printed of it before the end. */
struct reorganizing {
	struct printer *p;
	uint32_t id;
	enum print_moves moves;
};

static void put_struct(const struct reorganizing *r, const struct layout *l)
{
	const struct frame f = outermost(r->p, r->id, NULL, NULL);

	print_limits_next(r->p->limits, r->id, r->p->text);
	print_laid_out(r->p, r->id, l, &f);
}

/* The name of a member as pahole prints it, which may have none. */
static const char *member_name(const struct reorganizing *r, uint32_t name)
{
	const char *s = types_str(r->p->types, name);

	return s ? s : "(null)";
}

/* A comment on a line of its own. */
static void PRINTF_LIKE(2, 3) put_comment(const struct printer *p, const char *fmt, ...)
{
	va_list ap;

	print_comment(p, COLOR_COMMENT);
	va_start(ap, fmt);
	text_vprintf(p->text, fmt, ap);
	va_end(ap);
	print_comment_end(p);
	text_char(p->text, '\n');
}

static void put_move(void *arg, const struct layout *l, const struct reorganize_move *m)
{
	const struct reorganizing *r = arg;
	const char *name = member_name(r, m->member);

	if (r->moves == PRINT_NO_MOVES || r->p->types->failure)
		return;
	put_comment(r->p, "Moving '%s' from after '%s' to after '%s'", name,
		    member_name(r, m->from), member_name(r, m->to));
	if (m->padding)
		put_comment(r->p, "adding %" PRIu64 " bytes from %s to the padding", m->padding,
			    name);
	if (r->moves != PRINT_STEPS)
		return;
	put_struct(r, l);
	text_char(r->p->text, '\n');
}

/* The comment on what was saved by the change from @before bytes to @after, which is at most that. */
static void put_savings(const struct printer *p, uint32_t before, uint32_t after)
{
	uint64_t line = p->style->cacheline;
	uint64_t lines = (before + line - 1) / line - (after + line - 1) / line;

	if (before == after)
		return;
	text_str(p->text, "   ");
	print_comment(p, COLOR_NEW);
	text_printf(p->text, "saved %u byte%s", before - after, print_plural(before - after));
	if (lines)
		text_printf(p->text, " and %" PRIu64 " cacheline%s", lines, print_plural(lines));
	text_char(p->text, '!');
	print_comment_end(p);
}

struct err *print_reorganized(struct printer *p, uint32_t id, enum print_moves moves)
{
	CLEANUP(layout_release) struct layout l = { 0 };
	struct reorganizing r = { p, id, moves };
	const struct type_facts facts = p->types->facts[id];
	uint32_t size;

	layout_find(p->types, id, p->style->cacheline, &l);
	size = l.size;
	reorganize(p->types, &l, put_move, &r);
	if (l.size != size && moves != PRINT_NO_MOVES)
		text_char(p->text, '\n');
	if (l.size != size && moves == PRINT_STEPS)
		put_comment(p, "Final reorganized struct:");
	put_struct(&r, &l);
	if (!p->style->no_semicolon)
		text_char(p->text, ';');
	put_savings(p, size, l.size);
	text_char(p->text, '\n');
	/* whether the struct itself is packed is another question */
	p->types->facts[id].packed = facts.packed;
	p->types->facts[id].guessed = facts.guessed;
	return types_failed(p->types);
}
