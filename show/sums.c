/* SPDX-License-Identifier: GPL-2.0-only */
/* sums.c - see sums.h */
#include "show/sums.h"

#include <inttypes.h>

/* Of which struct, and where. */
struct closing {
	struct printer *p;
	const struct layout *l;
	const struct sums *s;
	const struct frame *f;
};

static void begin_sum(const struct closing *c)
{
	text_indent(c->p->text, c->f->indent);
	text_str(c->p->text, "/* ");
}

static void print_hole_sums(const struct closing *c)
{
	struct text *t = c->p->text;

	if (!c->s->hole_bytes && !c->s->hole_bits)
		return;
	if (c->s->bytes) {
		begin_sum(c);
		text_printf(t, "sum members: %" PRIu64, c->s->bytes);
		if (c->s->hole_bytes)
			text_printf(t, ", holes: %" PRIu32 ", sum holes: %" PRIu64, c->l->nr_holes,
				    c->s->hole_bytes);
		text_str(t, " */\n");
	}
	if (c->s->bits) {
		begin_sum(c);
		text_printf(t, "sum bitfield members: %" PRIu64 " bits", c->s->bits);
		if (c->s->hole_bits)
			text_printf(t, ", bit holes: %" PRIu32 ", sum bit holes: %" PRIu64 " bits",
				    c->l->nr_bit_holes, c->s->hole_bits);
		else
			text_printf(t, " (%" PRIu64 " bytes)", c->s->bits / 8);
		text_str(t, " */\n");
	}
}

static void print_inner_sums(const struct closing *c)
{
	const struct inner_sums *s = &c->s->inner;
	struct text *t = c->p->text;
	const char *comma = "";

	if (s->nr_holey || s->nr_bit_holey || s->nr_bit_padded) {
		begin_sum(c);
		text_str(t, "member types with ");
		if (s->nr_holey) {
			text_printf(t, "holes: %" PRIu32 ", total: %" PRIu32, s->nr_holey,
				    s->holes);
			comma = ", ";
		}
		if (s->nr_bit_holey) {
			text_printf(t, "%sbit holes: %" PRIu32 ", total: %" PRIu32, comma,
				    s->nr_bit_holey, s->bit_holes);
			comma = ", ";
		}
		if (s->nr_bit_padded)
			text_printf(t, "%sbit paddings: %" PRIu32 ", total: %" PRIu32 " bit%s",
				    comma, s->nr_bit_padded, s->bit_padding,
				    print_plural(s->bit_padding));
		text_str(t, " */\n");
	}
	if (s->nr_padded) {
		begin_sum(c);
		text_printf(t, "paddings: %" PRIu32 ", sum paddings: %" PRIu64 " */\n",
			    s->nr_padded, s->padding);
	}
}

static void print_forced_sums(const struct closing *c)
{
	struct text *t = c->p->text;

	if (!c->s->nr_forced || c->p->style->no_aligned)
		return;
	begin_sum(c);
	text_printf(t, "forced alignments: %" PRIu32, c->s->nr_forced);
	if (c->s->nr_forced_holes)
		text_printf(t, ", forced holes: %" PRIu32 ", sum forced holes: %" PRIu64,
			    c->s->nr_forced_holes, c->s->forced_hole_bytes);
	text_str(t, " */\n");
}

static void print_flexible_sums(const struct closing *c)
{
	const struct inner_sums *s = &c->s->inner;
	struct text *t = c->p->text;

	if (!s->nr_flexible && !s->nr_embedding)
		return;
	begin_sum(c);
	text_str(t, "flexible array members: ");
	if (s->nr_flexible)
		text_printf(t, "end: %" PRIu32, s->nr_flexible);
	if (s->nr_embedding)
		text_printf(t, "%smiddle: %" PRIu32, s->nr_flexible ? ", " : "", s->nr_embedding);
	text_str(t, " */\n");
}

/* Members and holes should make up the whole; pahole's words for when they do not. */
static void print_odds(const struct closing *c)
{
	const struct layout *l = c->l;
	int64_t odd = (int64_t)l->size * 8 -
		      (int64_t)(c->s->bytes * 8 + c->s->bits + c->s->hole_bytes * 8 +
				c->s->hole_bits) -
		      (int64_t)l->padding * 8 - l->bit_padding;

	if (!odd || !l->nr)
		return;
	text_char(c->p->text, '\n');
	text_indent(c->p->text, c->f->indent);
	text_printf(c->p->text,
		    "/* BRAIN FART ALERT! %" PRIu32 " bytes != %" PRIu64
		    " (member bytes) + %" PRIu64 " (member bits) + %" PRIu64
		    " (byte holes) + %" PRIu64 " (bit holes), diff = %" PRId64 " bits */\n",
		    l->size, c->s->bytes, c->s->bits, c->s->hole_bytes, c->s->hole_bits, odd);
}

void print_sums(struct printer *p, const struct layout *l, const struct sums *s,
		const struct frame *f)
{
	const struct closing closing = { p, l, s, f }, *c = &closing;
	struct text *t = p->text;
	uint32_t line = c->p->style->cacheline;
	/* C++ has it that nothing takes a byte */
	uint64_t taken = l->size == 1 && !l->nr ? 0 : l->size;

	text_char(t, '\n');
	begin_sum(c);
	text_printf(t, "size: %" PRIu32 ", cachelines: %" PRIu64 ", members: %zu */\n", l->size,
		    (taken + line - 1) / line, l->nr);
	print_hole_sums(c);
	if (l->padding) {
		begin_sum(c);
		text_printf(t, "padding: %" PRIu32 " */\n", l->padding);
	}
	print_inner_sums(c);
	if (l->bit_padding) {
		begin_sum(c);
		text_printf(t, "bit_padding: %u bits */\n", l->bit_padding);
	}
	print_forced_sums(c);
	print_flexible_sums(c);
	if ((c->f->base + l->size) % line) {
		begin_sum(c);
		text_printf(t, "last cacheline: %" PRIu64 " bytes */\n",
			    (c->f->base + l->size) % line);
	}
	print_odds(c);
}
