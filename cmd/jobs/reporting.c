/* SPDX-License-Identifier: GPL-2.0-only */
/* reporting.c - see reporting.h */
#include "cmd/jobs/reporting.h"

#include "base/cleanup.h"
#include "cmd/print/outputs.h"
#include "cmd/print/print_line.h"

#include <string.h>

void reporting_release(struct reporting *r)
{
	text_release(&r->json);
	text_release(&r->explained);
	out_file_release(&r->file);
	*r = (struct reporting){ 0 };
}

struct report reporting_wants(const struct options *opt)
{
	return (struct report){
		.all = opt->report || opt->fatal || !opt->explain_name,
		.asked = opt->explain_name,
	};
}

static struct report_frame frame(const struct options *opt, const struct file_refs *files)
{
	return (struct report_frame){
		.inputs = files,
		.base = opt->base,
		.output = opt->nothing_made   ? NULL :
			  opt->detached       ? opt->detached :
			  options_append(opt) ? opt->archive :
						files->items[0].name,
	};
}

struct err *reporting_add(struct reporting *r, const struct options *opt,
			  const struct file_refs *files, const struct btf_input *base,
			  const struct encoded *made, const struct report *found)
{
	const char *path = files->items[0].name;
	struct report_frame f = frame(opt, files);
	struct err *fatal = report_check(found, path, opt->fatal);
	struct err *e = NULL;

	r->fatal = fatal != NULL;
	if (fatal) {
		f.output = NULL;
		f.error = err_text(fatal);
	}
	if (opt->report)
		report_json(&r->json, &f, found);
	if (opt->explain)
		e = explain_print(&r->explained, opt, path, base, made, found, &r->found_name);
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
		r->found_name = explain_print_btf(&r->explained, opt, file->name, &btf.view);
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

	if (opt->report)
		report_json_failed(&r->json, &f, error);
}

void reporting_append(struct reporting *to, struct reporting *from)
{
	text_mem(&to->json, from->json.items, from->json.nr);
	text_mem(&to->explained, from->explained.items, from->explained.nr);
	to->found_name |= from->found_name;
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

struct err *reporting_end(struct reporting *r, const struct options *opt)
{
	if (!r->prepared)
		TRY(reporting_prepare(r, opt));
	r->explained.out = stdout;
	TRY(text_flush(&r->explained, true));
	if (r->file.is_open)
		TRY(out_file_commit(&r->file));
	if (opt->explain_name && !r->found_name && opt->nothing_made)
		return err_new(ERR_FORMAT, "'%s%s' not found", opt->explain_as.asked,
			       opt->explain_func ? "()" : "");
	return NULL;
}
