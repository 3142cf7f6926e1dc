/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * encode.c - the sequence of passes from input files to BTF: encode_files(), at the end
 *
 * Workers read units in parallel and add their types and strings to the pools. The contributions
 * of the units are committed in the order of the input (base/os/ordered.h).
 */
#include "encoder/encode.h"

#include "base/cleanup.h"
#include "base/os/mapped_file.h"
#include "base/os/ordered.h"
#include "encoder/emit/assembly.h"
#include "encoder/emit/guess_places.h"
#include "encoder/emit/unit_blocks.h"
#include "encoder/member/facts_from_cu.h"
#include "encoder/sources.h"
#include "loader/dwarf/dw_read_cu.h"

#include <stdlib.h>

/* A thread's memory for reading units. */
struct worker {
	struct dw_reader *reader;
	struct unit_encoder *encoder;
	struct cu cu;
	struct member_reader *members; /* for members of an archive; the others are NULL then */
};

struct encode {
	const struct encode_job *job;
	const struct encode_opts *opts;
	struct diagnostics *diags;
	struct assembly assembly;
	struct sources sources;
	struct until until;
	bool reached; /* all types of @until are found: ignore all further units */
	/* of the file that is being read */
	struct input *in;
	struct run run;
	struct worker *workers;
	unsigned int nr_workers;
	size_t first;             /* index of the unit of this file that is read first */
	struct members_kept kept; /* or units, which were read and whose pages are not given back */
	uint64_t work;            /* sum of cu.work of the units read so far */
	const uint32_t *raw;      /* numbers of the units whose raw records are read */
};

static void free_workers(struct encode *e)
{
	for (unsigned int i = 0; i < e->nr_workers; i++) {
		dw_reader_free(e->workers[i].reader);
		unit_encoder_free(e->workers[i].encoder);
		cu_release(&e->workers[i].cu);
		member_reader_free(e->workers[i].members);
	}
	free(e->workers);
	e->workers = NULL;
	e->nr_workers = 0;
}

static void encode_release(struct encode *e)
{
	free_workers(e);
	assembly_release(&e->assembly); /* borrows from the sources */
	sources_release(&e->sources);
}

/* --- reading units ------------------------------------------------------------------ */

/* A file that may be linked further gets the facts of its units (unit_facts.h). */
static bool wants_facts(const struct encode *e)
{
	return e->opts->facts && !e->assembly.base && e->sources.nr_inputs == 1 &&
	       e->sources.inputs[0].opened && e->sources.inputs[0].obj.is_rel;
}

static struct worker *worker_at(struct encode *e, unsigned int i)
{
	struct worker *w = &e->workers[i];
	const struct encode_opts *o = e->opts;
	/* facts and reports also list functions that are not in the symbol table */
	bool all_funcs = wants_facts(e) || e->assembly.omissions;
	const struct dw_read_opts read = {
		.type_tags = feature_on(o, FEATURE_TYPE_TAG),
		.decl_tags = feature_on(o, FEATURE_DECL_TAG),
		.vars = e->run.var_sections || wants_facts(e),
		.local_vars = e->assembly.omissions,
		.addr_places = wants_facts(e),
		.flat_arrays = compat_get(o->compat)->flat_arrays,
		.c_types = compat_get(o->compat)->c_types,
		.skip_inlined = compat_get(o->compat)->skip_inlined,
		.enum_funcs = compat_get(o->compat)->enum_funcs,
		.whole_vars = compat_get(o->compat)->whole_vars,
		.variants = feature_on(o, FEATURE_RUST_VARIANTS),
		.func_names_end = all_funcs ? UINT32_MAX : e->sources.func_names_end,
		.langs = o->langs,
		.nr_langs = o->nr_langs,
		.lang_only = o->lang_only,
		.exclude = o->exclude_units,
		.nr_exclude = o->nr_exclude_units,
	};

	if (e->in->from_btf) {
		if (!w->members)
			w->members = member_reader_new(&e->run);
	} else if (!w->reader) {
		w->reader = dw_reader_new(&e->in->dwarf, &read);
		w->encoder = unit_encoder_new(&e->run);
	}
	return w;
}

/*
 * Unit @i of the DWARF is committed, so no thread reads it any more: give its pages and those of the units before it
 * back. Other threads are at most a window of units ahead (base/os/ordered.h).
 */
