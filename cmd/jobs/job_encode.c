/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_encode.c - encode the debug information of files, in place or into a file of its own
 *
 * job_encode() checks what is asked for. job_encode_files() is one run: look at the first file,
 * encode, take the lock if that file will be changed, write the report, write the BTF. struct output
 * carries what each step finds out to the next one.
 */
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file_io.h"
#include "base/os/heap.h"
#include "cmd/jobs/jobs.h"
#include "cmd/options/file_list.h"
#include "cmd/print/outputs.h"
#include "encoder/archive/archive_file.h"
#include "encoder/elf_out/out_file.h"
#include "encoder/elf_out/section_out.h"
#include "encoder/encode.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One output file of BTF, or none, from one or more files. */
struct output {
	const struct options *opt;
	const char *path; /* the first file, which BTF and DWARF stripping change */
	struct diagnostics *diags;

	/* from look() */
	struct section_facts facts; /* about @path; all zero if it is no regular file */
	bool is_raw;                /* the BTF replaces the whole of @path, which is BTF itself */

	/* from encode_unchanged() */
	struct encode_result made;
	struct section_target target; /* open and locked if @path will be changed */
};

static void output_release(struct output *r)
{
	section_target_close(&r->target);
	encode_result_release(&r->made);
}

/* ---- look ---- */

/* Is @path a kernel module? It is not linked again, so it needs no .debug.btf. */
static bool is_module(const char *path)
{
	size_t len = strlen(path);

	return len > 3 && !strcmp(path + len - 3, ".ko");
}

/* btfenc can read compressed files, but not change them. Refuse before any time is spent on encoding. */
static struct err *refuse_compressed(const struct output *r)
{
	const struct options *opt = r->opt;
	bool written = !opt->nothing_made && !opt->detached &&
		       (!options_append(opt) || opt->strip_dwarf);

	if (!written || r->facts.packing == PACKING_NONE)
		return NULL;
	return err_new(
		ERR_UNSUPPORTED,
		"'%s' is compressed by %s and cannot be changed: decompress it, encode it, and compress it again",
		r->path, unpack_name(r->facts.packing));
}

/* Only "-F dwarf" asks for the BTF of DWARF in a file that has BTF of its own. */
static struct err *refuse_bpf(const struct output *r)
{
	const struct options *opt = r->opt;

	if (!r->facts.is_bpf || opt->nothing_made || opt->detached ||
	    opt->from == ENCODE_FROM_DWARF)
		return NULL;
	return err_new(
		ERR_UNSUPPORTED,
		"'%s' is a program for BPF: libbpf needs the .BTF of its compiler; give '--btf_encode_detached', or '-F dwarf' to replace it",
		r->path);
}

/* Only an object is linked further. A module is a relocatable file, too. */
static struct err *refuse_linked(const struct output *r)
{
	if (!r->opt->for_link || !r->facts.is_file)
		return NULL;
	if (!r->facts.is_elf)
		return err_new(
			ERR_UNSUPPORTED,
			"'%s': not an ELF file: '--btf_for_link' needs an object with machine code, and 'clang -flto' writes bitcode",
			r->path);
	if (!r->facts.is_linked && !is_module(r->path))
		return NULL;
	return err_new(
		ERR_UNSUPPORTED,
		"'%s': '--btf_for_link' is for objects that are linked further, not for modules and linked files",
		r->path);
}

/* Fill @facts and @is_raw. */
static struct err *look(struct output *r)
{
	const struct options *opt = r->opt;

	/* if the file cannot be read, encode_files() reports the error */
	err_free(section_out_look(r->path, &r->facts));
	r->is_raw = opt->from == ENCODE_FROM_BTF && !opt->gather && !opt->archive &&
		    !r->facts.is_elf;
	if (r->is_raw && feature_on(&opt->encode, FEATURE_VARS_APART) && !opt->detached &&
	    !opt->vars_detached)
		return err_new(ERR_USAGE,
			       "--btf_features=global_var.extra: '%s' has no sections: give "
			       "'--btf_vars_detached=VARS'",
			       r->path);
	if (r->is_raw && encode_wants_sites(&opt->encode))
		return err_new(ERR_USAGE,
			       "--btf_features=inline: '%s' has no sections, so it has no sites",
			       r->path);
	TRY(refuse_bpf(r));
	TRY(refuse_linked(r));
	return refuse_compressed(r);
}

