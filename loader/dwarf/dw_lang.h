/* SPDX-License-Identifier: GPL-2.0-only */
/* dw_lang.h - what depends on the language of a unit, DW_LANG_* */
#ifndef BTFENC_LOADER_DWARF_DW_LANG_H
#define BTFENC_LOADER_DWARF_DW_LANG_H

#include "loader/dwarf/dw_const.h"

#include <stdbool.h>
#include <stdint.h>

/* C, assembler, or no language. */
static inline bool dw_lang_is_c(uint16_t lang)
{
	switch (lang) {
	case 0:
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANGUAGE_C17:
	case LANGUAGE_C23:
	case LANGUAGE_ASSEMBLY:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* Neither C nor a language that extends it: its types may have forms that C does not have. */
static inline bool dw_lang_is_foreign(uint16_t lang)
{
	switch (lang) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANGUAGE_CPP17:
	case LANGUAGE_CPP20:
	case LANGUAGE_CPP23:
	case DW_LANG_ObjC:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_OpenCL:
	case DW_LANG_UPC:
		return false;
	default:
		return !dw_lang_is_c(lang);
	}
}

/* The lower bound of an array without DW_AT_lower_bound (DWARF 5, 7.12): 0 or 1. */
static inline uint8_t dw_lang_lower_bound(uint16_t lang)
{
	switch (lang) {
	case DW_LANG_Ada83:
	case DW_LANG_Ada95:
	case LANGUAGE_ADA2005:
	case LANGUAGE_ADA2012:
	case DW_LANG_Cobol74:
	case DW_LANG_Cobol85:
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
	case LANGUAGE_FORTRAN18:
	case LANGUAGE_FORTRAN23:
	case DW_LANG_Julia:
	case DW_LANG_Modula2:
	case DW_LANG_Modula3:
	case DW_LANG_Pascal83:
	case DW_LANG_PLI:
	case LANGUAGE_ALGOL68:
		return 1;
	default:
		return 0;
	}
}

#endif
