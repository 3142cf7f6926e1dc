/* SPDX-License-Identifier: GPL-2.0-only */
/* job_encode.c - debug information becomes BTF, in place or in a file of its own */
#include "base/cleanup.h"
#include "base/file_io.h"
#include "cmd/jobs/jobs.h"
#include "cmd/options/file_list.h"
#include "cmd/print/outputs.h"
#include "encoder/archive/archive_file.h"
#include "encoder/elf_out/out_file.h"
#include "encoder/elf_out/section_out.h"
#include "encoder/encode.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A distilled base is a second section, and a file of bytes has only one. Then the split
 * stands on the base it was made over, as pahole has it, and this is said.
 */
static struct err *settle_distilling(const struct options *opt, struct encode_opts *encode,
				     struct diagnostics *diags)
{
	if (!feature_on(encode, FEATURE_DISTILLED_BASE))
		return NULL;
	if (!opt->detached && !opt->base)
		return err_new(ERR_USAGE,
			       "--btf_features=distilled_base: there is no --btf_base to distil");
	if (!opt->detached)
		return NULL;
	encode->features &= ~(uint32_t)FEATURE_DISTILLED_BASE;
	diag_add(
		diags, DIAG_WARNING,
		"--btf_features=distilled_base has no effect on '%s': only a section can stand on .BTF.base",
		opt->detached);
	return NULL;
}

static struct err *put_into(struct section_target *target, const struct encoded *e,
			    bool strip_dwarf, struct diagnostics *diags)
{
	/*
	 * The base of an earlier run must not stay: the new .BTF does not stand on it. Nor does
	 * what stood on the old .BTF stand on the new one.
	 */
	const struct section_content sections[] = {
		{ ".BTF", { e->btf, e->btf_len } },
		{ ".BTF.base", { e->base, e->base_len } },
		{ ".BTF.extra", { e->vars, e->vars_len } },
	};
	return section_target_put(target, sections, ARRAY_SIZE(sections), strip_dwarf, diags);
}

/*
 * An assembler's object, say, has DWARF and no types. What has no DWARF is not even opened
 * for writing, nor does the archive hear of it: it may have had both, before it was stripped.
 */
static struct err *put_nothing(const struct options *opt, const char *path,
			       struct section_target *target, struct diagnostics *diags)
{
	bool has_dwarf = target->is_open;

	if (options_append(opt) && !has_dwarf)
		TRY(section_out_has_dwarf(path, &has_dwarf));
	if (has_dwarf && options_append(opt))
		TRY(archive_file_append(opt->archive, path, (struct bytes){ 0 }));
	if (target->is_open)
		return section_target_put(target, NULL, 0, true, diags);
	return NULL;
}

/* First appended, then stripped: a run that is killed in between can be repeated. */
static struct err *put_into_archive(const struct options *opt, const char *path,
				    struct section_target *target, const struct encoded *e,
				    struct diagnostics *diags)
{
	static const struct section_content none[] = { { .name = ".BTF" },
						       { .name = ".BTF.base" },
						       { .name = ".BTF.extra" } };

	TRY(archive_file_append(opt->archive, path, (struct bytes){ e->btf, e->btf_len }));
	if (!opt->strip_dwarf)
		return NULL;
	return section_target_put(target, none, ARRAY_SIZE(none), true, diags);
}

/* A script expects an output file. A file of an earlier run may even have the BTF of other inputs. */
static void warn_no_output(const struct options *opt, struct diagnostics *diags)
{
	struct stat st;

	if (!opt->detached)
		return;
	if (stat(opt->detached, &st) != 0)
		diag_add(diags, DIAG_WARNING, "'%s' is not written: there is no BTF to write",
			 opt->detached);
	else if (S_ISREG(st.st_mode))
		diag_add(diags, DIAG_WARNING, "'%s' stays as it was: there is no BTF to write",
			 opt->detached);
}

/* A module's object is finished by its own base, not by an archive. */
static bool is_module(const char *path)
{
	size_t len = strlen(path);

	return len > 3 && !strcmp(path + len - 3, ".ko");
}

/* A file of BTF alone is replaced as a whole. */
static struct err *put_raw(const char *path, const struct encoded *e)
{
	return section_out_file(path, (struct bytes){ e->btf, e->btf_len });
}

