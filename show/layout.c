/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.c - see layout.h
 *
 * BTF contains the bits of a bit field, but neither its storage unit nor the end of a run of bit fields. The
 * unit is assumed to lie at a multiple of the size of its type, and a run to end with its largest unit: free
 * space before that end counts as bits, after it as bytes.
 */
#include "show/layout.h"

#include "base/cleanup.h"
#include "base/vec.h"

#include <stdlib.h>

/* --- members ------------------------------------------------------------------------- */

/*
 * The attribute that puts something with a natural alignment of @natural at @offset, if what is
 * before it ends at @end: the next power of two above the space that is left free.
 */
static uint32_t guess_alignment(uint32_t offset, uint32_t natural, uint64_t end, uint32_t cacheline)
{
	uint64_t space = offset - end;
	uint32_t alignment;

	/* no attribute explains an overlap or an odd offset */
	if (offset <= end || offset % 2 || space > INT32_MAX)
		return 0;
	alignment = 1u << (32 - __builtin_clz((uint32_t)space));
	if (alignment <= natural)
		return 0;
	if (alignment < cacheline && cacheline % alignment == 0 && offset % cacheline == 0)
		return cacheline;
	return alignment;
}

static bool may_be_bitfield(enum btf_kind kind)
{
	return kind == BTF_INT || kind == BTF_FLOAT || kind == BTF_ENUM || kind == BTF_ENUM64;
}

/* Where member @m lies, whose type is @bare at the bottom. */
static void lay_out(struct layout_member *m, const struct types_member *from, enum btf_kind bare)
{
	uint64_t unit = m->size * 8;

	m->bitfield_size = (uint8_t)from->bitfield_size;
	m->byte_offset = from->bit_offset / 8;
	if (!m->bitfield_size || !unit || !may_be_bitfield(bare))
		return;
	m->byte_offset = (uint32_t)(from->bit_offset / unit * unit / 8);
	m->bitfield_offset = (uint8_t)(from->bit_offset - m->byte_offset * 8);
}

static void add_members(struct show_types *t, uint32_t id, uint32_t cacheline, struct layout *l)
{
	const uint32_t *rec = types_rec(t, id);
	uint32_t nr = types_vlen(t, id);
	uint64_t end = 0;

	vec_reserve(l, nr);
	for (uint32_t i = 0; i < nr; i++) {
		struct types_member from = types_member(rec, i);
		uint32_t bare = types_bare(t, from.type), alignment = types_alignment(t, bare);
		struct layout_member m = {
			.name = from.name,
			.type = from.type,
			.bit_offset = from.bit_offset,
			.size = types_size(t, bare),
		};

		lay_out(&m, &from, types_kind(t, bare));
		if (bare)
			m.alignment = guess_alignment(m.byte_offset, alignment, end, cacheline);
		if (m.size)
			end = m.byte_offset +
			      (m.bitfield_size ? (m.bitfield_offset + m.bitfield_size + 7u) / 8 :
						 m.size);
		l->items[l->nr++] = m;
	}
	l->alignment = guess_alignment(l->size, types_alignment(t, id), end, cacheline);
}

/* --- holes --------------------------------------------------------------------------- */

/* The way from member to member. Bits count from the start of the struct. */
struct walk {
	int64_t seen; /* the end of the previous member */
	bool in_run;  /* the last member was a bit field */
	int64_t run_end, unit;
};

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* A bit field from @start to @end belongs to the run: does that become longer? */
static void extend_run(struct walk *w, const struct layout_member *m, int64_t end)
{
	int64_t unit = (int64_t)m->size * 8;

	w->in_run = true;
	if (end <= w->run_end && unit <= w->unit)
		return;
	w->unit = unit;
	w->run_end = (int64_t)m->byte_offset * 8 + unit;
	/* in a packed struct one may reach into the next unit */
	if (end > w->run_end)
		w->run_end += unit;
}

/* The free space before @m. */
static void find_hole(struct walk *w, const struct layout_member *m, int64_t *bytes, int64_t *bits)
{
	int64_t start = m->bit_offset, unit_start = (int64_t)m->byte_offset * 8, end;

	*bytes = *bits = 0;
	if (w->in_run) {
		int64_t run_end = least(start, w->run_end);

		*bits = run_end - w->seen;
		w->seen = run_end;
	}
	if (m->bitfield_size) {
		if (w->seen < unit_start && unit_start <= start) {
			*bytes = m->byte_offset - w->seen / 8;
			w->seen = unit_start;
		}
		*bits += start - w->seen;
		end = start + m->bitfield_size;
		extend_run(w, m, end);
	} else {
		*bytes = start / 8 - w->seen / 8;
		end = start + (int64_t)m->size * 8;
		w->in_run = false;
		w->unit = 0;
		w->run_end = end;
	}
	w->seen = end;
}