static void unit_passes(struct encode *e, size_t i)
{
	const struct dw_file *dw = &e->in->dwarf;
	const struct dw_unit *units = dw->units.items;

	/* the last reading has the type units that no unit refers to (dw_file_nr_readings()) */
	if (i == dw->units.nr)
		return;
	e->kept.size += units[i].end - units[i].start;
	if (e->kept.size < GIVE_BACK_STRIDE)
		return;
	object_forget_lookups(&e->in->obj);
	object_forget_info(&e->in->obj, units[e->kept.first].start, units[i].end);
	e->kept = (struct members_kept){ .first = i + 1 };
}

/* The memory grows with the output, not with the input. */
static void give_back(struct encode *e, size_t i)
{
	if (e->in->from_btf)
		members_pass(&e->kept, e->in->members.items, i);
	else
		unit_passes(e, i);
}

/* The data that a worker has read of one unit. */
struct unit_result {
	struct unit_btf btf;
	uint64_t work;              /* cu.work */
	struct unit_facts *facts;   /* NULL: not wanted */
	struct raw_unit *own_types; /* assembly_set_facts() */
};

static void drop_unit(void *ctx UNUSED, void *ptr)
{
	struct unit_result *r = ptr;

	unit_btf_release(&r->btf);
	if (r->facts)
		unit_facts_release(r->facts);
	free(r->facts);
	if (r->own_types)
		raw_unit_release(r->own_types);
	free(r->own_types);
	free(r);
}

/* Collect the facts of the unit at hand. */
static void collect_facts(struct encode *e, struct worker *w, struct unit_result *r)
{
	bool shared = input_nr_units(e->in) == 1 && !r->btf.irregular &&
		      !r->btf.multiply_defined.nr;

	r->facts = mem_zalloc(1, sizeof(*r->facts));
	facts_from_cu(w->encoder, &w->cu, &r->btf, r->facts);
	/* units without entries, which those of assembler can be, do not count */
	if (e->in->dwarf.merged && w->cu.entries_lang == CU_LANGS_DIFFER)
		r->facts->lang = 0;
	else if (e->in->dwarf.merged && w->cu.entries_lang)
		r->facts->lang = w->cu.entries_lang;
	if (shared)
		return;
	r->own_types = mem_zalloc(1, sizeof(*r->own_types));
	raw_unit_from_cu(w->encoder, &w->cu, r->own_types);
}

static struct err *make_from_dwarf(struct encode *e, struct worker *w, size_t i,
				   struct unit_result *r)
{
	uint32_t unit = r->btf.unit;
	bool wanted = false;

	TRY(dw_read_cu(w->reader, i, &w->cu, &wanted));
	r->work = w->cu.work;
	if (!wanted) {
		unit_left_out(w->encoder, &w->cu, unit, &r->btf);
		return NULL;
	}
	TRY(unit_from_cu(w->encoder, &w->cu, unit, &r->btf));
	if (wants_facts(e))
		collect_facts(e, w, r);
	return NULL;
}

static struct err *make_unit(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct encode *e = ctx;

	if (e->reached)
		return NULL;

	struct worker *w = worker_at(e, worker);
	struct unit_result *r = mem_zalloc(1, sizeof(*r));
	struct err *err;

	i += e->first;
	r->btf.unit = e->in->first_unit + (uint32_t)i;
	if (e->in->from_btf)
		err = input_member_err(e->in, i,
				       unit_from_btf(w->members, &e->in->members.items[i],
						     r->btf.unit, &r->btf));
	else
		err = make_from_dwarf(e, w, i, r);
	if (err) {
		drop_unit(e, r);
		return err;
	}
	*ret = r;
	return NULL;
}

static struct err *commit_unit(void *ctx, size_t i, void *ptr)
{
	struct encode *e = ctx;
	struct unit_result *r = ptr;

	if (e->reached)
		return NULL;
	give_back(e, e->first + i);

	uint32_t unit = r->btf.unit;

	if (r->work) {
		e->work += r->work;
		struct err *err = dw_file_check_work(&e->in->dwarf, e->work);

		if (err) {
			drop_unit(e, r);
			return err;
		}
	}
	assembly_add(&e->assembly, &r->btf);
	assembly_set_facts(&e->assembly, unit, r->facts, r->own_types);
	free(r);
	progress_step(e->job->progress);
	/* with @until, one thread reads all units (run_units()) */
	if (e->until.nr)
		e->reached = until_reached(&e->until, &e->assembly.types);
	return NULL;
}