/* Raw BTF has no sections to put one into. */
static bool is_raw(const struct options *opt)
{
	const char *path = opt->files.items[0];

	return opt->from == ENCODE_FROM_BTF && !opt->gather && !opt->archive &&
	       !raw_file_starts_with(path, ELFMAG, SELFMAG);
}

/*
 * A kernel that has its BTF loaded takes it to be as long as it always was. What else is wrong
 * with the file others will say.
 */
static uint32_t image_size(const char *path)
{
	uint64_t size;
	struct err *e = section_out_image_size(path, ".BTF", &size);

	if (e)
		size = 0;
	err_free(e);
	return size > UINT32_MAX ? 0 : (uint32_t)size;
}

/* What is asked for, with the names in lists (file_list.h) in their place. */
static struct encode_job make_job(const struct options *opt, const struct file_list *files,
				  const struct btf_input *base)
{
	struct encode_job job = {
		.paths = files->items,
		.nr = files->nr,
		.from = opt->from,
		.base = base,
		.in_place = !opt->detached && !opt->nothing_made,
		.gather = opt->gather || (opt->archive && !options_append(opt)),
		.archive = options_append(opt) ? NULL : opt->archive,
	};

	if (job.gather) {
		job.nr = 1;
		job.objects = files->items + 1;
		job.nr_objects = files->nr - 1;
	}
	return job;
}

static struct err *put(const struct options *opt, const char *path, struct section_target *target,
		       const struct encoded *e, struct diagnostics *diags)
{
	if (options_append(opt))
		return put_into_archive(opt, path, target, e, diags);
	if (opt->detached)
		return put_raw(opt->detached, e);
	if (is_raw(opt))
		return put_raw(path, e);
	return put_into(target, e, opt->strip_dwarf, diags);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return !strcmp(a, b);
	return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Both outputs, or none: that of the variables is there but for its name before the other is. */
static struct err *put_all(const struct options *opt, const char *path,
			   struct section_target *target, const struct encoded *e,
			   struct diagnostics *diags)
{
	CLEANUP(out_file_release) struct out_file vars = { 0 };
	struct encoded rest = *e;

	if (!opt->vars_detached)
		return put(opt, path, target, e, diags);
	if (same_file(opt->vars_detached, opt->detached ? opt->detached : path))
		return err_new(ERR_USAGE, "'%s': the variables cannot go where the BTF goes",
			       opt->vars_detached);
	rest.vars = NULL;
	TRY(out_file_prepare(opt->vars_detached, (struct bytes){ e->vars, e->vars_len }, &vars));
	TRY(put(opt, path, target, &rest, diags));
	return out_file_commit(&vars);
}

static struct err *put_made(const struct options *opt, const char *path,
			    struct section_target *target, const struct encoded *e,
			    struct diagnostics *diags)
{
	if (e->btf)
		return put_all(opt, path, target, e, diags);
	warn_no_output(opt, diags);
	return put_nothing(opt, path, target, diags);
}

/* Somebody may rewrite the file again and again. */
enum { MAX_ATTEMPTS = 10 };

/* False as well if it is not there. */
static bool is_unchanged(const char *path, const struct stat *was)
{
	struct stat now;

	return stat(path, &now) == 0 && file_is_unchanged(was, &now);
}

/* Will the file itself be changed? Only then it is opened for writing. */
static struct err *is_target(const struct options *opt, const char *path,
			     const struct encoded *made, bool *ret)
{
	*ret = false;
	if (opt->nothing_made)
		return NULL;
	if (!made->btf)
		return opt->strip_dwarf ? section_out_has_dwarf(path, ret) : NULL;
	*ret = options_append(opt) ? opt->strip_dwarf : !opt->detached && !is_raw(opt);
	return NULL;
}

/* @was: what it was when it was read. *target is not open if it is another by now, or not needed. */
static struct err *take_target(const struct options *opt, const char *path, const struct stat *was,
			       const struct encoded *made, struct section_target *target,
			       bool *ret_unchanged)
{
	bool wanted = false;

	*ret_unchanged = true;
	TRY(is_target(opt, path, made, &wanted));
	if (!wanted)
		return NULL;
	/* we would wait for ourselves */
	if (options_append(opt) && same_file(opt->archive, path))
		return err_new(ERR_USAGE, "'%s': the BTF cannot be appended to its own object",
			       opt->archive);
	TRY(section_target_open(path, was, target));
	*ret_unchanged = target->is_open;
	return NULL;
}

/*
 * encode_files(), of one state of the first file: beside us a compiler may make it anew, or
 * another of us put something in. Then what was read of it, an error included, is worth nothing.
 * If it is to be changed, it is locked from here on, and is what it was.
 */
static struct err *encode_unchanged(const struct options *opt, struct encode_job *job,
				    const struct encode_opts *opts, struct diagnostics *diags,
				    struct encoded *ret, struct section_target *target)
{
	const char *path = job->paths[0];

	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		CLEANUP(diag_release) struct diagnostics said = { .verbose = diags->verbose };
		struct stat st = { 0 };
		bool is_file = stat(path, &st) == 0 && S_ISREG(st.st_mode);

		if (job->in_place && !is_raw(opt) && !options_append(opt))
			job->image_size = image_size(path);

		struct err *e = encode_files(job, opts, &said, ret);
		bool unchanged = !is_file || is_unchanged(path, &st);

		/* while we wait for the lock, somebody else has it */
		if (!e && unchanged)
			e = take_target(opt, path, is_file ? &st : NULL, ret, target, &unchanged);
		if (unchanged) {
			diag_move(diags, &said);
			return e;
		}
		err_free(e);
		encoded_release(ret);
	}
	return err_new(ERR_IO, "'%s': changes while it is read", path);
}

