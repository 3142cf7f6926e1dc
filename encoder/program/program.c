/* SPDX-License-Identifier: GPL-2.0-only */
/* program.c - collect the contributions of all units */
#include "encoder/program/program.h"

#include "base/cleanup.h"

#include <stdlib.h>
#include <string.h>

void program_init(struct program *p, const struct encode_request *request,
		  const struct encode_opts *opts, struct diagnostics *diags)
{
	*p = (struct program){
		.request = request,
		.opts = opts,
		.diags = diags,
		.until = request->until,
	};
	str_pool_init(&p->strings);
	type_pool_init(&p->types);
}

void program_unit_release(struct program_unit *u)
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
	free(u->inlined_ids);
	hash_table_release(&u->own);
}

void program_release(struct program *p)
{
	for (size_t i = 0; i < p->units.nr; i++)
		program_unit_release(&p->units.items[i]);
	FREE_ALL(p->units.items, p->lists.items, p->raw_units.items);
	FREE_ALL(p->chosen.items, p->chosen.also.items);
	func_select_release(&p->funcs);
	resolved_names_release(&p->resolved);
	free(p->mapped_to_base);
	type_pool_release(&p->types);
	var_select_release(&p->vars);
	btf_types_release(&p->out);
	btf_types_release(&p->apart);
	btf_types_release(&p->inlined);
	btf_types_release(&p->places);
	FREE_ALL(p->placed.items, p->parts.items, p->final, p->proto.items, p->ids);
	FREE_ALL(p->text, p->apart_text, p->section_names, p->site_section_names);
	free(p->sites.items);
	encode_result_release(&p->result);
	str_pool_release(&p->strings);
	/* units and pools borrow from the files */
	for (size_t i = 0; i < p->nr_inputs; i++)
		input_release(&p->inputs[i]);
	FREE_ALL(p->inputs, p->empty.items);
	arena_release(&p->names);
}

/*
 * Append the list of @f to the others in one allocation, which needs less memory than one for each
 * unit. It moves as it grows, so resolve_names() sets the pointers at the end.
 */
static void keep_list(struct program *p, struct unit_btf *f)
{
	id_list_pack(f->types.items, f->types.nr, &p->lists);
	free(f->types.items);
	f->types.items = NULL;
	f->types.cap = 0;
}

void program_add_unit(struct program *p, struct unit_btf *f)
{
	assert(f->unit == p->units.nr);
	p->incomplete |= f->incomplete;
	if (p->omissions)
		omissions_merge(p->omissions, &f->omissions);
	func_select_add(&p->funcs, f);
	free(f->funcs.items); /* func_select_add() has copied them */
	f->funcs.items = NULL;
	f->funcs.nr = f->funcs.cap = 0;

	if (!p->have_index && (f->first_int || f->has_arrays)) {
		p->have_index = true;
		p->own_index = !f->first_int;
		p->index_unit = f->unit;
		p->index_tid = f->first_int ? f->first_int : f->index_tid;
		if (p->own_index)
			str_pool_use(&p->strings, p->int_name,
				     str_place_at(f->unit, f->index_step));
	}
	size_t list_at = p->lists.nr;
	keep_list(p, f);
	vec_push(&p->units, ((struct program_unit){ .btf = TAKE(*f), .list_at = list_at }));
}

/* Converting a record takes about as long as reading so many bytes of debug information. */
enum { BYTES_PER_RECORD = 64 };

unsigned int program_jobs(const struct program *p, size_t nr)
{
	return encode_jobs(p->opts, nr * BYTES_PER_RECORD);
}
