/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * section_map.c - see section_map.h
 *
 * Sections may overlap, as .tbss and the section behind it do, and of several the first one counts. So the sections
 * take, in the order of the table, the parts of the address space that no other has taken yet. @next leads
 * from a part to the first one behind it that is free, which makes this take nearly linear time.
 */
#include "loader/elf/section_map.h"

#include "base/sort.h"

#include <elf.h>
#include <stdlib.h>

static bool holds_variables(const struct object_section *s)
{
	return (s->type == SHT_PROGBITS || s->type == SHT_NOBITS) && (s->flags & SHF_ALLOC) &&
	       s->size;
}

/* 0: it goes to the end of the address space. */
static uint64_t end_of(const struct object_section *s)
{
	return s->size > UINT64_MAX - s->debug_addr ? 0 : s->debug_addr + s->size;
}

static size_t part_at(const struct section_map *m, uint64_t addr)
{
	return LOWER_BOUND(0, m->starts.nr, i, m->starts.items[i] < addr);
}

static void find_parts(const struct object *o, struct section_map *m)
{
	size_t nr = 0;

	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if ((s->flags & SHF_ALLOC) && s->size)
			vec_push(&m->ends, s->debug_addr + s->size);
		if (!holds_variables(s))
			continue;
		vec_push(&m->starts, s->debug_addr);
		if (end_of(s))
			vec_push(&m->starts, end_of(s));
	}
	vec_sort(&m->ends, by_uint64);
	vec_sort(&m->starts, by_uint64);
	for (size_t i = 0; i < m->starts.nr; i++)
		if (!nr || m->starts.items[nr - 1] != m->starts.items[i])
			m->starts.items[nr++] = m->starts.items[i];
	m->starts.nr = nr;
}

/* The first free part from @i on. */
static size_t find_free(size_t *next, size_t i)
{
	while (next[i] != i) {
		next[i] = next[next[i]];
		i = next[i];
	}
	return i;
}

void section_map_make(const struct object *o, struct section_map *ret)
{
	struct section_map m = { 0 };

	find_parts(o, &m);
	m.sections = mem_zalloc(m.starts.nr, sizeof(m.sections[0]));
	size_t *next = mem_alloc((m.starts.nr + 1) * sizeof(next[0]));
	for (size_t i = 0; i <= m.starts.nr; i++)
		next[i] = i;
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if (!holds_variables(s))
			continue;
		size_t end = end_of(s) ? part_at(&m, end_of(s)) : m.starts.nr;
		for (size_t k = find_free(next, part_at(&m, s->debug_addr)); k < end;
		     k = find_free(next, k)) {
			m.sections[k] = (uint32_t)i;
			next[k] = k + 1;
		}
	}
	free(next);
	*ret = m;
}

void section_map_release(struct section_map *m)
{
	FREE_ALL(m->starts.items, m->sections, m->ends.items);
	*m = (struct section_map){ 0 };
}

uint32_t section_map_at(const struct section_map *m, uint64_t addr)
{
	size_t behind = LOWER_BOUND(0, m->starts.nr, i, m->starts.items[i] <= addr);

	return behind ? m->sections[behind - 1] : 0;
}

bool section_map_ends(const struct section_map *m, uint64_t addr)
{
	size_t at = LOWER_BOUND(0, m->ends.nr, i, m->ends.items[i] < addr);

	return at < m->ends.nr && m->ends.items[at] == addr;
}
