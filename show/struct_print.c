/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct_print.c - bodies of structs and unions, with remarks on their layout
 *
 *	struct foo {
 *		char               a;                    [     0     1 ]
 *
 *		[ XXX 7 bytes hole, try to pack ]
 *
 *		long int           b;                    [     8     8 ]
 *
 *		[ size: 16, cachelines: 1, members: 2 ]
 *		...
 *	};
 *
 * where brackets stand for those of comments.
 * Remarks after a member are followed by an empty line, but only if another member comes.
 */
#include "show/print_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>

/* A struct that is being printed. */
struct body {
	struct printer *p;
	const struct layout *l;
	struct frame f; /* of its members */
	bool remarked;  /* the line before was a remark */
	struct sums sums;
};

/* --- remarks between members --------------------------------------------------------- */

/* An empty line goes before the first of some remarks. */
static void start_remark(struct body *b)
{
	if (!b->remarked)
		text_char(b->p->text, '\n');
	b->remarked = true;
}

static void end_remarks(struct body *b)
{
	if (b->remarked)
		text_char(b->p->text, '\n');
	b->remarked = false;
}

/* A remark on a line of its own. */
static void put_line(struct body *b, const char *remark)
{
	start_remark(b);
	text_indent(b->p->text, b->f.indent);
	print_comment(b->p, COLOR_COMMENT);
	text_str(b->p->text, remark);
	print_comment_end(b->p);
	text_char(b->p->text, '\n');
}

/* A hole before the first member, or after a member, in a remark below the line of that member. */
static void put_hole(struct body *b, bool is_first, int64_t nr, const char *unit)
{
	if (nr <= 0 || b->p->style->quiet)
		return;
	start_remark(b);
	if (!is_first)
		text_char(b->p->text, '\n');
	text_indent(b->p->text, b->f.indent);
	print_comment(b->p, COLOR_CHANGED);
	text_printf(b->p->text, "XXX %" PRId64 " %s%s hole, try to pack", nr, unit,
		    print_plural((uint64_t)nr));
	print_comment_end(b->p);
	if (is_first)
		text_char(b->p->text, '\n');
}

/*
 * A bit field without a name, which moves the bit field @m to its offset: the bits before it are free, in the
 * unit of the bit field before it or in another.
 */
static void put_filler(struct body *b, const struct layout_member *last,
		       const struct layout_member *m)
{
	unsigned int bits = last->bit_hole;

	if (last->byte_offset != m->byte_offset) {
		text_char(b->p->text, '\n');
		text_indent(b->p->text, b->f.indent);
		print_comment(b->p, COLOR_COMMENT);
		text_str(b->p->text, "Force alignment to the next boundary:");
		print_comment_end(b->p);
		text_char(b->p->text, '\n');
		bits = 0;
	}
	text_indent(b->p->text, b->f.indent);
	print_decl(b->p, m->type, "", &b->f);
	text_printf(b->p->text, ":%u;\n", bits);
}

/* The state before @m. @last has @last_size bytes; after a member without a size, anything may follow. */
static void put_before(struct body *b, const struct layout_member *last, uint64_t last_size,
		       const struct layout_member *m)
{
	bool back, into;

	if (!last || !last_size)
		return;
	if (last->bit_hole && m->bitfield_size)
		put_filler(b, last, m);
	if (b->p->style->quiet)
		return;
	back = m->byte_offset < last->byte_offset ||
	       (m->byte_offset == last->byte_offset && !last->bitfield_size && m->bitfield_size);
	into = m->byte_offset > last->byte_offset && m->byte_offset - last->byte_offset < last_size;
	if (back)
		put_line(b, "Bitfield combined with previous fields");
	else if (into)
		put_line(b, "Bitfield combined with next fields");
}

/* --- remarks on structs in the struct ------------------------------------------------ */

/* Print the sums of @in, a member's layout, with commas between, and add them to those of the body. */
static void put_inner_sums(struct body *b, bool comma, const struct layout_gaps *in)
{
	const struct {
		uint32_t nr;
		const char *unit, *of;
	} parts[NR_INNER_SUMS] = {
		[INNER_PADDING] = { in->padding, "byte", " of padding" },
		[INNER_BIT_PADDING] = { in->bit_padding, "bit", " of padding" },
		[INNER_HOLES] = { in->nr_holes, "hole", "" },
		[INNER_BIT_HOLES] = { in->nr_bit_holes, "bit hole", "" },
	};

	for (size_t i = 0; i < NR_INNER_SUMS; i++) {
		if (!parts[i].nr)
			continue;
		b->sums.inner[i].nr++;
		b->sums.inner[i].sum += parts[i].nr;
		text_printf(b->p->text, "%s %u %s%s%s", comma ? "," : "", parts[i].nr,
			    parts[i].unit, print_plural(parts[i].nr), parts[i].of);
		comma = true;
	}
}

/* The type of a member is the struct @id: print which holes, paddings and flexible arrays it has. */
static void put_inner_remarks(struct body *b, uint32_t id)
{
	struct printer *p = b->p;
	const struct layout_gaps in = layout_gaps(p->types, id, p->style->cacheline);
	bool flexible = false, embeds = false;

	if (types_kind(p->types, id) == BTF_STRUCT) {
		flexible = types_ends_flexible(p->types, id);
		embeds = types_facts(p->types, id)->embeds_flexible;
	}
	if (!in.padding && !in.bit_padding && !in.nr_holes && !in.nr_bit_holes && !flexible &&
	    !embeds)
		return;

	start_remark(b);
	text_char(p->text, '\n');
	text_indent(p->text, b->f.indent);
	print_comment(p, COLOR_CHANGED);
	text_str(p->text, "XXX last struct has");
	if (flexible)
		text_str(p->text, " a flexible array");
	if (embeds)
		text_printf(p->text, "%s embedded flexible array(s)", flexible ? "," : "");
	b->sums.nr_flexible += flexible;
	b->sums.nr_embedding += embeds;
	put_inner_sums(b, flexible || embeds, &in);
	print_comment_end(p);
}

