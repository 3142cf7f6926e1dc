/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_const.h - DWARF names, with those that the installed dwarf.h may lack */
#ifndef BTFENC_LOADER_DW_CONST_H
#define BTFENC_LOADER_DW_CONST_H

#include <dwarf.h>

/* Annotations: clang's since 14, and the ones that gcc 16 agreed on. */
enum {
	DW_TAG_LLVM_annotation_ = 0x6000,
	DW_TAG_GNU_annotation_ = 0x6001,
	DW_AT_GNU_annotation_ = 0x2139,
};

/* Registered after DWARF 5 (dwarfstd.org, "DWARF Version 5 Language Codes"). */
enum {
	DW_LANG_C17_ = 0x2c,
	DW_LANG_Assembly_ = 0x31,
	DW_LANG_C23_ = 0x3e,
};

#endif