/* ---- encode ---- */

/* @files: the files of @opt, where the names in a list replace the argument "@LIST" (file_list.h). */
static struct encode_request make_job(const struct options *opt, const struct file_refs *files,
				      const struct btf_input *base)
{
	struct encode_request request = {
		.files = files->items,
		.nr = files->nr,
		.from = opt->from,
		.base = base,
		.in_place = !opt->detached && !opt->nothing_made,
		.gather = opt->gather || (opt->archive && !options_append(opt)),
		.archive = options_append(opt) ? NULL : opt->archive,
	};

	if (request.gather) {
		request.nr = 1;
		request.objects = files->items + 1;
		request.nr_objects = files->nr - 1;
	}
	return request;
}

/* Do both paths lead to one regular file? If a file is missing, the paths are compared. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (stat(a, &x) != 0 || stat(b, &y) != 0)
		return !strcmp(a, b);
	return S_ISREG(x.st_mode) && file_is_same(&x, &y);
}

static bool reads_dwarf(const struct options *opt)
{
	return opt->from != ENCODE_FROM_BTF && !opt->gather;
}

/* Only a file that will be changed is opened for writing. */
static bool will_change(const struct output *r)
{
	const struct options *opt = r->opt;

	if (opt->nothing_made)
		return false;
	if (!r->made.btf)
		return opt->strip_dwarf && r->facts.has_dwarf && reads_dwarf(opt);
	if (options_append(opt))
		return opt->strip_dwarf || (r->made.facts.nr && r->facts.packing == PACKING_NONE);
	return !opt->detached && !r->is_raw;
}

/* Open and lock the target. *unchanged is false if @r->path was changed or replaced after look(). */
static struct err *take_target(struct output *r, bool *unchanged)
{
	if (!will_change(r))
		return NULL;
	/* each of the two updates would wait for the lock of the other */
	if (options_append(r->opt) && same_file(r->opt->archive, r->path))
		return err_new(ERR_USAGE, "'%s': the BTF cannot be appended to its own object",
			       r->opt->archive);
	TRY(section_target_open(r->path, r->facts.is_file ? &r->facts.st : NULL, &r->target));
	*unchanged = r->target.is_open;
	return NULL;
}

static bool is_unchanged(const struct output *r)
{
	struct stat now;

	return !r->facts.is_file ||
	       (stat(r->path, &now) == 0 && file_is_unchanged(&r->facts.st, &now));
}

/*
 * Encode a consistent state of the first file. If another process, such as a compiler, changes the file
 * during the encoding, discard the result or the error, and encode again. If the run will change the
 * file, it is locked on success and has not changed since it was read.
 */
static struct err *encode_unchanged(struct output *r, struct encode_request *request,
				    const struct encode_opts *opts)
{
	enum { MAX_ATTEMPTS = 10 }; /* a process may change the file again and again */

	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		CLEANUP(diag_release) struct diagnostics collected = {
			.verbose = r->diags->verbose
		};

		TRY(look(r));
		if (request->in_place && !r->is_raw && !options_append(r->opt))
			request->image_size = r->facts.loaded_btf;

		struct err *e = encode_files(request, opts, &collected, &r->made);
		bool unchanged = is_unchanged(r);

		if (!e && unchanged)
			e = take_target(r, &unchanged);
		if (unchanged) {
			diag_move(r->diags, &collected);
			return e;
		}
		err_free(e);
		encode_result_release(&r->made);
	}
	return err_new(ERR_IO, "'%s': changes while it is read", r->path);
}

/* ---- write ---- */

/*
 * The new .BTF replaces the sections of an earlier run that belong to the old one: .BTF.base, on which
 * the old .BTF is based, .BTF.extra and .BTF.inline, which are based on it, and .debug.btf. An object that has its
 * sites in .debug.btf needs no .BTF.inline: it would be wrong after the link.
 */
