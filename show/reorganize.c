/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reorganize.c - see reorganize.h
 *
 * One member at a time moves into a hole before it, until no move is left. Bit fields stay. The choice of the next
 * move depends on offsets, the padding and the size after the moves before it, for which pahole has simple estimates.
 * These can overlap, be misaligned or exceed the size of the struct. So the estimates give only the order of the
 * members here. At the end, all members get the offsets that a compiler gives them in this order.
 *
 * A layout that does not follow from the alignments, such as one with members that overlap, is not changed: then the
 * offsets of another order are unknown.
 */
#include "show/reorganize.h"

#include "base/cleanup.h"

#include <string.h>

/*
 * The limit of the search, in members that it looks at for each member. pahole has none, and may never end. The
 * structs of Linux 7.2 need less than 128.
 */
enum { LOOKS_PER_MEMBER = 1024 };

struct work {
	struct layout *l;
	uint32_t word;  /* bytes of a pointer */
	uint64_t looks; /* that are left */
	reorganize_watch *watch;
	void *arg;
};

/* --- offsets that a compiler gives ----------------------------------------------------- */

/* Set the unit of each member: its alignment, or the storage unit of a bit field. Return the largest. */
static uint64_t set_units(struct show_types *t, struct layout *l)
{
	uint64_t largest = 1;

	for (size_t i = 0; i < l->nr; i++) {
		struct layout_member *m = &l->items[i];

		m->unit = m->size ? m->size : 1;
		if (!m->bitfield_size) {
			m->unit = types_alignment(t, types_bare(t, m->type));
			if (m->unit < m->alignment)
				m->unit = m->alignment;
			/* packed */
			while (m->byte_offset % m->unit)
				m->unit /= 2;
		}
		if (largest < m->unit)
			largest = m->unit;
	}
	if (largest < l->alignment)
		largest = l->alignment;
	while (l->size % largest)
		largest /= 2;
	return largest;
}

/* Put each member at the next offset that has its position in a unit. Set the size. False if nothing changes. */
static bool place(struct layout *l, uint64_t alignment, uint64_t *size)
{
	uint64_t end = 0;
	bool changes = false;

	for (size_t i = 0; i < l->nr; i++) {
		struct layout_member *m = &l->items[i];
		uint64_t unit = m->unit * 8, start = end / unit * unit;

		if (start + m->bitfield_offset < end)
			start += unit;
		end = start + m->bitfield_offset;
		changes |= m->bit_offset != end;
		m->byte_offset = (uint32_t)(start / 8);
		m->bit_offset = (uint32_t)end;
		end += m->bitfield_size ? m->bitfield_size : m->size * 8;
	}
	*size = ((end + 7) / 8 + alignment - 1) / alignment * alignment;
	return changes || *size != l->size;
}

/* --- moves, as in pahole 1.32 ----------------------------------------------------------- */

/* Is there a budget for looking at @nr members? */
static bool may_look(struct work *w, size_t nr)
{
	if (w->looks < nr)
		return false;
	w->looks -= nr;
	return true;
}

/* Estimate the padding: the end is aligned like the largest member that fits into a word with the hole behind it. */
static void estimate_padding(struct work *w)
{
	struct layout *l = w->l;
	const struct layout_member *last = &l->items[l->nr - 1];
	uint64_t end = last->byte_offset + last->size, largest = 0, rest;
	uint32_t padding;

	for (size_t i = 0; i < l->nr; i++) {
		uint64_t taken = l->items[i].size + (uint64_t)l->items[i].hole;

		if (taken <= w->word && taken > largest)
			largest = taken;
	}
	if (!largest)
		return;
	rest = end % (largest > 1 ? largest + largest % 2 : 1);
	padding = rest ? (uint32_t)(w->word - rest) : 0;
	if (padding != l->gaps.padding) {
		l->gaps.padding = padding;
		l->size = (uint32_t)end + padding;
	}
}

/* Estimate what remains of the place of @m, which was before the member @next: the members from there on move up. */
static void close_gap(struct work *w, const struct layout_member *m, size_t next)
{
	struct layout *l = w->l;

	if (m->hole + (int64_t)m->size < w->word)
		return;
	l->size -= w->word;
	for (size_t i = next; i < l->nr; i++) {
		l->items[i].byte_offset -= w->word;
		l->items[i].bit_offset -= w->word * 8;
	}
}

