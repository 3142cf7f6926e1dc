/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_slots.h - what the parts of the DIE walk share; for loader/dwarf/dw_die.c, dw_frame.c, dw_odd.c
 *
 * Everything here is small and on the hot path, hence in a header: reading slots (dw_abbrev.h),
 * noting which DIE became what, and opening frames.
 */
#ifndef BTFENC_LOADER_DWARF_DW_SLOTS_H
#define BTFENC_LOADER_DWARF_DW_SLOTS_H

#include "loader/dwarf/dw_reader.h"

struct slots {
	uint64_t v[NR_DW_SLOTS];
};

/* The slot from the fixed part; 0, or the constant of the line, if it is not there. */
ALWAYS_INLINE uint64_t fixed_slot(const struct dw_abbrev *a, const uint8_t *p, enum dw_slot slot,
				  bool swap)
{
	static const uint64_t masks[9] = { 0, 0xff, 0xffff, 0xffffff,  0xffffffff,
					   0, 0,    0,      UINT64_MAX };
	unsigned int width = a->width[slot];
	uint64_t v = load64(p + a->off[slot]);

	/* the file's least significant bytes come first, or last */
	if (swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		v = width ? swap64(v, swap) >> (64 - 8 * width) : 0;
	else
		v = swap64(v, swap) & masks[width];
	if (slot >= SLOT_SIZE)
		v += (uint64_t)(int64_t)a->constant[slot - SLOT_SIZE];
	return v;
}

/* dw_odd.c */

/*
 * Step over the tail. Slots found there get their value; of strings and blocks it is
 * where they start, from the unit's base. NULL if it leaves the unit.
 */
const uint8_t *dw_walk_tail(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			    const uint8_t *end, struct slots *s);
/* Numeric value of DW_AT_declaration, for types (docs/spec/encoding.md 5.1). */
bool dw_is_declaration(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p);
/* Where the chain of GNU annotations of a DIE starts, 0 for none. */
die_off dw_annotation_of(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p);
/* Where the type is that a DIE with DA_SIGNATURE stands for. */
die_off dw_signature_of(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p);
/* The rarer ways to say where a member is. */
void dw_odd_member(struct dw_reader *r, const struct dw_abbrev *a, const struct slots *s,
		   const uint8_t *end, struct cu_member *m);
/* A parameter, a function, a variable; what else may mean something where it stands. */
void dw_func_param(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		   const struct slots *s, const uint8_t *end);
void dw_open_func(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		  const struct slots *s, const uint8_t *values);
void dw_open_var(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *die,
		 const struct slots *s, const uint8_t *end);
void dw_odd_die(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values);

/*
 * dw_runs.c: read what the innermost frame is full of, as long as it is simple; @ctx is that
 * frame's, file and machine are little-endian. Returns where it is not.
 */
const uint8_t *dw_run(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p,
		      const uint8_t *end);

/* dw_frame.c */

/* A container is opened inside another: what the other has so far is set aside. */
void dw_set_members_aside(struct dw_reader *r);
/* Open a frame for a type that is complete when its children are. */
struct frame *dw_push_type(struct dw_reader *r, enum frame_ctx ctx, uint32_t entry,
			   const struct cu_type *t);
/* The children of the innermost frame are complete. */
void dw_close_frame(struct dw_reader *r);

/* What slots to load, as a constant set. */
#define SLOT(name) (1u << SLOT_##name)
#define ALL_SLOTS ((1u << NR_DW_SLOTS) - 1)

/* The code of the DIE at @p, which is before @end, and where it ends; NULL if that is not in the unit. */
ALWAYS_INLINE const uint8_t *read_code(const uint8_t *p, const uint8_t *end, uint64_t *ret)
{
	uint64_t code = *p++;

	if (code & 0x80) {
		if (likely(p < end && !(*p & 0x80))) {
			code = (code & 0x7f) | (uint64_t)*p++ << 7;
		} else {
			struct dw_cursor c = { p - 1, end, false, false };

			code = dw_cursor_uleb(&c);
			p = c.failed ? NULL : c.p;
		}
	}
	*ret = code;
	return p;
}

/*
 * Step over a name that stands in front. NULL if it, or the @prefix bytes behind it, leave the
 * unit.
 */
ALWAYS_INLINE const uint8_t *skip_lead(const uint8_t *p, const uint8_t *end, uint8_t prefix)
{
	size_t len = len_in_8(p);

	if (unlikely(len == 8)) {
		const uint8_t *zero = memchr(p, 0, (size_t)(end - p));

		if (!zero)
			return NULL;
		len = (size_t)(zero - p);
	}
	if (unlikely((size_t)(end - p) < len + 1 + prefix))
		return NULL;
	return p + len + 1;
}

/* Load the slots @which (a constant set) and step over the DIE's values. */
ALWAYS_INLINE const uint8_t *load(const struct dw_reader *r, const struct dw_abbrev *a,
				  const uint8_t *p, const uint8_t *end, bool swap,
				  unsigned int which, struct slots *s)
{
	const uint8_t *values = p;

	if (unlikely(a->lead)) {
		p = skip_lead(p, end, a->prefix);
		if (unlikely(!p)) {
			*s = (struct slots){ 0 };
			return NULL;
		}
	}
#pragma GCC unroll NR_DW_SLOTS
	for (unsigned int slot = 0; slot < NR_DW_SLOTS; slot++) {
		if (which & 1u << slot)
			s->v[slot] = fixed_slot(a, p, slot, swap);
	}
	if (which & 1u << SLOT_NAME && unlikely(a->lead))
		s->v[SLOT_NAME] = (uint64_t)(values - r->base);
	p += a->prefix;
	if (unlikely(a->tail)) {
		struct slots all = { 0 }; /* @s stays in registers */

		for (unsigned int slot = 0; slot < NR_DW_SLOTS; slot++) {
			if (which & 1u << slot)
				all.v[slot] = s->v[slot];
		}
		p = dw_walk_tail(r, a, p, end, &all);
		for (unsigned int slot = 0; slot < NR_DW_SLOTS; slot++) {
			if (which & 1u << slot)
				s->v[slot] = all.v[slot];
		}
	}
	return p;
}

/* The name that the slot holds, by its form. */
ALWAYS_INLINE uint32_t name_of(struct dw_reader *r, const struct dw_abbrev *a,
			       const struct slots *s)
{
	uint64_t v = s->v[SLOT_NAME];

	switch (a->form[SLOT_NAME]) {
	case DW_FORM_strp:
		return dw_file_str(r->file, v, &r->names);
	case 0:
		return 0;
	case DW_FORM_string: {
		const uint8_t *text = r->base + v;

		return dw_inline_string(r, text, strlen((const char *)text));
	}
	case DW_FORM_line_strp:
		return dw_file_line_str(r->file, v);
	case DW_FORM_strp_sup:
		return dw_sup_string(r, v);
	default:
		return dw_strx(r, v);
	}
}

/* A reference in @slot; 0 for none. */
ALWAYS_INLINE die_off ref_of(struct dw_reader *r, const struct dw_abbrev *a, const struct slots *s,
			     enum dw_slot slot)
{
	uint8_t form = a->form[slot];
	uint64_t v = s->v[slot];

	if (!form)
		return slot == SLOT_TYPE && unlikely(a->flags & DA_FOREIGN) ? DIE_FOREIGN : 0;
	if (unlikely(!dw_form_is_near(form)))
		return dw_far_ref(r, form, v);
	v += r->bias;
	return likely(v && v < DIE_FOREIGN) ? (die_off)v : DIE_FOREIGN;
}

/* The DIE has become @index, by @sort. */
ALWAYS_INLINE void add_entry(struct dw_reader *r, const uint8_t *die, enum entry_sort sort,
			     size_t index)
{
	die_off off = (die_off)(die - r->base) + r->bias;
	size_t nr = r->entries.nr;

	/* the first of its block, unless the one before is in it, too */
	if (!nr || r->entries.items[nr - 1].off >> 3 != off >> 3)
		r->blocks[off >> 3] = (uint32_t)nr;
	vec_push(&r->entries,
		 ((struct entry){
			 .off = off, .sort = sort, .index = (uint32_t)index & 0x1fffffff }));
}

/* The DIE will become something when its children are complete: close_entry(). */
ALWAYS_INLINE uint32_t open_entry(struct dw_reader *r, const uint8_t *die)
{
	add_entry(r, die, ENTRY_OPEN, 0);
	return (uint32_t)r->entries.nr - 1;
}

ALWAYS_INLINE void close_entry(struct dw_reader *r, uint32_t entry, enum entry_sort sort,
			       size_t index)
{
	r->entries.items[entry].sort = sort;
	r->entries.items[entry].index = (uint32_t)index & 0x1fffffff;
}

ALWAYS_INLINE void add_type(struct dw_reader *r, uint32_t entry, const struct cu_type *t)
{
	close_entry(r, entry, ENTRY_TYPE, r->cu->types.nr);
	vec_push(&r->cu->types, *t);
}

/* The same at once, for a type that nothing below belongs to. */
ALWAYS_INLINE void add_leaf(struct dw_reader *r, const uint8_t *die, const struct cu_type *t)
{
	add_entry(r, die, ENTRY_TYPE, r->cu->types.nr);
	vec_push(&r->cu->types, *t);
}

/* The innermost; below the outermost of a unit there is one more. */
ALWAYS_INLINE struct frame *top_frame(const struct dw_reader *r)
{
	return r->top;
}

ALWAYS_INLINE struct frame *push_frame(struct dw_reader *r, enum frame_ctx ctx)
{
	struct frame *f = vec_add(&r->frames);

	r->top = f;
	f->ctx = (uint8_t)ctx;
	f->split = false;
	f->annotation = 0;
	return f;
}

/* Leave the innermost frame: all of dw_close_frame() for one that only shows what is below. */
ALWAYS_INLINE struct frame *pop_frame(struct dw_reader *r)
{
	r->frames.nr--;
	return r->top--;
}

#endif
