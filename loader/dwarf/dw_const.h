/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_const.h - dwarf.h, and own names for what only later releases of it have
 *
 * An own name never begins with DW_: a later dwarf.h might define it.
 */
#ifndef BTFENC_LOADER_DWARF_DW_CONST_H
#define BTFENC_LOADER_DWARF_DW_CONST_H

#include <dwarf.h>

/* Annotations: clang's since 14, and the ones that gcc 16 agreed on. */
enum {
	TAG_LLVM_ANNOTATION = 0x6000,
	TAG_GNU_ANNOTATION = 0x6001,
	ATTR_GNU_ANNOTATION = 0x2139,
};

/* Registered after DWARF 5 (dwarfstd.org, "DWARF Version 5 Language Codes"). */
enum {
	LANGUAGE_CPP17 = 0x2a,
	LANGUAGE_CPP20 = 0x2b,
	LANGUAGE_C17 = 0x2c,
	LANGUAGE_FORTRAN18 = 0x2d,
	LANGUAGE_ADA2005 = 0x2e,
	LANGUAGE_ADA2012 = 0x2f,
	LANGUAGE_ASSEMBLY = 0x31,
	LANGUAGE_CPP23 = 0x3a,
	LANGUAGE_C23 = 0x3e,
	LANGUAGE_FORTRAN23 = 0x3f,
	LANGUAGE_ALGOL68 = 0x44,
};

#endif
