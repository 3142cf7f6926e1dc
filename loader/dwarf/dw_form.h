/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_form.h - the forms of attributes, and a cursor that reads values */
#ifndef BTFENC_LOADER_DWARF_DW_FORM_H
#define BTFENC_LOADER_DWARF_DW_FORM_H

#include "base/bytes.h"
#include "loader/dwarf/dw_const.h"

/* The sizes in the header of a unit. */
struct dw_encoding {
	uint8_t version;   /* 2..5 */
	uint8_t addr_size; /* 4 or 8 */
	uint8_t off_size;  /* 4, or 8 in 64-bit DWARF */
};

/*
 * Shape of a value: its width in bytes if that is fixed, otherwise how its length is found. A
 * fixed width of SHAPE_OFF or above depends on the unit: dw_form_shape() replaces it.
 */
enum dw_shape {
	SHAPE_ULEB = 32, /* everything below is a width */
	SHAPE_SLEB,
	SHAPE_STRING,
	SHAPE_INDIRECT,
	SHAPE_UNKNOWN,
	SHAPE_BLOCK, /* its length is a ULEB128 */
	SHAPE_BLOCK1,
	SHAPE_BLOCK2,
	SHAPE_BLOCK4 = SHAPE_BLOCK + 4,
	SHAPE_ADDR,
	SHAPE_OFF,
	SHAPE_REF_ADDR,
};

/* The sorts of value that an attribute can have, by its form. */
enum dw_form_class {
	FORM_NUMBER = 1 << 0, /* docs/spec/encoding.md 5.1 */
	FORM_STRING = 1 << 1,
	FORM_REF = 1 << 2, /* a reference to a DIE, in whatever unit or file */
	FORM_BLOCK = 1 << 3,
	FORM_ADDR = 1 << 4,
	FORM_LIST = 1 << 5, /* the offset of a location list */
};

struct dw_form_info {
	uint8_t shape, classes;
};

/* Stands for DW_FORM_GNU_ref_alt, which is wider than dw_form_short() returns. */
enum { FORM_REF_ALT = DW_FORM_addrx4 + 1, NR_FORMS };

/* By dw_form_short(); unknown forms have SHAPE_UNKNOWN. */
extern const struct dw_form_info dw_forms[NR_FORMS];

/* @form in 8 bits: GNU's forms become those of DWARF 5, unknown ones become 0. */
static inline uint8_t dw_form_short(uint64_t form)
{
	if (likely(form < FORM_REF_ALT))
		return (uint8_t)form;
	switch (form) {
	case DW_FORM_GNU_addr_index:
		return DW_FORM_addrx;
	case DW_FORM_GNU_str_index:
		return DW_FORM_strx;
	case DW_FORM_GNU_strp_alt:
		return DW_FORM_strp_sup;
	case DW_FORM_GNU_ref_alt:
		return FORM_REF_ALT;
	default:
		return 0;
	}
}

/* Does @form belong to one of @classes? */
static inline bool dw_form_is(uint64_t form, unsigned int classes)
{
	return dw_forms[dw_form_short(form)].classes & classes;
}

/* Is @form a reference into the same unit, relative to the start of its header? */
ALWAYS_INLINE bool dw_form_is_near(uint64_t form)
{
	return form - DW_FORM_ref1 <= DW_FORM_ref_udata - DW_FORM_ref1;
}

/* @shape with the widths that units of @enc have. */
static inline unsigned int dw_shape_in(unsigned int shape, struct dw_encoding enc)
{
	switch (shape) {
	case SHAPE_ADDR:
		return enc.addr_size;
	case SHAPE_REF_ADDR:
		/* DWARF 2 gave it the size of an address */
		return enc.version <= 2 ? enc.addr_size : enc.off_size;
	case SHAPE_OFF:
		return enc.off_size;
	default:
		return shape;
	}
}

/* The width of a value of @form, 0 to 16, or one of enum dw_shape. */
static inline unsigned int dw_form_shape(uint64_t form, struct dw_encoding enc)
{
	return dw_shape_in(dw_forms[dw_form_short(form)].shape, enc);
}

/*
 * A reader of one section that cannot leave it: past the end it returns zeros and sets @failed,
 * which the caller tests once, when it has read something complete.
 */
struct dw_cursor {
	const uint8_t *p, *end;
	bool swap, failed;
};

static inline struct dw_cursor dw_cursor_at(struct bytes b, uint64_t pos, bool swap)
{
	static const uint8_t nothing[1];

	if (!b.ptr) /* a missing section: NULL + 0 is undefined in C */
		b = (struct bytes){ nothing, 0 };

	struct dw_cursor c = { b.ptr + b.len, b.ptr + b.len, swap, true };

	if (pos <= b.len) {
		c.p = b.ptr + pos;
		c.failed = false;
	}
	return c;
}

