/* SPDX-License-Identifier: GPL-2.0-only */
/* sums.c - the lines at the end of a struct: its size, and sums over its members */
#include "show/print_internal.h"

#include "base/cleanup.h"

#include <inttypes.h>

/* A struct, and where its lines go. */
struct closing {
	struct printer *p;
	const struct layout *l;
	const struct sums *s;
	const struct frame *f;
};

static void begin_sum(const struct closing *c)
{
	text_indent(c->p->text, c->f->indent);
	print_comment(c->p, COLOR_COMMENT);
}

static void end_sum(const struct closing *c)
{
	print_comment_end(c->p);
	text_char(c->p->text, '\n');
}

/* "@label: @nr@unit" unless @nr is 0 */
static void put_sum(const struct closing *c, const char *label, uint64_t nr, const char *unit)
{
	if (!nr)
		return;
	begin_sum(c);
	text_printf(c->p->text, "%s: %" PRIu64 "%s", label, nr, unit);
	end_sum(c);
}

static void put_hole_sums(const struct closing *c)
{
	struct text *t = c->p->text;

	if (!c->s->hole_bytes && !c->s->hole_bits)
		return;
	if (c->s->bytes) {
		begin_sum(c);
		text_printf(t, "sum members: %" PRIu64, c->s->bytes);
		if (c->s->hole_bytes)
			text_printf(t, ", holes: %u, sum holes: %" PRIu64, c->l->gaps.nr_holes,
				    c->s->hole_bytes);
		end_sum(c);
	}
	if (c->s->bits) {
		begin_sum(c);
		text_printf(t, "sum bitfield members: %" PRIu64 " bits", c->s->bits);
		if (c->s->hole_bits)
			text_printf(t, ", bit holes: %u, sum bit holes: %" PRIu64 " bits",
				    c->l->gaps.nr_bit_holes, c->s->hole_bits);
		else
			text_printf(t, " (%" PRIu64 " bytes)", c->s->bits / 8);
		end_sum(c);
	}
}

static void put_inner_sums(const struct closing *c)
{
	static const struct {
		enum inner_sum sum;
		const char *label;
	} parts[] = {
		{ INNER_HOLES, "holes" },
		{ INNER_BIT_HOLES, "bit holes" },
		{ INNER_BIT_PADDING, "bit paddings" },
	};
	const struct inner_sums *s = c->s->inner;
	const char *before = "member types with ";

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct inner_sums *part = &s[parts[i].sum];

		if (!part->nr)
			continue;
		if (*before == 'm')
			begin_sum(c);
		text_printf(c->p->text, "%s%s: %u, total: %" PRIu64, before, parts[i].label,
			    part->nr, part->sum);
		if (parts[i].sum == INNER_BIT_PADDING)
			text_printf(c->p->text, " bit%s", print_plural(part->sum));
		before = ", ";
	}
	if (*before == ',')
		end_sum(c);
	if (s[INNER_PADDING].nr) {
		begin_sum(c);
		text_printf(c->p->text, "paddings: %u, sum paddings: %" PRIu64, s[INNER_PADDING].nr,
			    s[INNER_PADDING].sum);
		end_sum(c);
	}
}

static void put_forced_sums(const struct closing *c)
{
	struct text *t = c->p->text;

	if (!c->s->nr_forced || c->p->style->no_aligned)
		return;
	begin_sum(c);
	text_printf(t, "forced alignments: %u", c->s->nr_forced);
	if (c->s->nr_forced_holes)
		text_printf(t, ", forced holes: %u, sum forced holes: %" PRIu64,
			    c->s->nr_forced_holes, c->s->forced_hole_bytes);
	end_sum(c);
}

static void put_flexible_sums(const struct closing *c)
{
	const struct sums *s = c->s;
	struct text *t = c->p->text;

	if (!s->nr_flexible && !s->nr_embedding)
		return;
	begin_sum(c);
	text_str(t, "flexible array members: ");
	if (s->nr_flexible)
		text_printf(t, "end: %u", s->nr_flexible);
	if (s->nr_embedding)
		text_printf(t, "%smiddle: %u", s->nr_flexible ? ", " : "", s->nr_embedding);
	end_sum(c);
}

/* --- the first member with the biggest base type ---------------------------------------- */

struct biggest {
	const char *name;
	uint32_t offset;
	uint64_t size;
};

