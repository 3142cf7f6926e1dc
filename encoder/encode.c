/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * encode.c - the sequence of passes from input files to BTF: encode_files(), at the end
 *
 * Workers read units in parallel and add their types and strings to the pools. The contributions
 * of the units are committed in the order of the input (base/os/ordered.h).
 */
#include "encoder/encode.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "encoder/emit/assembly.h"
#include "encoder/emit/guess_places.h"
#include "encoder/emit/unit_blocks.h"
#include "encoder/member/facts_from_cu.h"
#include "encoder/sources.h"
#include "loader/dwarf/dw_read_cu.h"

#include <stdlib.h>

struct encode {
	const struct encode_request *request;
	const struct encode_opts *opts;
	struct diagnostics *diags;
	struct assembly assembly;
	struct sources sources;
	struct until until;
	bool reached; /* all types of @until are found: ignore all further units */
};

static void encode_release(struct encode *e)
{
	assembly_release(&e->assembly); /* borrows from the sources */
	sources_release(&e->sources);
}

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
};

static void workers_init(struct workers *w, const struct encode_opts *opts)
{
	w->nr = encode_jobs(opts, SIZE_MAX);
	w->items = mem_zalloc(w->nr, sizeof(w->items[0]));
}

static void workers_release(struct workers *w)
{
	for (unsigned int i = 0; i < w->nr; i++) {
		unit_encoder_free(w->items[i].encoder);
		cu_release(&w->items[i].cu);
		member_reader_free(w->items[i].members);
	}
	free(w->items);
}

/* One reading of the units of one file, or of some of them: the argument of the callbacks. */
struct reading {
	struct encode *e;
	struct input *in;
	struct workers *workers;
	struct dw_read_opts opts; /* of its DWARF */
	bool facts;               /* the facts of its units are wanted */
	const uint32_t *units;    /* the numbers of the units to read again; NULL: to read all */
	size_t first;             /* if all: index of the unit that is read first */
	struct pages_kept kept;
	uint64_t work; /* sum of cu.work of the units read so far */
};

/* A file that may be linked further gets the facts of its units (unit_facts.h). */
static bool wants_facts(const struct encode *e)
{
	return e->opts->facts && !e->assembly.base && e->sources.nr_inputs == 1 &&
	       e->sources.inputs[0].opened && e->sources.inputs[0].obj.is_rel;
}

static struct run run_for(struct encode *e, const struct input *in)
{
	const struct compat *c = compat_get(e->opts->compat);

	return (struct run){
		.opts = e->opts,
		.strings = &e->assembly.strings,
		.types = &e->assembly.types,
		.file = (uint32_t)(in - e->sources.inputs),
		.obj = &in->obj,
		.syms = &in->syms,
		.func_by_name = e->sources.func_by_name,
		.func_names_end = e->sources.func_names_end,
		.kept_kfuncs = c->keep_kfuncs ? in->kfuncs.listed : NULL,
		.gcc_tags = &in->gcc_tags,
		.regs = c->registers_in_turn ? regs_of_pahole(in->obj.machine) :
					       regs_for_machine(in->obj.machine, in->obj.addr_size),
		.record = { .features = e->opts->features,
			    .strings = &e->assembly.strings,
			    .c_types = c->c_types,
			    .fake_int = e->sources.fake_int },
		.int_name = e->sources.int_name,
		.var_sections = in->var_sections,
		.places = &in->places,
		.apart_sections = in->apart_sections,
		.funcs_place = e->assembly.as_one ? STR_PLACE_FUNCS : 0,
		.omissions = e->assembly.omissions,
	};
}

static struct dw_read_opts read_opts(const struct encode *e, const struct input *in)
{
	const struct encode_opts *o = e->opts;
	const struct compat *c = compat_get(o->compat);
	bool facts = wants_facts(e);

