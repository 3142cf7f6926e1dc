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
 * "int[4] *", "int (*)(struct foo *)", "struct {...}".
 */
void diff_text_type(struct text *out, const struct type_graph *g, uint32_t n, bool full);

/* The same; free() it. */
char *diff_type_text(const struct type_graph *g, uint32_t n, bool full);

/*
 * Where change @x of @d is: the path from the type with a name to the member, parameter, enumerator or variable, as
 * in C: "struct foo.ops->len", "func f: parameter 1 'x'". Names and numbers are those of the second BTF, unless the
 * change is CHANGE_GONE. If the path ends in another type with a name, that follows: "struct foo.bar->baz (in struct
 * bar)".
 */
void diff_text_at(struct text *out, const struct btf_comparison *c, const struct btf_difference *d,
		  const struct btf_change *x);
/* The same without the type and what separates it: "ops->len", "parameter 1 'x'"; maybe nothing. */
void diff_text_path(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d, const struct btf_change *x);

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

/* Describe change @x of @d: the value in the second BTF, and in the first. */
void diff_text_what(struct text *out, const struct type_graph *g, const struct btf_difference *d,
		    const struct btf_change *x, const struct diff_words *words);

/*
 * The line for change @x of @d, and for the size of the record that it is in: "struct foo.bar: int, was char; size 8
 * bytes, was 4".
 */
void diff_text_line(struct text *out, const struct btf_comparison *c,
		    const struct btf_difference *d, const struct btf_change *x,
		    const struct diff_words *words);

/*
 * How many changes from @x on, at most @nr, which is not 0, are elements that moved by the same distance, or
 * variables of one section that moved? Fewer than three are 1.
 */
size_t diff_moved_together(const struct type_graph *g, const struct btf_change *x, size_t nr);
/* Their line: "first to last: 3 members moved by 8 bytes". */
void diff_text_moved(struct text *out, const struct btf_comparison *c,
		     const struct btf_difference *d, const struct btf_change *x, size_t nr);

void diff_text_name(struct text *out, const char *name);

#endif
