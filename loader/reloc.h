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

/* One relocation as the file has it. */
struct reloc_entry {
	uint64_t offset, addend; /* SHT_REL has the addend where @offset says; here it is 0 */
	uint32_t symbol, type;
};

/* Zeroed is empty. */
struct reloc_entries {
	struct reloc_entry *items;
	size_t nr;
};

/*
 * The relocations of section @index of @o, which is SHT_REL or SHT_RELA, for whoever wants to
 * look at them before he applies them. Nothing in them is checked. ERR_FORMAT if the table is
 * not a whole number of entries.
 */
MUST_CHECK struct err *reloc_read(const struct object *o, size_t index, struct reloc_entries *ret);
void reloc_entries_release(struct reloc_entries *e);

/*
 * How many bytes a relocation of @type sets to symbol plus addend; 0 if it does something
 * else, or if we know neither type nor machine.
 */
unsigned int reloc_absolute_width(const struct object *o, uint32_t type);

#endif