	return (struct dw_read_opts){
		.type_tags = feature_on(o, FEATURE_TYPE_TAG),
		.decl_tags = feature_on(o, FEATURE_DECL_TAG),
		.vars = in->var_sections || facts,
		.local_vars = e->assembly.omissions,
		.addr_places = facts,
		.flat_arrays = c->flat_arrays,
		.c_types = c->c_types,
		.skip_inlined = c->skip_inlined,
		.enum_funcs = c->enum_funcs,
		.whole_vars = c->whole_vars,
		.variants = feature_on(o, FEATURE_RUST_VARIANTS),
		/* facts and reports also list functions that are not in the symbol table */
		.func_names_end = facts || e->assembly.omissions ? UINT32_MAX :
								   e->sources.func_names_end,
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

static void reading_begin(struct reading *r)
{
	r->workers->run = run_for(r->e, r->in);
	r->opts = read_opts(r->e, r->in);
	r->facts = wants_facts(r->e);
	sources_know_funcs(&r->e->sources, r->in, true);
}

static void reading_end(struct reading *r)
{
	sources_know_funcs(&r->e->sources, r->in, false);
	for (unsigned int i = 0; i < r->workers->nr; i++) {
		dw_reader_free(r->workers->items[i].reader);
		r->workers->items[i].reader = NULL;
	}
	id_set_forget_older(&r->e->assembly.strings.set);
	id_set_forget_older(&r->e->assembly.types.set);
	input_pass_rest(r->in, &r->kept);
}

/* Run @ops for @nr units. */
static struct err *run_units(struct reading *r, size_t nr, const struct ordered_ops *ops)
{
	unsigned int jobs = encode_jobs(r->e->opts, input_size(r->in));

	if (jobs > nr)
		jobs = nr ? (unsigned int)nr : 1;
	/* with @until, further workers would add types of units behind the last one that is used */
	if (r->e->until.nr)
		jobs = 1;

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
	struct raw_unit *own_types; /* assembly_set_facts() */
};

static void drop_unit(void *ctx UNUSED, void *ptr)
{
	struct unit_result *u = ptr;

	unit_btf_release(&u->btf);
	if (u->facts)
		unit_facts_release(u->facts);
	free(u->facts);
	if (u->own_types)
		raw_unit_release(u->own_types);
	free(u->own_types);
	free(u);
}

/* Collect the facts of the unit at hand. */
static void collect_facts(const struct reading *r, struct worker *w, struct unit_result *u)
{
	bool shared = input_nr_units(r->in) == 1 && !u->btf.irregular &&
		      !u->btf.multiply_defined.nr;

	u->facts = mem_zalloc(1, sizeof(*u->facts));
	facts_from_cu(w->encoder, &w->cu, &u->btf, u->facts);
	/* units without entries, which those of assembler can be, do not count */
	if (r->in->dwarf.merged && w->cu.entries_lang == CU_LANGS_DIFFER)
		u->facts->lang = 0;
	else if (r->in->dwarf.merged && w->cu.entries_lang)
		u->facts->lang = w->cu.entries_lang;
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
	TRY(unit_from_cu(w->encoder, &w->cu, unit, &u->btf));
	if (r->facts)
		collect_facts(r, w, u);
	return NULL;
}

static struct err *make_unit(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct reading *r = ctx;

	if (r->e->reached)
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
	struct encode *e = r->e;
	struct unit_result *u = ptr;

	if (e->reached)
		return NULL;
	input_pass(r->in, &r->kept, r->first + i);

	uint32_t unit = u->btf.unit;

	if (u->work) {
		r->work += u->work;
		struct err *err = dw_file_check_work(&r->in->dwarf, r->work);

		if (err) {
			drop_unit(r, u);
			return err;
		}
	}
	assembly_add(&e->assembly, &u->btf);
	assembly_set_facts(&e->assembly, unit, u->facts, u->own_types);
	free(u);
	progress_step(e->request->progress);
	/* with @until, one thread reads all units (run_units()) */
	if (e->until.nr)
		e->reached = until_reached(&e->until, &e->assembly.types);
	return NULL;
}

/* Most objects have one unit. */
enum { USUAL_UNITS = 1 };

static struct err *resume(struct encode *e, struct input *in)
{
	const struct dw_open_opts opts = sources_dw_opts(e->opts);

	return input_resume(in, &e->assembly.strings, &opts, e->diags);
}

static struct err *read_all(struct reading *r)
{
	static const struct ordered_ops ops = { make_unit, commit_unit, drop_unit };
	struct input *in = r->in;
	bool has_left = !in->from_btf && dw_file_has_left(&in->dwarf);
	size_t nr = input_nr_units(in) - has_left;

	TRY(run_units(r, nr, &ops));
	if (!has_left || r->e->reached)
		return NULL;
	/* one more reading, for the type units that no unit refers to */
	dw_file_find_left(&in->dwarf);
	r->first = nr;
	return run_units(r, 1, &ops);
}

static struct err *read_file(struct encode *e, struct input *in, struct workers *workers)
{
	struct reading r = { .e = e, .in = in, .workers = workers };

	TRY(resume(e, in));
	if (in->suspended)
		progress_recount(e->request->progress, USUAL_UNITS, in->nr_units);
	in->first_unit = (uint32_t)e->assembly.units.nr;
	reading_begin(&r);
	struct err *err = read_all(&r);
	reading_end(&r);
	TRY(err);
	if (!in->from_btf)
		TRY(err_at(dw_file_report_missing(&in->dwarf, e->diags), "'%s'", in->path));
	input_pause(in);
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

	assembly_set_raw(&r->e->assembly, r->units[i], made);
	input_pass(r->in, &r->kept, r->units[i] - r->in->first_unit);
	return NULL;
}

static void drop_raw(void *ctx UNUSED, void *made)
{
	raw_unit_release(made);
	free(made);
}

/* Read the raw records of @nr units of @in. */
static struct err *read_file_again(struct encode *e, struct input *in, struct workers *workers,
				   const uint32_t *units, size_t nr)
{
	static const struct ordered_ops ops = { make_raw, commit_raw, drop_raw };
	struct reading r = { .e = e, .in = in, .workers = workers, .units = units };

	TRY(resume(e, in));
	reading_begin(&r);
	struct err *err = run_units(&r, nr, &ops);
	reading_end(&r);
	TRY(err);
	input_pause(in);
	return NULL;
}

/* --- the passes ----------------------------------------------------------------------- */

static void report_empty_files(struct encode *e)
{
	struct assembly *a = &e->assembly;
	const struct omission_log log = assembly_log(a, e->diags);

	for (size_t i = 0; i < e->sources.empty.nr; i++) {
		const char *path = e->sources.empty.items[i];
		uint32_t name = str_pool_add(&a->strings, path, strlen(path));

		omission_report(&log, (struct omission){ OMIT_UNIT_NO_BTF, .name = name });
	}
}

/* There is no file to encode. The report has the files, but does not count as begun. */
static void report_only_empty_files(struct encode *e)
{
	struct report *r = e->request->report;

	if (!r)
		return;
	e->assembly.omissions = report_begin(r, &e->assembly.strings, NULL, NULL);
	report_empty_files(e);
	report_end(r, &e->assembly.strings, 0, NULL);
	r->begun = false;
}

static struct err *open_files(struct encode *e)
{
	const struct encode_request *request = e->request;
	struct assembly *a = &e->assembly;

	TRY(sources_open(&e->sources, request, e->opts, &a->strings, e->diags));
	if (!e->sources.nr_inputs) {
		report_only_empty_files(e);
		return NULL;
	}
	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		const struct input *in = &e->sources.inputs[i];

		vec_push(&a->files,
			 ((struct func_file){ &in->obj, &in->syms, in->func_names, &in->kfuncs }));
	}
	/* several files are not one unit, although the members of each are */
	a->as_one = e->sources.nr_inputs == 1 && e->sources.inputs[0].as_one;
	if (request->report) {
		const struct input *only = e->sources.nr_inputs == 1 ? &e->sources.inputs[0] : NULL;

		a->omissions = report_begin(request->report, &a->strings, only ? &only->obj : NULL,
					    only ? &only->syms : NULL);
		const struct omission_log log = assembly_log(a, e->diags);
		sources_report_without_btf(&e->sources, &a->strings, &log);
		report_empty_files(e);
	}
	until_begin(&e->until, &a->strings);
	encode_stats_phase(request->stats, "open");
	return NULL;
}

/* A kernel has one distinct type per 4096 bytes of .debug_info. A table that is too large does no harm. */
enum { BYTES_PER_TYPE = 4096 };

static struct err *read_units(struct encode *e)
{
	CLEANUP(workers_release) struct workers workers = { 0 };
	size_t info = 0, nr_units = 0;

	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		const struct input *in = &e->sources.inputs[i];