/* @id without arrays, typedefs and qualifiers. */
static uint32_t innermost(struct show_types *t, uint32_t id)
{
	id = types_bare(t, id);
	for (size_t i = 0; i < TYPES_CHAIN_MAX && types_kind(t, id) == BTF_ARRAY; i++)
		id = types_bare(t, types_rec(t, id)[BTF_REC_WORDS]);
	return id;
}

/*
 * NOLINTBEGIN(misc-no-recursion): print_enter() sets the limit
 *
 * As in pahole, the biggest is that of the size of a pointer, or else that of the next smaller power of 2, and so on. A
 * larger one ends the search. The offset is that in the innermost struct.
 */

static bool find_biggest(struct printer *p, const struct layout *l, struct biggest *ret);

/* The same in the struct @id. */
static bool find_inside(struct printer *p, uint32_t id, struct biggest *ret)
{
	CLEANUP(layout_release) struct layout l = { 0 };
	bool found;

	if (!print_may_go_on(p, types_vlen(p->types, id)) || !print_enter(p, id))
		return false;
	layout_find(p->types, id, p->style->cacheline, &l);
	found = find_biggest(p, &l, ret);
	print_leave(p);
	return found;
}

static bool find_biggest(struct printer *p, const struct layout *l, struct biggest *ret)
{
	struct show_types *t = p->types;
	uint64_t most = t->addr_size, found = 0;

	for (size_t i = 0; i < l->nr && found < most; i++) {
		const struct layout_member *m = &l->items[i];
		struct biggest one = { types_str(t, m->name), m->byte_offset, m->size },
			       inner = one;
		uint32_t type = innermost(t, m->type);
		uint64_t size = types_size(t, type), power = most;

		if (types_ctype(t, type) == BTF_C_STRUCT) {
			if (!find_inside(p, type, &inner))
				continue;
			size = inner.size;
		}
		while (power > found && size < power)
			power /= 2;
		if (power <= found)
			continue;
		found = power;
		*ret = size > most ? one : inner;
	}
	return found;
}

/* NOLINTEND(misc-no-recursion) */

static void put_biggest(const struct closing *c)
{
	struct biggest b;

	if (!c->p->style->biggest || !find_biggest(c->p, c->l, &b))
		return;
	begin_sum(c);
	text_printf(c->p->text, "first biggest size base type member: %s %u %" PRIu64,
		    b.name ? b.name : "(null)", b.offset, b.size);
	end_sum(c);
}

/* Members and holes should add up to the size. If they do not, pahole prints this. */
static void put_odds(const struct closing *c)
{
	const struct layout *l = c->l;
	int64_t odd = (int64_t)l->size * 8 -
		      (int64_t)(c->s->bytes * 8 + c->s->bits + c->s->hole_bytes * 8 +
				c->s->hole_bits) -
		      (int64_t)l->gaps.padding * 8 - l->gaps.bit_padding;

	if (!odd || !l->nr)
		return;
	text_char(c->p->text, '\n');
	text_indent(c->p->text, c->f->indent);
	print_comment(c->p, COLOR_CHANGED);
	text_printf(c->p->text,
		    "BRAIN FART ALERT! %u bytes != %" PRIu64 " (member bytes) + %" PRIu64
		    " (member bits) + %" PRIu64 " (byte holes) + %" PRIu64
		    " (bit holes), diff = %" PRId64 " bits",
		    l->size, c->s->bytes, c->s->bits, c->s->hole_bytes, c->s->hole_bits, odd);
	end_sum(c);
}

void print_sums(struct printer *p, const struct layout *l, const struct sums *s,
		const struct frame *f)
{
	const struct closing closing = { p, l, s, f }, *c = &closing;
	struct text *t = p->text;
	uint32_t line = c->p->style->cacheline;
	/* in C++ an empty struct has one byte */
	uint64_t taken = l->size == 1 && !l->nr ? 0 : l->size;

	text_char(t, '\n');
	begin_sum(c);
	text_printf(t, "size: %u, cachelines: %" PRIu64 ", members: %zu", l->size,
		    (taken + line - 1) / line, l->nr);
	end_sum(c);
	put_hole_sums(c);
	put_sum(c, "padding", l->gaps.padding, "");
	put_inner_sums(c);
	put_sum(c, "bit_padding", l->gaps.bit_padding, " bits");
	put_forced_sums(c);
	put_flexible_sums(c);
	put_sum(c, "last cacheline", (c->f->base + l->size) % line, " bytes");
	put_biggest(c);
	put_odds(c);
}
