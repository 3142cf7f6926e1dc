/* SPDX-License-Identifier: GPL-2.0-only */
/* reporting.c - see reporting.h */
#include "cmd/jobs/reporting.h"

#include "base/cleanup.h"
#include "cmd/print/outputs.h"
#include "cmd/print/print_line.h"

#include <stdlib.h>
#include <string.h>

void reporting_release(struct reporting *r)
{
	text_release(&r->json);
	text_release(&r->explained);
	out_file_release(&r->file);
	FREE_ALL(r->found.items, r->also.items);
	*r = (struct reporting){ 0 };
}

/* Whether each name was found. */
static bool *found_names(struct reporting *r, const struct options *opt)
{
	while (r->found.nr < opt->explain_names.nr)
		vec_push(&r->found, false);
	return r->found.items;
}

struct report reporting_wants(struct reporting *r, const struct options *opt)
{
	const struct wanted_list *names = &opt->explain_names;

	for (size_t i = 1; i < names->nr; i++)
		vec_push(&r->also, ((struct report){ .asked = names->items[i].name }));
	return (struct report){
		/* a name that is misspelled may be similar to any */
		.all = opt->report || opt->fatal || opt->explain,
		.asked = names->nr ? names->items[0].name : NULL,
		.also = r->also.items,
		.nr_also = r->also.nr,
	};
}

static struct report_frame frame(const struct options *opt, const struct file_refs *files)
{
	return (struct report_frame){
		.inputs = files,
		.base = opt->base,
		.rules = opt->report_rules,
		.output = opt->nothing_made   ? NULL :
			  opt->detached       ? opt->detached :
			  options_append(opt) ? opt->archive :
						files->items[0].name,
	};
}

struct err *reporting_add(struct reporting *r, const struct options *opt,
			  const struct file_refs *files, const struct btf_input *base,
			  const struct encode_result *made, const struct report *found)
{
	const char *path = files->items[0].name;
	struct report_frame f = frame(opt, files);
	struct err *fatal = report_check(found, path, opt->fatal);
	struct err *e = NULL;

	r->fatal = fatal != NULL;
	report_count(found, opt->report_rules, &r->counts);
	r->counts.nr_failed += r->fatal;
	if (fatal) {
		f.output = NULL;
		f.error = err_text(fatal);
	}
	if (opt->report)
		report_json(&r->json, &f, found);
	r->explained.colored = opt->colored;
	if (opt->explain)
		e = explain_print(&r->explained, opt, files, base, made, found,
				  !opt->nothing_made && !fatal, found_names(r, opt));
	if (fatal && e)
		err_free(e);
	return fatal ? fatal : e;
}

struct err *reporting_add_btf(struct reporting *r, const struct options *opt,
			      const struct file_ref *file, const struct btf_input *base,
			      struct diagnostics *diags)
{
	CLEANUP(btf_input_release) struct btf_input btf = { 0 };
	struct err *e, *none;

	if (opt->from == ENCODE_FROM_DWARF)
		return err_new(ERR_FORMAT, "'%s': there is no debug information", file->name);
	e = btf_input_open_over(file, base ? &base->view : NULL, diags, &btf);
	if (!e) {
		r->counts.nr_files++;
		r->explained.colored = opt->colored;
		explain_print_btf(&r->explained, opt, file->name, &btf.view, found_names(r, opt));
		return NULL;
	}
	if (opt->from == ENCODE_FROM_BTF)
		return e;
	none = err_new(ERR_FORMAT, "%s; nor is there debug information", err_text(e));
	err_free(e);
	return none;
}

void reporting_add_failure(struct reporting *r, const struct options *opt,
			   const struct file_refs *files, const char *error)
{
	const struct report_frame f = frame(opt, files);

	r->counts.nr_files++;
	r->counts.nr_failed++;
	if (opt->report)
		report_json_failed(&r->json, &f, error);
}

void reporting_append(struct reporting *to, struct reporting *from)
{
	text_mem(&to->json, from->json.items, from->json.nr);
	text_mem(&to->explained, from->explained.items, from->explained.nr);
	report_counts_add(&to->counts, &from->counts);
	to->nr_kept += from->nr_kept;
	for (size_t i = 0; i < from->found.nr; i++) {
		if (i == to->found.nr)
			vec_push(&to->found, false);
		to->found.items[i] |= from->found.items[i];
	}
}

static bool has_file(const struct options *opt)
{
	return opt->report && strcmp(opt->report, "-");
}

struct err *reporting_open(struct reporting *r, const struct options *opt)
{
	return has_file(opt) ? out_file_open(opt->report, &r->file) : NULL;
}

struct err *reporting_prepare(struct reporting *r, const struct options *opt)
{
	struct bytes all;

	if (r->part || !opt->report)
		return NULL;
	if (r->counts.nr_files > 1)
		report_json_total(&r->json, &r->counts);
	all = (struct bytes){ (const uint8_t *)r->json.items, r->json.nr };
	if (!has_file(opt)) {
		fwrite(all.ptr, 1, all.len, stdout);
		TRY(print_flush());
	} else {
		if (!r->file.is_open)
			TRY(reporting_open(r, opt));
		TRY(out_file_fill(&r->file, all));
		if (r->file.how == OUT_FILE_THROUGH || r->file.how == OUT_FILE_CONTINUE) {
			TRY(out_file_commit(&r->file));
			out_file_release(&r->file);
		}
	}
	r->prepared = true;
	return NULL;
}

static struct err *missing_names(struct reporting *r, const struct options *opt)
{
	const struct wanted_list *names = &opt->explain_names;
	const bool *found = found_names(r, opt);
	CLEANUP(mem_free_text) char *first = NULL;
	size_t nr = 0;

	for (size_t i = 0; i < names->nr; i++) {
		if (found[i])
			continue;
		if (!nr++)
			first = wanted_list_name(&names->items[i]);
	}
	if (nr > 1)
		return err_new(ERR_FORMAT, "%s and %zu more name%s not found", first, nr - 1,
			       nr > 2 ? "s" : "");
	return nr ? err_new(ERR_FORMAT, "%s not found", first) : NULL;
}

struct err *reporting_end(struct reporting *r, const struct options *opt)
{
	if (!r->prepared)
		TRY(reporting_prepare(r, opt));
	r->explained.out = stdout;
	r->explained.colored = opt->colored;
	if (opt->explain && opt->json)
		explain_json_end(&r->explained);
	if (opt->explain_all && r->counts.nr_files > 1)
		explain_print_total(&r->explained, &r->counts);
	TRY(text_flush(&r->explained, true));
	if (r->file.is_open)
		TRY(out_file_commit(&r->file));
	return opt->nothing_made ? missing_names(r, opt) : NULL;
}
