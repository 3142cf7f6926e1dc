/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarfmake.h - numbers, texts and abbreviations of DWARF by hand
 *
 * Little-endian, 64 bits, 32-bit DWARF. dwarftext.h makes whole units.
 */
#ifndef BTFENC_TESTS_DWARFMAKE_H
#define BTFENC_TESTS_DWARFMAKE_H

#include "loader/dwarf/dw_const.h"
#include "loader/elf/object.h"
#include "tests/lib/elfmake.h"

struct dwarfmake {
	struct make_buf info, abbrev, str, types;
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

/* Write 4 bytes again. */
static inline void dw_patch(struct make_buf *b, size_t at, uint32_t v)
{
	for (unsigned int i = 0; i < 4; i++)
		b->ptr[at + i] = (uint8_t)(v >> 8 * i);
}

/* The bytes with what object.h promises behind them. */
struct bytes dw_padded(const struct make_buf *b);

#endif
