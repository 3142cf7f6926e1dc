/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_form.h - how the forms of attributes are stored */
#ifndef BTFENC_LOADER_DWARF_DW_FORM_H
#define BTFENC_LOADER_DWARF_DW_FORM_H

#include "base/bytes.h"
#include "loader/dwarf/dw_const.h"

/* What the header of a unit says about sizes. */
struct dw_encoding {
	uint8_t version;   /* 2..5 */
	uint8_t addr_size; /* 4 or 8 */
	uint8_t off_size;  /* 4, or 8 in 64-bit DWARF */
};

/* Shape of a value: its width in bytes if that is fixed, or how it tells its length. */
enum dw_shape {
	SHAPE_ULEB = 32, /* everything below is a width */
	SHAPE_SLEB,
	SHAPE_BLOCK1,
	SHAPE_BLOCK2,
	SHAPE_BLOCK4,
	SHAPE_BLOCK,
	SHAPE_STRING,
	SHAPE_INDIRECT,
	SHAPE_UNKNOWN,
};

/* The shape of @form: 0..16 or one of enum dw_shape. implicit_const takes nothing. */
unsigned int dw_form_shape(uint64_t form, struct dw_encoding enc);

/* May an attribute that wants a number have this form (docs/spec/encoding.md 5.1)? */
static inline bool dw_form_is_number(uint64_t form)
{
	switch (form) {
	case DW_FORM_addr:
	case DW_FORM_data1:
	case DW_FORM_data2:
	case DW_FORM_data4:
	case DW_FORM_data8:
	case DW_FORM_udata:
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
	case DW_FORM_flag:
	case DW_FORM_flag_present:
		return true;
	default:
		return false;
	}
}

static inline bool dw_form_is_string(uint64_t form)
{
	switch (form) {
	case DW_FORM_string:
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return true;
	default:
		return false;
	}
}

/* A reference to a DIE, wherever that is. */
static inline bool dw_form_is_ref(uint64_t form)
{
	switch (form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
	case DW_FORM_ref_addr:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return true;
	default:
		return false;
	}
}

/* ... that is in the same unit, counted from its start. */
ALWAYS_INLINE bool dw_form_is_near(uint64_t form)
{
	return form - DW_FORM_ref1 <= DW_FORM_ref_udata - DW_FORM_ref1;
}

/* @form in 8 bits: GNU's own forms are what DWARF 5 made of them. */
static inline uint8_t dw_form_short(uint64_t form)
{
	switch (form) {
	case DW_FORM_GNU_ref_alt:
		return DW_FORM_ref_sup4;
	case DW_FORM_GNU_strp_alt:
		return DW_FORM_strp_sup;
	default:
		return form < 0x100 ? (uint8_t)form : (uint8_t)DW_FORM_addrx;
	}
}

static inline bool dw_form_is_block(uint64_t form)
{
	switch (form) {
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
	case DW_FORM_exprloc:
		return true;
	default:
		return false;
	}
}

/*
 * A reader of one section that cannot leave it: behind the end it gives zeros and
 * remembers that in @failed, which is tested once when something is complete.
 */
struct dw_cursor {
	const uint8_t *p, *end;
	bool swap, failed;
};

static inline struct dw_cursor dw_cursor_at(struct bytes b, uint64_t pos, bool swap)
{
	static const uint8_t nothing[1];

	if (!b.ptr) /* a section that is not there: even adding 0 to NULL is undefined */
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
	uint64_t v = 0;

	if (!width || !dw_cursor_has(c, width))
		return 0;
	for (unsigned int i = 0; i < width; i++)
		v |= (uint64_t)c->p[c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ?
					    width - 1 - i :
					    i]
		     << 8 * i;
	c->p += width;
	return v;
}

/* Bits over 64 are dropped, as every other reader does. */
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

/* @len bytes; empty, and failed, if they are not all there. */
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

/* The content of a block whose length stands before it in the way of @form. */
static inline struct bytes dw_cursor_block(struct dw_cursor *c, uint64_t form)
{
	uint64_t len;

	switch (form) {
	case DW_FORM_block1:
		len = dw_cursor_uint(c, 1);
		break;
	case DW_FORM_block2:
		len = dw_cursor_uint(c, 2);
		break;
	case DW_FORM_block4:
		len = dw_cursor_uint(c, 4);
		break;
	default:
		len = dw_cursor_uleb(c);
		break;
	}
	return dw_cursor_bytes(c, len);
}

/* A value, whatever its form. */
struct dw_value {
	uint64_t form;      /* behind DW_FORM_indirect the one that it says */
	uint64_t number;    /* whatever is one, references and offsets too */
	struct bytes block; /* blocks; the text of DW_FORM_string */
};

/*
 * Read a value of @form into *ret, which is zeroed; that of implicit_const is in the abbreviation. False
 * if it does not fit, or if nobody knows the form.
 */
bool dw_value_read(struct dw_cursor *c, uint64_t form, struct dw_encoding enc,
		   struct dw_value *ret);

/*
 * Where the offset of string @index is, in what .debug_str_offsets has for a unit from @base on,
 * @size bytes each; NULL if it is outside.
 */
static inline const uint8_t *dw_strx_place(struct bytes offsets, uint64_t base, uint64_t index,
					   size_t size)
{
	/* so many offsets fit into no section, and the product below into 64 bits */
	if (base > offsets.len || index > UINT32_MAX ||
	    !bytes_have(offsets, base + index * size, size))
		return NULL;
	return offsets.ptr + base + index * size;
}

#endif