/* --- bodies -------------------------------------------------------------------------- */

/* NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit */

void print_head(struct printer *p, const char *keyword, uint32_t id, const struct frame *f)
{
	const char *name = types_name(p->types, id);
	bool is_outer = !f->indent;

	if (is_outer)
		text_color(p->text, COLOR_HEAD);
	if (f->prefix) {
		text_str(p->text, f->prefix);
		text_char(p->text, ' ');
	}
	text_str(p->text, keyword);
	if (name) {
		text_char(p->text, ' ');
		text_str(p->text, name);
	}
	if (is_outer)
		text_color(p->text, COLOR_NONE);
}

void print_suffix(struct printer *p, const struct frame *f)
{
	if (!f->suffix)
		return;
	text_char(p->text, ' ');
	text_str(p->text, f->suffix);
}

/* The member at index @i, after @last of @last_size bytes. */
static void put_member(struct body *b, size_t i, const struct layout_member *last,
		       uint64_t last_size)
{
	const struct layout_member *m = &b->l->items[i];
	int64_t hole_before = last ? last->hole : b->l->pre_hole;
	struct printer *p = b->p;

	if (m->alignment) {
		b->sums.nr_forced++;
		b->sums.nr_forced_holes += hole_before != 0;
		b->sums.forced_hole_bytes += (uint64_t)hole_before;
	}
	put_before(b, last, last_size, m);
	end_remarks(b);
	b->f.first = !i;
	b->f.last = i + 1 == b->l->nr;
	text_indent(p->text, b->f.indent);
	print_member(p, m, false, &b->f);
	if (!p->style->quiet && types_is_struct(p->types, m->type))
		put_inner_remarks(b, m->type);
	put_hole(b, false, m->bit_hole, "bit");
	put_hole(b, false, m->hole, "byte");
	text_char(p->text, '\n');
	b->sums.hole_bits += m->bit_hole;
	b->sums.hole_bytes += m->hole > 0 ? (uint64_t)m->hole : 0;
	if (m->bitfield_size)
		b->sums.bits += m->bitfield_size;
	else
		b->sums.bytes += m->size;
}

static void put_members(struct body *b)
{
	const struct layout_member *last = NULL;
	uint64_t last_size = 0;

	for (size_t i = 0; i < b->l->nr && !b->p->types->failure; i++) {
		const struct layout_member *m = &b->l->items[i];

		put_member(b, i, last, last_size);
		/* of several bit fields in one unit, the first sets the size */
		if (!last || !last_size || last->byte_offset != m->byte_offset ||
		    (!last->bitfield_size && m->bitfield_size))
			last_size = m->size;
		last = m;
	}
}

/* @cacheline: the last boundary that was printed, unless @f is in another body. */
static struct frame frame_of_members(const struct frame *f, uint64_t *cacheline)
{
	struct frame inner = *f;

	inner.indent++;
	inner.prefix = inner.suffix = NULL;
	if (!inner.cacheline)
		inner.cacheline = cacheline;
	return inner;
}

void print_laid_out(struct printer *p, uint32_t id, const struct layout *l, const struct frame *f)
{
	uint64_t cacheline = 0;
	struct body b = { .p = p, .l = l, .f = frame_of_members(f, &cacheline) };

	if (!print_enter(p, id))
		return;
	packed_guess(p->types, id, l);

	print_head(p, "struct", id, f);
	text_str(p->text, " {\n");
	put_hole(&b, true, l->pre_bit_hole, "bit");
	put_hole(&b, true, l->pre_hole, "byte");
	b.sums.hole_bits = l->pre_bit_hole;
	b.sums.hole_bytes = l->pre_hole > 0 ? (uint64_t)l->pre_hole : 0;
	put_members(&b);
	if (f->stats && !p->style->quiet)
		print_sums(p, l, &b.sums, &b.f);
	text_indent(p->text, f->indent);
	text_char(p->text, '}');

	/* its members may have shown that it is packed */
	const bool packed = p->types->facts[id].packed;
	if (packed && !p->style->no_packed)
		text_str(p->text, PRINT_PACKED);
	print_suffix(p, f);
	if (l->alignment && !packed && !p->style->no_aligned)
		text_printf(p->text, " __attribute__((__aligned__(%u)))", l->alignment);
	print_leave(p);
}

void print_struct(struct printer *p, uint32_t id, const struct frame *f)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	layout_find(p->types, id, p->style->cacheline, &l);
	print_laid_out(p, id, &l, f);
}

void print_union(struct printer *p, uint32_t id, const struct frame *f)
{
	CLEANUP(layout_release) struct layout l = { 0 };
	uint64_t cacheline = 0, at_start;
	struct frame inner = frame_of_members(f, &cacheline);

	if (!print_enter(p, id))
		return;
	inner.in_union = true;
	layout_find(p->types, id, p->style->cacheline, &l);
	packed_look_into_union(p->types, id);

	print_head(p, "union", id, f);
	text_str(p->text, " {\n");
	/* each member begins where the union does */
	at_start = *inner.cacheline;
	for (size_t i = 0; i < l.nr && !p->types->failure; i++) {
		text_indent(p->text, inner.indent);
		print_member(p, &l.items[i], true, &inner);
		text_char(p->text, '\n');
		*inner.cacheline = at_start;
	}
	text_indent(p->text, f->indent);
	text_char(p->text, '}');
	print_suffix(p, f);
	print_leave(p);
}

/* NOLINTEND(misc-no-recursion) */
