/* SPDX-License-Identifier: GPL-2.0-only */
/* var_room.c - see var_room.h */
#include "encoder/place/var_room.h"

#include "base/vec.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of one symbol, as offsets in its section. */
struct cover {
	uint32_t section;
	uint64_t start, size;
};

bool section_holds_vars(const struct object_section *s)
{
	return (s->type == SHT_PROGBITS || s->type == SHT_NOBITS) && (s->flags & SHF_ALLOC);
}

static int compare_covers(const void *a, const void *b)
{
	const struct cover *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* The symbols that cover bytes of a section, sorted. The caller frees the array. */
static struct cover *find_covers(const struct object *obj, const struct symbols *syms,
				 size_t *ret_nr)
{
	struct cover *covers = mem_alloc((syms->nr_all + 1) * sizeof(*covers));
	size_t nr = 0;

	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (!s->size || s->section == SHN_UNDEF || s->section >= obj->nr_sections ||
		    s->type == STT_SECTION || s->type == STT_FILE || s->type == STT_TLS)
			continue;
		uint64_t base = obj->is_rel ? 0 : obj->sections[s->section].addr;
		covers[nr++] = (struct cover){ s->section, s->value - base, s->size };
	}
	if (nr)
		qsort(covers, nr, sizeof(covers[0]), compare_covers);
	*ret_nr = nr;
	return covers;
}

/* The longest run of bytes of section @i that none of @covers, from *at on, covers. */
static uint64_t longest_run(const struct cover *covers, size_t nr, size_t *at, uint32_t i,
			    uint64_t size)
{
	uint64_t end = 0, longest = 0;

	while (*at < nr && covers[*at].section < i)
		(*at)++;
	for (; *at < nr && covers[*at].section == i; (*at)++) {
		const struct cover *c = &covers[*at];

		if (c->start >= size)
			continue;
		if (c->start > end && c->start - end > longest)
			longest = c->start - end;
		if (c->size > size - c->start)
			end = size;
		else if (c->start + c->size > end)
			end = c->start + c->size;
	}
	return size - end > longest ? size - end : longest;
}

void var_room_measure(const struct object *obj, const struct symbols *syms,
		      struct str_pool *strings, const bool *wanted, struct var_room *ret)
{
	size_t nr, at = 0;
	struct cover *covers = find_covers(obj, syms, &nr);
	struct var_room r = { 0 };

	for (size_t i = 1; i < obj->nr_sections; i++)
		str_pool_add(strings, obj->sections[i].name, strlen(obj->sections[i].name));
	r.end = strings->end;
	r.by_name = mem_zalloc(r.end, sizeof(r.by_name[0]));
	for (uint32_t i = 1; i < obj->nr_sections; i++) {
		const struct object_section *s = &obj->sections[i];
		uint32_t name = str_pool_find(strings, s->name, strlen(s->name));
		uint64_t room = 0;

		if (!section_holds_vars(s))
			continue;
		if (!wanted || wanted[i])
			room = longest_run(covers, nr, &at, i, s->size);
		if (r.by_name[name] < room + 1)
			r.by_name[name] = room + 1;
		if (r.longest < room)
			r.longest = room;
		if ((s->flags & SHF_WRITE) && r.longest_writable < room)
			r.longest_writable = room;
	}
	free(covers);
	*ret = r;
}

bool var_room_for(const struct var_room *r, struct str_pool *strings, const char *home,
		  uint32_t size)
{
	for (size_t len = strlen(home); len; len--) {
		if (home[len] && home[len] != '.')
			continue;
		uint32_t name = str_pool_find(strings, home, len);
		if (name && name < r->end && r->by_name[name])
			return r->by_name[name] > size;
	}
	return (strncmp(home, ".rodata", 7) ? r->longest_writable : r->longest) >= size;
}

void var_room_release(struct var_room *r)
{
	free(r->by_name);
	*r = (struct var_room){ 0 };
}
