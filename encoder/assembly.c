/* SPDX-License-Identifier: GPL-2.0-only */
/* assembly.c - see assembly.h; assembly_finish() is in assembly_finish.c */
#include "encoder/assembly.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

void assembly_init(struct assembly *a, const struct encode_opts *opts)
{
	memset(a, 0, sizeof(*a));
	a->opts = opts;
	str_pool_init(&a->strings);
	type_pool_init(&a->types);
}

static void drop_exact(struct assembly_unit *u)
{
	if (u->exact)
		exact_unit_release(u->exact);
	free(u->exact);
	u->exact = NULL;
}

void assembly_release(struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++) {
		frag_release(&a->units.items[i].frag);
		drop_exact(&a->units.items[i]);
		if (a->units.items[i].note)
			member_note_release(a->units.items[i].note);
		free(a->units.items[i].note);
	}
	free(a->units.items);
	free(a->files.items);
	func_ledger_release(&a->funcs);
	settled_release(&a->settled);
	settled_release(&a->so_far);
	type_pool_release(&a->types);
	str_pool_release(&a->strings);
	memset(a, 0, sizeof(*a));
}

void assembly_add(struct assembly *a, struct frag *f)
{
	assert(f->unit == a->units.nr);
	func_ledger_add(&a->funcs, f);
	free(f->funcs.items); /* the ledger has them */
	f->funcs.items = NULL;
	f->funcs.nr = f->funcs.cap = 0;

	if (!a->have_index && (f->first_int || f->has_arrays)) {
		a->have_index = true;
		a->own_index = !f->first_int;
		a->index_unit = f->unit;
		a->index_tid = f->first_int ? f->first_int : f->index_place;
		if (a->own_index)
			str_pool_use(&a->strings, str_pool_add(&a->strings, "int", 3),
				     str_place_at(f->unit, f->index_step));
	}
	vec_push(&a->units, ((struct assembly_unit){ .frag = TAKE(*f) }));
}

static struct settle_unit *settle_units(const struct assembly *a)
{
	struct settle_unit *units = mem_alloc(a->units.nr * sizeof(*units));

	for (size_t i = 0; i < a->units.nr; i++) {
		const struct frag *f = &a->units.items[i].frag;

		units[i] = (struct settle_unit){
			.types = f->types.items,
			.nr = f->types.nr,
			.odd = f->types.nr && (f->odd || (a->base && f->repeats)),
			.crowded = f->crowded.items,
			.nr_crowded = f->crowded.nr,
		};
	}
	return units;
}

/* A unit that is alone says a type to the base once, or as what it is. */
static void find_other_names(struct assembly *a, struct pool_names *ret)
{
	if (a->base && a->units.nr > 1)
		base_other_names(&a->types, &a->strings, &a->base->view, ret);
}

static bool all_exact(const struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++) {
		const struct assembly_unit *u = &a->units.items[i];

		if (u->frag.types.nr && !u->exact)
			return false;
	}
	return true;
}

size_t assembly_settle(struct assembly *a, uint32_t **ret_units)
{
	uint32_t *missing = mem_alloc(a->units.nr * sizeof(*missing));
	struct pool_names other = { 0 };
	struct settle_unit *units;
	size_t nr = 0;

	*ret_units = missing;
	if (all_exact(a))
		return 0;
	units = settle_units(a);
	find_other_names(a, &other);
	settle(&a->types, &a->strings, units, a->units.nr, a->base ? &other : NULL, &a->settled);
	for (size_t i = 0; i < a->units.nr; i++) {
		if (!a->settled.exact[i])
			drop_exact(&a->units.items[i]);
		else if (!a->units.items[i].exact)
			missing[nr++] = (uint32_t)i;
	}
	free(other.items);
	free(units);
	return nr;
}

void assembly_settle_so_far(struct assembly *a)
{
	struct settle_unit *units = settle_units(a);
	struct pool_names other = { 0 };

	settled_release(&a->so_far);
	find_other_names(a, &other);
	settle_so_far(&a->types, &a->strings, units, a->units.nr, &other, &a->so_far);
	free(other.items);
	free(units);
}

bool assembly_expects_exact(const struct assembly *a, const struct frag *f)
{
	for (size_t i = 1; a->so_far.end && i < f->types.nr; i++) {
		if (f->types.items[i] < a->so_far.end && a->so_far.unclear[f->types.items[i]])
			return true;
	}
	return f->odd;
}

void assembly_set_exact(struct assembly *a, uint32_t unit, struct exact_unit *e)
{
	struct exact_unit *own = mem_alloc(sizeof(*own));

	*own = TAKE(*e);
	a->units.items[unit].exact = own;
}

void assembly_set_note(struct assembly *a, uint32_t unit, struct member_note *n)
{
	struct member_note *own = mem_alloc(sizeof(*own));

	*own = TAKE(*n);
	a->units.items[unit].note = own;
}
