/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_walk.h - what the parts of the DIE walk share; for dw_walk.c and its neighbours in loader/dwarf/ only
 *
 * Everything here is small and on the hot path, hence in a header: reading columns (dw_abbrev.h),
 * noting which DIE became what, and opening frames.
 */
#ifndef BTFENC_LOADER_DWARF_DW_WALK_H
#define BTFENC_LOADER_DWARF_DW_WALK_H

#include "loader/dwarf/dw_reader.h"

struct columns {
	uint64_t v[NR_COLUMNS];
};

/* A DIE that is being read. */
struct die {
	const struct dw_abbrev *a;
	const uint8_t *start, *values; /* its code; what comes behind */
	const uint8_t *end;            /* of the unit */
	enum frame_ctx ctx;            /* of the innermost frame */
	bool swap;
};

/* The column in the fixed part; the constant of the abbreviation, which is mostly 0, if it is not there. */
ALWAYS_INLINE uint64_t fixed_column(const struct dw_abbrev *a, const uint8_t *p,
				    enum dw_column column, bool swap)
{
	static const uint64_t masks[9] = { 0, 0xff, 0xffff, 0xffffff,  0xffffffff,
					   0, 0,    0,      UINT64_MAX };
	unsigned int width = a->width[column];
	uint64_t v = load64(p + a->off[column]);

