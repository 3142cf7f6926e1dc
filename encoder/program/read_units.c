/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * read_units.c - read the units of all files
 *
 * Workers read units in parallel and add their types and strings to the pools. The contributions
 * of the units are committed in the order of the input (base/os/ordered.h).
 */
#include "encoder/program/passes.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "encoder/unit/unit_from_cu.h"
#include "loader/dwarf/dw_read_cu.h"

#include <stdlib.h>

/* --- workers ------------------------------------------------------------------------ */

/* A thread's memory for reading units, kept from file to file. */
struct worker {
	struct dw_reader *reader; /* of the DWARF of one file */
	struct unit_encoder *encoder;
	struct cu cu;
	struct member_reader *members; /* for members of an archive; the others are NULL then */
};

struct workers {
	struct worker *items;
	unsigned int nr;
	struct run run; /* of the file that they read */
	/* by string id: the index in @run.syms of the function of that name, plus 1; or 0 */
	uint32_t *func_by_name;
};

static void workers_init(struct workers *w, const struct program *p)
{
	w->nr = ordered_workers(encode_jobs(p->opts, SIZE_MAX));
	w->items = mem_zalloc(w->nr, sizeof(w->items[0]));
	w->func_by_name = mem_zalloc(p->func_names_end, sizeof(w->func_by_name[0]));
}

static void workers_release(struct workers *w)
{
	for (unsigned int i = 0; i < w->nr; i++) {
		unit_encoder_free(w->items[i].encoder);
		cu_release(&w->items[i].cu);
		member_reader_free(w->items[i].members);
	}
	FREE_ALL(w->items, w->func_by_name);
}

/* One reading of the units of one file, or of some of them: the argument of the callbacks. */
struct reading {
	struct program *p;
	struct input *in;
	struct workers *workers;
	struct dw_read_opts opts; /* of its DWARF */
	bool facts;               /* the facts of its units are wanted */
	const uint32_t *units;    /* the numbers of the units to read again; NULL: to read all */
	size_t first;             /* if all: index of the unit that is read first */
	struct pages_kept kept;
	uint64_t work; /* sum of cu.work of the units read so far */
};

static struct run run_for(struct program *p, const struct input *in)
{
	const struct compat *c = compat_get(p->opts->compat);

	return (struct run){
		.opts = p->opts,
		.strings = &p->strings,
		.types = &p->types,
		.file = (uint32_t)(in - p->inputs),
		.obj = &in->obj,
		.syms = &in->syms,
		.func_names_end = p->func_names_end,
		.kept_kfuncs = c->keep_kfuncs ? in->kfuncs.listed : NULL,
		.gcc_tags = &in->gcc_tags,
		.regs = c->registers_in_turn ? regs_of_pahole(in->obj.machine) :
					       regs_for_machine(in->obj.machine, in->obj.addr_size),
		.int_name = p->int_name,
		.fake_int = p->fake_int,
		.var_sections = in->var_sections,
		.section_map = &in->section_map,
		.apart_sections = in->apart_sections,
		.sites = encode_wants_sites(p->opts) && in->opened && in == &p->inputs[0],
		.addr_base = in->addr_base,
		.funcs_place = p->as_one ? STR_PLACE_FUNCS : 0,
		.omissions = p->omissions,
	};
}

static struct dw_read_opts read_opts(const struct program *p, const struct input *in)
{
	const struct encode_opts *o = p->opts;
	const struct compat *c = compat_get(o->compat);
	bool facts = program_wants_facts(p);

	return (struct dw_read_opts){
		.type_tags = feature_on(o, FEATURE_TYPE_TAG),
		.decl_tags = feature_on(o, FEATURE_DECL_TAG),
		.vars = in->var_sections || facts,
		.local_vars = p->omissions,
		.addr_slots = facts,
		.flat_arrays = c->flat_arrays,
		.c_types = c->c_types,
		.skip_inlined = c->skip_inlined,
		.enum_funcs = c->enum_funcs,
		.whole_vars = c->whole_vars,
		.sites = encode_wants_sites(o),
		.variants = feature_on(o, FEATURE_RUST_VARIANTS),
		/* facts and reports also list functions that are not in the symbol table */
		.func_names_end = facts || p->omissions ? UINT32_MAX : p->func_names_end,
		.langs = o->langs,
		.nr_langs = o->nr_langs,
		.lang_only = o->lang_only,
		.exclude = o->exclude_units,
		.nr_exclude = o->nr_exclude_units,
	};
}

/* Worker @i with what it needs for the file. */
static struct worker *worker_at(struct reading *r, unsigned int i)
{
	struct worker *w = &r->workers->items[i];

	if (r->in->from_btf) {
		if (!w->members)
			w->members = member_reader_new(&r->workers->run);
		return w;
	}
	if (!w->encoder)
		w->encoder = unit_encoder_new(&r->workers->run);
	if (!w->reader)
		w->reader = dw_reader_new(&r->in->dwarf, &r->opts);
	return w;
}

