/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff_text.h - differences of types as text
 *
 * Names are those of the BTF, cut after 512 bytes.
 */
#ifndef BTFENC_BTF_COMPARE_DIFF_TEXT_H
#define BTFENC_BTF_COMPARE_DIFF_TEXT_H

#include "base/text.h"
#include "btf/compare/btf_compare.h"

/*
 * The type @n as in type_text.h: "struct foo", "typedef foo_t" (if @full, else "foo_t"), "const char *",
 * "int[4] *", "struct {...}".
 */
void diff_text_type(struct text *out, const struct type_graph *g, uint32_t n, bool full);

/* The same; free() it. */
char *diff_type_text(const struct type_graph *g, uint32_t n, bool full);

/*
 * The path of @d, from the type with a name to the member, parameter, enumerator or variable that differs:
 * "struct foo.ops->len", "func f: parameter 1 'x'". Names and numbers are those of the second BTF. If the
 * path ends in another type with a name, that follows: "struct foo.bar->baz (in struct bar)". Not for
 * DIFFERENCE_NUMBER.
 */
void diff_text_path(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d);

/* The name of element @i of @n, which may be empty. */
const char *diff_element_name(const struct type_graph *g, uint32_t n, uint32_t i);
/* Element @i of @n: "member 3 'x'", "parameter 1". */
void diff_text_element(struct text *out, const struct type_graph *g, uint32_t n, uint32_t i);

/* The words for a difference. */
struct diff_words {
	const char *was, *is_new, *is_gone;
};
extern const struct diff_words diff_words_changed; /* "size 8 bytes, was 4" */
extern const struct diff_words diff_words_copies;  /* "size 8 bytes, not 4" */

/* The value in the second BTF, and in the first. Not for DIFFERENCE_NUMBER. */
void diff_text_what(struct text *out, const struct type_graph *g, const struct btf_difference *d,
		    const struct diff_words *words);

void diff_text_name(struct text *out, const char *name);

#endif
