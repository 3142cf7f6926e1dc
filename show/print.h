/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print.h - a type as C, with its layout in comments: the text that pahole prints
 *
 * The text is that of pahole 1.31, byte for byte, except where that is no C or is wrong (see
 * btfenc-pahole(7)).
 */
#ifndef BTFENC_SHOW_PRINT_H
#define BTFENC_SHOW_PRINT_H

#include "base/text.h"
#include "show/types.h"

struct print_style {
	uint32_t cacheline;         /* bytes, not 0 */
	bool expand;                /* print bodies of member types instead of their names */
	bool hex;                   /* offsets, sizes and values of enumerators */
	bool relative;              /* offsets from the innermost struct, not the outermost */
	bool quiet;                 /* no comments at all */
	bool no_aligned, no_packed; /* no attributes of this sort */
	bool no_semicolon;          /* behind the whole */
	bool expand_pointers;       /* print bodies of the types that members point to */
	bool decl_info;             /* unit, file and line in front */
	bool flat_arrays;           /* [2][3] as [6] */
	bool biggest;               /* also the first member with the biggest base type */
};

/* Limits for one file, because nested types can double the text with each level. */
struct print_limits {
	uint64_t type_bytes, bytes; /* of text: of one type, and of all of them */
	uint64_t steps;             /* that are left to find what types need or contain */
	uint64_t type_start,
		start; /* the positions where the text of the type, and of all, begins */
	uint32_t type; /* that is printed, for messages */
};

/* Those for BTF of @size bytes, whose text begins at the end of @text. */
struct print_limits print_limits_for(size_t size, const struct text *text);
/* The text of the type @id begins there. */
void print_limits_next(struct print_limits *l, uint32_t id, const struct text *text);

/* Where and how to print. Borrows everything. The text is written out while it grows. */
struct printer {
	struct show_types *types;
	struct text *text;
	const struct print_style *style;
	struct print_limits *limits;
	unsigned int depth; /* of types in types, at the moment */
};

/*
 * Print the type @id, a struct, union, enum, typedef or forward declaration, with @prefix before
 * it and @suffix behind it unless they are NULL. No end of line. ERR_FORMAT or ERR_LIMIT, naming
 * the type, if it cannot be printed; what was until then is in the text.
 */
MUST_CHECK struct err *print_type(struct printer *p, uint32_t id, const char *prefix,
				  const char *suffix);

/* PRINT_MOVES: a line for each move that reorganizes a struct. PRINT_STEPS: also the struct after each. */
enum print_moves { PRINT_NO_MOVES, PRINT_MOVES, PRINT_STEPS };

/* Print the struct @id as reorganize.h leaves it, and what that saves, with an end of line. Errors as above. */
MUST_CHECK struct err *print_reorganized(struct printer *p, uint32_t id, enum print_moves moves);

#endif
