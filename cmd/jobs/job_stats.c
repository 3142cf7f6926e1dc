/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_stats.c - where the bytes of BTF go that is there
 *
 * Threads count whole files; what is printed is in the order of the files. A file that cannot be read does not keep the
 * others from being counted.
 */
#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "cmd/jobs/file_tree.h"
#include "cmd/jobs/jobs.h"
#include "cmd/print/outputs.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_stack.h"

#include <stdlib.h>

struct stats_job {
	const struct options *opt;
	const struct file_refs *files;
	const struct btf_view *base; /* NULL: none */
	struct progress *progress;
	struct diagnostics *diags;
	struct text out;
	struct stats_sum sum;
	struct err *last; /* of a file */
};

/* The result for one file. */
struct counted {
	const char *path;
	struct btf_stats sum; /* of its sections */
	struct text text;
	struct diagnostics diags;
	struct err *err;
};

static void drop_counted(void *ctx UNUSED, void *made)
{
	struct counted *c = made;

	text_release(&c->text);
	diag_release(&c->diags);
	err_free(c->err);
	free(c);
}

static struct err *count_file(const struct options *opt, const struct file_ref *file,
			      const struct btf_view *base, struct counted *c)
{
	CLEANUP(btf_stack_release) struct btf_stack stack = { 0 };

	TRY(btf_stack_open(file, base, &c->diags, &stack));
	for (size_t i = 0; i < stack.layers.nr; i++) {
		CLEANUP(btf_stats_release) struct btf_stats s = { 0 };
		const struct btf_layer *layer = stack.layers.items[i];

		TRY(err_at(btf_stats_count(&layer->view, &s), "'%s'", file->name));
		btf_stats_add(&c->sum, &s);
		if (opt->quiet)
			continue;
		if (opt->json)
			json_stats(&c->text, file->name, layer->section, &s, opt->encode.verbose);
		else
			stats_print(&c->text, file->name, layer->section, &s, opt->encode.verbose);
	}
	return NULL;
}

static struct err *make_counted(void *ctx, unsigned int worker UNUSED, size_t i, void **ret)
{
	const struct stats_job *j = ctx;
	const struct file_ref *file = &j->files->items[i];
	struct counted *c = mem_zalloc(1, sizeof(*c));

	c->path = file->name;
	c->diags.verbose = j->diags->verbose;
	c->err = count_file(j->opt, file, j->base, c);
	*ret = c;
	return NULL; /* its error is its own */
}

static struct err *commit_counted(void *ctx, size_t i UNUSED, void *made)
{
	struct stats_job *j = ctx;
	struct counted *c = made;

	diag_move(j->diags, &c->diags);
	if (text_pos(&j->out) && c->text.nr && !j->opt->json)
		text_char(&j->out, '\n');
	text_mem(&j->out, c->text.items, c->text.nr);
	if (!c->err) {
		stats_sum_add(&j->sum, c->path, &c->sum);
	} else {
		if (j->opt->json)
			json_message(&j->out, c->path, "failure", err_text(c->err));
		j->sum.nr_failed++;
		diag_keep_last(j->diags, &j->last, c->err);
		c->err = NULL;
	}
	drop_counted(NULL, c);
	progress_step(j->progress);
	/* standard output may be the terminal that shows the progress */
	if (j->out.nr)
		progress_hide(j->progress);
	return text_flush(&j->out, true);
}

static void print_sum(struct stats_job *j)
{
	stats_sum_end(&j->sum);
	if (j->opt->json) {
		json_stats_end(&j->out, &j->sum, j->opt->encode.verbose);
	} else if (j->sum.files.nr && (j->files->nr > 1 || j->opt->quiet)) {
		if (text_pos(&j->out))
			text_char(&j->out, '\n');
		stats_print_sum(&j->out, &j->sum, j->opt->encode.verbose);
	}
}

struct err *job_stats(const struct options *opt, struct diagnostics *diags)
{
	static const struct ordered_ops ops = { make_counted, commit_counted, drop_counted };
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_trees_release) struct file_trees in = { 0 };
	CLEANUP(progress_end) struct progress progress;
	struct stats_job j = {
		.opt = opt,
		.files = &in.files,
		.progress = &progress,
		.diags = diags,
		.out = { .out = stdout },
	};
	struct err *e;

	progress_begin(&progress, opt->quiet);
	TRY(file_trees_find(opt->files.items, opt->files.nr, diags, &in));
	if (opt->base) {
		TRY(btf_input_open(opt->base, diags, &base));
		j.base = &base.view;
	}
	progress_count(&progress, "files", in.files.nr);
	if (opt->json)
		json_first(&j.out, "stats", opt, &in.files);
	e = ordered_run(in.files.nr, threads_worth(opt->encode.jobs), &ops, &j);
	if (!e) {
		print_sum(&j);
		e = text_flush(&j.out, true);
	}
	stats_sum_release(&j.sum);
	text_release(&j.out);
	diag_keep_last(diags, &j.last, e);
	return j.last;
}
