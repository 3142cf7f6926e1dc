/* SPDX-License-Identifier: GPL-2.0-only */
/* place_members.c - see place_members.h */
#include "encoder/place/place_members.h"

#include "encoder/member/member_locals.h"
#include "encoder/place/var_place.h"

#include <stdlib.h>
#include <string.h>

static int by_order(const void *a, const void *b)
{
	const struct unit_var *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

void assembly_place_vars(struct assembly *a, size_t nr_units, const bool *wanted, const bool *apart,
			 const struct omission_log *log)
{
	struct place_unit *units = mem_zalloc(nr_units, sizeof(*units));
	struct {
		struct place_home *items;
		size_t nr, cap;
	} homes = { 0 };

	for (size_t i = 0; i < nr_units; i++) {
		struct unit_btf *f = &a->units.items[i].btf;
		const char *name = str_pool_text(&a->strings, f->name), *slash = strrchr(name, '/');

		units[i] = (struct place_unit){ f, *name ? (slash ? slash + 1 : name) : NULL };
		for (size_t h = 0; h < f->homes.nr; h++) {
			const struct input_section *home = &f->homes.items[h];

			if (home->nr)
				vec_push(&homes, ((struct place_home){ (uint32_t)i, home->name,
								       home->first, home->nr }));
		}
	}
	var_place(units, nr_units, homes.items, homes.nr, a->files.items[0].obj,
		  a->files.items[0].syms, &a->strings, wanted, log);
	for (size_t i = 0; i < nr_units; i++) {
		struct unit_btf *f = units[i].btf;

		if (f->vars.nr)
			qsort(f->vars.items, f->vars.nr, sizeof(f->vars.items[0]), by_order);
		for (size_t v = 0; apart && v < f->vars.nr; v++)
			f->vars.items[v].apart = !f->vars.items[v].dropped &&
						 apart[f->vars.items[v].section];
	}
	free(homes.items);
	free(units);
}

void assembly_place_funcs(struct assembly *a)
{
	const struct unit_btf **units = mem_alloc(a->units.nr * sizeof(*units) + 1);

	for (size_t i = 0; i < a->units.nr; i++)
		units[i] = &a->units.items[i].btf;
	member_weak_resolve(&a->funcs, a->files.items[0].syms);
	member_locals_resolve(&a->funcs, units, a->files.items[0].syms, &a->strings);
	free(units);
}
