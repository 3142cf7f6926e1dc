/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * placing.h - variables of members, and the places that guess_places.c finds in a linked file
 *
 * A scene is two lists of words. The first is the symbol table of the file, in its order:
 *
 *	a.c:         a symbol of a file; ":" alone has no name
 *	x@d40        a local symbol of 4 bytes at offset 0x40 of .data; b is .bss
 *	x@d40/10     of 0x10 bytes
 *	+x@d40       a global symbol
 *	?x@d40       a label, without a type: local, or global with "+?"
 *
 * The second has the units and the expected places of their variables:
 *
 *	a.c|         the next unit, with this name; "|" alone has none
 *	.data        the section of the variables that follow, in the object of the unit
 *	x            its next variable, static, of 4 bytes; sizes and "+" as above
 *	=x@d40       one that has facts, and is at offset 0x40 of .data
 *	x>d40        its place must be offset 0x40 of .data
 *	x>-          it must be omitted
 *	!2           there must be two messages
 */
#ifndef BTFENC_TESTS_LIB_PLACING_H
#define BTFENC_TESTS_LIB_PLACING_H

#include "base/cleanup.h"
#include "encoder/emit/guess_places.h"
#include "tests/lib/elfmake.h"
#include "tests/lib/testlib.h"

enum { MAX_UNITS = 16, MAX_VARS = 16, BASE = 0x10000, SIZE = 0x10000 };

struct scene {
	struct elfmake m;
	uint32_t sections[256]; /* by letter */
	struct object obj;
	struct symbols syms;
	struct encode_opts opts;
	struct assembly a;
	bool unwanted[256]; /* by section */
	bool unchecked;     /* there are more than MAX_UNITS units, without expectations */
	const bool *apart;
	struct diagnostics diags;

	/* of each variable: what follows the ">", or NULL */
	const char *places[MAX_UNITS][MAX_VARS];
	uint32_t names[MAX_UNITS][MAX_VARS];
	const char *nr_diags;
};

void scene_begin(struct scene *s, uint16_t type);
void scene_release(struct scene *s);

/* Add a section without data, and its letter. */
void scene_section(struct scene *s, char letter, const char *name, uint64_t addr, uint64_t size);

/* Add a symbol of any sort. */
void scene_symbol(struct scene *s, const char *name, uint8_t info, uint32_t section, uint64_t value,
		  uint64_t size);

void scene_add(struct scene *s, const char *symbols, const char *units);

/* Place the variables and check the expectations. */
#define scene_check(s) scene_check_at(s, __FILE__, __LINE__)
void scene_check_at(struct scene *s, const char *file, int line);

/* The id of @text in the pool of the scene. */
uint32_t scene_name(struct scene *s, const char *text);

#define SCENE_IN(symbols, units)                                    \
	do {                                                        \
		CLEANUP(scene_release) struct scene scene_ = { 0 }; \
                                                                    \
		scene_begin(&scene_, ET_EXEC);                      \
		scene_add(&scene_, symbols, units);                 \
		scene_check(&scene_);                               \
	} while (0)

/* A test of one scene. */
#define SCENE(name, symbols, units)       \
	TEST(name)                        \
	{                                 \
		SCENE_IN(symbols, units); \
	}

#endif
