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

void assembly_release(struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++) {
		frag_release(&a->units.items[i].frag);
		if (a->units.items[i].exact)
			exact_unit_release(a->units.items[i].exact);
		free(a->units.items[i].exact);
		if (a->units.items[i].note)
			member_note_release(a->units.items[i].note);
		free(a->units.items[i].note);
	}
	free(a->units.items);
	free(a->files.items);
	func_ledger_release(&a->funcs);
	settled_release(&a->settled);
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

/* By which names do units tell what they mean? Returns the units that do not. */
static size_t settle_units(struct assembly *a, uint32_t *exact)
{
	struct settle_unit *units = mem_alloc(a->units.nr * sizeof(*units));
	size_t nr = 0;

	for (size_t i = 0; i < a->units.nr; i++) {
		const struct frag *f = &a->units.items[i].frag;

		units[i] = (struct settle_unit){
			.types = f->types.items,
			.nr = f->types.nr,
			.odd = f->types.nr && f->odd,
			.crowded = f->crowded.items,
			.nr_crowded = f->crowded.nr,
		};
	}
	settle(&a->types, &a->strings, units, a->units.nr, &a->settled);
	for (size_t i = 0; i < a->units.nr; i++) {
		if (a->settled.exact[i])
			exact[nr++] = (uint32_t)i;
	}
	free(units);
	return nr;
}

size_t assembly_settle(struct assembly *a, bool all, uint32_t **ret_units)
{
	uint32_t *exact = mem_alloc(a->units.nr * sizeof(*exact));
	size_t nr = 0;

	*ret_units = exact;
	if (!all)
		return settle_units(a, exact);
	for (size_t i = 0; i < a->units.nr; i++) {
		if (a->units.items[i].frag.types.nr)
			exact[nr++] = (uint32_t)i;
	}
	return nr;
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
