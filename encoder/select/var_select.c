/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_select.c - see var_select.h
 *
 * Which of two variables at one place is the real one? No unit says of its definition
 * that it is weak, and that it lost is known to the linker only. What the file still has is the
 * symbol that won, with the name, the place and the size of the real one:
 *
 *	2  a symbol of this name is at this place and has the size of the type
 *	1  a symbol of this name is at this place: the last member of the real one may be
 *	   an array without a length, which the symbol's size counts and the type's does not
 *	0  there is none: the debug information places it where it is not
 *
 * The higher rank stays. Most often both have rank 2, and then type and linkage are the same
 * as well, for a weak definition and the one that replaces it share their declaration: the
 * records could be told apart by their ids only, and the first in the order of the input
 * stays.
 *
 * One sweep over the sorted list does it: a variable meets the last that was kept, and one
 * of the two goes. What begins later can take the place of what began before
 * without touching what ended before that. A variable that lost against one that is lost
 * itself later does not come back; it would take a third that overlaps both.
 */
#include "encoder/select/var_select.h"

#include "base/lower_bound.h"

#include <stdlib.h>
#include <string.h>

void var_select_init(struct var_select *l, size_t nr_sections)
{
	l->sections = mem_zalloc(nr_sections + 1, sizeof(l->sections[0]));
	l->nr_sections = nr_sections;
}

void var_select_release(struct var_select *l)
{
	for (size_t i = 0; i < l->nr_sections; i++)
		free(l->sections[i].items);
	free(l->sections);
	*l = (struct var_select){ 0 };
}

void var_select_add(struct var_select *l, struct unit_btf *f)
{
	for (size_t i = 0; i < f->vars.nr; i++) {
		struct unit_var *v = &f->vars.items[i];

		if (v->dropped)
			continue; /* nobody knows where it is */
		vec_push(&l->sections[v->section],
			 ((struct var_place){ v->offset, v->size, f->unit, v }));
	}
}

/* What the symbol table says of one section. Sorted by all of it. */
struct known {
	uint64_t offset;
	uint32_t name; /* string id */
	uint64_t size;
};

struct known_list {
	struct known *items;
	size_t nr, cap;
	bool made;
};

static int known_order(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static void known_make(struct known_list *k, const struct object *obj, uint32_t section,
		       const struct symbols *syms, struct str_pool *strings)
{
	uint64_t base = obj->is_rel ? 0 : obj->sections[section].addr;

	k->made = true;
	if (section >= syms->nr_sections)
		return;
	for (uint32_t i = syms->object_start[section]; i < syms->object_start[section + 1]; i++) {
		const struct symbol *s = &syms->all[syms->objects[i]];
		uint32_t name = str_pool_find(strings, s->name, strlen(s->name));

		if (name)
			vec_push(k, ((struct known){ s->value - base, name, s->size }));
	}
	if (k->nr)
		qsort(k->items, k->nr, sizeof(k->items[0]), known_order);
}

/* How many of @k come before @key. */
static size_t known_before(const struct known_list *k, const struct known *key)
{
	return LOWER_BOUND(0, k->nr, i, known_order(&k->items[i], key) < 0);
}

static bool known_at(const struct known_list *k, size_t i, const struct known *key)
{
	return i < k->nr && k->items[i].offset == key->offset && k->items[i].name == key->name;
}

static unsigned int rank(const struct known_list *k, const struct var_place *p)
{
	struct known key = { p->offset, p->var->name, p->size };
	size_t i = known_before(k, &key);

	if (known_at(k, i, &key) && k->items[i].size == key.size)
		return 2;
	key.size = 0;
	return known_at(k, known_before(k, &key), &key);
}

static int by_place(const void *a, const void *b)
{
	const struct var_place *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->var > y->var) - (x->var < y->var); /* of one array */
}

static int by_input(const void *a, const void *b)
{
	const struct var_place *x = &((const struct var_drop *)a)->dropped;
	const struct var_place *y = &((const struct var_drop *)b)->dropped;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->var > y->var) - (x->var < y->var);
}

static bool overlap(const struct var_place *first, const struct var_place *next)
{
	return next->offset - first->offset < first->size; /* sorted: never below 0 */
}

void var_select_choose(struct var_select *l, const struct object *obj, const struct symbols *syms,
		       struct str_pool *strings, struct var_drops *ret)
{
	for (uint32_t s = 0; s < l->nr_sections; s++) {
		struct var_section *sec = &l->sections[s];
		struct known_list known = { 0 };
		size_t kept = 0;

		if (sec->nr)
			qsort(sec->items, sec->nr, sizeof(sec->items[0]), by_place);
		for (size_t i = 0; i < sec->nr; i++) {
			struct var_place *last = kept ? &sec->items[kept - 1] : NULL;
			struct var_place p = sec->items[i];

			if (!last || !overlap(last, &p)) {
				sec->items[kept++] = p;
				continue;
			}
			if (!known.made)
				known_make(&known, obj, s, syms, strings);
			if (rank(&known, &p) > rank(&known, last)) {
				struct var_place loser = *last;

				*last = p;
				p = loser;
			}
			p.var->dropped = true;
			vec_push(ret, ((struct var_drop){ .dropped = p, .by = *last }));
		}
		sec->nr = kept;
		free(known.items);
	}
	if (ret->nr)
		qsort(ret->items, ret->nr, sizeof(ret->items[0]), by_input);
}