static void know_funcs(struct reading *r, bool known)
{
	for (size_t f = 0; f < r->in->syms.nr_funcs; f++) {
		uint32_t name = r->in->func_names[f];

		if (name)
			r->workers->func_by_name[name] = known ? (uint32_t)f + 1 : 0;
	}
}

static void reading_begin(struct reading *r)
{
	r->workers->run = run_for(r->p, r->in);
	r->workers->run.func_by_name = r->workers->func_by_name;
	r->opts = read_opts(r->p, r->in);
	r->facts = program_wants_facts(r->p);
	know_funcs(r, true);
}

static void reading_end(struct reading *r)
{
	know_funcs(r, false);
	for (unsigned int i = 0; i < r->workers->nr; i++) {
		dw_reader_free(r->workers->items[i].reader);
		r->workers->items[i].reader = NULL;
	}
	id_set_forget_older(&r->p->strings.set);
	id_set_forget_older(&r->p->types.set);
	input_give_back_rest(r->in, &r->kept);
}

/* Run @ops for @nr units. */
static struct err *run_units(struct reading *r, size_t nr, const struct ordered_ops *ops)
{
	unsigned int jobs = encode_jobs(r->p->opts, input_size(r->in));

	/* with @until, further workers would add types of units behind the last one that is used */
	if (r->p->until.nr)
		jobs = 0;

	struct err *err = ordered_run(nr, jobs, ops, r);
	/* errors of members have a location already */
	return r->in->from_btf ? err : err_at(err, "'%s'", r->in->path);
}

/* --- reading units ------------------------------------------------------------------ */

/* The data that a worker has read of one unit. */
struct unit_result {
	struct unit_btf btf;
	uint64_t work;              /* cu.work */
	struct unit_facts *facts;   /* NULL: not wanted */
	struct raw_unit *own_types; /* as in struct program_unit */
};

static void drop_unit(void *ctx UNUSED, void *ptr)
{
	struct unit_result *u = ptr;

	program_unit_release(&(struct program_unit){
		.btf = u->btf, .facts = u->facts, .own_types = u->own_types });
	free(u);
}

/* Complete the facts of the unit at hand. */
static void complete_facts(const struct reading *r, struct worker *w, struct unit_result *u)
{
	bool shared = input_nr_units(r->in) == 1 && !u->btf.irregular &&
		      !u->btf.multiply_defined.nr && !r->p->opts->for_link;

	/* units without entries, which those of assembler can be, do not count */
	if (r->in->dwarf.merged && w->cu.entries_lang == CU_LANGS_DIFFER)
		u->facts->head.lang = 0;
	else if (r->in->dwarf.merged && w->cu.entries_lang)
		u->facts->head.lang = w->cu.entries_lang;
	if (shared)
		return;
	u->own_types = mem_zalloc(1, sizeof(*u->own_types));
	raw_unit_from_cu(w->encoder, &w->cu, u->own_types);
}

static struct err *make_from_dwarf(const struct reading *r, struct worker *w, size_t i,
				   struct unit_result *u)
{
	uint32_t unit = u->btf.unit;
	bool wanted = false;

	TRY(dw_read_cu(w->reader, i, &w->cu, &wanted));
	u->work = w->cu.work;
	if (!wanted) {
		unit_left_out(w->encoder, &w->cu, unit, &u->btf);
		return NULL;
	}
	if (r->facts)
		u->facts = mem_zalloc(1, sizeof(*u->facts));
	TRY(unit_from_cu(w->encoder, &w->cu, unit, &u->btf, u->facts));
	if (u->facts)
		complete_facts(r, w, u);
	return NULL;
}

static struct err *make_unit(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct reading *r = ctx;

	if (r->p->reached)
		return NULL;

	struct worker *w = worker_at(r, worker);
	struct unit_result *u = mem_zalloc(1, sizeof(*u));
	struct err *err;

	i += r->first;
	u->btf.unit = r->in->first_unit + (uint32_t)i;
	if (r->in->from_btf)
		err = input_member_err(r->in, i,
				       unit_from_btf(w->members, &r->in->members.items[i],
						     u->btf.unit, &u->btf));
	else
		err = make_from_dwarf(r, w, i, u);
	if (err) {
		drop_unit(r, u);
		return err;
	}
	*ret = u;
	return NULL;
}

static struct err *commit_unit(void *ctx, size_t i, void *ptr)
{
	struct reading *r = ctx;
	struct program *p = r->p;
	struct unit_result *u = ptr;

	if (p->reached)
		return NULL;
	input_give_back(r->in, &r->kept, r->first + i);

	uint32_t unit = u->btf.unit;

	if (u->work) {
		r->work += u->work;
		struct err *err = dw_file_check_work(&r->in->dwarf, r->work);

		if (err) {
			drop_unit(r, u);
			return err;
		}
	}
	program_add_unit(p, &u->btf);
	p->units.items[unit].facts = u->facts;
	p->units.items[unit].own_types = u->own_types;
	free(u);
	progress_step(p->request->progress);
	/* with @until, one thread reads all units (run_units()) */
	if (p->until.nr)
		p->reached = until_reached(&p->until, &p->types);
	return NULL;
}

