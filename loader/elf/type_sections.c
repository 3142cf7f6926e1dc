/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * type_sections.c - see type_sections.h
 *
 * A C++ program has thousands of them, so relocations find theirs through a table.
 */
#include "loader/elf/type_sections.h"

#include "base/cleanup.h"
#include "base/vec.h"
#include "loader/elf/inflate.h"
#include "loader/elf/reloc.h"

#include <assert.h>
#include <elf.h>
#include <stdlib.h>

/* Where a section is among the joined. */
struct range {
	size_t start, len;
};

struct joined {
	uint8_t *items;
	size_t nr, cap;
	struct range *ranges; /* by section */
	struct reloc_symbols syms;
};

static void joined_release(struct joined *j)
{
	free(j->items);
	free(j->ranges);
	reloc_symbols_release(&j->syms);
}

static struct err *append(const struct object *o, size_t index, struct joined *j)
{
	const struct object_section *s = &o->sections[index];
	struct bytes data;
	uint8_t *inflated;

	TRY(inflate_section(o, s, &data, &inflated));
	vec_reserve(j, data.len + OBJECT_PADDING);
	assert(j->items && data.ptr);
	memcpy(j->items + j->nr, data.ptr, data.len);
	j->ranges[index] = (struct range){ j->nr, data.len };
	j->nr += data.len;
	free(inflated);
	return NULL;
}

static struct err *relocate_joined(const struct object *o, struct joined *j)
{
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if ((s->type != SHT_REL && s->type != SHT_RELA) || s->info >= o->nr_sections)
			continue;
		const struct range *p = &j->ranges[s->info];
		if (p->len)
			TRY(reloc_apply(o, i, &j->syms, j->items + p->start, p->len));
	}
	return NULL;
}

struct err *type_sections_join(const struct object *o, const size_t *indexes, size_t nr,
			       uint8_t **ret, size_t *len_ret)
{
	CLEANUP(joined_release) struct joined j = {
		.ranges = mem_zalloc(o->nr_sections, sizeof(j.ranges[0])),
	};

	for (size_t i = 0; i < nr; i++)
		TRY(append(o, indexes[i], &j));
	TRY(relocate_joined(o, &j));
	vec_reserve(&j, OBJECT_PADDING);
	memset(j.items + j.nr, 0, OBJECT_PADDING);
	*len_ret = j.nr;
	*ret = j.items;
	j.items = NULL;
	return NULL;
}
