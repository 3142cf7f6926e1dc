/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_read_cu.h - read a unit of DWARF, or all units merged, into a struct cu */
#ifndef BTFENC_LOADER_DWARF_DW_READ_CU_H
#define BTFENC_LOADER_DWARF_DW_READ_CU_H

#include "base/err.h"
#include "loader/dwarf/cu.h"
#include "loader/dwarf/dw_file.h"

struct dw_read_opts {
	bool type_tags, decl_tags, vars;
	bool addr_slots;  /* find out where the addresses are stored */
	bool flat_arrays; /* an array of several dimensions is one type, not a chain */
	/* types that C does not have are read as types of C, or left out (docs/spec/encoding.md 6.14) */
	bool c_types;
	/* types below inlined subroutines are left out (docs/spec/encoding.md 4.3) */
	bool skip_inlined;
	bool sites; /* read copies of inlined functions; with @skip_inlined */
	/* enums of Rust with data get a union of their variants (6.13) */
	bool variants;
	/* functions below enumerations, methods of Rust, are read */
	bool enum_funcs;
	bool local_vars; /* cu.vars has variables of functions, too, if they have an address */
	/* all DIEs of a variable count: a definition's own type, and DW_AT_abstract_origin (9.2) */
	bool whole_vars;
	/*
	 * The names of the functions to read have string ids below this one: the caller adds them
	 * to the pool first. The parameters of other functions are not read.
	 */
	uint32_t func_names_end;
	/* DW_LANG_* of units to leave out, or to keep if @lang_only */
	const uint16_t *langs;
	size_t nr_langs;
	bool lang_only;
	/* units whose name starts with one of these are left out */
	const char *const *exclude;
	size_t nr_exclude;
};

/* Is a unit with this name, or with this language, to be read? It is read if both return true. */
bool dw_unit_name_wanted(const struct dw_read_opts *opts, const char *name);
bool dw_unit_lang_wanted(const struct dw_read_opts *opts, uint16_t lang);

/* The state of one worker that reads units, which it keeps from unit to unit. */
struct dw_reader;

struct dw_reader *dw_reader_new(const struct dw_file *file, const struct dw_read_opts *opts);
void dw_reader_free(struct dw_reader *r);

/*
 * Reset @cu, and read unit @i into it, with the DIEs of other units that it refers to. If @i is the number
 * of units, read the type units that no unit refers to (dw_file_nr_readings()). If the file is merged, all
 * units are read as one. *wanted is false if the unit is excluded or describes nothing by itself; @cu
 * has the reason. ERR_FORMAT has the offset in .debug_info.
 */
MUST_CHECK struct err *dw_read_cu(struct dw_reader *r, size_t i, struct cu *cu, bool *wanted);

/*
 * The name of unit @i and the folder in which it was compiled, in the string pool; NULL if its DIE lacks
 * the attribute. ERR_FORMAT if the DIE exceeds the unit.
 */
MUST_CHECK struct err *dw_read_unit_source(struct dw_reader *r, size_t i, const char **folder,
					   const char **source);

/* The objects that a program was linked from. Zeroed is empty. Owns its strings. */
struct unit_names {
	char **items;
	size_t nr, cap;
};

/*
 * The objects of the units of @path, in their order, each once: unit "fs/open.c" is from "fs/open.o",
 * in the folder that it was compiled in. ERR_IO, ERR_FORMAT; no debug information gives none.
 */
MUST_CHECK struct err *unit_names_read(const char *path, struct unit_names *ret);
void unit_names_release(struct unit_names *u);

#endif