/* Move the member @from behind the member @to, which is before it. @for_padding: to reduce the padding. */
static bool move_member(struct work *w, size_t from, size_t to, bool for_padding)
{
	struct layout *l = w->l;
	const struct layout_member m = l->items[from], *before = &l->items[to];
	const uint64_t unit = m.size < w->word ? m.size : w->word;
	struct layout_member *moved = &l->items[to + 1];
	struct reorganize_move note = { m.name, l->items[from - 1].name, before->name, 0 };
	bool was_last = from + 1 == l->nr;

	if (m.bitfield_size || !may_look(w, l->nr))
		return false;
	memmove(moved + 1, moved, (from - to - 1) * sizeof(m));
	*moved = m;
	moved->byte_offset = (uint32_t)(before->byte_offset + before->size +
					(uint64_t)before->hole % unit);
	moved->bit_offset = moved->byte_offset * 8;
	if (for_padding && m.byte_offset % w->word)
		note.padding = m.size;
	else if (was_last)
		l->size -= (uint32_t)m.size + l->gaps.padding;
	else
		close_gap(w, &m, from + 1);
	layout_find_holes(l);
	if (w->watch)
		w->watch(w->arg, l, &note);
	return true;
}

static bool fits(const struct layout_member *m, uint64_t hole)
{
	return m->size && m->size <= hole;
}

/* The next member after @i that fits into a hole of @hole bytes and has one behind it; 0: none. */
static size_t next_with_hole(struct work *w, size_t i, uint64_t hole)
{
	while (++i < w->l->nr && may_look(w, 1)) {
		if (w->l->items[i].hole && fits(&w->l->items[i], hole))
			return i;
	}
	return 0;
}

/* The last member after @to that fits into a hole of @hole bytes; 0: none. Of a run of bit fields, the first counts. */
static size_t last_that_fits(struct work *w, size_t to, uint64_t hole)
{
	const struct layout_member *m = w->l->items;

	for (size_t i = w->l->nr - 1; i > to && may_look(w, 1); i--) {
		bool in_run = m[i].bitfield_size && m[i].byte_offset && m[i - 1].bitfield_size;

		if (!in_run && fits(&m[i], hole))
			return i;
	}
	return 0;
}

/* Move a member that has a hole behind it, or the last one because of the padding, into the first hole for it. */
static bool combine_holes(struct work *w)
{
	struct layout *l = w->l;
	size_t last = l->nr - 1;

	for (size_t i = 0; i < last; i++) {
		uint64_t hole = (uint64_t)l->items[i].hole;
		size_t from = hole ? next_with_hole(w, i, hole) : 0;

		/* the alignment of the next member may be the reason for the hole */
		if (from && from != i + 1 && move_member(w, from, i, false))
			return true;
		if (hole && l->gaps.padding && fits(&l->items[last], hole) &&
		    move_member(w, last, i, true))
			return true;
	}
	return false;
}

/* Move the last member that fits into a hole there. */
static bool fill_from_end(struct work *w)
{
	struct layout *l = w->l;

	for (size_t i = 0; l->gaps.nr_holes && i < l->nr; i++) {
		uint64_t hole = (uint64_t)l->items[i].hole;
		size_t from = hole ? last_that_fits(w, i, hole) : 0;

		if (from && from != i + 1 && move_member(w, from, i, false))
			return true;
	}
	return false;
}

static void move_all(struct work *w)
{
	do {
		if (!may_look(w, w->l->nr))
			return;
		estimate_padding(w);
	} while (combine_holes(w) || fill_from_end(w));
}

void reorganize(struct show_types *t, struct layout *l, reorganize_watch *watch, void *arg)
{
	CLEANUP(layout_release) struct layout before = { 0 };
	const uint64_t alignment = set_units(t, l);
	struct work w = { l, t->addr_size, (uint64_t)l->nr * LOOKS_PER_MEMBER, watch, arg };
	const uint32_t old_size = l->size;
	uint64_t size;
	bool is_odd;

	if (!l->nr)
		return;
	vec_append(&before, l->items, l->nr);
	is_odd = place(l, alignment, &size);
	if (!is_odd) {
		move_all(&w);
		place(l, alignment, &size);
	}
	if (is_odd || size > old_size) {
		memcpy(l->items, before.items, l->nr * sizeof(*l->items));
		size = old_size;
	}
	l->size = (uint32_t)size;
	layout_find_holes(l);
}

uint32_t reorganized_size(struct show_types *t, uint32_t id, uint32_t cacheline)
{
	CLEANUP(layout_release) struct layout l = { 0 };

	layout_find(t, id, cacheline, &l);
	if (l.gaps.nr_holes || l.gaps.nr_bit_holes)
		reorganize(t, &l, NULL, NULL);
	return l.size;
}
