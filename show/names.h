/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - the names of a BTF as they are printed
 *
 * A name may consist of any bytes. In the text for people, control characters are escaped (text_escape()). In the
 * text for a compiler, each name that C does not accept is replaced (text_c_name()), because it could end
 * the declaration and begin another.
 */
#ifndef BTFENC_SHOW_NAMES_H
#define BTFENC_SHOW_NAMES_H

#include "base/arena.h"
#include "base/escape.h"
#include "base/hash_table.h"
#include "btf/btf_view.h"

struct printed_name {
	uint64_t key;
	const char *text;
};

struct names {
	bool for_compiler; /* set before the first name is asked for */
	size_t end;        /* of the offsets of strings */
	/* a bit for each offset, and behind these one for each as a base type: the name is printed as it is */
	uint64_t *plain;
	/* the other names that were asked for */
	VEC(struct printed_name) changed;
	struct hash_table index; /* of @changed, by key, plus 1 */
	struct arena texts;
};

void names_init(struct names *n, const struct btf_view *v);
void names_release(struct names *n);
const char *names_change(struct names *n, uint32_t off, const char *s, enum c_name_kind kind);

/* The text for the name @s at @off. It lives as long as @n and the BTF. */
static inline const char *names_text(struct names *n, uint32_t off, const char *s,
				     enum c_name_kind kind)
{
	size_t bit = off + (kind == C_BASE_TYPE ? n->end : 0);

	return likely(n->plain[bit / 64] >> bit % 64 & 1) ? s : names_change(n, off, s, kind);
}

#endif
