/* SPDX-License-Identifier: GPL-2.0-only */
/* mentions.c - see mentions.h */
#include "cmd/print/mentions.h"

#include "base/arena.h"

#include <stdlib.h>

void mentions_want(struct mentions *m, const char *name)
{
	name_ids_add(&m->names, name);
}

void mentions_add(struct mentions *m, const char *name, struct mention at)
{
	at.name = name_ids_find(&m->names, name);
	if (at.name)
		vec_push(&m->found, at);
}

void mentions_sort(struct mentions *m)
{
	size_t nr = m->found.nr, at = 0;
	struct mention *sorted = mem_alloc(nr * sizeof(*sorted));
	size_t *next = mem_zalloc(m->names.names.nr + 1, sizeof(*next));

	for (size_t i = 0; i < nr; i++)
		next[m->found.items[i].name - 1]++;
	m->starts = mem_alloc((m->names.names.nr + 1) * sizeof(*m->starts));
	for (size_t i = 0; i <= m->names.names.nr; i++) {
		size_t own = next[i];

		m->starts[i] = next[i] = at;
		at += own;
	}
	for (size_t i = 0; i < nr; i++)
		sorted[next[m->found.items[i].name - 1]++] = m->found.items[i];
	free(next);
	free(m->found.items);
	m->found.items = sorted;
}

const struct mention *mentions_of(const struct mentions *m, const char *name, size_t *ret_nr)
{
	uint32_t n = name_ids_find(&m->names, name);

	*ret_nr = n ? m->starts[n] - m->starts[n - 1] : 0;
	return n ? m->found.items + m->starts[n - 1] : NULL;
}

void mentions_release(struct mentions *m)
{
	name_ids_release(&m->names);
	free(m->found.items);
	free(m->starts);
	*m = (struct mentions){ 0 };
}
