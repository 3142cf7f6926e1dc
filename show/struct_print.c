/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * struct_print.c - structs and unions with their members, and what is between these
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
#include "show/packed.h"
#include "show/sums.h"

#include <inttypes.h>

/* A struct on its way to paper. */
struct body {
	struct printer *p;
	const struct layout *l;
	struct frame f; /* of its members */
	bool remarked;  /* the line before was a remark */
	struct sums sums;
};

/* --- what is between them ------------------------------------------------------------ */

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
	text_printf(b->p->text, "/* %s */\n", remark);
}

static void put_hole(struct body *b, uint64_t nr, const char *unit)
{
	text_printf(b->p->text, "/* XXX %" PRIu64 " %s%s hole, try to pack */", nr, unit,
		    print_plural(nr));
}

static void put_first_hole(struct body *b, uint64_t nr, const char *unit)
{
	start_remark(b);
	text_indent(b->p->text, b->f.indent);
	put_hole(b, nr, unit);
	text_char(b->p->text, '\n');
}

/* Still on the line of the member. */
static void put_hole_after(struct body *b, uint64_t nr, const char *unit)
{
	start_remark(b);
	text_char(b->p->text, '\n');
	text_indent(b->p->text, b->f.indent);
	put_hole(b, nr, unit);
}

/*
 * Bits are free before bit field @m, in the same unit as those before or not: a bit field
 * without a name puts it where it is.
 */
static void put_filler(struct body *b, const struct layout_member *last,
		       const struct layout_member *m)
{
	unsigned int bits = last->bit_hole;

	if (last->byte_offset != m->byte_offset) {
		text_char(b->p->text, '\n');
		text_indent(b->p->text, b->f.indent);
		text_str(b->p->text, "/* Force alignment to the next boundary: */\n");
		bits = 0;
	}
	text_indent(b->p->text, b->f.indent);
	print_decl(b->p, m->type, "", &b->f);
	text_printf(b->p->text, ":%u;\n", bits);
}

/* @last_size: what @last takes; a zero-sized one is a mark, and everything may follow it. */
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

/* --- what is in them ----------------------------------------------------------------- */

/* A remark made of parts with commas between them. */
static void put_part(struct body *b, bool *any, const char *what, uint64_t nr, const char *unit)
{
	if (*any)
		text_char(b->p->text, ',');
	*any = true;
	text_printf(b->p->text, " %" PRIu64 " %s%s%s", nr, unit, print_plural(nr), what);
}

static void put_inner_paddings(struct body *b, bool any, const struct layout *in)
{
	struct inner_sums *s = &b->sums.inner;

	if (in->padding) {
		s->nr_padded++;
		s->padding += in->padding;
		put_part(b, &any, " of padding", in->padding, "byte");
	}
	if (in->bit_padding) {
		s->nr_bit_padded++;
		s->bit_padding += in->bit_padding;
		put_part(b, &any, " of padding", in->bit_padding, "bit");
	}
	if (in->nr_holes) {
		s->nr_holey++;
		s->holes += in->nr_holes;
		put_part(b, &any, "", in->nr_holes, "hole");
	}
	if (in->nr_bit_holes) {
		s->nr_bit_holey++;
		s->bit_holes += in->nr_bit_holes;
		put_part(b, &any, "", in->nr_bit_holes, "bit hole");
	}
}

/* A member's type is the struct @id: say what is not seen from outside. */
static void put_inner(struct body *b, uint32_t id)
{
	CLEANUP(layout_release) struct layout in = { 0 };
	struct printer *p = b->p;
	bool flexible = false, embeds = false;

	layout_find(p->types, id, p->style->cacheline, &in);
	packed_guess(p->types, id, &in);
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
	text_str(p->text, "/* XXX last struct has");
	if (flexible)
		text_str(p->text, " a flexible array");
	if (embeds)
		text_printf(p->text, "%s embedded flexible array(s)", flexible ? "," : "");
	b->sums.inner.nr_flexible += flexible;
	b->sums.inner.nr_embedding += embeds;
	put_inner_paddings(b, flexible || embeds, &in);
	text_str(p->text, " */");
}

/* --- bodies -------------------------------------------------------------------------- */

/* NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit */

void print_head(struct printer *p, const char *keyword, uint32_t id, const struct frame *f)
{
	const char *name = types_name(p->types, id);

	if (f->prefix) {
		text_str(p->text, f->prefix);
		text_char(p->text, ' ');
	}
	text_str(p->text, keyword);
	if (name) {
		text_char(p->text, ' ');
		text_str(p->text, name);
	}
}

void print_suffix(struct printer *p, const struct frame *f)
{
	if (!f->suffix)
		return;
	text_char(p->text, ' ');
	text_str(p->text, f->suffix);
}

/* The member at index @i; what came before it is @last, of @last_size bytes. */
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
	if (!p->style->quiet) {
		if (types_is_struct(p->types, m->type))
			put_inner(b, m->type);
		if (m->bit_hole)
			put_hole_after(b, m->bit_hole, "bit");
		if (m->hole > 0)
			put_hole_after(b, (uint64_t)m->hole, "byte");
	}
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
		/* several bit fields of one unit: the first has set the size */
		if (!last || !last_size || last->byte_offset != m->byte_offset ||
		    (!last->bitfield_size && m->bitfield_size))
			last_size = m->size;
		last = m;
	}
}

void print_struct(struct printer *p, uint32_t id, const struct frame *f)
{
	CLEANUP(layout_release) struct layout l = { 0 };
	uint64_t cacheline = 0;
	struct body b = { .p = p, .l = &l, .f = *f };

	if (!print_enter(p, id))
		return;
	b.f.indent++;
	b.f.prefix = b.f.suffix = NULL;
	if (!b.f.cacheline)
		b.f.cacheline = &cacheline;
	layout_find(p->types, id, p->style->cacheline, &l);
	packed_guess(p->types, id, &l);

	print_head(p, "struct", id, f);
	text_str(p->text, " {\n");
	if (l.pre_bit_hole && !p->style->quiet)
		put_first_hole(&b, l.pre_bit_hole, "bit");
	if (l.pre_hole > 0 && !p->style->quiet)
		put_first_hole(&b, (uint64_t)l.pre_hole, "byte");
	b.sums.hole_bits = l.pre_bit_hole;
	b.sums.hole_bytes = l.pre_hole > 0 ? (uint64_t)l.pre_hole : 0;
	put_members(&b);
	if (f->stats && !p->style->quiet)
		print_sums(p, &l, &b.sums, &b.f);
	text_indent(p->text, f->indent);
	text_char(p->text, '}');

	/* what was printed in between may have shown it to be */
	const bool packed = p->types->facts[id].packed;
	if (packed && !p->style->no_packed)
		text_str(p->text, PRINT_PACKED);
	print_suffix(p, f);
	if (l.alignment && !packed && !p->style->no_aligned)
		text_printf(p->text, " __attribute__((__aligned__(%" PRIu32 ")))", l.alignment);
	print_leave(p);
}

void print_union(struct printer *p, uint32_t id, const struct frame *f)
{
	CLEANUP(layout_release) struct layout l = { 0 };
	uint64_t cacheline = 0, at_start;
	struct frame inner = *f;

	if (!print_enter(p, id))
		return;
	inner.indent++;
	inner.in_union = true;
	inner.prefix = inner.suffix = NULL;
	if (!inner.cacheline)
		inner.cacheline = &cacheline;
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