/* Found before the work is done: what is compressed can be read only. */
static struct err *refuse_compressed(const struct options *opt, const char *path)
{
	bool written = !opt->nothing_made && !opt->detached &&
		       (!options_append(opt) || opt->strip_dwarf);
	enum packing packing = written ? raw_file_packing(path) : PACKING_NONE;

	if (packing == PACKING_NONE)
		return NULL;
	return err_new(
		ERR_UNSUPPORTED,
		"'%s' is compressed by %s and cannot be changed: decompress it, encode it, and compress it again",
		path, unpack_name(packing));
}

struct err *job_encode_files(const struct options *opt, const struct encode_opts *encode,
			     const struct file_list *files, const struct btf_input *base,
			     struct reporting *reporting, struct progress *progress,
			     struct diagnostics *diags)
{
	CLEANUP(encoded_release) struct encoded made = { 0 };
	CLEANUP(encode_stats_release) struct encode_stats stats = { 0 };
	CLEANUP(report_release) struct report report = reporting_wants(opt);
	CLEANUP(section_target_close) struct section_target target = { 0 };
	struct encode_opts own = *encode;

	TRY(refuse_compressed(opt, files->items[0]));
	own.member_notes = !opt->detached && !opt->no_member_notes && !is_module(files->items[0]);

	struct encode_job job = make_job(opt, files, base);
	job.stats = opt->stats ? &stats : NULL;
	job.report = reporting_asked(opt) ? &report : NULL;
	job.progress = progress;
	TRY(encode_unchanged(opt, &job, &own, diags, &made, &target));
	if (opt->explain && !opt->report && opt->nothing_made && !report.begun)
		return reporting_add_btf(reporting, opt, files->items[0], base);
	if (!made.btf)
		diag_add(diags, DIAG_VERBOSE, "no types: nothing written");
	progress_phase(progress, "writing");
	if (job.report) {
		TRY(reporting_add(reporting, opt, files, base, &made, &report));
		TRY(reporting_prepare(reporting, opt));
	}
	if (!opt->nothing_made)
		TRY(put_made(opt, files->items[0], &target, &made, diags));
	progress_end(progress);
	if (!opt->stats || !made.btf)
		return NULL;
	encode_stats_phase(&stats, "write");
	return run_print(&stats, files->items[0], &made, base, opt->encode.verbose);
}

/* The BTF that is split over a base must not replace the base. */
static struct err *check_base_apart(const struct options *opt, const struct file_list *files)
{
	const char *output = opt->detached ? opt->detached : files->items[0];

	if (!opt->base || opt->nothing_made || !same_file(opt->base, output))
		return NULL;
	return err_new(ERR_USAGE, "'%s' is the base itself", output);
}

