/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btfcases.h - pieces of BTF, most of them with one mistake, and the rule that each breaks
 *
 * Every case begins with the same valid records, so that ids mean the same everywhere:
 *
 *	[1] INT 'int'  [2] INT 'char'  [3] PTR void  [4] FWD 'fwd'  [5] FUNC_PROTO ()
 *	[6] VAR 'v' int  [7] FLOAT 'double'  [8] STRUCT 's' { int x; char y; }
 *
 * and its own records follow. All have the byte order of this machine.
 */
#ifndef BTFENC_TESTS_BTFCASES_H
#define BTFENC_TESTS_BTFCASES_H

#include "check/btf_check.h"
#include "tests/lib/btfbuild.h"

#include <stdlib.h>

/* Offsets of the strings below. */
enum {
	N_INT = 1,
	N_CHAR = 5,
	N_FWD = 10,
	N_V = 14,
	N_DOUBLE = 16,
	N_S = 23,
	N_X = 25,
	N_Y = 27,
	N_F = 29,
	N_SPACE = 31,
	N_DIGIT = 35,
	N_DATA = 38,
	N_BELL = 44,
	N_UTF8 = 48,
	N_DOT = 51,
	N_NOTHING = 53, /* an empty one that is not the first */
};

extern const char btf_case_names[];

/* The length of a layout with an entry for kind 60. */
enum { LAYOUT_OF_60 = 61 * BTF_LAYOUT_ENTRY };

struct btf_case {
	const char *name;
	enum btf_rule_id rule; /* NR_RULES: none is broken */
	const char *function;
	uint32_t id, element;

	/* own records: as text (btftext.h), words that are no whole records, or what a function adds */
	const char *types;
	const uint32_t *words;
	size_t nr_words;
	void (*add)(struct btf_types *t, uint32_t nr);
	uint32_t nr;

	/* damage to the image: @by is added to the @size bytes at @at */
	struct {
		uint8_t at, size;
		uint32_t by;
	} header;
	size_t extra; /* bytes behind the end, not zero */
	size_t len;   /* 0: as it is; else cut */
	size_t gap;   /* bytes between types and strings */
	struct btf_case_strings {
		const char *ptr;
		size_t len;
	} strings;  /* NULL: those above */
	bool alone; /* without the good records */

	uint32_t version; /* the linux_version() whose rules apply, 0: LINUX_DEFAULT */
	/* with a header of 32 bytes and a layout of this length; the entry of kind 60 has a word, and one for each element */
	bool long_header;
	uint8_t layout;
	enum { BEHIND_TYPES, BEHIND_STRINGS, UNALIGNED } layout_at;

	/* the damage is another breach, too */
	bool more;
};

enum { OWN = 9, NOT_ONE = UINT32_MAX };

/* Info words, without and with the kind flag, as constants. */
#define BI(kind, vlen) ((uint32_t)BTF_##kind << 24 | (vlen))
#define BK(kind, vlen) (1u << 31 | BI(kind, vlen))
#define WORDS(...)                                  \
	.words = (const uint32_t[]){ __VA_ARGS__ }, \
	.nr_words = sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

extern const struct btf_case btf_cases[];
extern const size_t nr_btf_cases;

/* The bytes of a case, on the heap. */
struct bytes btf_case_make(const struct btf_case *c);

#endif