static struct err *make_raw(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct encode *e = ctx;
	struct worker *w = worker_at(e, worker);
	struct raw_unit *x = mem_zalloc(1, sizeof(*x));
	size_t index = e->raw[i] - e->in->first_unit;
	bool wanted = false;
	struct err *err;

	if (e->in->from_btf) {
		err = raw_unit_from_btf(w->members, &e->in->members.items[index], x);
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
	struct encode *e = ctx;

	assembly_set_raw(&e->assembly, e->raw[i], made);
	give_back(e, e->raw[i] - e->in->first_unit);
	return NULL;
}

static void drop_raw(void *ctx UNUSED, void *made)
{
	raw_unit_release(made);
	free(made);
}

/* Run @ops for @nr units of @in. */
static struct err *run_units(struct encode *e, struct input *in, size_t nr,
			     const struct ordered_ops *ops)
{
	unsigned int jobs = encode_jobs(e->opts, input_size(in));

	if (jobs > nr)
		jobs = nr ? (unsigned int)nr : 1;
	/* with @until, further workers would add types of units behind the last one that is used */
	if (e->until.nr)
		jobs = 1;
	e->in = in;
	e->kept = (struct members_kept){ 0 };
	e->run = (struct run){
		.opts = e->opts,
		.strings = &e->assembly.strings,
		.types = &e->assembly.types,
		.file = (uint32_t)(in - e->sources.inputs),
		.obj = &in->obj,
		.syms = &in->syms,
		.func_by_name = e->sources.func_by_name,
		.func_names_end = e->sources.func_names_end,
		.kept_kfuncs = compat_get(e->opts->compat)->keep_kfuncs ? in->kfuncs.listed : NULL,
		.gcc_tags = &in->gcc_tags,
		.regs = compat_get(e->opts->compat)->registers_in_turn ?
				regs_of_pahole(in->obj.machine) :
				regs_for_machine(in->obj.machine, in->obj.addr_size),
		.record = { .features = e->opts->features,
			    .strings = &e->assembly.strings,
			    .c_types = compat_get(e->opts->compat)->c_types,
			    .fake_int = e->sources.fake_int },
		.int_name = e->sources.int_name,
		.var_sections = in->var_sections,
		.places = &in->places,
		.apart_sections = in->apart_sections,
		.funcs_place = e->assembly.as_one ? STR_PLACE_FUNCS : 0,
		.omissions = e->assembly.omissions,
	};
	e->workers = mem_zalloc(jobs, sizeof(e->workers[0]));
	e->nr_workers = jobs;

	sources_know_funcs(&e->sources, in, true);
	struct err *err = ordered_run(nr, jobs, ops, e);
	sources_know_funcs(&e->sources, in, false);
	free_workers(e);
	id_set_forget_older(&e->assembly.strings.set);
	id_set_forget_older(&e->assembly.types.set);
	if (in->from_btf) {
		members_give_back(in->members.items + e->kept.first,
				  in->members.nr - e->kept.first);
	} else {
		object_forget_lookups(&in->obj);
		object_forget_info(&in->obj, 0, SIZE_MAX);
	}
	/* errors of members have a location already */
	return in->from_btf ? err : err_at(err, "'%s'", in->path);
}

/* Most objects have one unit. */
enum { USUAL_UNITS = 1 };

static struct err *resume(struct encode *e, struct input *in)
{
	const struct dw_open_opts opts = sources_dw_opts(e->opts);

	return input_resume(in, &e->assembly.strings, &opts, e->diags);
}

static struct err *read_file(struct encode *e, struct input *in)
{
	static const struct ordered_ops ops = { make_unit, commit_unit, drop_unit };

	TRY(resume(e, in));
	if (in->suspended)
		progress_recount(e->job->progress, USUAL_UNITS, in->nr_units);
	in->first_unit = (uint32_t)e->assembly.units.nr;
	bool has_left = !in->from_btf && dw_file_has_left(&in->dwarf);
	size_t nr = input_nr_units(in) - has_left;

	e->first = 0;
	e->work = 0;
	TRY(run_units(e, in, nr, &ops));
	if (has_left && !e->reached) {
		/* one more reading, for the type units that no unit refers to */
		dw_file_find_left(&in->dwarf);
		e->first = nr;
		TRY(run_units(e, in, 1, &ops));
	}
	if (!in->from_btf)
		TRY(err_at(dw_file_report_missing(&in->dwarf, e->diags), "'%s'", in->path));
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
	struct report *r = e->job->report;

	if (!r)
		return;
	e->assembly.omissions = report_begin(r, &e->assembly.strings, NULL, NULL);
	report_empty_files(e);
	report_end(r, &e->assembly.strings, 0, NULL);
	r->begun = false;
}

static struct err *open_files(struct encode *e)
{
	const struct encode_job *job = e->job;
	struct assembly *a = &e->assembly;

	TRY(sources_open(&e->sources, job, e->opts, &a->strings, e->diags));
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
	if (job->report) {
		const struct input *only = e->sources.nr_inputs == 1 ? &e->sources.inputs[0] : NULL;

		a->omissions = report_begin(job->report, &a->strings, only ? &only->obj : NULL,
					    only ? &only->syms : NULL);
		const struct omission_log log = assembly_log(a, e->diags);
		sources_report_without_btf(&e->sources, &a->strings, &log);
		report_empty_files(e);
	}
	until_begin(&e->until, &a->strings);
	encode_stats_phase(job->stats, "open");
	return NULL;
}

/* A kernel has one distinct type per 4096 bytes of .debug_info. A table that is too large does no harm. */
enum { BYTES_PER_TYPE = 4096 };

static struct err *read_units(struct encode *e)
{
	size_t info = 0, nr_units = 0;

	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		const struct input *in = &e->sources.inputs[i];

		nr_units += in->suspended ? USUAL_UNITS : input_nr_units(in);
		if (!in->from_btf && !in->obj.is_rel)
			info += in->obj.debug[DEBUG_INFO].len;
	}
	id_set_expect(&e->assembly.types.set, info / BYTES_PER_TYPE);
	progress_count(e->job->progress, "units", nr_units);
	for (size_t i = 0; i < e->sources.nr_inputs && !e->reached; i++)
		TRY(read_file(e, &e->sources.inputs[i]));
	if (e->job->stats)
		encode_stats_units(e->job->stats, &e->assembly);
	encode_stats_phase(e->job->stats, "read");
	return NULL;
}

