/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * definitions.h - types in an order in which a C compiler takes them
 *
 * Before a type is printed, whatever it must know is: the structs that lie in it, the typedefs that
 * it mentions, and a declaration of what it points to. Each name is defined once, in all files
 * together; where two kinds of types share a name, the second gets another.
 */
#ifndef BTFENC_SHOW_DEFINITIONS_H
#define BTFENC_SHOW_DEFINITIONS_H

#include "dedup/pool/str_pool.h"
#include "show/print.h"

/* What a name stands for by now. */
struct name_use {
	uint8_t defined; /* a bit for each sort of type */
	/* the type that has declared it and was not defined itself since; NULL: none */
	const struct show_types *declared_in;
	uint32_t declared;
};

struct definitions {
	struct str_pool names;
	struct {
		struct name_use *items; /* by id of the name */
		size_t nr, cap;
	} uses;
};

void definitions_init(struct definitions *d);
void definitions_release(struct definitions *d);

/*
 * Print what @id, a struct, union, enum or typedef, needs. Returns whether it is to be printed itself,
 * which must be done then: of its name it is the first. Failures are with the types of @p.
 */
bool definitions_prepare(struct definitions *d, struct printer *p, uint32_t id);

#endif
