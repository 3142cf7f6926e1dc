/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc.h - the relocations of debug sections
 *
 * DWARF in a relocatable file refers to strings, to abbreviations and to the program
 * through relocations. They are all of one sort, "symbol plus addend, in so many bytes",
 * but for RISC-V and LoongArch, whose linkers may move code and which therefore write
 * differences as an addition and a subtraction.
 */
#ifndef BTFENC_LOADER_RELOC_H
#define BTFENC_LOADER_RELOC_H

#include "loader/object.h"

/* What the symbols of one table are worth. Zeroed is empty. */
struct reloc_symbols {
	struct reloc_symbol *items;
	size_t nr;
	size_t section; /* that the table is; 0 if none was read yet */
};

/*
 * Apply section @index of @o, which is SHT_REL or SHT_RELA, to @data, a copy of the
 * section that it is for. @syms belongs to the caller and is filled when needed; give
 * the same one for all sections of a file.
 *
 * ERR_FORMAT for an offset or a symbol that is not there, ERR_UNSUPPORTED for a type
 * that does not belong into debug information or a machine we have no table for. The
 * bytes of a relocation against an undefined symbol are left as they are, as libdwfl
 * leaves them.
 */
MUST_CHECK struct err *reloc_apply(const struct object *o, size_t index, struct reloc_symbols *syms,
				   uint8_t *data, size_t len);
void reloc_symbols_release(struct reloc_symbols *syms);

#endif
