/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * packed.h - which structs must have been declared packed
 *
 * BTF does not say it. A struct without holes or padding is taken for packed if a member is not where
 * its type wants to be, or if its size does not suit the largest of them; a struct with
 * holes, if it lies in another struct where its own alignment would not let it, or in a union whose
 * size is no multiple of it.
 *
 * The second sort is seen only by looking at the outer type. pahole 1.31 looks when it comes to print
 * that, and remembers; so what is printed of a struct can depend on what was printed before it.
 * The same is done here, for the same text: guesses are kept in type_facts.
 */
#ifndef BTFENC_SHOW_PACKED_H
#define BTFENC_SHOW_PACKED_H

#include "show/layout.h"

/* Is the struct @id, whose layout is @l, packed? */
bool packed_guess(struct show_types *t, uint32_t id, const struct layout *l);
/* What does a struct with the layout @l tell of the structs in it? */
void packed_look_into_struct(struct show_types *t, const struct layout *l);
/* The same for a union. */
void packed_look_into_union(struct show_types *t, uint32_t id);

#endif
