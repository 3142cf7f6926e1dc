/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_core.h - which differences break BPF programs that were built for the first BTF
 *
 * A program uses CO-RE, attaches to functions (fentry), or calls kfuncs. docs/ci.md has the rules in words.
 */
#ifndef BTFENC_BTF_COMPARE_BTF_CORE_H
#define BTFENC_BTF_COMPARE_BTF_CORE_H

#include "base/hash_table.h"
#include "btf/compare/btf_compare.h"

/* Which types a base defines, by name. Borrows the view. Zeroed has none. */
struct btf_defined {
	const struct btf_view *view;
	struct hash_table by_name;
};

/* Find the types that @v and its bases define. *ret must be zeroed. */
void btf_defined_find(const struct btf_view *v, struct btf_defined *ret);
void btf_defined_release(struct btf_defined *d);
/* Does it define type @n of @g? */
bool btf_defined_has(const struct btf_defined *d, const struct type_graph *g, uint32_t n);

/* Zeroed is empty. */
struct btf_core {
	const struct btf_comparison *c;
	const struct btf_defined *base;
	struct hash_table defined; /* nodes of the second BTF that define a type with a name */
	uint8_t *has_typedef;      /* by node */
};

/*
 * Prepare for questions about differences of @c. @base: what the base of the second BTF defines; programs find a
 * type there that is gone from the second BTF. Borrows both. *ret must be zeroed.
 */
void btf_core_open(const struct btf_comparison *c, const struct btf_defined *base,
		   struct btf_core *ret);
void btf_core_release(struct btf_core *core);

/* Does change @x of @d break programs? */
bool btf_core_change_breaks(const struct btf_core *core, const struct btf_difference *d,
			    const struct btf_change *x);
/* The same for @d, which is DIFFERENCE_NUMBER. */
bool btf_core_number_breaks(const struct btf_core *core, const struct btf_difference *d);

#endif
