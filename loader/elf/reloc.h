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

#include "base/sort.h"
#include "loader/elf/object.h"

/* The values of the symbols of one table. Zeroed is empty. */
struct reloc_symbols {
	struct reloc_symbol *items;
	size_t nr;
	size_t section; /* of the table; 0 if none was read yet */
	size_t nr_read; /* the number of tables read so far */
};

/*
 * Apply section @index of @o, which is SHT_REL or SHT_RELA, to @data, a copy of the section that it
 * relocates. @syms belongs to the caller, who passes the same one for all sections of a file. It is
 * filled when needed.
 *
 * ERR_FORMAT if an offset or a symbol does not exist, ERR_UNSUPPORTED for a type that debug information
 * does not use and for an unknown machine. As with libdwfl, a relocation against an undefined symbol
 * changes nothing.
 */
MUST_CHECK struct err *reloc_apply(const struct object *o, size_t index, struct reloc_symbols *syms,
				   uint8_t *data, size_t len);
void reloc_symbols_release(struct reloc_symbols *syms);

/*
 * The relocations of one section, which are applied part by part. Threads may share it: it is not changed once
 * it is open. Zeroed is empty.
 */
struct reloc_table {
	size_t index; /* of their section */
	struct reloc_symbols syms;
	bool in_order;   /* their offsets ascend; if not, only reloc_apply() works */
	uint64_t *marks; /* the offset of every 1024th relocation */
	size_t nr_marks;
};

/*
 * Open section @index of @o, which is SHT_REL or SHT_RELA and not empty. Errors of reloc_apply(), except
 * those of single relocations.
 */
MUST_CHECK struct err *reloc_table_open(const struct object *o, size_t index,
					struct reloc_table *ret);
/*
 * Apply the relocations of the bytes [@start, @start + @len) of the section to @data, a copy of these bytes.
 * @t must be in order. Errors of reloc_apply(), and ERR_FORMAT if a relocation is partly outside of the bytes.
 */
MUST_CHECK struct err *reloc_table_apply(const struct reloc_table *t, const struct object *o,
					 uint64_t start, uint8_t *data, size_t len);
/* The entries that reloc_table_apply() reads. */
struct bytes reloc_table_part(const struct reloc_table *t, const struct object *o, uint64_t start,
			      size_t len);
void reloc_table_release(struct reloc_table *t);

/* One relocation as the file has it. */
struct reloc_entry {
	uint64_t offset, addend; /* @addend is 0 for SHT_REL, which stores it at @offset */
	uint32_t symbol, type;   /* @type has up to three types in 64-bit MIPS, a byte each */
};

/* Zeroed is empty. */
struct reloc_entries {
	struct reloc_entry *items;
	size_t nr, cap;
};

/*
 * Append the relocations in section @index of @o, which is SHT_REL or SHT_RELA, to @ret without applying or
 * checking them. ERR_FORMAT if the size of the table is not a multiple of the size of an entry.
 */
MUST_CHECK struct err *reloc_read(const struct object *o, size_t index, struct reloc_entries *ret);
void reloc_entries_release(struct reloc_entries *e);

/*
 * Finds the relocations of one section by their offsets. Threads may share it. Zeroed is empty; borrows
 * the object.
 */
struct reloc_finder {
	const struct object *o;
	struct reloc_table table; /* the first section of relocations */
	bool borrowed;            /* @table is the object's own */
	/* All relocations and their offsets, sorted, if they are in several sections or not in order. */
	struct reloc_entries entries;
	struct sort_key *sorted;
};

/*
 * Open the relocations of section @index of @o, which may have none; those of a linked file are ignored. If
 * several sections have relocations for it, those that differ from the first in their type or in their
 * symbol table are ignored. ERR_FORMAT, ERR_UNSUPPORTED as for a table of reloc_apply(); ERR_LIMIT.
 */
MUST_CHECK struct err *reloc_finder_open(const struct object *o, size_t index,
					 struct reloc_finder *ret);
/*
 * Find the relocation that sets the @width bytes at @offset of the section to symbol plus addend. Offsets
 * of a compressed section are those of its inflated bytes. @value is the result of reloc_apply() in
 * these bytes: it gives the addend of SHT_REL, whose lowest @width bytes count. False if there is no such
 * relocation, or if another one changes the same bytes.
 */
bool reloc_finder_at(const struct reloc_finder *f, uint64_t offset, unsigned int width,
		     uint64_t value, struct reloc_entry *ret);
/*
 * A difference of two symbols has two relocations: find the first one at @offset, which adds symbol plus addend. *ret
 * has the type that sets @width bytes to that. *ret_value is what that gives in this file. False if there is none, or if
 * other relocations change the same bytes.
 */
bool reloc_finder_minuend(const struct reloc_finder *f, uint64_t offset, unsigned int width,
			  struct reloc_entry *ret, uint64_t *ret_value);
/* Are the relocations SHT_RELA? False if there are none. */
bool reloc_finder_is_rela(const struct reloc_finder *f);
void reloc_finder_release(struct reloc_finder *f);

/* Is the machine one whose linker moves code, so that the differences of addresses have relocations? */
bool reloc_has_differences(const struct object *o);
/*
 * The number of bytes that a relocation of @type sets to symbol plus addend; 0 if its effect is
 * different, or if the type or the machine is unknown.
 */
unsigned int reloc_absolute_width(const struct object *o, uint32_t type);
/*
 * Does a relocation of @type add to what the section has at its offset? With SHT_REL, that is the only addend; on SuperH
 * and Xtensa it is one also with SHT_RELA.
 */
bool reloc_addend_in_place(const struct object *o, uint32_t type, bool rela);

#endif
