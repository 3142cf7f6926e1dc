/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * encode.c - the passes from input files to BTF
 *
 * Above each pass is the sentence that is true after it. The passes share struct program (encoder/program/program.h).
 */
#include "encoder/encode.h"

#include "base/cleanup.h"
#include "encoder/program/passes.h"

/* The files become units, and it is decided what is described. */
static struct err *read_program(struct program *p)
{
	struct encode_stats *stats = p->request->stats;

	/* The tables of the files are read: symbols and units. Names of functions have the lowest string ids. */
	TRY(read_tables(p));
	/* The report has the files without BTF. */
	begin_report(p);
	encode_stats_phase(stats, "open");

	/* The pools have all types of the program. Each unit has its contribution, with all functions and variables. */
	TRY(read_units(p));
	encode_stats_units(stats, p);
	encode_stats_phase(stats, "read");

	progress_phase(p->request->progress, "deduplicating");
	/* Names with several meanings, the units that need records of their own, and the functions to describe are known. */
	resolve_names(p);
	/* A unit that needs records of its own has them, or the pool suffices to make them. */
	TRY(read_raw_units(p));

	/* A unit that has DWARF but no BTF is reported. No DWARF is read any more. */
	check_dwarf(p);
	/* If an archive may give another BTF than DWARF, there is a warning. */
	check_members(p);
	/* Variables of an archive have addresses, as from DWARF. */
	locate_vars(p);
	/* A function that is described is not reported as omitted. */
	settle_omissions(p);
	encode_stats_phase(stats, "resolve");
	return NULL;
}

struct err *make_result(struct program *p)
{
	/* Only units whose types are asked for later list them. */
	unpack_lists(p);
	/* At most one variable is at an address. */
	select_vars(p);
	/* Each record has an id. */
	TRY(number_records(p));
	/* Each string that the result may need has a place in the order of strings. */
	use_func_strings(p);
	select_sites(p);
	name_sections(p);
	/* Each string has an offset. */
	TRY(lay_out_strings(p));

	/* The records of all units are appended in pahole's order. */
	TRY(convert_records(p));
	/* The functions follow them, sorted by name. */
	TRY(append_funcs(p));
	/* Those of which only copies are inlined follow, by the address of the first copy. */
	append_funcs_of_sites(p);
	/* The sections are the last. */
	TRY(append_sections(p));
	/* Equal records are merged. */
	TRY(deduplicate(p));
	/* The copies follow, with their places. */
	TRY(append_sites(p));

	/* Types and functions that .BTF_ids refers to and the result lacks are reported. */
	report_unresolved_ids(p);
	/* So are names of --btf_functions that the result lacks. */
	report_unmatched_funcs(p);
	/* Names with several definitions in the result are reported. */
	TRY(report_definitions(p));
	/* The split BTFs of variables and of sites have all their records. */
	TRY(append_apart(p));
	TRY(append_sites_apart(p));
	/* The kernel accepts the result. Its sections have their bytes. */
	TRY(check_and_serialize(p));
	/* An object has the facts of its units, for the link. */
	return make_facts(p);
}

struct err *encode_files(const struct encode_request *request, const struct encode_opts *opts,
			 struct diagnostics *diags, struct encode_result *ret)
{
	CLEANUP(program_release) struct program p;

	*ret = (struct encode_result){ 0 };
	encode_stats_begin(request->stats);
	program_init(&p, request, opts, diags);

	/* The files are mapped. The units of each are those of its DWARF, or the members of an archive. */
	TRY(open_files(&p));
	if (!p.nr_inputs) {
		begin_report(&p);
		end_report(&p);
		return NULL;
	}
	TRY(read_program(&p));
	TRY(err_at(make_result(&p), "'%s'", p.inputs[0].path));
	/* If there is no type, a diagnostic has the reason. */
	TRY(explain_empty(&p));
	/* The report has all that is needed to print it. */
	end_report(&p);
	encode_stats_phase(request->stats, "finish");
	*ret = TAKE(p.result);
	return NULL;
}