		nr_units += in->suspended ? USUAL_UNITS : input_nr_units(in);
		if (!in->from_btf && !in->obj.is_rel)
			info += in->obj.debug[DEBUG_INFO].len;
	}
	id_set_expect(&e->assembly.types.set, info / BYTES_PER_TYPE);
	progress_count(e->request->progress, "units", nr_units);
	workers_init(&workers, e->opts);
	for (size_t i = 0; i < e->sources.nr_inputs && !e->reached; i++)
		TRY(read_file(e, &e->sources.inputs[i], &workers));
	if (e->request->stats)
		encode_stats_units(e->request->stats, &e->assembly);
	encode_stats_phase(e->request->stats, "read");
	return NULL;
}

/* Read the raw records of @units, which are sorted. */
static struct err *read_raw(struct encode *e, const uint32_t *units, size_t nr)
{
	CLEANUP(workers_release) struct workers workers = { 0 };
	size_t done = 0;

	if (nr)
		workers_init(&workers, e->opts);
	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		struct input *in = &e->sources.inputs[i];
		size_t end = done;

		while (end < nr && units[end] < in->first_unit + input_nr_units(in))
			end++;
		if (end > done)
			TRY(read_file_again(e, in, &workers, units + done, end - done));
		done = end;
	}
	return NULL;
}