static struct err *put_sections(struct output *r, const struct encode_result *e)
{
	const uint8_t *sites = e->facts.nr ? NULL : e->sites;
	const struct section_relocs relocs = { e->relocs.items, e->relocs.nr, e->relocs.cap,
					       e->relocs_rela };
	const struct section_content sections[] = {
		{ .name = ".BTF", .data = { e->btf, e->btf_len } },
		{ .name = ".BTF.base", .data = { e->base, e->base_len } },
		{ .name = ".BTF.extra", .data = { e->vars, e->vars_len } },
		{ .name = ".BTF.inline", .data = { sites, sites ? e->sites_len : 0 } },
		{ .name = FACTS_SECTION,
		  .data = { e->facts.items, e->facts.nr },
		  .type = e->facts_type,
		  .relocs = &relocs },
	};

	return section_target_put(&r->target, sections, ARRAY_SIZE(sections), r->opt->strip_dwarf,
				  r->diags);
}

/* .debug.btf and its relocations. Borrows. */
static struct encode_result facts_alone(const struct encode_result *e)
{
	return (struct encode_result){ .facts = e->facts,
				       .facts_type = e->facts_type,
				       .relocs = e->relocs,
				       .relocs_rela = e->relocs_rela };
}

/* Sections with BTF of an earlier run are removed. */
static struct err *put_for_link(struct output *r, const struct encode_result *e)
{
	const struct encode_result rest = facts_alone(e);

	if (!e->facts.nr)
		return err_new(
			ERR_UNSUPPORTED,
			"'%s': its debug information is in another file, so that no linker would set the addresses: encode without '--btf_for_link'",
			r->path);
	return put_sections(r, &rest);
}

/*
 * The linker must see .debug.btf, so that stays with the object. Append first, then change the object: a run that is
 * killed in between can be repeated.
 */
static struct err *put_into_archive(struct output *r, const struct encode_result *e)
{
	const struct encode_result rest = facts_alone(e);

	TRY(archive_file_append(r->opt->archive, r->path, (struct bytes){ e->btf, e->btf_len }));
	return r->target.is_open ? put_sections(r, &rest) : NULL;
}

static struct err *put_btf(struct output *r, const struct encode_result *e)
{
	const struct bytes btf = { e->btf, e->btf_len };

	if (options_append(r->opt))
		return put_into_archive(r, e);
	if (r->opt->detached)
		return out_file_write(r->opt->detached, btf);
	if (r->opt->for_link)
		return put_for_link(r, e);
	return r->is_raw ? out_file_write(r->path, btf) : put_sections(r, e);
}

/* A file for a split BTF over the result. */
struct split_output {
	const char *path; /* NULL: not wanted */
	struct bytes btf;
	const char *what; /* it has */
	struct out_file file;
};

static struct err *prepare_split(const struct output *r, struct split_output *split)
{
	if (!split->path)
		return NULL;
	if (same_file(split->path, r->opt->detached ? r->opt->detached : r->path))
		return err_new(ERR_USAGE, "'%s': the %s cannot go where the BTF goes", split->path,
			       split->what);
	return out_file_prepare(split->path, split->btf, &split->file);
}

/* Write all outputs or none: complete the files of split BTF, write the BTF, rename these files. */
static struct err *put_all(struct output *r)
{
	struct encode_result rest = r->made;
	struct split_output splits[] = {
		{ r->opt->vars_detached, { rest.vars, rest.vars_len }, "variables", { 0 } },
		{ r->opt->inline_detached, { rest.sites, rest.sites_len }, "sites", { 0 } },
	};
	struct err *e = NULL;

	if (r->opt->vars_detached)
		rest.vars = NULL;
	if (r->opt->inline_detached)
		rest.sites = NULL;
	for (size_t i = 0; !e && i < ARRAY_SIZE(splits); i++)
		e = prepare_split(r, &splits[i]);
	if (!e)
		e = put_btf(r, &rest);
	for (size_t i = 0; i < ARRAY_SIZE(splits); i++) {
		if (!e && splits[i].path)
			e = out_file_commit(&splits[i].file);
		out_file_release(&splits[i].file);
	}
	return e;
}

/* A script expects an output file. A file of an earlier run may even have the BTF of other inputs. */
static void warn_no_output(const struct output *r)
{
	const char *path = r->opt->detached;
	/* an object whose DWARF was stripped after its encoding */
	const char *hint = r->facts.has_btf && !r->facts.has_dwarf && reads_dwarf(r->opt) ?
				   "; '-F btf' writes that of the file" :
				   "";
	struct stat st;

	if (!path)
		return;
	if (stat(path, &st) != 0)
		diag_add(r->diags, DIAG_WARNING, "'%s' is not written: there is no BTF to write%s",
			 path, hint);
	else if (S_ISREG(st.st_mode))
		diag_add(r->diags, DIAG_WARNING, "'%s' is unchanged: there is no BTF to write%s",
			 path, hint);
}

