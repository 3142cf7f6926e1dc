/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - what btfenc writes by default, the versions of pahole that it is compatible with, and how they differ
 *
 * By default btfenc writes what the debug information, the ABI and the symbol table give. At a level of pahole it
 * writes the bytes of that version, its omissions included. docs/compatibility.md describes each difference. Code
 * asks the fields of struct compat, and never compares levels.
 */
#ifndef BTFENC_ENCODER_UNIT_COMPAT_H
#define BTFENC_ENCODER_UNIT_COMPAT_H

#include <stdbool.h>
#include <stdint.h>

/* The default is 0. Objects do not store these numbers, but struct compat.stored. */
enum compat_level { COMPAT_NONE, COMPAT_1_32, COMPAT_1_31, COMPAT_END };

struct compat {
	const char *name; /* as in --compat=1.32; "none" for the default */
	const char
		*pahole;  /* 1.32: the version of pahole whose options btfenc has, for --version */
	uint32_t version; /* 132: the same, for --numeric_version */
	uint32_t stored;  /* in .debug.btf (facts_block.h): the version, 0 for the default */
	uint32_t lacks;   /* enum btf_feature: features that this pahole does not have */
	/* an array of several dimensions is one ARRAY with the product of their lengths, not a chain */
	bool flat_arrays;
	/* of the functions of one key, those with an address come first */
	bool addresses_first;
	/* true_signature: a function without an address may have another prototype than one with */
	bool inlined_may_differ;
	/* the header of the BTF has 32 bytes, also without a layout */
	bool long_header;
	/* a kernel whose first note tells that it has no LTO is not read as one unit, whatever refers where */
	bool lto_note_decides;
	/* types that are declared below inlined subroutines are left out */
	bool skip_inlined;
	/* functions below enumerations count, as methods of Rust */
	bool enum_funcs;
	/*
	 * a function is what has its own symbol: copies and parts of it, whose symbols have a suffix, do not
	 * count, and every name is tested for several addresses
	 */
	bool own_symbols;
	/* the rules by which functions are omitted do not omit kfuncs */
	bool keep_kfuncs;
	/*
	 * all DIEs of a variable count: a definition's own type and DW_AT_abstract_origin; the symbol gives the length
	 * of an array without one
	 */
	bool whole_vars;
	/* each argument takes the next registers, of the machines that pahole knows (docs/spec/encoding.md 8.4) */
	bool registers_in_turn;
	/*
	 * types that C does not have are described as types of C, or not at all: arrays begin at 0, a base type
	 * without INT or FLOAT of its size is an INT of 4 bytes
	 */
	bool c_types;
};

/* All names, for messages. */
extern const char compat_names[];
/* Never NULL. */
const struct compat *compat_get(enum compat_level level);
/* The level that is called @name; false if there is none. */
bool compat_find(const char *name, enum compat_level *ret);
/* The name of the level that is stored as @stored, or "unknown". */
const char *compat_stored_name(uint32_t stored);

#endif
