/* SPDX-License-Identifier: GPL-2.0-only */
/* reporting.c - see reporting.h */
#include "cmd/jobs/reporting.h"

#include "base/cleanup.h"
#include "cmd/print/explain_print.h"
#include "cmd/print/print_line.h"
#include "cmd/print/report_json.h"

#include <stdlib.h>
#include <string.h>

static void text_begin(struct reporting_text *t, bool asked)
{
	if (!asked)
		return;
	t->to = open_memstream(&t->text, &t->len);
	if (!t->to)
		mem_die();
}

/* Nothing is added any more: @text has all. */
static void text_close(struct reporting_text *t)
{
	if (t->to && fclose(t->to))
		mem_die();
	t->to = NULL;
}

static void text_append(struct reporting_text *to, struct reporting_text *from)
{
	if (!to->to)
		return;
	text_close(from);
	if (from->len)
		fwrite(from->text, 1, from->len, to->to);
}

void reporting_begin(const struct options *opt, struct reporting *r)
{
	text_begin(&r->json, opt->report);
	text_begin(&r->explained, opt->explain);
}

void reporting_release(struct reporting *r)
{
	text_close(&r->json);
	text_close(&r->explained);
	out_file_release(&r->file);
	free(r->json.text);
	free(r->explained.text);
	*r = (struct reporting){ 0 };
}

struct report reporting_wants(const struct options *opt)
{
	return (struct report){
		.all = opt->report || !opt->explain_name,
		.asked = opt->explain_name,
	};
}

static struct report_frame frame(const struct options *opt, const struct file_list *files)
{
	return (struct report_frame){
		.inputs = files,
		.base = opt->base,
		.output = opt->nothing_made ? NULL :
			  opt->detached     ? opt->detached :
			  opt->archive      ? opt->archive :
					      files->items[0],
	};
}

struct err *reporting_add(struct reporting *r, const struct options *opt,
			  const struct file_list *files, const struct btf_input *base,
			  const struct encoded *made, const struct report *found)
{
	const struct report_frame f = frame(opt, files);

	if (r->json.to)
		report_json(r->json.to, &f, found);
	if (r->explained.to)
		return explain_print(r->explained.to, opt, files->items[0], base, made, found);
	return NULL;
}

struct err *reporting_add_btf(struct reporting *r, const struct options *opt, const char *path,
			      const struct btf_input *base)
{
	CLEANUP(btf_input_release) struct btf_input btf = { 0 };
	struct err *e, *none;

	if (opt->from != ENCODE_FROM_EITHER)
		return err_new(ERR_FORMAT, "'%s': there is no %s", path,
			       opt->from == ENCODE_FROM_DWARF ? "debug information" : "BTF");
	e = btf_input_open_over(path, base ? &base->view : NULL, &btf);
	if (!e) {
		explain_print_btf(r->explained.to, opt, path, &btf.view);
		return NULL;
	}
	none = err_new(ERR_FORMAT, "%s; nor is there debug information", err_text(e));
	err_free(e);
	return none;
}

void reporting_add_failure(struct reporting *r, const struct options *opt,
			   const struct file_list *files, const char *error)
{
	const struct report_frame f = frame(opt, files);

	if (r->json.to)
		report_json_failed(r->json.to, &f, error);
}

void reporting_append(struct reporting *to, struct reporting *from)
{
	text_append(&to->json, &from->json);
	text_append(&to->explained, &from->explained);
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
	text_close(&r->json);
	all = (struct bytes){ (const uint8_t *)r->json.text, r->json.len };
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
	text_close(&r->explained);
	if (r->explained.len)
		fwrite(r->explained.text, 1, r->explained.len, stdout);
	return r->file.is_open ? out_file_commit(&r->file) : NULL;
}
