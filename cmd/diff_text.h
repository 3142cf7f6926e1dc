/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_text.h - short names of types and places for the lines of --btf_diff */
#ifndef BTFENC_CMD_DIFF_TEXT_H
#define BTFENC_CMD_DIFF_TEXT_H

#include "dedup/btf_compare.h"

#include <stdio.h>

/*
 * A type in a few words, much as in C: "struct foo", "typedef foo_t" (if @full, else "foo_t"),
 * "const char *", "int[4] *" (a pointer to such an array), "struct {...}".
 */
void diff_text_type(FILE *out, const struct type_graph *g, uint32_t n, bool full);

/*
 * Where @d is, from the type that has a name to the member, parameter, enumerator or variable it is
 * about, or to what holds it: "struct foo.ops->len", "func f: parameter 1 'x'". Names and numbers
 * are those of the second BTF. Not for DIFFERENCE_NUMBER.
 */
void diff_text_path(FILE *out, const struct btf_comparison *c, const struct btf_difference *d);

/* Element @i of @n: "member 3 'x'", "parameter 1". */
void diff_text_element(FILE *out, const struct type_graph *g, uint32_t n, uint32_t i);

#endif
