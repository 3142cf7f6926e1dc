/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reloc.h - the relocations of debug sections
 *
 * DWARF in a relocatable file refers to strings, to abbreviations and to the program
 * through relocations. All of them store symbol plus addend in a number of bytes, except on RISC-V
 * and LoongArch: their linkers may move code, so differences are an addition and a subtraction.
 */
#ifndef BTFENC_LOADER_ELF_RELOC_H
#define BTFENC_LOADER_ELF_RELOC_H

#include "loader/elf/object.h"

/* The values of the symbols of one table. Zeroed is empty. */
struct reloc_symbols {
	struct reloc_symbol *items;
	size_t nr;
	size_t section; /* of the table; 0 if none was read yet */
	size_t nr_read; /* the number of tables read so far */
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

/*
 * The relocations of one section, to be applied part by part. Read-only once open, hence shared by
 * all threads. Zeroed is empty.
 */
struct reloc_table {
	size_t index; /* of their section */
	struct reloc_symbols syms;
	bool in_order;   /* of the places that they are for; if not, reloc_apply() has to do */
	uint64_t *marks; /* the offset of every 1024th of them */
	size_t nr_marks;
};

/*
 * Open section @index of @o, which is SHT_REL or SHT_RELA and not empty. Errors as of
 * reloc_apply(), but for what concerns single relocations.
 */
MUST_CHECK struct err *reloc_table_open(const struct object *o, size_t index,
					struct reloc_table *ret);
/*
 * Apply those that are for [@start, @start + @len) of the section to @data, a copy of these bytes;
 * they must be in order. As reloc_apply(), and ERR_FORMAT for one that is partly beyond them.
 */
MUST_CHECK struct err *reloc_table_apply(const struct reloc_table *t, const struct object *o,
					 uint64_t start, uint8_t *data, size_t len);
/* The entries that reloc_table_apply() reads. */
struct bytes reloc_table_part(const struct reloc_table *t, const struct object *o, uint64_t start,
			      size_t len);
void reloc_table_release(struct reloc_table *t);

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
