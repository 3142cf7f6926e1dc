/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarfmake.h - units of DWARF by hand, in an object without a file
 *
 *	struct dwarfmake d = { 0 };
 *	dw_abbrev_decl(&d, 1, DW_TAG_compile_unit, true, DW_AT_name, DW_FORM_string, 0);
 *	dw_unit_begin(&d, 5);
 *	dw_uleb(&d.info, 1), dw_text(&d.info, "unit.c");
 *	dw_unit_end(&d);
 *	struct object obj = dw_object(&d);
 *
 * Little-endian, 64 bits, 32-bit DWARF.
 */
#ifndef BTFENC_TESTS_DWARFMAKE_H
#define BTFENC_TESTS_DWARFMAKE_H

#include "loader/dwarf/dw_const.h"
#include "loader/elf/object.h"
#include "tests/lib/elfmake.h"

struct dwarfmake {
	struct make_buf info, abbrev, str, types;
	size_t unit; /* where the unit at hand starts */
};

static inline void dw_int(struct make_buf *b, unsigned int width, uint64_t v)
{
	make_int(&(struct elfmake){ .is64 = true }, b, width, v);
}

static inline void dw_uleb(struct make_buf *b, uint64_t v)
{
	do {
		dw_int(b, 1, (v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

static inline void dw_text(struct make_buf *b, const char *s)
{
	make_put(b, s, strlen(s) + 1);
}

/* Attributes and forms in turn, then 0. */
static inline void dw_abbrev_decl(struct dwarfmake *d, unsigned int code, unsigned int tag,
				  int children, ...)
{
	va_list ap;

	dw_uleb(&d->abbrev, code);
	dw_uleb(&d->abbrev, tag);
	dw_int(&d->abbrev, 1, children);
	va_start(ap, children);
	for (unsigned int attr; (attr = va_arg(ap, unsigned int)) != 0;) {
		dw_uleb(&d->abbrev, attr);
		dw_uleb(&d->abbrev, va_arg(ap, unsigned int));
	}
	va_end(ap);
	dw_int(&d->abbrev, 2, 0);
}

static inline void dw_unit_begin(struct dwarfmake *d, unsigned int version)
{
	d->unit = d->info.len;
	dw_int(&d->info, 4, 0);
	dw_int(&d->info, 2, version);
	if (version >= 5) {
		dw_int(&d->info, 1, DW_UT_compile);
		dw_int(&d->info, 1, 8);
		dw_int(&d->info, 4, 0);
	} else {
		dw_int(&d->info, 4, 0);
		dw_int(&d->info, 1, 8);
	}
}

/* What a reference to the next DIE says. */
static inline uint32_t dw_here(const struct dwarfmake *d)
{
	return (uint32_t)(d->info.len - d->unit);
}

static inline void dw_patch(struct dwarfmake *d, size_t at, uint32_t v)
{
	for (unsigned int i = 0; i < 4; i++)
		d->info.ptr[at + i] = (uint8_t)(v >> 8 * i);
}

static inline void dw_unit_end(struct dwarfmake *d)
{
	dw_patch(d, d->unit, (uint32_t)(d->info.len - d->unit - 4));
}

/*
 * The unit that was made last, begun like any other, becomes a type unit of DWARF 4: DIEs behind
 * its header move by 12 bytes. Its type is at @type_off.
 */
static inline void dw_make_type_unit(struct dwarfmake *d, uint64_t signature, uint32_t type_off)
{
	size_t header = 11, len = d->info.len - d->unit - header;

	dw_int(&d->types, 4, header - 4 + 12 + len);
	dw_int(&d->types, 2, 4);
	dw_int(&d->types, 4, 0);
	dw_int(&d->types, 1, 8);
	dw_int(&d->types, 8, signature);
	dw_int(&d->types, 4, type_off);
	make_put(&d->types, d->info.ptr + d->unit + header, len);
	d->info.len = d->unit;
}

/* The bytes with what object.h promises behind them. */
static inline struct bytes dw_padded(const struct make_buf *b)
{
	uint8_t *p = make_alloc(b->len + OBJECT_PADDING);

	if (b->len)
		memcpy(p, b->ptr, b->len);
	memset(p + b->len, 0, OBJECT_PADDING);
	return (struct bytes){ p, b->len };
}

/* Ends the table of abbreviations. */
static inline struct object dw_object(struct dwarfmake *d)
{
	struct object obj = { .addr_size = 8,
			      .machine = EM_X86_64,
			      .swap = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ };

	dw_int(&d->abbrev, 1, 0);
	obj.debug[DEBUG_INFO] = dw_padded(&d->info);
	obj.debug[DEBUG_ABBREV] = dw_padded(&d->abbrev);
	if (d->types.len)
		obj.debug[DEBUG_TYPES] = dw_padded(&d->types);
	if (d->str.len)
		obj.debug[DEBUG_STR] = dw_padded(&d->str);
	return obj;
}

#endif
