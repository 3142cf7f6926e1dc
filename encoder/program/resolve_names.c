/* SPDX-License-Identifier: GPL-2.0-only */
/* resolve_names.c - resolve ambiguous names (dedup/ambiguous/), and beside that select the functions */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "dedup/ambiguous/map_to_base.h"
#include "dedup/base/base_cache.h"

#include <stdlib.h>

static void hand_out_lists(struct program *p)
{
	for (size_t i = 0; i < p->units.nr; i++) {
		struct program_unit *u = &p->units.items[i];

		/* NULL if no unit has a type */
		if (p->lists.items)
			u->btf.packed = (struct id_list){ p->lists.items + u->list_at,
							  u->btf.types.nr };
	}
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

struct resolving {
	struct program *p;
	struct pool_ref_list base_conflicts;
};

static void resolve_unit_names(const struct resolving *r)
{
	struct program *p = r->p;
	CLEANUP(mem_free) struct resolve_unit *units = mem_alloc(p->units.nr * sizeof(*units));
	const struct btf_input *base = p->request->base;

	for (size_t i = 0; i < p->units.nr; i++)
		units[i] = to_resolve(&p->units.items[i].btf);
	ambiguous_resolve(&p->types, &p->strings, units, p->units.nr,
			  base ? &r->base_conflicts : NULL, &p->resolved);
	if (base && p->mapped_to_base && base->cache && base->cache->no_duplicates &&
	    !r->base_conflicts.nr && !p->resolved.nr_need_exact) {
		map_to_base(&p->types, &p->resolved, p->mapped_to_base);
	} else {
		free(p->mapped_to_base);
		p->mapped_to_base = NULL;
	}
}

/* Find the units that need exact deduplication, and those of them for which the pool does not suffice. */
static struct err *resolve(void *ctx, struct diagnostics *diags UNUSED)
{
	CLEANUP(pool_copies_release) struct pool_copies copies = { 0 };
	const struct resolving *r = ctx;
	struct program *p = r->p;
	bool all = p->opts->dedup_by_rule;

	if (!all)
		resolve_unit_names(r);
	pool_copies_init(&copies, &p->types, &p->resolved);
	for (size_t i = 0; i < p->units.nr; i++) {
		struct program_unit *u = &p->units.items[i];

		u->needs_exact = all ? u->btf.types.nr != 0 : p->resolved.units[i].needs_exact;

		const struct resolve_unit unit = to_resolve(&u->btf);
		if (u->needs_exact && (all || !pool_copies_suffice(&copies, i, &unit)))
			vec_push(&p->raw_units, (uint32_t)i);
	}
	return NULL;
}

static struct err *select_funcs(void *ctx, struct diagnostics *diags)
{
	struct program *p = ctx;
	CLEANUP(mem_free)
	const struct unit_btf **units = mem_alloc(p->units.nr * sizeof(*units));
	CLEANUP(mem_free) struct func_file *files = mem_alloc(p->nr_inputs * sizeof(*files));
	struct enum_kinds enums = { 0 };
	const struct omission_log log = program_log(p, diags);

	for (size_t i = 0; i < p->units.nr; i++)
		units[i] = &p->units.items[i].btf;
	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct input *in = &p->inputs[i];

		files[i] = (struct func_file){ &in->obj, &in->syms, in->func_names, &in->kfuncs };
	}
	enum_kinds_find(&p->types, units, p->units.nr, &enums);
	const struct func_program program = { files, &p->types, &enums, &p->strings, units };
	func_select_choose(&p->funcs, p->opts, &program, &log, &p->chosen);
	enum_kinds_release(&enums);
	return NULL;
}

void resolve_names(struct program *p)
{
	struct resolving r = { .p = p };
	const struct task tasks[] = { { resolve, &r }, { select_funcs, p } };
	const struct btf_input *base = p->request->base;

	for (size_t i = 0; i < p->units.nr; i++)
		diag_move(p->diags, &p->units.items[i].btf.diags);
	hand_out_lists(p);
	/* before select_funcs(), which adds strings to the pool */
	if (base && !p->opts->dedup_by_rule)
		find_base_conflicts(&p->types, &p->strings, &base->view,
				    base->cache ? &base->cache->names : NULL, &r.base_conflicts,
				    &p->mapped_to_base);
	UNUSED struct err *err = run_tasks(tasks, ARRAY_SIZE(tasks),
					   program_jobs(p, atomic_load(&p->types.end)), p->diags);
	assert(!err); /* neither task has one */
	free(r.base_conflicts.items);
}

void unpack_lists(struct program *p)
{
	for (size_t i = 0; i < p->units.nr; i++) {
		struct program_unit *u = &p->units.items[i];
		struct unit_btf *f = &u->btf;
		bool asked = u->needs_exact || u->facts || f->vars.nr || i == p->index_unit ||
			     p->omissions;

		if (!asked)
			f->types.nr = 0;
		f->types.cap = f->types.nr;
		if (f->types.nr) {
			f->types.items = mem_alloc(f->types.nr * sizeof(f->types.items[0]));
			id_list_unpack(f->packed, f->types.items);
		}
		f->packed = (struct id_list){ 0 };
	}
	free(p->lists.items);
	p->lists = (struct id_words){ 0 };
}
