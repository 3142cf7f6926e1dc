/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarftext.h - units of DWARF from a text, and the tables that a reader fills as a text
 *
 *	unit5 a.c lang=29 {
 *		int: base int size=4;
 *		struct list size=16 { member next type=ptr at=0; member value type=int at=8 }
 *		ptr: ptr type=list
 *	}
 *
 * A text is a sequence of units: unit2 to unit5 (the digit is the version), partial4, and types4 for
 * a type unit of .debug_types, with sig=NUMBER; its type is its first child. A DIE is
 *
 *	[LABEL:] TAG [NAME] [KEY=VALUE]... then ";", or "{" children "}"
 *
 * The tables at the top of dwarftext.c have the tags, and the keys with their attributes and forms.
 * KEY/FORM=VALUE chooses another form. A value is a number, LABEL, LABEL-NUMBER, 'text with blanks', or an
 * expression: [reg5 piece 4], [addr 0x4000]. NAME is a value, too.
 *
 * For damage: "#99" stands for a code without abbreviation, "cut=2" leaves out the last two bytes, and
 * a unit without "}" ends without the entries that end its children. "codes=100" in front of the first unit
 * numbers the abbreviations that are used from 100.
 */
#ifndef BTFENC_TESTS_LIB_DWARFTEXT_H
#define BTFENC_TESTS_LIB_DWARFTEXT_H

#include "base/cleanup.h"
#include "loader/dwarf/dw_read_cu.h"
#include "tests/lib/dwarfmake.h"
#include "tests/lib/testlib.h"

/* Add the units of @text. */
void dwarf_text(struct dwarfmake *d, const char *text);

/* Zeroed is nothing. */
struct result {
	struct object obj;
	struct str_pool strings;
	struct dw_file file;
	struct dw_reader *reader;
	struct cu cu;
	struct diagnostics diags;
	bool wanted;
};

void result_release(struct result *r);

/* Open the units of @d, which are complete, and read none. */
struct err *result_open(struct dwarfmake *d, const struct dw_read_opts *opts, struct result *r);

struct err *result_read(struct result *r, size_t unit);

/* The same for the units of @text. */
struct err *dwarf_open(struct result *r, const char *text, const struct dw_read_opts *opts);

/* Open them and read the first one. */
struct err *dwarf_read(struct result *r, const char *text, const struct dw_read_opts *opts);

/*
 * The text of a unit that was read, in the order of the tables:
 *
 *	1 INT int 4; 2 STRUCT list 16 { next 3 @0, value 1 @64 }; 3 PTR 2; ENUM e 4 { A=-1 };
 *	ARRAY [60] of 1; FUNC f 1 @0x1234 (a 1 reg5); VAR v 1 @0x4000 external; void 1
 *
 * "TAG t FUNC 0.1" is of the second parameter of the first function. Other numbers are those of types. "@"
 * is an offset in bits, or an address. "void 1" counts references that became void. Flags follow as words.
 */
const char *cu_text(const struct result *r);

/* Read unit @unit: its tables must be @want. */
#define CHECK_UNIT(r, unit, want)                   \
	do {                                        \
		CHECK_OK(result_read((r), (unit))); \
		CHECK_STR(cu_text(r), (want));      \
	} while (0)

#endif