static inline bool dw_cursor_has(struct dw_cursor *c, uint64_t n)
{
	if (likely(n <= (uint64_t)(c->end - c->p)))
		return true;
	c->failed = true;
	c->p = c->end;
	return false;
}

/* An unsigned number of @width bytes, 1 to 8. */
static inline uint64_t dw_cursor_uint(struct dw_cursor *c, unsigned int width)
{
	const uint8_t *p = c->p;
	uint64_t v = 0;

	if (!width || !dw_cursor_has(c, width))
		return 0;
	c->p += width;
	switch (width) {
	case 1:
		return *p;
	case 2:
		return swap16(load16(p), c->swap);
	case 4:
		return swap32(load32(p), c->swap);
	case 8:
		return swap64(load64(p), c->swap);
	}
	for (unsigned int i = 0; i < width; i++)
		v |= (uint64_t)p[c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ?
					 width - 1 - i :
					 i]
		     << 8 * i;
	return v;
}

/* Drops the bits above 64, as other DWARF readers do. */
static inline uint64_t dw_cursor_uleb(struct dw_cursor *c)
{
	uint64_t v = 0;

	for (unsigned int shift = 0;; shift += 7) {
		if (!dw_cursor_has(c, 1))
			return 0;
		uint8_t byte = *c->p++;
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return v;
	}
}

static inline int64_t dw_cursor_sleb(struct dw_cursor *c)
{
	uint64_t v = 0;

	for (unsigned int shift = 0;;) {
		if (!dw_cursor_has(c, 1))
			return 0;
		uint8_t byte = *c->p++;
		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			if (shift < 64 && (byte & 0x40))
				v |= ~(uint64_t)0 << shift;
			return (int64_t)v;
		}
	}
}

/* @len bytes; empty and failed if the section has fewer. */
static inline struct bytes dw_cursor_bytes(struct dw_cursor *c, uint64_t len)
{
	struct bytes b = { c->p, 0 };

	if (!dw_cursor_has(c, len))
		return b;
	b.len = (size_t)len;
	c->p += len;
	return b;
}

/* A zero-terminated string without the zero. */
static inline struct bytes dw_cursor_string(struct dw_cursor *c)
{
	const uint8_t *zero = memchr(c->p, 0, (size_t)(c->end - c->p));

	if (!zero) {
		c->failed = true;
		return (struct bytes){ c->p, 0 };
	}

	struct bytes b = { c->p, (size_t)(zero - c->p) };
	c->p = zero + 1;
	return b;
}

/* The content of a block whose length precedes it. @shape is one of SHAPE_BLOCK*. */
static inline struct bytes dw_cursor_block(struct dw_cursor *c, unsigned int shape)
{
	return dw_cursor_bytes(c, shape == SHAPE_BLOCK ? dw_cursor_uleb(c) :
							 dw_cursor_uint(c, shape - SHAPE_BLOCK));
}

/* A value of any form. */
struct dw_value {
	uint64_t form;      /* of DW_FORM_indirect: the form that precedes the value */
	uint64_t number;    /* numbers, references, offsets and indexes */
	struct bytes block; /* blocks, and the text of DW_FORM_string */
};

/* Read a value of @shape into *v, which is zeroed. Returns false if its length is not known. */
static inline bool dw_value_read_shape(struct dw_cursor *c, unsigned int shape, struct dw_value *v)
{
	switch (shape) {
	case SHAPE_ULEB:
		v->number = dw_cursor_uleb(c);
		return true;
	case SHAPE_SLEB:
		v->number = (uint64_t)dw_cursor_sleb(c);
		return true;
	case SHAPE_STRING:
		v->block = dw_cursor_string(c);
		return true;
	case SHAPE_INDIRECT:
	case SHAPE_UNKNOWN:
		return false;
	case 16:
		v->block = dw_cursor_bytes(c, shape);
		return true;
	default:
		if (shape >= SHAPE_BLOCK)
			v->block = dw_cursor_block(c, shape);
		else
			v->number = dw_cursor_uint(c, shape);
		return true;
	}
}

/*
 * Read a value of @form into *ret, which is zeroed. The value of DW_FORM_implicit_const is in the
 * abbreviation. Returns false if the value does not fit or the form is unknown.
 */
bool dw_value_read(struct dw_cursor *c, uint64_t form, struct dw_encoding enc,
		   struct dw_value *ret);

/*
 * Find entry @index of a section that is a table, such as .debug_str_offsets, whose entries of @size
 * bytes start at @base for the unit. Returns NULL if it is outside.
 */
static inline const uint8_t *dw_table_entry(struct bytes table, uint64_t base, uint64_t index,
					    size_t size)
{
	/* no section has 2^32 entries; the product below must not overflow */
	if (base > table.len || index > UINT32_MAX || !bytes_have(table, base + index * size, size))
		return NULL;
	return table.ptr + base + index * size;
}

#endif
