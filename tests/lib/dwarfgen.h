/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarfgen.h - turns any bytes into debug information in which nearly everything is valid
 *
 * Damaged bytes rarely get past the abbreviations. Here one or a few bytes choose the next DIE, its
 * attributes, their forms, and the DIEs that it refers to. The generator makes the rest valid
 * (abbreviations, lengths, nesting, strings, a symbol table), unless a byte chooses otherwise. So a
 * small change of the bytes is a small change of a program: a struct that contains itself, an array
 * of functions, a typedef that refers forward, into another unit, between DIEs or to nothing, in
 * any version, class, byte order and width of offsets.
 *
 * At the end of the bytes the generator closes all open DIEs. Equal bytes make equal files.
 */
#ifndef BTFENC_TESTS_DWARFGEN_H
#define BTFENC_TESTS_DWARFGEN_H

#include "tests/lib/dwarfmake.h"

/* The first byte of the input. */
enum dwarfgen_flags {
	GEN_BIG_ENDIAN = 1,
	GEN_32_BITS = 2,
	GEN_FOREIGN = 4,     /* other languages, and forms that mean another file */
	GEN_TWO_THREADS = 8, /* from here on they are the caller's business */
	GEN_OLD_KINDS = 16,
	GEN_NO_VARS = 32,
	GEN_BY_RULE = 64,
	GEN_NO_CHECK = 128,
};

/* The file that @data describes, in memory of make_arena. */
struct make_buf dwarfgen_file(const uint8_t *data, size_t size);

#endif
