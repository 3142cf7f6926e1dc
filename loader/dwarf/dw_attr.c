/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_attr.c - attributes by name, decode operations, strings */
#include "loader/dwarf/companion.h"
#include "loader/dwarf/dw_walk.h"

const uint8_t *dw_attr(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
		       uint16_t attr, struct dw_value *ret)
{
	struct dw_cursor c = { p, r->unit.end, r->unit.file->obj->swap, false };

	for (const struct dw_spec *s = &r->abbrevs.specs.items[a->specs]; s->attr || s->form; s++) {
		struct dw_value v = { 0 };

		if (!dw_value_read(&c, s->form, r->unit.header->enc, &v))
			return NULL;
		if (s->form == DW_FORM_implicit_const)
			v.number = (uint64_t)s->constant;
		if (s->attr == attr) {
			*ret = v;
			return c.p;
		}
	}
	return NULL;
}

const uint8_t *dw_decode_tail(const struct dw_reader *r, const struct dw_abbrev *a,
			      const uint8_t *p, const uint8_t *end, struct columns *s)
{
	struct dw_cursor c = { p, end, r->unit.file->obj->swap, false };

	for (const struct dw_op *op = &r->abbrevs.ops.items[a->tail];; op++) {
		uint64_t v = (uint64_t)(c.p - r->unit.base);
		unsigned int shape = op->shape;
		struct dw_value value = { 0 };

		if (shape == SHAPE_INDIRECT)
			shape = dw_form_shape(dw_cursor_uleb(&c), r->unit.header->enc);
		switch (shape) {
		case SHAPE_END:
			return c.failed ? NULL : c.p;
		case SHAPE_SKIP:
			dw_cursor_bytes(&c, op->skip);
			break;
		case SHAPE_CONST:
			v = (uint64_t)r->abbrevs.specs.items[a->specs + op->skip].constant;
			break;
		default:
			if (!dw_value_read_shape(&c, shape, &value))
				return NULL;
			/* the column of a string or block is its offset */
			if (!value.block.ptr)
				v = value.number;
			break;
		}
		if (op->column < NR_COLUMNS)
			s->v[op->column] = v;
	}
}

/* Returns the end of the LEB128 at @p, NULL if that leaves the unit. */
ALWAYS_INLINE const uint8_t *skip_leb(const uint8_t *p, const uint8_t *end)
{
	while (p < end && *p & 0x80)
		p++;
	return p < end ? p + 1 : NULL;
}

/* Half of these are call sites and variables of functions, which end in one short expression. */
const uint8_t *dw_skip_tail(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			    const uint8_t *end)
{
	const uint8_t *start = p;
	struct columns none;

	for (const struct dw_op *op = &r->abbrevs.ops.items[a->tail]; op->shape != SHAPE_END;
	     op++) {
		size_t len = op->shape == SHAPE_SKIP ? op->skip : op->shape;

		if (op->shape == SHAPE_BLOCK && p < end && *p < 0x80) {
			len = 1 + (size_t)*p;
		} else if (op->shape == SHAPE_ULEB || op->shape == SHAPE_SLEB) {
			p = skip_leb(p, end);
			if (!p)
				return NULL;
			continue;
		} else if (op->shape >= SHAPE_ULEB && op->shape != SHAPE_SKIP) {
			return dw_decode_tail(r, a, start, end, &none);
		}
		if (len > (size_t)(end - p))
			return NULL;
		p += len;
	}
	return p;
}

struct bytes dw_block_at(const struct dw_reader *r, uint64_t pos, uint8_t form)
{
	struct dw_cursor c = { r->unit.base + pos, r->unit.end, r->unit.file->obj->swap, false };

	return dw_cursor_block(&c, dw_forms[form].shape);
}

uint64_t dw_attr_number(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			uint16_t attr)
{
	struct dw_value v;

	return dw_attr(r, a, p, attr, &v) && dw_form_is(v.form, FORM_NUMBER) ? v.number : 0;
}

uint32_t dw_attr_string(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p,
			uint16_t attr)
{
	struct dw_value v;

	if (!dw_attr(r, a, p, attr, &v) || !dw_form_is(v.form, FORM_STRING))
		return 0;
	return v.form == DW_FORM_string ? dw_inline_string(r, v.block.ptr, v.block.len) :
					  dw_string(r, dw_form_short(v.form), v.number);
}

die_off dw_attr_ref(struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p, uint16_t attr)
{
	struct dw_value v;

	if (!dw_attr(r, a, p, attr, &v) || !dw_form_is(v.form, FORM_REF))
		return 0;
	return dw_ref(r, dw_form_short(v.form), v.number);
}

/*
 * Strings have indexes in the order of their first use, so the next DIEs likely have the next ones:
 * prefetch the id of one a few ahead.
 */
enum { STRX_AHEAD = 12 };

static uint64_t str_offset(const struct dw_reader *r, const uint8_t *p, size_t size)
{
	bool swap = r->unit.file->obj->swap;

	return size == 4 ? swap32(load32(p), swap) : swap64(load64(p), swap);
}

static uint32_t indexed_string(const struct dw_reader *r, uint64_t index)
{
	struct bytes offsets = r->unit.file->obj->debug[DEBUG_STR_OFFSETS];
	size_t size = r->unit.header->enc.off_size;
	const uint8_t *p = dw_table_entry(offsets, r->unit.str_offsets_base, index, size);

	if (unlikely(!p))
		return 0;
	if (likely((size_t)(offsets.ptr + offsets.len - p) >= (STRX_AHEAD + 1) * size))
		dw_file_str_soon(r->unit.file, str_offset(r, p + STRX_AHEAD * size, size));
	return dw_file_str(r->unit.file, str_offset(r, p, size), NULL);
}

uint32_t dw_string(const struct dw_reader *r, uint8_t form, uint64_t v)
{
	switch (form) {
	case DW_FORM_strp:
		return dw_file_str(r->unit.file, v, NULL);
	case DW_FORM_line_strp:
		return dw_file_line_str(r->unit.file, v);
	case DW_FORM_strp_sup:
		return r->unit.file->sup ? dw_file_str(&r->unit.file->sup->file, v, NULL) : 0;
	default:
		return indexed_string(r, v);
	}
}

uint32_t dw_inline_string(struct dw_reader *r, const uint8_t *s, size_t len)
{
	uint64_t text = 0;

	if (!len)
		return 0;
	if (len > sizeof(text))
		return dw_file_name(r->unit.file, (const char *)s, len, false);

	/* gcc writes names of up to three letters here: a, id, dev */
	memcpy(&text, s, len);
	size_t slot = (text * 0x9e3779b97f4a7c15u) >> 54;
	if (r->short_strings[slot].text != text) {
		r->short_strings[slot].id = dw_file_name(r->unit.file, (const char *)s, len, false);
		r->short_strings[slot].text = text;
	}
	return r->short_strings[slot].id;
}
