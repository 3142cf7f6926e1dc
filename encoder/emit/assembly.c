/* SPDX-License-Identifier: GPL-2.0-only */
/* assembly.c - collect the contributions of all units; assembly_finish.c has the rest */
#include "encoder/emit/assembly.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "dedup/ambiguous/map_to_base.h"
#include "dedup/base/base_cache.h"

#include <stdlib.h>
#include <string.h>

void assembly_init(struct assembly *a, const struct encode_opts *opts)
{
	memset(a, 0, sizeof(*a));
	a->opts = opts;
	str_pool_init(&a->strings);
	type_pool_init(&a->types);
}

static void drop_base_map(struct assembly *a)
{
	free(a->mapped_to_base);
	a->mapped_to_base = NULL;
}

void assembly_unit_release(struct assembly_unit *u)
{
	unit_btf_release(&u->btf);
	if (u->raw)
		raw_unit_release(u->raw);
	free(u->raw);
	if (u->facts)
		unit_facts_release(u->facts);
	free(u->facts);
	if (u->own_types)
		raw_unit_release(u->own_types);
	free(u->own_types);
	free(u->ids);
	hash_table_release(&u->own);
}

void assembly_release(struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++)
		assembly_unit_release(&a->units.items[i]);
	FREE_ALL(a->units.items, a->lists.items, a->files.items);
	FREE_ALL(a->chosen.items, a->chosen.also.items);
	func_select_release(&a->funcs);
	resolved_names_release(&a->resolved);
	drop_base_map(a);
	type_pool_release(&a->types);
	str_pool_release(&a->strings);
	memset(a, 0, sizeof(*a));
}

/*
 * Append the list of @f to the others in one allocation, which needs less memory than one for each
 * unit. It moves as it grows, so hand_out_lists() sets the pointers at the end.
 */
static void keep_list(struct assembly *a, struct unit_btf *f)
{
	id_list_pack(f->types.items, f->types.nr, &a->lists);
	free(f->types.items);
	f->types.items = NULL;
	f->types.cap = 0;
}

static void hand_out_lists(struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++) {
		struct assembly_unit *u = &a->units.items[i];

		/* NULL if no unit has a type */
		if (a->lists.items)
			u->btf.packed = (struct id_list){ a->lists.items + u->list_at,
							  u->btf.types.nr };
	}
}

void assembly_unpack_lists(struct assembly *a)
{
	for (size_t i = 0; i < a->units.nr; i++) {
		struct assembly_unit *u = &a->units.items[i];
		struct unit_btf *f = &u->btf;
		bool asked = u->needs_exact || u->facts || f->vars.nr || i == a->index_unit ||
			     a->omissions;

		if (!asked)
			f->types.nr = 0;
		f->types.cap = f->types.nr;
		if (f->types.nr) {
			f->types.items = mem_alloc(f->types.nr * sizeof(f->types.items[0]));
			id_list_unpack(f->packed, f->types.items);
		}
		f->packed = (struct id_list){ 0 };
	}
	free(a->lists.items);
	a->lists = (struct id_words){ 0 };
}

void assembly_add(struct assembly *a, struct unit_btf *f)
{
	assert(f->unit == a->units.nr);
	a->incomplete |= f->incomplete;
	if (a->omissions)
		omissions_merge(a->omissions, &f->omissions);
	func_select_add(&a->funcs, f);
	free(f->funcs.items); /* func_select_add() has copied them */
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
	size_t list_at = a->lists.nr;
	keep_list(a, f);
	vec_push(&a->units, ((struct assembly_unit){ .btf = TAKE(*f), .list_at = list_at }));
}

static struct resolve_unit to_resolve(const struct unit_btf *f)
{
	return (struct resolve_unit){
		.types = f->packed,
		.irregular = f->types.nr && f->irregular,
		.multiply_defined = f->multiply_defined.items,
		.nr_multiply_defined = f->multiply_defined.nr,
	};
}

static void resolve_unit_names(struct assembly *a)
{
	CLEANUP(mem_free) struct resolve_unit *units = mem_alloc(a->units.nr * sizeof(*units));
	struct pool_ref_list other = { 0 };

	for (size_t i = 0; i < a->units.nr; i++)
		units[i] = to_resolve(&a->units.items[i].btf);
	if (a->base)
		find_base_conflicts(&a->types, &a->strings, &a->base->view,
				    a->base->cache ? &a->base->cache->names : NULL, &other,
				    &a->mapped_to_base);
	ambiguous_resolve(&a->types, &a->strings, units, a->units.nr, a->base ? &other : NULL,
			  &a->resolved);
	if (a->base && a->mapped_to_base && a->base->cache && a->base->cache->no_duplicates &&
	    !other.nr && !a->resolved.nr_need_exact)
		map_to_base(&a->types, &a->resolved, a->mapped_to_base);
	else
		drop_base_map(a);
	free(other.items);
}

/* The units that need exact deduplication, and those of them for which the pool does not suffice. */
struct resolving {
	struct assembly *a;
	uint32_t *missing;
	size_t nr;
};

static struct err *resolve(void *ctx, struct diagnostics *diags UNUSED)
{
	CLEANUP(pool_copies_release) struct pool_copies copies = { 0 };
	struct resolving *r = ctx;
	struct assembly *a = r->a;
	bool all = a->opts->dedup_by_rule;

	if (!all)
		resolve_unit_names(a);
	pool_copies_init(&copies, &a->types, &a->resolved);
	for (size_t i = 0; i < a->units.nr; i++) {
		struct assembly_unit *u = &a->units.items[i];

		u->needs_exact = all ? u->btf.types.nr != 0 : a->resolved.units[i].needs_exact;

		const struct resolve_unit said = to_resolve(&u->btf);
		if (u->needs_exact && (all || !pool_copies_suffice(&copies, i, &said)))
			r->missing[r->nr++] = (uint32_t)i;
	}
	return NULL;
}

static struct err *choose_funcs(void *ctx, struct diagnostics *diags)
{
	struct assembly *a = ctx;
	CLEANUP(mem_free)
	const struct unit_btf **units = mem_alloc(a->units.nr * sizeof(*units) + 1);
	struct enum_kinds enums = { 0 };
	const struct omission_log log = assembly_log(a, diags);

	for (size_t i = 0; i < a->units.nr; i++)
		units[i] = &a->units.items[i].btf;
	enum_kinds_find(&a->types, units, a->units.nr, &enums);
	const struct func_program program = { a->files.items, &a->types, &enums, &a->strings,
					      units };
	func_select_choose(&a->funcs, a->opts, &program, &log, &a->chosen);
	enum_kinds_release(&enums);
	return NULL;
}

size_t assembly_resolve(struct assembly *a, struct diagnostics *diags, uint32_t **ret_units)
{
	struct resolving r = { a, mem_alloc(a->units.nr * sizeof(*r.missing)), 0 };
	const struct task tasks[] = { { resolve, &r }, { choose_funcs, a } };

	for (size_t i = 0; i < a->units.nr; i++)
		diag_move(diags, &a->units.items[i].btf.diags);
	hand_out_lists(a);
	UNUSED struct err *err = run_tasks(tasks, ARRAY_SIZE(tasks),
					   assembly_jobs(a, atomic_load(&a->types.end)), diags);
	assert(!err); /* neither task has one */
	*ret_units = r.missing;
	return r.nr;
}

/* Converting a record takes about as long as reading so many bytes of debug information. */
enum { BYTES_PER_RECORD = 64 };

unsigned int assembly_jobs(const struct assembly *a, size_t nr)
{
	return encode_jobs(a->opts, nr * BYTES_PER_RECORD);
}
