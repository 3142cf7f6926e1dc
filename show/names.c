/* SPDX-License-Identifier: GPL-2.0-only */
/* names.c - see names.h */
#include "show/names.h"

#include "base/cleanup.h"

void names_init(struct names *n, const struct btf_view *v)
{
	*n = (struct names){ .end = (size_t)v->str_base + v->strings.len };
	n->plain = mem_zalloc(2 * n->end / 64 + 1, sizeof(*n->plain));
}

void names_release(struct names *n)
{
	FREE_ALL(n->plain, n->changed.items);
	hash_table_release(&n->index);
	arena_release(&n->texts);
}

static char *changed_text(struct names *n, const char *s)
{
	CLEANUP(text_release) struct text text = { 0 };

	if (n->for_compiler)
		text_c_name(&text, s);
	else
		text_escape(&text, s);
	return arena_strndup(&n->texts, text.items, text.nr);
}

/* The first use of a name, or one that is not printed as it is. */
const char *names_change(struct names *n, uint32_t off, const char *s, enum c_name_kind kind)
{
	uint64_t key = off + (kind == C_BASE_TYPE ? (uint64_t)n->end : 0);
	uint64_t hash = hash_words((uint32_t[]){ off, kind }, 2);
	uint32_t known;

	if (n->for_compiler ? c_name_fits(s, kind) : escape_keeps(s)) {
		n->plain[key / 64] |= UINT64_C(1) << key % 64;
		return s;
	}
	known = HASH_FIND(&n->index, hash, i, n->changed.items[i - 1].key == key);
	if (!known) {
		vec_push(&n->changed, ((struct printed_name){ key, changed_text(n, s) }));
		known = (uint32_t)n->changed.nr;
		hash_table_add(&n->index, hash, known);
	}
	return n->changed.items[known - 1].text;
}