/*
 * An assembler's object, for example, has DWARF and no types. A file without DWARF may have been
 * encoded and stripped before, so its member of the archive stays.
 */
static struct err *put_nothing(struct output *r)
{
	warn_no_output(r);
	if (options_append(r->opt) && r->facts.has_dwarf)
		TRY(archive_file_append(r->opt->archive, r->path, (struct bytes){ 0 }));
	if (r->target.is_open)
		return section_target_put(&r->target, NULL, 0, true, r->diags);
	return NULL;
}

static struct err *put(struct output *r)
{
	if (r->opt->nothing_made)
		return NULL;
	if (!r->made.btf)
		return put_nothing(r);
	return put_all(r);
}

static struct err *nothing_to_encode(const struct options *opt, const char *path)
{
	return err_new(ERR_FORMAT, "'%s' has nothing to encode: '%s' needs DWARF or a BTF archive",
		       path, opt->fatal ? "--fatal" : "--btf_report");
}

/*
 * An assembler's object has no types, and an empty report is true for it. For anything else that has none,
 * a report or --fatal would say that nothing is missing.
 */
static struct err *refuse_nothing(const struct output *r, const struct report *found)
{
	const struct options *opt = r->opt;
	bool is_object = !r->facts.is_linked && !is_module(r->path);
	bool refused = opt->fatal ? opt->nothing_made || !is_object :
				    opt->report && opt->nothing_made && !is_object;

	return refused && !found->begun ? nothing_to_encode(opt, r->path) : NULL;
}

/*
 * A run that only explains functions also reads where they are inlined. Another one would write or report more than it is
 * asked for.
 */
static bool explains_sites(const struct options *opt, const struct encode_request *request)
{
	return request->may_be_empty && opt->explain_names.nr && !opt->explain_all && !opt->fatal &&
	       request->nr == 1 && opt->from != ENCODE_FROM_BTF && !request->gather &&
	       !encode_wants_sites(&opt->encode) &&
	       !feature_on(&opt->encode, FEATURE_DISTILLED_BASE) &&
	       !(compat_get(opt->encode.compat)->lacks & FEATURE_INLINE);
}

/* -V twice: the records are lines of the diagnostics, so those of a batch are in the order of the files. */
static struct err *add_records(const struct output *r, const struct btf_input *base)
{
	CLEANUP(text_release) struct text lines = { 0 };

	if (!r->opt->records || !r->made.btf)
		return NULL;
	TRY(records_print(&lines, &r->made, base));
	diag_add(r->diags, DIAG_TEXT, "%s", text_string(&lines));
	return NULL;
}

/* ---- all together ---- */

struct err *job_encode_files(const struct options *opt, const struct encode_opts *encode,
			     const struct file_refs *files, const struct btf_input *base,
			     struct reporting *reporting, struct progress *progress,
			     struct diagnostics *diags)
{
	CLEANUP(output_release) struct output r = { .opt = opt,
						    .path = files->items[0].name,
						    .diags = diags };
	CLEANUP(encode_stats_release) struct encode_stats stats = { 0 };
	CLEANUP(report_release) struct report report = reporting_wants(reporting, opt);
	struct encode_opts own = *encode;
	struct encode_request request = make_job(opt, files, base);

	/* --explain without any output explains the BTF of an input that has nothing to encode */
	request.may_be_empty = opt->explain && !opt->report && opt->nothing_made;
	request.one_of_many = reporting->part;
	if (request.may_be_empty)
		diags->verbose = false; /* the report has these lines */
	if (explains_sites(opt, &request))
		own.features |= FEATURE_INLINE_APART;
	own.facts = request.in_place && !is_module(r.path);
	own.for_link = opt->for_link;
	request.stats = opt->stats ? &stats : NULL;
	request.report = reporting_asked(opt) ? &report : NULL;
	request.progress = progress;
	TRY(encode_unchanged(&r, &request, &own));
	TRY(refuse_nothing(&r, &report));
	if (request.may_be_empty && !report.begun)
		return reporting_add_btf(reporting, opt, files->items, base, diags);
	progress_phase(progress, "writing");
	if (request.report) {
		TRY(reporting_add(reporting, opt, files, base, &r.made, &report));
		TRY(reporting_prepare(reporting, opt));
	}
	TRY(put(&r));
	reporting->nr_kept += !r.made.btf && r.facts.has_btf && !r.facts.has_dwarf;
	TRY(add_records(&r, base));
	progress_end(progress);
	if (!opt->stats || !r.made.btf)
		return NULL;
	encode_stats_phase(&stats, "write");
	return run_print(&stats, r.path, &r.made, base, opt->encode.verbose);
}

