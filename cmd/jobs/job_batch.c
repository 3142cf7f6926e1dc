/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_batch.c - many modules over one base, each by itself
 *
 * The base is read once and does not change afterwards, so the files are
 * independent. Threads take whole files; one of them leaves the rest of the threads to
 * itself only where there are more threads than files. The messages of a file are kept until those
 * of all files before it are printed. The report has all of them, so it is written last, but opened first.
 */
#include "cmd/jobs/jobs.h"

#include "base/cleanup.h"
#include "base/os/ordered.h"
#include "base/vec.h"
#include "dedup/base/base_cache.h"

#include <stdlib.h>

struct batch {
	const struct options *opt;
	struct encode_opts encode;
	const struct file_refs *files;
	const struct btf_input *base;
	struct reporting *reporting;
	struct progress *progress;
	struct diagnostics *diags;
	size_t nr_failed;
};

/* The result for one file. */
struct outcome {
	struct diagnostics diags;
	struct reporting reporting;
	struct err *err;
};

static void drop_file(void *ctx UNUSED, void *made)
{
	struct outcome *o = made;

	diag_release(&o->diags);
	reporting_release(&o->reporting);
	err_free(o->err);
	free(o);
}

static struct err *make_file(void *ctx, unsigned int worker UNUSED, size_t i, void **ret)
{
	const struct batch *b = ctx;
	struct outcome *o = mem_zalloc(1, sizeof(*o));
	const struct file_refs one = { .items = b->files->items + i, .nr = 1 };

	o->diags.verbose = b->diags->verbose;
	diag_add(&o->diags, DIAG_FILE, "'%s':", one.items[0].name);
	o->reporting.part = true;
	o->err = job_encode_files(b->opt, &b->encode, &one, b->base, &o->reporting, NULL,
				  &o->diags);
	if (o->err && !o->reporting.fatal) {
		/* what was found does not count if it could not be written */
		reporting_release(&o->reporting);
		reporting_add_failure(&o->reporting, b->opt, &one, err_text(o->err));
	}
	*ret = o;
	return NULL; /* its error is its own */
}

static struct err *commit_file(void *ctx, size_t i UNUSED, void *made)
{
	struct batch *b = ctx;
	struct outcome *o = made;

	diag_move(b->diags, &o->diags);
	reporting_append(b->reporting, &o->reporting);
	if (o->err) {
		diag_add(b->diags, DIAG_ERROR, "%s", err_text(o->err));
		b->nr_failed++;
	}
	drop_file(NULL, o);
	progress_step(b->progress);
	return NULL;
}

/* For fewer files, a pass over the base for each is faster than the tables. */
enum { WORTH_SHARING = 4 };

struct err *job_batch(const struct options *opt, const struct encode_opts *encode,
		      const struct file_refs *files, struct btf_input *base,
		      struct reporting *reporting, struct progress *progress,
		      struct diagnostics *diags)
{
	static const struct ordered_ops ops = { make_file, commit_file, drop_file };
	CLEANUP(base_cache_release) struct base_cache cache = { 0 };
	unsigned int threads = threads_worth(encode->jobs);
	unsigned int jobs = threads < files->nr ? threads : (unsigned int)files->nr;
	struct batch b = {
		.opt = opt,
		.encode = *encode,
		.files = files,
		.base = base,
		.reporting = reporting,
		.progress = progress,
		.diags = diags,
	};

	if (files->nr >= WORTH_SHARING) {
		TRY(err_at(base_cache_make(&base->view, feature_on(encode, FEATURE_BASE_TYPEDEFS),
					   &cache),
			   "'%s'", base->path));
		/* cppcheck-suppress autoVariables ; the caller encodes nothing else over the base */
		base->cache = &cache;
	}
	/* one further thread for a file would only make its worker wait */
	b.encode.jobs = jobs && threads >= 2 * jobs ? threads / jobs : 0;
	TRY(reporting_open(reporting, opt));
	progress_count(progress, "files", files->nr);
	TRY(ordered_run(files->nr, jobs, &ops, &b));
	progress_end(progress);
	if (reporting->nr_kept)
		diag_add(
			diags, DIAG_WARNING,
			"%zu of %zu files have BTF already and no debug information: they are unchanged",
			reporting->nr_kept, files->nr);

	/* those that failed are in the report, too */
	struct err *e = reporting_end(reporting, opt);
	if (!b.nr_failed)
		return e;
	if (e)
		diag_add(diags, DIAG_ERROR, "%s", err_text(e));
	err_free(e);
	return err_new(ERR_FORMAT, "%zu of %zu files failed, the others are done", b.nr_failed,
		       files->nr);
}
