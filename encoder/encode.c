/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * encode.c - see encode.h
 *
 * Units are read and put into the pools by workers side by side, and committed in order.
 * When all are in, the very few of which the pools do not tell enough are read once more
 * (assembly_settle()), and the assembly makes the rest.
 */
#include "encoder/encode.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "encoder/emit/assembly.h"
#include "encoder/input.h"
#include "encoder/member/note_from_cu.h"
#include "encoder/members_alike.h"
#include "encoder/place/place_members.h"
#include "encoder/sources.h"
#include "loader/dwarf/dw_read_cu.h"

#include <stdlib.h>

struct worker {
	size_t unforgotten; /* bytes of .debug_info since it gave pages back */
	struct dw_reader *reader;
	struct unit_encoder *encoder;
	struct cu cu;
	struct member_reader *members; /* instead of these, for those of an archive */
};

struct encode {
	const struct encode_opts *opts;
	struct progress *progress;
	struct assembly assembly;
	struct sources sources;
	/* of the file at hand */
	struct input *in;
	struct run run;
	struct worker *workers;
	unsigned int nr_workers;
	size_t first;  /* the unit of this file that the run begins with */
	uint64_t work; /* bytes of other units that its units needed so far */
	struct until until;
	bool reached;          /* what was asked for was read: add no more units */
	const uint32_t *exact; /* the units to read once more, and where they start in this file */
};

static void drop_workers(struct encode *e)
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
	drop_workers(e);
	assembly_release(&e->assembly); /* borrows from the sources */
	sources_release(&e->sources);
}

/* --- reading units ------------------------------------------------------------------ */

/*
 * A note is for what a compiler has made, and what a linker will. Several units are what it has
 * made already.
 */
static bool wants_note(const struct encode *e)
{
	return e->opts->member_notes && !e->assembly.base && e->sources.nr_inputs == 1 &&
	       e->in->obj.is_rel && !e->in->from_btf && input_nr_units(e->in) == 1;
}

/* Those that are not in the symbol table go into a note, and into a report. */
static bool wants_all_funcs(const struct encode *e)
{
	return wants_note(e) || e->assembly.omissions;
}

