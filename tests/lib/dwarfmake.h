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

void dw_uleb(struct make_buf *b, uint64_t v);

static inline void dw_text(struct make_buf *b, const char *s)
{
	make_put(b, s, strlen(s) + 1);
}

/* Attributes and forms in turn, then 0. */
void dw_abbrev_decl(struct dwarfmake *d, unsigned int code, unsigned int tag, int children, ...);

/* The header of a compile unit, whose length dw_unit_end() fills in. */
void dw_unit_header(struct make_buf *b, unsigned int version);

static inline void dw_unit_begin(struct dwarfmake *d, unsigned int version)
{
	d->unit = d->info.len;
	dw_unit_header(&d->info, version);
}

/* What a reference to the next DIE says. */
static inline uint32_t dw_here(const struct dwarfmake *d)
{
	return (uint32_t)(d->info.len - d->unit);
}

/* Write 4 bytes again. */
static inline void dw_patch(struct make_buf *b, size_t at, uint32_t v)
{
	for (unsigned int i = 0; i < 4; i++)
		b->ptr[at + i] = (uint8_t)(v >> 8 * i);
}

static inline void dw_unit_end(struct dwarfmake *d)
{
	dw_patch(&d->info, d->unit, (uint32_t)(d->info.len - d->unit - 4));
}

/* The bytes with what object.h promises behind them. */
struct bytes dw_padded(const struct make_buf *b);

/* Ends the table of abbreviations. */
struct object dw_object(struct dwarfmake *d);

#endif