/* Most objects have one unit. */
enum { USUAL_UNITS = 1 };

static struct err *resume(struct program *p, struct input *in)
{
	const struct dw_open_opts opts = program_dw_opts(p);

	return input_resume(in, &p->strings, &opts, p->diags);
}

static struct err *read_all(struct reading *r)
{
	static const struct ordered_ops ops = { make_unit, commit_unit, drop_unit };
	struct input *in = r->in;
	bool has_left = !in->from_btf && dw_file_has_left(&in->dwarf);
	size_t nr = input_nr_units(in) - has_left;

	TRY(run_units(r, nr, &ops));
	if (!has_left || r->p->reached)
		return NULL;
	/* one more reading, for the type units that no unit refers to */
	dw_file_find_left(&in->dwarf);
	r->first = nr;
	return run_units(r, 1, &ops);
}

static struct err *read_file(struct program *p, struct input *in, struct workers *workers)
{
	struct reading r = { .p = p, .in = in, .workers = workers };

	TRY(resume(p, in));
	if (in->suspended)
		progress_recount(p->request->progress, USUAL_UNITS, in->nr_units);
	in->first_unit = (uint32_t)p->units.nr;
	reading_begin(&r);
	struct err *err = read_all(&r);
	reading_end(&r);
	TRY(err);
	if (!in->from_btf)
		TRY(err_at(dw_file_report_missing(&in->dwarf, p->diags), "'%s'", in->path));
	input_pause(in);
	return NULL;
}

/* A kernel has one distinct type per 4096 bytes of .debug_info. A table that is too large does no harm. */
enum { BYTES_PER_TYPE = 4096 };

struct err *read_units(struct program *p)
{
	CLEANUP(workers_release) struct workers workers = { 0 };
	size_t info = 0, nr_units = 0;

	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct input *in = &p->inputs[i];

		nr_units += in->suspended ? USUAL_UNITS : input_nr_units(in);
		if (!in->from_btf && !in->obj.is_rel)
			info += in->obj.debug[DEBUG_INFO].len;
	}
	id_set_expect(&p->types.set, info / BYTES_PER_TYPE);
	progress_count(p->request->progress, "units", nr_units);
	until_begin(&p->until, &p->strings);
	workers_init(&workers, p);
	for (size_t i = 0; i < p->nr_inputs && !p->reached; i++)
		TRY(read_file(p, &p->inputs[i], &workers));
	return NULL;
}

/* --- reading raw records -------------------------------------------------------------- */

static struct err *make_raw(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct reading *r = ctx;
	struct worker *w = worker_at(r, worker);
	struct raw_unit *x = mem_zalloc(1, sizeof(*x));
	size_t index = r->units[i] - r->in->first_unit;
	bool wanted = false;
	struct err *err;

	if (r->in->from_btf) {
		err = raw_unit_from_btf(w->members, &r->in->members.items[index], x);
	} else {
		err = dw_read_cu(w->reader, index, &w->cu, &wanted);
		if (!err)
			raw_unit_from_cu(w->encoder, &w->cu, x);
	}
	if (err) {
		free(x);
		return err;
	}
	*ret = x;
	return NULL;
}

static struct err *commit_raw(void *ctx, size_t i, void *made)
{
	struct reading *r = ctx;

	r->p->units.items[r->units[i]].raw = made;
	input_give_back(r->in, &r->kept, r->units[i] - r->in->first_unit);
	return NULL;
}

static void drop_raw(void *ctx UNUSED, void *made)
{
	raw_unit_release(made);
	free(made);
}

/* Read the raw records of @nr units of @in. */
static struct err *read_file_again(struct program *p, struct input *in, struct workers *workers,
				   const uint32_t *units, size_t nr)
{
	static const struct ordered_ops ops = { make_raw, commit_raw, drop_raw };
	struct reading r = { .p = p, .in = in, .workers = workers, .units = units };

	TRY(resume(p, in));
	reading_begin(&r);
	struct err *err = run_units(&r, nr, &ops);
	reading_end(&r);
	TRY(err);
	input_pause(in);
	return NULL;
}

struct err *read_raw_units(struct program *p)
{
	CLEANUP(workers_release) struct workers workers = { 0 };
	const uint32_t *units = p->raw_units.items;
	size_t nr = p->raw_units.nr, done = 0;

	if (nr)
		workers_init(&workers, p);
	for (size_t i = 0; i < p->nr_inputs; i++) {
		struct input *in = &p->inputs[i];
		size_t end = done;

		while (end < nr && units[end] < in->first_unit + input_nr_units(in))
			end++;
		if (end > done)
			TRY(read_file_again(p, in, &workers, units + done, end - done));
		done = end;
		if (!in->from_btf)
			dw_file_forget_lookups(&in->dwarf);
	}
	return NULL;
}