/* Overlapping members leave no bits free. */
static unsigned int free_bits(int64_t bits)
{
	return bits > 0 ? (unsigned int)least(bits, UINT32_MAX) : 0;
}

void layout_find_holes(struct layout *l)
{
	int64_t whole = (int64_t)l->size * 8;
	struct walk w = { .run_end = whole };

	l->gaps = (struct layout_gaps){ 0 };
	for (size_t i = 0; i < l->nr; i++) {
		int64_t bytes, bits;

		l->items[i].hole = 0;
		l->items[i].bit_hole = 0;
		find_hole(&w, &l->items[i], &bytes, &bits);
		*(i ? &l->items[i - 1].hole : &l->pre_hole) = bytes;
		*(i ? &l->items[i - 1].bit_hole : &l->pre_bit_hole) = free_bits(bits);
		l->gaps.nr_holes += bytes > 0;
		l->gaps.nr_bit_holes += bits > 0;
	}
	if (w.in_run) {
		int64_t run_end = least(whole, w.run_end);

		l->gaps.bit_padding = free_bits(run_end - w.seen);
		w.seen = run_end;
	}
	if (l->size > w.seen / 8)
		l->gaps.padding = l->size - (uint32_t)(w.seen / 8);
}

void layout_find(struct show_types *t, uint32_t id, uint32_t cacheline, struct layout *ret)
{
	if (types_kind(t, id) == BTF_FWD)
		return;
	ret->size = types_rec(t, id)[BTF_REC_SIZE_TYPE];
	add_members(t, id, cacheline, ret);
	if (types_kind(t, id) == BTF_STRUCT)
		layout_find_holes(ret);
}

void layout_release(struct layout *l)
{
	free(l->items);
	*l = (struct layout){ 0 };
}

/* --- which structs are packed --------------------------------------------------------- */

/* A struct of type @id, or a typedef of one, lies at offset @at: is it aligned there? */
static void look_at(struct show_types *t, uint32_t id, uint64_t at)
{
	uint32_t bare = types_bare(t, id);

	if (!types_is_struct(t, bare) || at % types_alignment(t, bare) == 0)
		return;
	t->facts[bare].packed = true;
	t->facts[bare].guessed = true;
}

void packed_look_into_struct(struct show_types *t, const struct layout *l)
{
	for (size_t i = 0; i < l->nr; i++)
		look_at(t, l->items[i].type, l->items[i].byte_offset);
}

void packed_look_into_union(struct show_types *t, uint32_t id)
{
	const uint32_t *rec = types_rec(t, id);

	if (t->facts[id].guessed || types_kind(t, id) == BTF_FWD)
		return;
	t->facts[id].guessed = true;
	for (uint32_t i = 0; i < types_vlen(t, id); i++)
		look_at(t, types_member(rec, i).type, rec[BTF_REC_SIZE_TYPE]);
}

/* @l has no holes. Is a member not aligned, or the size no multiple of the largest alignment? */
static bool is_misaligned(struct show_types *t, const struct layout *l)
{
	uint32_t largest = 1;

	for (size_t i = 0; i < l->nr; i++) {
		const struct layout_member *m = &l->items[i];
		uint32_t alignment = types_alignment(t, types_bare(t, m->type));

		if (m->byte_offset % alignment)
			return true;
		if (largest < alignment)
			largest = alignment;
	}
	return l->size % largest != 0;
}

bool packed_guess(struct show_types *t, uint32_t id, const struct layout *l)
{
	struct type_facts *f = &t->facts[id];

	if (f->guessed)
		return f->packed;
	if (l->gaps.padding || l->gaps.nr_holes) {
		packed_look_into_struct(t, l);
		f->packed = false;
	} else {
		f->packed = is_misaligned(t, l);
	}
	f->guessed = true;
	return f->packed;
}

struct layout_gaps layout_gaps(struct show_types *t, uint32_t id, uint32_t cacheline)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	if (!t->facts[id].gaps) {
		layout_find(t, id, cacheline, &l);
		packed_guess(t, id, &l);
		vec_push(&t->gaps, l.gaps);
		t->facts[id].gaps = (uint32_t)t->gaps.nr;
	}
	return t->gaps.items[t->facts[id].gaps - 1];
}