/*
 * A distilled base is a second section, and a detached file has only one. As with pahole, the split
 * BTF then refers to the base that it was encoded over.
 */
static struct err *check_distilled_option(const struct options *opt, struct encode_opts *encode,
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
		"--btf_features=distilled_base has no effect on '%s': only BTF in an ELF file can have a .BTF.base",
		opt->detached);
	return NULL;
}

/*
 * With a base, each of several files is a module and is encoded separately, unless the files are members of
 * one archive or of one linked file.
 */
static bool is_batch(const struct options *opt, size_t nr_files)
{
	return opt->base && nr_files > 1 && opt->from != ENCODE_FROM_BTF && !opt->gather;
}

static struct err *check_batch(const struct options *opt, size_t nr_files)
{
	const char *single = opt->detached      ? "--btf_encode_detached" :
			     opt->vars_detached ? "--btf_vars_detached" :
						  "--btf_inline_detached";

	if (!is_batch(opt, nr_files))
		return NULL;
	if (opt->detached || opt->vars_detached || opt->inline_detached)
		return err_new(
			ERR_USAGE,
			"'--btf_base' encodes each of %zu files by itself: '%s' is one output",
			nr_files, single);
	if (opt->stats)
		return err_new(
			ERR_USAGE,
			"'--btf_base' encodes each of %zu files by itself: '--btf_stats' covers "
			"one",
			nr_files);
	return NULL;
}

/* The identity of a file; all zero unless it is a regular file. */
struct identity {
	dev_t dev;
	ino_t ino;
	const char *path;
};

static struct identity identify(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return (struct identity){ .path = path };
	return (struct identity){ st.st_dev, st.st_ino, path };
}

static int by_identity(const void *a, const void *b)
{
	const struct identity *x = a, *y = b;

	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

static bool same_identity(const struct identity *a, const struct identity *b)
{
	return a->ino && !by_identity(a, b);
}

/* Is @id one of the files of @base? */
static bool is_base(const struct identity *id, const char *base)
{
	CLEANUP(mem_free_text) char *list = mem_strdup(base);
	struct identity whole = identify(base);

	if (same_identity(id, &whole))
		return true;
	for (char *name = list, *comma; name; name = comma) {
		comma = strchr(name, ',');
		if (comma)
			*comma++ = '\0';
		struct identity one = identify(name);
		if (same_identity(id, &one))
			return true;
	}
	return false;
}

/* Refuse outputs that are the base or another output: threads encode in parallel and read the base. */
static struct err *check_base_apart(const struct options *opt, const struct file_refs *files)
{
	size_t nr = is_batch(opt, files->nr) ? files->nr : 1;

	if (!opt->base || (opt->nothing_made && nr == 1))
		return NULL;

	CLEANUP(mem_free) struct identity *ids = mem_alloc(nr * sizeof(*ids));
	for (size_t i = 0; i < nr; i++) {
		ids[i] = identify(opt->detached ? opt->detached : files->items[i].path);
		if (is_base(&ids[i], opt->base))
			return err_new(ERR_USAGE, "'%s' is the base itself", ids[i].path);
	}
	qsort(ids, nr, sizeof(*ids), by_identity);
	for (size_t i = 1; i < nr; i++) {
		if (same_identity(&ids[i - 1], &ids[i]))
			return err_new(ERR_USAGE, "'%s' and '%s' are the same file",
				       ids[i - 1].path, ids[i].path);
	}
	return NULL;
}

/* Is @path an input of this run, or a list of inputs? BTF that is no ELF file counts if @raw_too. */
static bool is_input(const struct options *opt, const struct file_refs *files, const char *path,
		     bool raw_too)
{
	const char *others[] = { opt->base, opt->archive };

	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (others[i] && same_file(path, others[i]))
			return true;
	}
	for (size_t i = 0; i < opt->files.nr; i++) {
		const char *arg = opt->files.items[i];

		if (*arg == '@' && strcmp(arg, "@-") && same_file(path, arg + 1))
			return true;
	}
	for (size_t i = 0; i < files->nr; i++) {
		const struct file_ref *f = &files->items[i];

		if (same_file(path, f->path) &&
		    (raw_too || f->ar || raw_file_starts_with(path, ELFMAG, SELFMAG)))
			return true;
	}
	return false;
}