static struct worker *worker_at(struct encode *e, unsigned int i)
{
	struct worker *w = &e->workers[i];
	const struct encode_opts *o = e->opts;
	const struct dw_read_opts read = {
		.type_tags = feature_on(o, FEATURE_TYPE_TAG),
		.decl_tags = feature_on(o, FEATURE_DECL_TAG),
		.vars = e->run.var_sections != NULL,
		.func_names_end = wants_all_funcs(e) ? UINT32_MAX : e->sources.func_names_end,
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

enum { FORGET_STRIDE = 2 * 1024 * 1024 };

static struct err *read_unit(struct encode *e, struct worker *w, size_t i, bool *wanted)
{
	const struct dw_file *dw = &e->in->dwarf;

	if (dw->merged)
		return dw_read_merged(w->reader, &w->cu, wanted);

	struct err *err = dw_read_cu(w->reader, i, &w->cu, wanted);

	if (i == dw->units.nr)
		return err;
	const struct dw_unit *u = &dw->units.items[i];
	/* keep what is resident the size of the output, not of the input */
	object_forget_info(&e->in->obj, u->start, u->end);
	w->unforgotten += u->end - u->start;
	if (w->unforgotten > FORGET_STRIDE) {
		object_forget_lookups(&e->in->obj);
		w->unforgotten = 0;
	}
	return err;
}

/* What a worker makes of a unit. */
struct made {
	struct unit_btf btf;
	uint64_t work;            /* cu.work */
	struct raw_unit *exact;   /* if all units are judged as they are */
	struct member_note *note; /* if one is wanted */
};

static void drop_made(void *ctx UNUSED, void *ptr)
{
	struct made *made = ptr;

	unit_btf_release(&made->btf);
	if (made->exact)
		raw_unit_release(made->exact);
	free(made->exact);
	if (made->note)
		member_note_release(made->note);
	free(made->note);
	free(made);
}

static struct err *make_from_dwarf(struct encode *e, struct worker *w, size_t i, uint32_t unit,
				   struct made *made)
{
	bool wanted = false;

	TRY(read_unit(e, w, i, &wanted));
	made->work = w->cu.work;
	if (wanted)
		TRY(unit_from_cu(w->encoder, &w->cu, unit, &made->btf));
	else
		unit_left_out(w->encoder, &w->cu, unit, &made->btf);
	if (wanted && e->opts->dedup_by_rule) {
		made->exact = mem_zalloc(1, sizeof(*made->exact));
		TRY(raw_unit_from_cu(w->encoder, &w->cu, made->exact));
	}
	if (wanted && wants_note(e)) {
		made->note = mem_zalloc(1, sizeof(*made->note));
		TRY(note_from_cu(w->encoder, &w->cu, &made->btf, made->note));
		if (e->in->dwarf.merged)
			made->note->lang = 0;
	}
	return NULL;
}

static struct err *make_from_btf(struct encode *e, struct worker *w, size_t i, uint32_t unit,
				 struct made *made)
{
	const struct member *member = &e->in->members.items[i];

	TRY(unit_from_btf(w->members, member, unit, &made->btf));
	if (e->opts->dedup_by_rule) {
		made->exact = mem_zalloc(1, sizeof(*made->exact));
		TRY(raw_unit_from_btf(w->members, member, made->exact));
	}
	return NULL;
}

static struct err *make_unit(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct encode *e = ctx;

	if (e->reached)
		return NULL;

	struct worker *w = worker_at(e, worker);
	struct made *made = mem_zalloc(1, sizeof(*made));
	uint32_t unit;

	i += e->first;
	unit = e->in->first_unit + (uint32_t)i;

	made->btf.unit = unit;
	struct err *err = e->in->from_btf ? make_from_btf(e, w, i, unit, made) :
					    make_from_dwarf(e, w, i, unit, made);
	if (err) {
		drop_made(e, made);
		return e->in->from_btf ? input_member_err(e->in, i, err) : err;
	}
	*ret = made;
	return NULL;
}

static struct err *commit_unit(void *ctx, size_t i UNUSED, void *ptr)
{
	struct encode *e = ctx;
	struct made *made = ptr;

	if (e->reached)
		return NULL;

	uint32_t unit = made->btf.unit;

	if (!e->in->from_btf)
		e->work += made->work;
	if (made->work) {
		struct err *err = dw_file_check_work(&e->in->dwarf, e->work);

		if (err) {
			drop_made(e, made);
			return err;
		}
	}
	assembly_add(&e->assembly, &made->btf);
	if (made->exact)
		assembly_set_exact(&e->assembly, unit, made->exact);
	if (made->note)
		assembly_set_note(&e->assembly, unit, made->note);
	free(made->exact);
	free(made->note);
	free(made);
	progress_step(e->progress);
	e->reached = until_reached(&e->until, &e->assembly.types);
	return NULL;
}

static struct err *make_exact(void *ctx, unsigned int worker, size_t i, void **ret)
{
	struct encode *e = ctx;
	struct worker *w = worker_at(e, worker);
	struct raw_unit *x = mem_zalloc(1, sizeof(*x));
	size_t index = e->exact[i] - e->in->first_unit;
	bool wanted = false;
	struct err *err;

	if (e->in->from_btf) {
		err = raw_unit_from_btf(w->members, &e->in->members.items[index], x);
	} else {
		err = read_unit(e, w, index, &wanted);
		if (!err)
			err = raw_unit_from_cu(w->encoder, &w->cu, x);
	}
	if (err) {
		free(x);
		return err;
	}
	*ret = x;
	return NULL;
}

static struct err *commit_exact(void *ctx, size_t i, void *made)
{
	struct encode *e = ctx;

	assembly_set_exact(&e->assembly, e->exact[i], made);
	free(made);
	return NULL;
}

static void drop_exact(void *ctx UNUSED, void *made)
{
	raw_unit_release(made);
	free(made);
}

/* Run @ops over @nr units of @in, or as many as are to be read once more. */
static struct err *run_units(struct encode *e, struct input *in, size_t nr,
			     const struct ordered_ops *ops)
{
	unsigned int jobs = sources_jobs(e->opts, input_size(in));

	if (jobs > nr)
		jobs = nr ? (unsigned int)nr : 1;
	/* others would add types to the pool that no unit has */
	if (e->until.nr)
		jobs = 1;
	e->in = in;
	e->run = (struct run){
		.opts = e->opts,
		.strings = &e->assembly.strings,
		.types = &e->assembly.types,
		.file = (uint32_t)(in - e->sources.inputs),
		.obj = &in->obj,
		.syms = &in->syms,
		.func_by_name = in->func_by_name,
		.func_names_end = e->sources.func_names_end,
		.gcc_tags = &in->gcc_tags,
		.regs = regs_for_machine(in->obj.machine),
		.record = { e->opts->features, &e->assembly.strings, e->sources.fake_int },
		.int_name = e->sources.int_name,
		.var_sections = in->var_sections,
		.apart_sections = in->apart_sections,
		.omissions = e->assembly.omissions,
	};
	e->workers = mem_zalloc(jobs, sizeof(e->workers[0]));
	e->nr_workers = jobs;

	struct err *err = ordered_run(nr, jobs, ops, e);
	drop_workers(e);
	id_set_forget_older(&e->assembly.strings.set);
	id_set_forget_older(&e->assembly.types.set);
	if (!in->from_btf)
		object_forget_lookups(&in->obj);
	/* a member says itself where it is */
	return in->from_btf ? err : err_at(err, "'%s'", in->path);
}

static struct err *read_units(struct encode *e, struct input *in)
{
	static const struct ordered_ops ops = { make_unit, commit_unit, drop_made };
	bool has_left = !in->from_btf && dw_file_has_left(&in->dwarf);
	size_t nr = input_nr_units(in) - has_left;

	e->first = 0;
	e->work = 0;
	TRY(run_units(e, in, nr, &ops));
	if (!has_left || e->reached)
		return NULL;
	/* the types that no unit has asked for */
	dw_file_find_left(&in->dwarf);
	e->first = nr;
	return run_units(e, in, 1, &ops);
}

/* About how many bytes of linked files say a type of its own, as in kernels. Too many is no harm. */
enum { BYTES_PER_TYPE = 4096 };

static void make_room(struct encode *e)
{
	size_t info = 0;

	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		const struct input *in = &e->sources.inputs[i];

		if (!in->from_btf && !in->obj.is_rel)
			info += in->obj.debug[DEBUG_INFO].len;
	}
	id_set_expect(&e->assembly.types.set, info / BYTES_PER_TYPE);
}

static size_t nr_units(const struct sources *s)
{
	const struct input *last = &s->inputs[s->nr_inputs - 1];

	return last->first_unit + input_nr_units(last);
}

static struct err *read_all(struct encode *e, struct diagnostics *diags)
{
	make_room(e);
	progress_count(e->progress, "units", nr_units(&e->sources));
	for (size_t i = 0; i < e->sources.nr_inputs && !e->reached; i++) {
		struct input *in = &e->sources.inputs[i];

		TRY(read_units(e, in));
		if (!in->from_btf)
			TRY(err_at(dw_file_report_missing(&in->dwarf, diags), "'%s'", in->path));
	}
	return NULL;
}

/* Read the units that are wanted as they are. */
static struct err *read_exact(struct encode *e, const uint32_t *units, size_t nr)
{
	static const struct ordered_ops ops = { make_exact, commit_exact, drop_exact };
	size_t done = 0;

	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		struct input *in = &e->sources.inputs[i];
		size_t end = done;