/* A report goes nowhere else: least of all over what it is about. */
static struct err *check_report_apart(const struct options *opt, const struct file_list *files)
{
	const char *others[] = { opt->base, opt->detached, opt->vars_detached, opt->archive };

	if (!opt->report)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (others[i] && same_file(opt->report, others[i]))
			return err_new(ERR_USAGE, "'%s': the report cannot go there", opt->report);
	}
	for (size_t i = 0; i < files->nr; i++) {
		if (same_file(opt->report, files->items[i]))
			return err_new(ERR_USAGE, "'%s': the report cannot go there", opt->report);
	}
	return NULL;
}

/* BTF alone in the place of an ELF file would lose all that it has. */
static struct err *check_inputs_stay(const struct options *opt, const struct file_list *files)
{
	const char *outputs[] = { opt->detached, opt->vars_detached };

	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		for (size_t k = 0; outputs[i] && k < files->nr; k++) {
			if (same_file(outputs[i], files->items[k]) &&
			    raw_file_starts_with(outputs[i], ELFMAG, SELFMAG))
				return err_new(
					ERR_USAGE,
					"'%s': the output would replace the input; '-J' puts the BTF into it",
					outputs[i]);
		}
	}
	return NULL;
}

/* Files that stand on one base are modules, each for itself, unless they are members of one. */
static bool is_batch(const struct options *opt, size_t nr_files)
{
	return opt->base && nr_files > 1 && opt->from != ENCODE_FROM_BTF && !opt->gather;
}

/* Raw BTF can be looked at without saying that it is; making something of it has to be asked for. */
static enum encode_from from_what(const struct options *opt)
{
	const char *path = opt->files.items[0];

	if (opt->from == ENCODE_FROM_EITHER && opt->nothing_made &&
	    (raw_file_starts_with(path, "\x9f\xeb", 2) ||
	     raw_file_starts_with(path, "\xeb\x9f", 2)))
		return ENCODE_FROM_BTF;
	return opt->from;
}

struct err *job_encode(const struct options *asked, struct diagnostics *diags)
{
	struct options own = *asked;
	const struct options *opt = &own;
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_list_release) struct file_list files = { 0 };
	CLEANUP(reporting_release) struct reporting reporting = { 0 };
	CLEANUP(progress_end) struct progress progress;
	struct encode_opts encode = opt->encode;

	own.from = from_what(asked);
	progress_begin(&progress, opt->quiet);
	TRY(settle_distilling(opt, &encode, diags));
	if (!opt->detached && !opt->vars_detached && feature_on(&encode, FEATURE_VARS_APART) &&
	    is_raw(opt))
		return err_new(ERR_USAGE,
			       "--btf_features=global_var.extra: '%s' has no sections: give "
			       "'--btf_vars_detached=VARS'",
			       opt->files.items[0]);
	TRY(file_list_expand(opt->files.items, opt->files.nr, &files));
	if (is_batch(opt, files.nr) && (opt->detached || opt->vars_detached))
		return err_new(
			ERR_USAGE,
			"'--btf_base' encodes each of %zu files by itself: '%s' is one output",
			files.nr, opt->detached ? "--btf_encode_detached" : "--btf_vars_detached");
	if (is_batch(opt, files.nr) && opt->stats)
		return err_new(
			ERR_USAGE,
			"'--btf_base' encodes each of %zu files by itself: '--btf_stats' tells of "
			"one",
			files.nr);
	TRY(check_base_apart(opt, &files));
	TRY(check_report_apart(opt, &files));
	TRY(check_inputs_stay(opt, &files));
	if (opt->base)
		TRY(btf_input_open(opt->base, &base));
	/* combining would renumber the types; only an archive needs it */
	if (own.from != asked->from && opt->explain && !opt->report) {
		struct err *e = reporting_add_btf(&reporting, asked, files.items[0],
						  opt->base ? &base : NULL);

		if (!e)
			return reporting_end(&reporting, opt);
		err_free(e);
	}

	if (is_batch(opt, files.nr))
		return job_batch(opt, &encode, &files, &base, &reporting, &progress, diags);
	TRY(job_encode_files(opt, &encode, &files, opt->base ? &base : NULL, &reporting, &progress,
			     diags));
	return reporting_end(&reporting, opt);
}