/* Refuse a report that would replace another output or an input. */
static struct err *check_report_apart(const struct options *opt, const struct file_refs *files)
{
	const char *others[] = { opt->detached, opt->vars_detached, opt->inline_detached };

	if (!opt->report)
		return NULL;
	bool same = is_input(opt, files, opt->report, true);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		same |= others[i] && same_file(opt->report, others[i]);
	return same ? err_new(ERR_USAGE, "'%s': the report cannot go there", opt->report) : NULL;
}

/* Refuse a detached output that would replace an input. */
static struct err *check_inputs_stay(const struct options *opt, const struct file_refs *files)
{
	const char *outputs[] = { opt->detached, opt->vars_detached, opt->inline_detached };

	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		if (outputs[i] && is_input(opt, files, outputs[i], false))
			return err_new(
				ERR_USAGE,
				"'%s': the output would replace the input; '-J' puts BTF into its file",
				outputs[i]);
	}
	return NULL;
}

/*
 * Refuse to change members of ar archives. The BTF of all would go into the first, where no linker expects it;
 * pahole puts it into each member.
 */
static struct err *check_archives(const struct options *opt, const struct file_refs *files)
{
	size_t nr = is_batch(opt, files->nr) ? files->nr : 1;
	bool in_place = !opt->detached && !opt->nothing_made;

	for (size_t i = 0; i < nr; i++) {
		const char *ar = files->items[i].ar;

		if (ar && make_job(opt, files, NULL).gather)
			return err_new(
				ERR_USAGE,
				"'%s' is an ar archive, but the first file must be the linked one",
				ar);
		if (ar && in_place)
			return err_new(
				ERR_USAGE,
				"'%s' is an ar archive: encode its objects before 'ar', or give '--btf_encode_detached'",
				ar);
	}
	return NULL;
}

/* A job that only reads raw BTF needs no "-F btf", a job that encodes from it does. */
static struct err *choose_format(struct options *opt)
{
	const char *path = opt->files.items[0];

	if (opt->from != ENCODE_FROM_EITHER || (!raw_file_starts_with(path, "\x9f\xeb", 2) &&
						!raw_file_starts_with(path, "\xeb\x9f", 2)))
		return NULL;
	if (!opt->nothing_made)
		return err_new(ERR_FORMAT, "'%s' is BTF: give '-F btf' to combine it", path);
	opt->from = ENCODE_FROM_BTF;
	return NULL;
}

/* Of that many arrays, some have several dimensions: of the 3,139 of a vmlinux of Linux 6.12, 93. */
enum { ENOUGH_ARRAYS = 500 };

/*
 * pahole 1.31 and older make one ARRAY of an array of several dimensions. Over such a base, a module of a later level
 * repeats all structs that have one, for example task_struct.
 */
static void warn_flat_base(const struct options *opt, const struct btf_view *base,
			   struct diagnostics *diags)
{
	size_t nr = 0;

	if (compat_get(opt->encode.compat)->flat_arrays)
		return;
	for (uint32_t id = base->types.first; id < btf_types_end(&base->types); id++) {
		const uint32_t *rec = btf_types_rec(&base->types, id);
		uint32_t element;

		if (btf_rec_kind(rec) != BTF_ARRAY)
			continue;
		nr++;
		element = rec[BTF_REC_WORDS];
		if (element && btf_rec_kind(btf_types_rec(&base->types, element)) == BTF_ARRAY)
			return;
	}
	if (nr >= ENOUGH_ARRAYS)
		diag_add(
			diags, DIAG_WARNING,
			"'%s': pahole 1.31 or older made this BTF: encode with '--compat=1.31', or modules repeat many of its structs",
			opt->base);
}

