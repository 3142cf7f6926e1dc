/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_types.c - a growing list of BTF records */
#include "btf/btf_types.h"

#include <stdlib.h>
#include <string.h>

void btf_types_init(struct btf_types *t, const struct btf_types *base)
{
	*t = (struct btf_types){
		.base = base,
		.first = base ? btf_types_end(base) : 1,
	};
}

void btf_types_release(struct btf_types *t)
{
	free(t->words.items);
	free(t->start.items);
	*t = (struct btf_types){ 0 };
}

uint32_t *btf_types_add(struct btf_types *t, size_t nr)
{
	size_t pos = t->words.nr;

	/* the indexes and ids have 32 bits: 16 GiB of records */
	if (nr > UINT32_MAX - pos || t->start.nr >= UINT32_MAX - 1 - t->first)
		mem_die();
	vec_push(&t->start, (uint32_t)pos);
	vec_reserve(&t->words, nr);
	t->words.nr += nr;
	return t->words.items + pos;
}

void btf_types_append(struct btf_types *t, const struct btf_types *more)
{
	size_t pos = t->words.nr;

	assert(more->first == btf_types_end(t));
	if (!more->start.nr)
		return;
	if (more->words.nr > UINT32_MAX - pos)
		mem_die();
	vec_reserve(&t->words, more->words.nr);
	memcpy(t->words.items + pos, more->words.items, more->words.nr * sizeof(t->words.items[0]));
	t->words.nr += more->words.nr;
	vec_reserve(&t->start, more->start.nr);
	for (size_t i = 0; i < more->start.nr; i++)
		t->start.items[t->start.nr++] = (uint32_t)pos + more->start.items[i];
}