		while (end < nr && units[end] < in->first_unit + input_nr_units(in))
			end++;
		e->exact = units + done;
		if (end > done)
			TRY(run_units(e, in, end - done, &ops));
		done = end;
	}
	return NULL;
}

/* Nothing is read any more. */
static void forget_lookups(struct encode *e)
{
	for (size_t i = 0; i < e->sources.nr_inputs; i++) {
		if (!e->sources.inputs[i].from_btf)
			dw_file_forget_lookups(&e->sources.inputs[i].dwarf);
	}
}

/* Variables and functions of members are where the linker put them. */
static void place_members(struct encode *e, struct diagnostics *diags)
{
	const struct input *in = &e->sources.inputs[0];
	const struct omission_log log = assembly_log(&e->assembly, diags);

	if (in->from_btf)
		assembly_place_funcs(&e->assembly);
	if (in->from_btf && in->var_sections)
		assembly_place_vars(&e->assembly, input_nr_units(in), in->var_sections,
				    in->apart_sections, &log);
}

struct err *encode_files(const struct encode_job *job, const struct encode_opts *opts,
			 struct diagnostics *diags, struct encoded *ret)
{
	CLEANUP(encode_release) struct encode e = { .opts = opts, .progress = job->progress };
	uint32_t *units;

	*ret = (struct encoded){ 0 };
	encode_stats_begin(job->stats);
	assembly_init(&e.assembly, opts);
	e.assembly.base = job->base;
	e.assembly.image_size = job->image_size;
	TRY(sources_open(&e.sources, job, opts, &e.assembly.strings, diags));
	if (!e.sources.nr_inputs)
		return NULL;
	for (size_t i = 0; i < e.sources.nr_inputs; i++) {
		const struct input *in = &e.sources.inputs[i];

		vec_push(&e.assembly.files,
			 ((struct func_file){ &in->obj, &in->syms, in->func_names, &in->kfuncs }));
	}
	if (job->report) {
		e.assembly.omissions = report_begin(job->report, &e.assembly.strings);
		const struct omission_log log = assembly_log(&e.assembly, diags);
		sources_report_without_btf(&e.sources, &e.assembly.strings, &log);
	}
	e.until = job->until;
	until_begin(&e.until, &e.assembly.strings);
	encode_stats_phase(job->stats, "open");
	TRY(read_all(&e, diags));
	if (job->stats)
		encode_stats_units(job->stats, &e.assembly);
	encode_stats_phase(job->stats, "read");

	progress_phase(job->progress, "deduplicating");
	size_t nr_exact = assembly_settle(&e.assembly, &units);
	struct err *err = read_exact(&e, units, nr_exact);
	free(units);
	TRY(err);
	forget_lookups(&e);
	members_alike_check(&e.assembly, &e.sources, job->in_place, diags);
	place_members(&e, diags);
	encode_stats_phase(job->stats, "settle");
	TRY(err_at(assembly_finish(&e.assembly, diags, ret), "'%s'", e.sources.inputs[0].path));
	if (job->report)
		report_end(job->report, &e.assembly.strings, e.sources.func_names_end,
			   e.sources.nr_inputs == 1 ? &e.sources.inputs[0].obj : NULL);
	encode_stats_phase(job->stats, "finish");
	return NULL;
}