static struct err *resolve_names(struct encode *e)
{
	uint32_t *units;

	progress_phase(e->request->progress, "deduplicating");
	size_t nr = assembly_resolve(&e->assembly, e->diags, &units);
	struct err *err = read_raw(e, units, nr);
	free(units);
	for (size_t i = 0; !err && i < e->sources.nr_inputs; i++) {
		if (!e->sources.inputs[i].from_btf)
			dw_file_forget_lookups(&e->sources.inputs[i].dwarf);
	}
	return err;
}

static void place_members(struct encode *e)
{
	const struct input *in = &e->sources.inputs[0];
	const struct omission_log log = assembly_log(&e->assembly, e->diags);

	if (in->from_btf && in->var_sections)
		assembly_place_vars(&e->assembly, input_nr_units(in), in->var_sections,
				    in->apart_sections, &log);
	encode_stats_phase(e->request->stats, "resolve");
}

static struct err *emit(struct encode *e, struct encoded *ret)
{
	const struct input *in = &e->sources.inputs[0];

	TRY(err_at(assembly_finish(&e->assembly, e->diags, ret), "'%s'", in->path));
	if (!ret->btf && !in->from_btf && in->dwarf.missing_sup)
		return err_new(ERR_IO, "'%s': nothing can be read without '%s'", in->path,
			       in->dwarf.missing_sup);
	if (!ret->btf && !in->from_btf)
		diag_add(e->diags, in->obj.is_rel ? DIAG_VERBOSE : DIAG_WARNING,
			 "'%s': its units have no types or are excluded: nothing to encode",
			 in->path);
	if (in->from_btf && wants_facts(e) && ret->btf)
		TRY(err_at(unit_blocks_copy(&e->assembly, in->facts_section, in->members.items,
					    ret),
			   "'%s'", in->path));
	if (e->request->report)
		report_end(e->request->report, &e->assembly.strings, e->sources.func_names_end,
			   e->sources.nr_inputs == 1 ? &in->obj : NULL);
	encode_stats_phase(e->request->stats, "finish");
	return NULL;
}

struct err *encode_files(const struct encode_request *request, const struct encode_opts *opts,
			 struct diagnostics *diags, struct encoded *ret)
{
	CLEANUP(encode_release)
	struct encode e = {
		.request = request, .opts = opts, .diags = diags, .until = request->until
	};

	*ret = (struct encoded){ 0 };
	encode_stats_begin(request->stats);
	assembly_init(&e.assembly, opts);
	e.assembly.base = request->base;
	e.assembly.image_size = request->image_size;

	/* Find out for each file whether its units are those of its DWARF or members of an archive. */
	TRY(open_files(&e));
	if (!e.sources.nr_inputs)
		return NULL;
	/*
	 * From here on the files are mapped, their symbols and their list of units are read, and
	 * the ids of the names of functions are the lowest in the string pool.
	 */

	/* Read all units in parallel. */
	TRY(read_units(&e));
	/*
	 * From here on the pools have all types of the program. Functions and variables wait in the
	 * assembly, because they depend on all units.
	 */

	/*
	 * Find the names with several meanings. If a unit needs records of its own and the pool
	 * does not suffice to build them, read the unit again.
	 */
	TRY(resolve_names(&e));

	/* Warn if an archive may give another BTF than DWARF. */
	sources_check_dwarf(&e.sources, &e.assembly, request, diags);
	/* From here on no DWARF is read. */
	sources_check_members(&e.sources, &e.assembly, request->in_place, diags);

	/* Find where the linker has put the functions and variables of an archive. */
	place_members(&e);
	/* From here on functions and variables have addresses, as from DWARF. */

	/* Select functions and variables, append all records in pahole's order, deduplicate, check. */
	return emit(&e, ret);
}