	/* of a big-endian file the value is in the upper bytes of the word */
	if (swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		v = width ? swap64(v, swap) >> (64 - 8 * width) : 0;
	else
		v = swap64(v, swap) & masks[width];
	if (column >= COL_SIZE)
		v += (uint64_t)(int64_t)a->constant[column - COL_SIZE];
	return v;
}

/* dw_attr.c: decode the values behind the fixed part, and set columns found there. NULL if they leave
 * the unit. Of strings and blocks the column is their offset, relative to the unit's header. */
const uint8_t *dw_decode_tail(const struct dw_reader *r, const struct dw_abbrev *a,
			      const uint8_t *p, const uint8_t *end, struct columns *s);
/* The same for a DIE of which no column is needed. */
const uint8_t *dw_skip_tail(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			    const uint8_t *end);

/*
 * dw_fast_path.c: read what the innermost frame is full of, as long as it is simple; @ctx is that
 * frame's, file and machine are little-endian. Returns where it is not. May open frames.
 */
const uint8_t *dw_fast_path(struct dw_reader *r, enum frame_ctx ctx, const uint8_t *p,
			    const uint8_t *end);

/* dw_frame.c */

/*
 * Read a parameter of a function, a function, a variable. Return the end of its values, NULL if they
 * leave the unit.
 */
const uint8_t *dw_func_param(struct dw_reader *r, struct die d);
const uint8_t *dw_function(struct dw_reader *r, struct die d);
const uint8_t *dw_variable(struct dw_reader *r, struct die d);
/*
 * dw_sites.c: read an inlined subroutine. It opens a CTX_SITE if there are DIEs below, which dw_site_children() reads:
 * that returns what comes behind, a DIE that is malformed, or @end.
 */
const uint8_t *dw_inlined(struct dw_reader *r, struct die d);
const uint8_t *dw_site_children(struct dw_reader *r, const uint8_t *p, const uint8_t *end,
				bool swap);
/* dw_frame.c: where the address in @column, which is @attr of @d, is stored. */
cu_addr_slot dw_addr_slot(const struct dw_reader *r, struct die d, const struct columns *s,
			  enum dw_column column, uint16_t attr);
cu_addr_slot dw_slot_in_info(const struct dw_reader *r, const uint8_t *p);
cu_addr_slot dw_slot_in_addrs(const struct dw_reader *r, uint64_t index);
/* The location in COL_LOCATION of @d. */
struct dw_location dw_location_of(const struct dw_reader *r, struct die d, const struct columns *s);

/* Open a frame for the annotations of a member or parameter of the innermost frame. */
void dw_push_component(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *values,
		       enum frame_ctx ctx, int32_t component);

/* A variant part of a struct, a variant in it, and a member in the one or the other: like those above. */
const uint8_t *dw_variant_part(struct dw_reader *r, struct die d);
const uint8_t *dw_variant(struct dw_reader *r, struct die d);
const uint8_t *dw_variant_member(struct dw_reader *r, struct die d);

/* The same for languages other than Rust: a part becomes a union, a variant becomes a struct. */
const uint8_t *dw_cases(struct dw_reader *r, struct die d);
const uint8_t *dw_case(struct dw_reader *r, struct die d);

/* Before a container is opened inside another: set the members of the outer one aside. */
void dw_set_members_aside(struct dw_reader *r);
/* A DIE of one byte opens a frame of hundreds of bytes; compilers nest a few dozen. */
enum { MAX_FRAMES = 1 << 17 };

/* Open a frame for a type that is complete when its children are. */
struct frame *dw_push_type(struct dw_reader *r, enum frame_ctx ctx, die_off off,
			   const struct cu_type *t);
/*
 * The same for a type whose first children were read: its members start at @first, or its enumerators. The
 * innermost frame is not that of a type.
 */
struct frame *dw_push_partial_type(struct dw_reader *r, enum frame_ctx ctx, die_off off,
				   const struct cu_type *t, size_t first);
/* The children of the innermost frame are complete. */
void dw_close_frame(struct dw_reader *r);
/* Append the subroutine type @t, whose parameters are complete. */
void dw_add_subroutine(struct dw_reader *r, die_off off, const struct cu_type *t);
/* Append the array @t, whose dimensions are complete. */
void dw_add_array(struct dw_reader *r, die_off off, struct cu_type *t);

/* A constant set of columns to load. */
#define COL(name) (1u << COL_##name)
#define ALL_COLUMNS ((1u << NR_COLUMNS) - 1)

/* Read the code of the DIE at @p, which is before @end. Returns its end, NULL if that leaves the unit. */
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
 * Skip a name that precedes the columns. Returns NULL if it, or the @prefix bytes after it, leave the
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

/* Load the columns @which (a constant set). Returns the end of the DIE's values. */
ALWAYS_INLINE const uint8_t *load(const struct dw_reader *r, const struct dw_abbrev *a,
				  const uint8_t *p, const uint8_t *end, bool swap,
				  unsigned int which, struct columns *s)
{
	const uint8_t *values = p;

	if (unlikely(a->lead)) {
		p = skip_lead(p, end, a->prefix);
		if (unlikely(!p)) {
			*s = (struct columns){ 0 };
			return NULL;
		}
	}
#pragma GCC unroll NR_COLUMNS
	for (unsigned int column = 0; column < NR_COLUMNS; column++) {
		if (which & 1u << column)
			s->v[column] = fixed_column(a, p, column, swap);
	}
	if (which & 1u << COL_NAME && unlikely(a->lead))
		s->v[COL_NAME] = (uint64_t)(values - r->unit.base);
	p += a->prefix;
	if (unlikely(a->tail) && !which)
		return dw_skip_tail(r, a, p, end);
	if (unlikely(a->tail)) {
		struct columns all = { 0 }; /* @s stays in registers */

		for (unsigned int column = 0; column < NR_COLUMNS; column++) {
			if (which & 1u << column)
				all.v[column] = s->v[column];
		}
		p = dw_decode_tail(r, a, p, end, &all);
		for (unsigned int column = 0; column < NR_COLUMNS; column++) {
			if (which & 1u << column)
				s->v[column] = all.v[column];
		}
	}
	return p;
}

#define LOAD(which) load(r, d.a, d.values, d.end, d.swap, (which), &s)

/* How many elements a subrange has that begins at 0 (docs/spec/encoding.md 6.6). */
static inline uint32_t subrange_count(const struct dw_abbrev *a, const struct columns *s)
{
	if (a->flags & DA_HAS_VALUE)
		return a->form[COL_UPPER] ? (uint32_t)s->v[COL_UPPER] + 1 : 0;
	return a->form[COL_COUNT] ? (uint32_t)s->v[COL_COUNT] : 0;
}

/* The string id of the name. */
ALWAYS_INLINE uint32_t name_of(struct dw_reader *r, const struct dw_abbrev *a,
			       const struct columns *s)
{
	uint64_t v = s->v[COL_NAME];

	switch (a->form[COL_NAME]) {
	case DW_FORM_strp:
		return dw_file_str(r->unit.file, v, &r->names);
	case 0:
		return 0;
	case DW_FORM_string: {
		const uint8_t *text = r->unit.base + v;

		return dw_inline_string(r, text, strlen((const char *)text));
	}
	default:
		return dw_string(r, a->form[COL_NAME], v);
	}
}

/* A reference in @column; 0 for none. */
ALWAYS_INLINE die_off ref_of(struct dw_reader *r, const struct dw_abbrev *a,
			     const struct columns *s, enum dw_column column)
{
	uint8_t form = a->form[column];
	uint64_t v = s->v[column];

	if (!form)
		return column == COL_TYPE && unlikely(a->flags & DA_FOREIGN) ? DIE_FOREIGN : 0;
	return dw_ref(r, form, v);
}

/* The offset of @die. */
ALWAYS_INLINE die_off off_of(const struct dw_reader *r, const uint8_t *die)
{
	return (die_off)(die - r->unit.base) + r->unit.base_offset;
}

/* Note that @die, which is no type, has become @index, by @sort. */
ALWAYS_INLINE void die_map_add(struct dw_reader *r, const uint8_t *die, enum entry_sort sort,
			       size_t index)
{
	vec_push(&r->die_map, ((struct die_map_entry){ .off = off_of(r, die),
						       .sort = sort,
						       .index = (uint32_t)index & 0x1fffffff }));
}

/* Note @die, whose children are still read. die_map_close() completes the entry. */
ALWAYS_INLINE uint32_t die_map_open(struct dw_reader *r, const uint8_t *die)
{
	die_map_add(r, die, ENTRY_OPEN, 0);
	return (uint32_t)r->die_map.nr - 1;
}

ALWAYS_INLINE void die_map_close(struct dw_reader *r, uint32_t entry, enum entry_sort sort,
				 size_t index)
{
	r->die_map.items[entry].sort = sort;
	r->die_map.items[entry].index = (uint32_t)index & 0x1fffffff;
}

/* Append the type of the DIE at @off, which is complete. */
ALWAYS_INLINE void add_type(struct dw_reader *r, die_off off, const struct cu_type *t)
{
	unsigned int shift = r->die_map.shift;
	uint32_t *element = &r->die_map.types[off >> shift];
	unit_tid index = (unit_tid)r->cu->types.nr;

	if (likely(!*element))
		*element = index << shift | (off & ((1u << shift) - 1));
	else
		die_map_share(r, off, index);
	vec_push(&r->cu->types, *t);
}

/* The innermost frame. There is one more below the outermost one of a unit. */
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

/* Close the innermost frame, for one that only passes its children on. */
ALWAYS_INLINE struct frame *pop_frame(struct dw_reader *r)
{
	r->frames.nr--;
	return r->top--;
}

#endif
