/* SPDX-License-Identifier: GPL-2.0-only */
/* addr_symbols.c - see addr_symbols.h */
#include "loader/elf/addr_symbols.h"

#include "base/cleanup.h"
#include "base/sort.h"

#include <elf.h>
#include <string.h>

/* Compilers and assemblers mark positions by such symbols. */
static bool is_mark(const char *name)
{
	return !*name || *name == '$' || starts_with(name, ".L");
}

static bool is_kept(const struct object *o, const struct symbol *s)
{
	return s->section && s->section < o->nr_sections && s->type != STT_SECTION &&
	       s->type != STT_FILE && s->type != STT_TLS && !is_mark(s->name) &&
	       (o->is_rel || s->value >= o->sections[s->section].addr);
}

/* A name that kprobes accept is better than any other. */
static uint32_t rank_of(const struct symbol *s, uint32_t nr_named)
{
	return (uint32_t)(s->type != STT_NOTYPE) << 3 | (uint32_t)(nr_named == 1) << 2 |
	       (uint32_t)(s->bind != STB_LOCAL) << 1 | (uint32_t)!strchr(s->name, '.');
}

static int by_place(const void *a, const void *b)
{
	const struct addr_symbol *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return -strcmp(x->name, y->name);
}

void addr_symbols_make(const struct object *o, const struct symbols *syms, struct addr_symbols *ret)
{
	CLEANUP(name_ids_release) struct name_ids names = { 0 };
	CLEANUP(vec_release) VEC(uint32_t) nr_named = { 0 };

	for (const struct symbol *s = syms->all; s < syms->all + syms->nr_all; s++) {
		uint32_t id;

		if (!s->section || s->type == STT_SECTION || s->type == STT_FILE)
			continue;
		id = name_ids_add(&names, s->name);
		if (id > nr_named.nr)
			vec_push(&nr_named, 0);
		assert(nr_named.items); /* ids count from 1 on */
		nr_named.items[id - 1]++;
	}
	for (const struct symbol *s = syms->all; s < syms->all + syms->nr_all; s++) {
		if (!is_kept(o, s))
			continue;
		assert(nr_named.items); /* the loop above has added the name */
		uint32_t nr = nr_named.items[name_ids_find(&names, s->name) - 1];
		vec_push(ret, ((struct addr_symbol){
				      .name = s->name,
				      .offset = o->is_rel ? s->value :
							    s->value - o->sections[s->section].addr,
				      .size = s->size,
				      .section = s->section,
				      .rank = rank_of(s, nr),
				      .nr_named = nr,
			      }));
	}
	vec_sort(ret, by_place);
}

void addr_symbols_release(struct addr_symbols *s)
{
	free(s->items);
	*s = (struct addr_symbols){ 0 };
}

/* More labels than a function has. */
enum { LABELS_MAX = 256 };

const struct addr_symbol *addr_symbols_at(const struct addr_symbols *s, uint32_t section,
					  uint64_t offset)
{
	size_t end = LOWER_BOUND(0, s->nr, i,
				 s->items[i].section < section || (s->items[i].section == section &&
								   s->items[i].offset <= offset));

	for (size_t i = end; i > 0 && end - i < LABELS_MAX; i--) {
		const struct addr_symbol *sym = &s->items[i - 1];

		if (sym->section != section)
			break;
		if (offset - sym->offset < sym->size)
			return sym;
	}
	return end && s->items[end - 1].section == section ? &s->items[end - 1] : NULL;
}

uint32_t code_section(const struct object *o, const char *name)
{
	uint32_t found = 0;

	for (size_t i = 1; i < o->nr_sections; i++) {
		if (!(o->sections[i].flags & SHF_EXECINSTR) ||
		    strcmp(o->sections[i].name, name) != 0)
			continue;
		if (found)
			return 0;
		found = (uint32_t)i;
	}
	return found;
}
