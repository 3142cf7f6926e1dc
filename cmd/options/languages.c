/* SPDX-License-Identifier: GPL-2.0-only */
/* languages.c - see languages.h */
#include "cmd/options/languages.h"

#include "base/vec.h"

#include <dwarf.h>

#include <string.h>
#include <strings.h>

/* Of DWARF 6; the installed dwarf.h may be older. */
enum { LANG_C_PLUS_PLUS_17 = 0x2a, LANG_C_PLUS_PLUS_20 = 0x2b, LANG_C17 = 0x2c };

/* The names are pahole's; it does not know the last three. */
static const struct language {
	const char *name;
	uint16_t number;
} languages_table[] = {
	{ "c89", DW_LANG_C89 },
	{ "c", DW_LANG_C },
	{ "ada83", DW_LANG_Ada83 },
	{ "c++", DW_LANG_C_plus_plus },
	{ "cobol74", DW_LANG_Cobol74 },
	{ "cobol85", DW_LANG_Cobol85 },
	{ "fortran77", DW_LANG_Fortran77 },
	{ "fortran90", DW_LANG_Fortran90 },
	{ "pascal83", DW_LANG_Pascal83 },
	{ "modula2", DW_LANG_Modula2 },
	{ "java", DW_LANG_Java },
	{ "c99", DW_LANG_C99 },
	{ "ada95", DW_LANG_Ada95 },
	{ "fortran95", DW_LANG_Fortran95 },
	{ "pli", DW_LANG_PLI },
	{ "objc", DW_LANG_ObjC },
	{ "objc++", DW_LANG_ObjC_plus_plus },
	{ "upc", DW_LANG_UPC },
	{ "d", DW_LANG_D },
	{ "python", DW_LANG_Python },
	{ "opencl", DW_LANG_OpenCL },
	{ "go", DW_LANG_Go },
	{ "modula3", DW_LANG_Modula3 },
	{ "haskell", DW_LANG_Haskell },
	{ "c++03", DW_LANG_C_plus_plus_03 },
	{ "c++11", DW_LANG_C_plus_plus_11 },
	{ "ocaml", DW_LANG_OCaml },
	{ "rust", DW_LANG_Rust },
	{ "c11", DW_LANG_C11 },
	{ "swift", DW_LANG_Swift },
	{ "julia", DW_LANG_Julia },
	{ "dylan", DW_LANG_Dylan },
	{ "c++14", DW_LANG_C_plus_plus_14 },
	{ "fortran03", DW_LANG_Fortran03 },
	{ "fortran08", DW_LANG_Fortran08 },
	{ "renderscript", DW_LANG_RenderScript },
	{ "bliss", DW_LANG_BLISS },
	{ "asm", DW_LANG_Mips_Assembler },
	{ "c++17", LANG_C_PLUS_PLUS_17 },
	{ "c++20", LANG_C_PLUS_PLUS_20 },
	{ "c17", LANG_C17 },
};

static const struct language *find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(languages_table); i++) {
		const struct language *l = &languages_table[i];

		if (strlen(l->name) == len && !strncasecmp(l->name, name, len))
			return l;
	}
	return NULL;
}

struct err *languages_add(const char *list, struct languages *langs)
{
	for (size_t len; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		if (!len)
			continue;
		const struct language *l = find(list, len);

		if (!l)
			return err_new(ERR_USAGE, "unknown language '%.*s'", (int)len, list);
		vec_push(langs, l->number);
	}
	return NULL;
}

static bool contains(const struct languages *langs, uint16_t number)
{
	for (size_t i = 0; i < langs->nr; i++) {
		if (langs->items[i] == number)
			return true;
	}
	return false;
}

void languages_remove(struct languages *langs, const struct languages *others)
{
	size_t kept = 0;

	for (size_t i = 0; i < langs->nr; i++) {
		if (!contains(others, langs->items[i]))
			langs->items[kept++] = langs->items[i];
	}
	langs->nr = kept;
}
