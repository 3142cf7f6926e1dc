/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_select.c - keep one of the variables that overlap
 *
 * DWARF does not mark a weak definition, and only the linker knows that it was overridden. The
 * symbol table has the symbol that won, with its name, address and size:
 *
 *	rank 2	a symbol of this name is at this address and has the size of the type
 *	rank 1	a symbol of this name is at this address: the type does not count the elements of a
 *		flexible array, the size of the symbol does
 *	rank 0	there is no such symbol: the address in DWARF is that of another definition
 *
 * The higher rank stays. Mostly both have rank 2. Type and linkage are then the same, because a
 * weak definition and the one that overrides it share their declaration. The records would differ
 * by their ids only, and the first in the order of the input stays.
 *
 * One pass over the variables in the order of their addresses compares each with the last one that
 * was kept, and drops one of the two. If the new one stays, it starts behind the start of the old
 * one and so does not overlap any kept before. A variable that was dropped for one that is dropped
 * later does not come back; that needs a third variable that overlaps both.
 */
#include "encoder/select/var_select.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

void var_select_init(struct var_select *l, size_t nr_sections)
{
	l->sections = mem_zalloc(nr_sections, sizeof(l->sections[0]));
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
			continue; /* its address is unknown */
		vec_push(&l->sections[v->section],
			 ((struct var_range){ v->offset, v->size, f->unit, v }));
	}
}

/* The symbols of one section, sorted by all fields. */
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
	const struct object_symbols *all = &syms->objects;
	if (section >= all->nr_sections)
		return;
	for (uint32_t i = all->start[section]; i < all->start[section + 1]; i++) {
		const struct symbol *s = &all->items[i];
		uint32_t name = str_pool_find(strings, s->name, strlen(s->name));

		if (name)
			vec_push(k, ((struct known){ s->value - base, name, s->size }));
	}
	vec_sort(k, known_order);
}

static unsigned int rank(const struct known_list *k, const struct var_range *p)
{
	const struct known keys[] = { { p->offset, p->var->name, p->size },
				      { p->offset, p->var->name, 0 } };

	for (unsigned int n = 0; n < ARRAY_SIZE(keys); n++) {
		size_t at = LOWER_BOUND(0, k->nr, i, known_order(&k->items[i], &keys[n]) < 0);
		const struct known *s = at < k->nr ? &k->items[at] : NULL;

		if (s && s->offset == p->offset && s->name == p->var->name &&
		    (n || s->size == p->size))
			return 2 - n;
	}
	return 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct var_range *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->var > y->var) - (x->var < y->var); /* of one array */
}

static int by_input(const void *a, const void *b)
{
	const struct var_range *x = &((const struct var_drop *)a)->dropped;
	const struct var_range *y = &((const struct var_drop *)b)->dropped;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->var > y->var) - (x->var < y->var);
}

static bool overlap(const struct var_range *first, const struct var_range *next)
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

		vec_sort(sec, by_offset);
		for (size_t i = 0; i < sec->nr; i++) {
			struct var_range *last = kept ? &sec->items[kept - 1] : NULL;
			struct var_range p = sec->items[i];

			if (!last || !overlap(last, &p)) {
				sec->items[kept++] = p;
				continue;
			}
			if (!known.made)
				known_make(&known, obj, s, syms, strings);
			if (rank(&known, &p) > rank(&known, last)) {
				struct var_range loser = *last;

				*last = p;
				p = loser;
			}
			p.var->dropped = true;
			vec_push(ret, ((struct var_drop){ .dropped = p, .by = *last }));
		}
		sec->nr = kept;
		free(known.items);
	}
	vec_sort(ret, by_input);
}