/*
 * Without the feature enum64, an enum of 64 bits is an ENUM, and no enum is signed. If the base is of the other form, a
 * type that leads to such an enum differs from its namesake in the base, so most structs of a kernel do. Then
 * deduplication takes a hundred times as long, because it compares all of them.
 */
static void warn_other_enum64(const struct options *opt, const struct btf_view *base,
			      struct diagnostics *diags)
{
	bool enum64 = opt->encode.features & FEATURE_ENUM64, has_enum64 = false;
	bool has_wide = false, has_signed = false;

	for (uint32_t id = base->types.first; id < btf_types_end(&base->types); id++) {
		const uint32_t *rec = btf_types_rec(&base->types, id);
		bool is_enum = btf_rec_kind(rec) == BTF_ENUM;

		has_enum64 |= btf_rec_kind(rec) == BTF_ENUM64;
		has_wide |= is_enum && rec[BTF_REC_SIZE_TYPE] == 8;
		has_signed |= is_enum && btf_rec_kflag(rec);
	}
	if (enum64 && has_wide && !has_enum64 && !has_signed)
		diag_add(
			diags, DIAG_WARNING,
			"'%s' has 64-bit enums without the feature enum64: give '--skip_encoding_btf_enum64', or the output repeats types of the base and takes long",
			opt->base);
	if (!enum64 && has_enum64)
		diag_add(
			diags, DIAG_WARNING,
			"'%s' has ENUM64: give '--btf_features=+enum64', or the output repeats types of the base and takes long",
			opt->base);
}

/* More of the tables about a base is not worth huge pages. */
enum { TABLES_MAX = 4 * 1024 * 1024 };

/*
 * To encode an object with DWARF takes about a quarter of a megabyte and its size. The tables about a base
 * (base_index.h) take three quarters of the size of its BTF.
 */
static void expect_memory(const char *path, const struct btf_view *base)
{
	size_t tables = base->size / 4 * 3;
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		heap_expect((size_t)256 * 1024 + (size_t)st.st_size +
			    (tables < TABLES_MAX ? tables : TABLES_MAX));
}

struct err *job_encode(const struct options *asked, struct diagnostics *diags)
{
	struct options own = *asked;
	const struct options *opt = &own;
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_refs_release) struct file_refs files = { 0 };
	CLEANUP(reporting_release) struct reporting reporting = { 0 };
	CLEANUP(progress_end) struct progress progress;
	struct encode_opts encode = opt->encode;

	progress_begin(&progress, opt->quiet);
	TRY(choose_format(&own));
	TRY(check_distilled_option(opt, &encode, diags));
	/* an archive has the BTF of objects by their names */
	TRY((opt->archive && !options_append(opt) ?
		     file_list_expand_names :
		     file_list_expand)(opt->files.items, opt->files.nr, &files));
	TRY(check_batch(opt, files.nr));
	if (opt->for_link && files.nr > 1)
		return err_new(ERR_USAGE,
			       "'--btf_for_link' takes one file: encode each object by itself");
	TRY(check_archives(opt, &files));
	TRY(check_report_apart(opt, &files));
	TRY(check_base_apart(opt, &files));
	TRY(check_inputs_stay(opt, &files));
	if (opt->base) {
		TRY(btf_input_open(opt->base, diags, &base));
		warn_flat_base(opt, &base.view, diags);
		warn_other_enum64(opt, &base.view, diags);
	}
	if (opt->explain && opt->json)
		explain_json_begin(&reporting.explained, opt, &files);
	/* encoding would renumber the types; only an archive needs that */
	if (own.from != asked->from) {
		struct err *e = reporting_add_btf(&reporting, asked, files.items,
						  opt->base ? &base : NULL, diags);

		if (!e)
			return opt->fatal || opt->report ?
				       nothing_to_encode(opt, files.items[0].name) :
				       reporting_end(&reporting, opt);
		err_free(e);
	}

	if (is_batch(opt, files.nr))
		return job_batch(opt, &encode, &files, &base, &reporting, &progress, diags);
	if (files.nr == 1)
		expect_memory(files.items[0].path, &base.view);
	struct err *e = job_encode_files(opt, &encode, &files, opt->base ? &base : NULL, &reporting,
					 &progress, diags);
	if (!e)
		return reporting_end(&reporting, opt);
	if (reporting.fatal)
		diag_keep_last(diags, &e, reporting_end(&reporting, opt));
	return e;
}
