/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit_names.c - see unit_names.h
 *
 * Of each unit two attributes are read, of its outermost DIE, and nothing below.
 */
#include "loader/dwarf/unit_names.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/dwarf/dw_abbrev.h"
#include "loader/dwarf/dw_file.h"

#include <stdlib.h>

void unit_names_release(struct unit_names *u)
{
	for (size_t i = 0; i < u->nr; i++)
		free(u->items[i]);
	free(u->items);
	*u = (struct unit_names){ 0 };
}

/* What is read, and with what. */
struct reading {
	struct object obj;
	bool opened;
	struct str_pool strings; /* the file needs one */
	struct dw_file dwarf;
	struct dw_abbrevs abbrevs;
	struct object_room room;
};

static void reading_release(struct reading *r)
{
	object_room_release(&r->room);
	dw_abbrevs_release(&r->abbrevs);
	dw_file_close(&r->dwarf);
	str_pool_release(&r->strings);
	if (r->opened)
		object_close(&r->obj);
}

/* Both sections of strings have a zero behind them. */
static const char *string_at(struct bytes section, uint64_t off)
{
	return off < section.len ? (const char *)section.ptr + off : NULL;
}

static const char *indexed_string(const struct object *o, struct dw_encoding enc, uint64_t base,
				  uint64_t index)
{
	struct bytes offsets = o->debug[DEBUG_STR_OFFSETS];
	const uint8_t *p = dw_indexed_place(offsets, base, index, enc.off_size);

	if (!p)
		return NULL;

	struct dw_cursor c = { p, p + enc.off_size, o->swap, false };
	return string_at(o->debug[DEBUG_STR], dw_cursor_uint(&c, enc.off_size));
}

/* NULL if it is none, or another file's. */
static const char *value_text(const struct object *o, const struct dw_unit *u, uint64_t base,
			      const struct dw_value *v)
{
	switch (v->form) {
	case DW_FORM_string:
		return (const char *)v->block.ptr;
	case DW_FORM_strp:
		return string_at(o->debug[DEBUG_STR], v->number);
	case DW_FORM_line_strp:
		return string_at(o->debug[DEBUG_LINE_STR], v->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return NULL;
	default:
		return dw_form_is(v->form, FORM_STRING) ?
			       indexed_string(o, u->enc, base, v->number) :
			       NULL;
	}
}

/* "fs/open.c" in "/build" is from "/build/fs/open.o"; @folder NULL if the name is whole. */
static char *object_of(const char *folder, const char *source)
{
	const char *base = strrchr(source, '/'), *dot = strrchr(base ? base : source, '.');
	int len = dot ? (int)(dot - source) : (int)strlen(source);

	if (folder)
		return mem_printf("%s/%.*s.o", folder, len, source);
	return mem_printf("%.*s.o", len, source);
}

static void add_object(struct unit_names *u, const char *folder, const char *source)
{
	char *object = object_of(source[0] == '/' ? NULL : folder, source);

	if (u->nr && !strcmp(u->items[u->nr - 1], object))
		free(object); /* an object may have several */
	else
		vec_push(u, object);
}

static struct err *read_die(struct reading *r, const struct dw_unit *u, struct dw_cursor *c,
			    struct unit_names *ret)
{
	uint64_t code = dw_cursor_uleb(c);
	/* without a base attribute the table starts behind one header (DWARF 5, 7.26) */
	uint64_t base = u->enc.version < 5 ? 0 : u->enc.off_size == 8 ? 16 : 8;
	struct dw_value name = { 0 }, folder = { 0 };

	if (c->failed || (code && code >= r->abbrevs.lines.nr))
		return err_new(ERR_FORMAT, "no abbreviation has the code %llu",
			       (unsigned long long)code);

	const struct dw_abbrev *a = &r->abbrevs.lines.items[code];
	if (!code || a->kind != DK_UNIT)
		return NULL;
	for (const struct dw_spec *s = &r->abbrevs.specs.items[a->specs]; s->attr || s->form; s++) {
		struct dw_value v = { 0 };

		if (!dw_value_read(c, s->form, u->enc, &v))
			return err_new(ERR_FORMAT, "the unit's entry does not fit into it");
		if (s->attr == DW_AT_name)
			name = v;
		else if (s->attr == DW_AT_comp_dir)
			folder = v;
		else if (s->attr == DW_AT_str_offsets_base)
			base = v.number;
	}

	const char *source = value_text(&r->obj, u, base, &name);
	if (source)
		add_object(ret, value_text(&r->obj, u, base, &folder), source);
	return NULL;
}

static struct err *read_unit(struct reading *r, const struct dw_unit *u, struct unit_names *ret)
{
	struct bytes b;

	if ((u->type != DW_UT_compile && u->type != DW_UT_partial) || u->die == u->end)
		return NULL;
	TRY(dw_abbrevs_compile(&r->abbrevs, r->obj.debug[DEBUG_ABBREV], u->abbrev, u->enc));
	TRY(object_info(&r->obj, (size_t)u->start, (size_t)u->end, &r->room, &b));

	struct dw_cursor c = dw_cursor_at(b, u->die - u->start, r->obj.swap);

	return read_die(r, u, &c, ret);
}

struct err *unit_names_read(const char *path, struct unit_names *ret)
{
	CLEANUP(unit_names_release) struct unit_names u = { 0 };
	CLEANUP(diag_release) struct diagnostics diags = {
		0
	}; /* of files that are not asked here */
	CLEANUP(reading_release) struct reading r = { 0 };

	str_pool_init(&r.strings);
	TRY(object_open(path, &r.obj));
	r.opened = true;
	if (!r.obj.debug[DEBUG_INFO].len)
		return NULL;
	TRY(err_at(dw_file_open(&r.obj, &r.strings, NULL, &diags, &r.dwarf), "'%s'", path));
	for (size_t i = 0; i < r.dwarf.units.nr; i++) {
		const struct dw_unit *unit = &r.dwarf.units.items[i];

		TRY(err_at(read_unit(&r, unit, &u), "'%s': .debug_info+%#llx", path,
			   (unsigned long long)unit->start));
	}
	*ret = TAKE(u);
	return NULL;
}
