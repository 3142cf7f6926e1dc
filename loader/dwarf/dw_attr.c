/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_attr.c - attributes that are asked for by name, and strings of every sort */
#include "loader/dwarf/dw_reader.h"

bool dw_attr(const struct dw_reader *r, const struct dw_abbrev *a, const uint8_t *p, uint16_t attr,
	     struct dw_value *ret)
{
	struct dw_cursor c = { p, r->end, r->file->obj->swap, false };

	for (const struct dw_spec *s = &r->abbrevs.specs.items[a->specs]; s->attr || s->form; s++) {
		struct dw_value v = { 0 };

		if (!dw_value_read(&c, s->form, r->unit->enc, &v))
			return false;
		if (s->form == DW_FORM_implicit_const)
			v.number = (uint64_t)s->constant;
		if (s->attr == attr) {
			*ret = v;
			return true;
		}
	}
	return false;
}

const uint8_t *dw_skip_values(const struct dw_reader *r, const struct dw_abbrev *a,
			      const uint8_t *p)
{
	struct dw_cursor c = { p, r->end, r->file->obj->swap, false };

	for (const struct dw_spec *s = &r->abbrevs.specs.items[a->specs]; s->attr || s->form; s++) {
		struct dw_value v = { 0 };

		if (!dw_value_read(&c, s->form, r->unit->enc, &v))
			return NULL;
	}
	return c.p;
}

uint64_t dw_value_number(const struct dw_value *v)
{
	return dw_form_is(v->form, FORM_NUMBER) ? v->number : 0;
}

uint32_t dw_value_string(struct dw_reader *r, const struct dw_value *v)
{
	switch (v->form) {
	case DW_FORM_string:
		return dw_inline_string(r, v->block.ptr, v->block.len);
	case DW_FORM_strp:
		return dw_file_str(r->file, v->number, NULL);
	case DW_FORM_line_strp:
		return dw_file_line_str(r->file, v->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return dw_sup_string(r, v->number);
	default:
		return dw_form_is(v->form, FORM_STRING) ? dw_strx(r, v->number) : 0;
	}
}

die_off dw_value_ref(struct dw_reader *r, const struct dw_value *v)
{
	uint64_t off = v->number;

	if (!dw_form_is(v->form, FORM_REF))
		return 0;
	if (!dw_form_is_near(v->form))
		return dw_far_ref(r, dw_form_short(v->form), off);
	off += r->base_offset;
	return off < DIE_FOREIGN ? (die_off)off : DIE_FOREIGN;
}

/*
 * Names are numbered as they are first used, so those of the next DIEs are likely the next: while
 * this one is used, the place of one a few ahead can come.
 */
enum { STRX_AHEAD = 12 };

static uint64_t str_offset(const struct dw_reader *r, const uint8_t *p, size_t size)
{
	bool swap = r->file->obj->swap;

	return size == 4 ? swap32(load32(p), swap) : swap64(load64(p), swap);
}

uint32_t dw_strx(const struct dw_reader *r, uint64_t index)
{
	struct bytes offsets = r->file->obj->debug[DEBUG_STR_OFFSETS];
	size_t size = r->unit->enc.off_size;
	const uint8_t *p = dw_indexed_place(offsets, r->str_offsets_base, index, size);

	if (unlikely(!p))
		return 0;
	if (likely((size_t)(offsets.ptr + offsets.len - p) >= (STRX_AHEAD + 1) * size))
		dw_file_str_soon(r->file, str_offset(r, p + STRX_AHEAD * size, size));
	return dw_file_str(r->file, str_offset(r, p, size), NULL);
}

uint32_t dw_sup_string(struct dw_reader *r, uint64_t off)
{
	const struct dw_companion *sup = r->file->sup;

	return sup ? dw_file_str(&sup->file, off, NULL) : 0;
}

uint32_t dw_inline_string(struct dw_reader *r, const uint8_t *s, size_t len)
{
	uint64_t text = 0;

	if (!len)
		return 0;
	if (len > sizeof(text))
		return dw_file_passing_name(r->file, (const char *)s, len);

	/* gcc leaves names of up to three letters here: a, id, dev, lock */
	memcpy(&text, s, len);
	size_t slot = (text * 0x9e3779b97f4a7c15u) >> 54;
	if (r->short_strings[slot].text != text) {
		r->short_strings[slot].id = dw_file_passing_name(r->file, (const char *)s, len);
		r->short_strings[slot].text = text;
	}
	return r->short_strings[slot].id;
}
