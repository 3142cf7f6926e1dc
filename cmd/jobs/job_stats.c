/* SPDX-License-Identifier: GPL-2.0-only */
/* job_stats.c - where the bytes of BTF go that is there */
#include "base/cleanup.h"
#include "cmd/jobs/jobs.h"
#include "cmd/options/file_list.h"
#include "cmd/print/outputs.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_stack.h"

static struct err *print_file(struct text *out, const struct options *opt,
			      const struct file_ref *file, const struct btf_view *base,
			      struct diagnostics *diags)
{
	CLEANUP(btf_stack_release) struct btf_stack stack = { 0 };

	TRY(btf_stack_open(file, base, diags, &stack));
	for (size_t i = 0; i < stack.layers.nr; i++) {
		CLEANUP(btf_stats_release) struct btf_stats s = { 0 };
		const struct btf_layer *layer = stack.layers.items[i];

		TRY(err_at(btf_stats_count(&layer->view, &s), "'%s'", file->name));
		if (opt->json)
			json_stats(out, file->name, layer->section, &layer->view, &s,
				   opt->encode.verbose);
		else
			stats_print(out, file->name, layer->section, &layer->view, &s,
				    opt->encode.verbose);
	}
	return NULL;
}

struct err *job_stats(const struct options *opt, struct diagnostics *diags)
{
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_refs_release) struct file_refs files = { 0 };
	CLEANUP(text_release) struct text out = { .out = stdout };

	TRY(file_list_expand(opt->files.items, opt->files.nr, &files));
	TRY(file_list_keep_btf(&files, diags));
	if (opt->base)
		TRY(btf_input_open(opt->base, diags, &base));
	if (opt->json)
		json_first(&out, "stats", opt, &files);
	for (size_t i = 0; i < files.nr; i++) {
		if (i && !opt->json)
			text_char(&out, '\n');
		/* an error of this file comes after the output for those before it */
		TRY(text_flush(&out, true));
		TRY(print_file(&out, opt, &files.items[i], opt->base ? &base.view : NULL, diags));
	}
	if (opt->json)
		text_str(&out, "{\"end\":true}\n");
	return text_flush(&out, true);
}