/* Read the raw records of @units, which are sorted. */
static struct err *read_raw(struct encode *e, const uint32_t *units, size_t nr)
{
	static const struct ordered_ops ops = { make_raw, commit_raw, drop_raw };
	size_t done = 0;

	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		struct input *in = &e->sources.inputs[i];
		size_t end = done;

		while (end < nr && units[end] < in->first_unit + input_nr_units(in))
			end++;
		e->raw = units + done;
		if (end > done) {
			TRY(resume(e, in));
			TRY(run_units(e, in, end - done, &ops));
			input_pause(in);
		}
		done = end;
	}
	return NULL;
}

static struct err *resolve_names(struct encode *e)
{
	uint32_t *units;

	progress_phase(e->job->progress, "deduplicating");
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
	encode_stats_phase(e->job->stats, "resolve");
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
	if (e->job->report)
		report_end(e->job->report, &e->assembly.strings, e->sources.func_names_end,
			   e->sources.nr_inputs == 1 ? &in->obj : NULL);
	encode_stats_phase(e->job->stats, "finish");
	return NULL;
}

struct err *encode_files(const struct encode_job *job, const struct encode_opts *opts,
			 struct diagnostics *diags, struct encoded *ret)
{
	CLEANUP(encode_release)
	struct encode e = { .job = job, .opts = opts, .diags = diags, .until = job->until };

	*ret = (struct encoded){ 0 };
	encode_stats_begin(job->stats);
	assembly_init(&e.assembly, opts);
	e.assembly.base = job->base;
	e.assembly.image_size = job->image_size;

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
	sources_check_dwarf(&e.sources, &e.assembly, job, diags);
	/* From here on no DWARF is read. */
	sources_check_members(&e.sources, &e.assembly, job->in_place, diags);

	/* Find where the linker has put the functions and variables of an archive. */
	place_members(&e);
	/* From here on functions and variables have addresses, as from DWARF. */

	/* Select functions and variables, append all records in pahole's order, deduplicate, check. */
	return emit(&e, ret);
}
