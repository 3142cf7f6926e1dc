/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_show.c - print types as C, with their layout
 *
 * All files stay open until the end, because a struct of the last file may equal one of the first.
 */
#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "cmd/jobs/jobs.h"
#include "cmd/jobs/show_file.h"
#include "cmd/options/file_list.h"
#include "cmd/options/wanted_list.h"
#include "cmd/print/outputs.h"
#include "encoder/select/kfuncs.h"
#include "show/listing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of the job. */
struct showing {
	const struct options *opt;
	enum listing_what what;
	const char *names;   /* of types, unless SHOW_ALL */
	bool names_are_arg;  /* @names is an argument that is no file */
	bool running_kernel; /* no file is given: read the BTF of this kernel */
	struct listing listing;
	struct wanted_list wanted;
	bool symbols;              /* the types are printed: look for functions and variables */
	struct until_type *sought; /* room for all that are @wanted */
	struct show_file *files;
	size_t nr_files;
	struct progress *progress;
	struct btf_input base;
	bool has_base;
};

static void showing_release(struct showing *s)
{
	listing_release(&s->listing);
	wanted_list_release(&s->wanted);
	free(s->sought);
	for (size_t i = 0; i < s->nr_files; i++)
		show_file_release(&s->files[i]);
	free(s->files);
	btf_input_release(&s->base);
}

/* The BTF of a loaded module is split over the kernel's. */
static const char *base_of(const struct options *opt, const char *path)
{
	static const char folder[] = "/sys/kernel/btf/";

	if (opt->base)
		return opt->base;
	if (!starts_with(path, folder) || !strcmp(path + sizeof(folder) - 1, "vmlinux"))
		return NULL;
	return opt->kernel_btf;
}

/* A pattern may match more names in the next file. */
static bool is_done(const struct showing *s)
{
	for (size_t i = 0; i < s->wanted.nr; i++) {
		if (!s->wanted.items[i].found || s->wanted.items[i].is_pattern)
			return false;
	}
	return s->wanted.nr != 0;
}

/* The number of entries for kfuncs in the .BTF_ids of the file. */
static struct err *count_kfuncs(const struct object *obj, size_t *ret)
{
	CLEANUP(symbols_release) struct symbols syms = { 0 };
	CLEANUP(kfuncs_release) struct kfuncs k = { 0 };

	*ret = 0;
	if (!object_section(obj, ".BTF_ids"))
		return NULL;
	TRY(symbols_read(obj, &syms));
	TRY(kfuncs_read(obj, &syms, &k));
	for (size_t i = 0; i < k.ids.nr; i++)
		*ret += k.ids.items[i].kfunc;
	return NULL;
}

/* pahole before 1.27 made no tags for kfuncs, and a list of features may leave them out. */
static void warn_no_kfuncs(const struct show_file *f, const char *path, struct diagnostics *diags)
{
	size_t nr = 0;

	/* the header is printed, and needs no .BTF_ids */
	err_free(f->btf.obj.path ? count_kfuncs(&f->btf.obj, &nr) : NULL);
	if (nr)
		diag_add(
			diags, DIAG_WARNING,
			"'%s': the header has no kfuncs, because the BTF has no tags 'bpf_kfunc', although .BTF_ids lists %zu: '-F dwarf' makes them",
			path, nr);
}

static struct err *show_header(struct showing *s, const struct show_file *f, const char *path,
			       bool over_base, struct diagnostics *diags)
{
	struct bytes base = over_base ? btf_input_bytes(&s->base) : (struct bytes){ 0 };
	bool has_kfuncs;

	if (f->btf.has_base || (over_base && s->base.has_base))
		return err_new(ERR_UNSUPPORTED,
			       "no C header can be made of BTF with a distilled base");
	TRY(header_print(show_file_bytes(f), base, f->types.addr_size, &has_kfuncs));
	if (!has_kfuncs)
		warn_no_kfuncs(f, path, diags);
	return NULL;
}

/*
 * The types that are not found yet, if no other type of a file is needed. With --compile, other units may
 * define an enum that a type points to.
 */
static struct until until_found(struct showing *s)
{
	struct until u = { 0 };

	if (s->what != SHOW_NAMED || s->symbols || s->opt->show.compilable)
		return u;
	for (size_t i = 0; i < s->wanted.nr; i++) {
		const struct wanted *w = &s->wanted.items[i];

		if (w->is_pattern)
			return (struct until){ 0 };
		if (!w->found && !w->is_func)
			s->sought[u.nr++] = (struct until_type){
				.name = w->name,
				.kinds = wanted_definitions(w) & listing_kinds(&s->opt->show),
			};
	}
	u.types = s->sought;
	return u;
}

static struct err *show_file(struct showing *s, const struct file_ref *file,
			     struct diagnostics *diags)
{
	struct show_file *f = &s->files[s->nr_files++];
	const char *base = base_of(s->opt, file->path);

	if (base && !s->has_base) {
		TRY(btf_input_open(base, diags, &s->base));
		s->has_base = true;
	}
	/* print the types of the files before this one, even if this one cannot be read */
	TRY(text_flush(s->listing.text, true));

	const struct show_source from = {
		.file = file,
		.opt = s->opt,
		.base = base ? &s->base.view : NULL,
		.symbols = s->symbols,
		.until = until_found(s),
		.progress = s->progress,
		.diags = diags,
	};
	/* an unreadable file is an error even if all types are found */
	if (is_done(s))
		return show_file_check(&from);
	TRY(show_file_open(&from, f));
	/* standard output may be the same terminal */
	progress_hide(s->progress);
	if (!show_file_bytes(f).len) {
		diag_add(diags, DIAG_VERBOSE, "'%s' has no types: left out", file->name);
		show_file_release(f);
		s->nr_files--;
		return NULL;
	}
	if (s->opt->show_header)
		return err_at(show_header(s, f, file->name, base, diags), "'%s'", file->name);
	s->listing.file = file->name;
	return err_at(listing_put(&s->listing, &f->types, s->symbols ? SHOW_SYMBOLS : s->what,
				  s->wanted.items, s->wanted.nr),
		      "'%s'", file->name);
}

/*
 * Only the text has members, functions and variables. With --compile it has no functions, because
 * it orders types, and with -R only structs.
 */
static bool prints_symbols(const struct showing *s)
{
	return s->what == SHOW_NAMED && s->opt->show.form == LISTING_TEXT &&
	       !s->opt->show.compilable && !s->opt->show.reorganize && !s->opt->show.defined_in;
}

/* The name in the files that is most similar to that of @w; NULL if none is similar. */
static const char *similar_name(const struct showing *s, const struct wanted *w)
{
	struct nearest n = nearest_to(w->name);

	for (size_t i = 0; i < s->nr_files; i++) {
		const struct show_types *t = &s->files[i].types;

		if (!w->is_func)
			listing_offer(t, s->what, &n);
		if (w->sort == WANTED_ANY && prints_symbols(s))
			listing_offer(t, SHOW_SYMBOLS, &n);
	}
	return n.name;
}

static MUST_CHECK struct err *missing_member(const struct wanted *w, const char *name)
{
	if (w->leads_through)
		return err_new(ERR_FORMAT, "%s: a path cannot lead through a pointer", name);
	if (w->similar)
		return err_new(ERR_FORMAT, "%s: the type has no such member; did you mean '%s'?",
			       name, w->similar);
	return err_new(ERR_FORMAT, "%s: the type has no such member", name);
}

/* The error for @w, which was not found. @suggest: look for a similar name. */
static MUST_CHECK struct err *missing(const struct showing *s, const struct wanted *w, bool suggest)
{
	CLEANUP(mem_free_text) char *name = wanted_list_name(w);

	if (w->is_pattern)
		return err_new(ERR_FORMAT, "no %s matches %s", w->is_func ? "function" : "type",
			       name);
	if (w->lacks_member)
		return missing_member(w, name);
	if (s->what == SHOW_NAMED && (w->other == BTF_INT || w->other == BTF_FLOAT))
		return err_new(ERR_FORMAT, "type %s is a base type: it has no definition", name);
	if (s->what == SHOW_NAMED && w->other == BTF_FWD)
		return err_new(ERR_FORMAT, "type %s is declared, but not defined", name);
	if (s->opt->show.reorganize && w->other != BTF_UNKN)
		return err_new(ERR_FORMAT, "type %s is no struct: only structs are reorganized",
			       name);
	if (w->other == BTF_FUNC || w->other == BTF_VAR)
		return err_new(ERR_FORMAT, "type %s not found: '%s' is a %s", name, w->name,
			       w->other == BTF_FUNC ? "function" : "variable");

	const char *similar = suggest ? similar_name(s, w) : NULL;
	const char *before = similar ? "; did you mean '" : "", *behind = similar ? "'?" : "";

	similar = similar ? similar : "";
	if (s->names_are_arg)
		return err_new(ERR_FORMAT, "%s is neither a file nor a type%s%s%s%s", name,
			       s->running_kernel ? " of the running kernel" : "", before, similar,
			       behind);
	return err_new(ERR_FORMAT, "%s %s not found%s%s%s", w->is_func ? "function" : "type", name,
		       before, similar, behind);
}

static struct err *report_missing(const struct showing *s, struct diagnostics *diags)
{
	struct err *last = NULL;
	size_t nr = 0;

	if (s->opt->skip_missing)
		return NULL;
	if (s->what == SHOW_ENUMS && !s->listing.found_enum)
		return err_new(ERR_FORMAT, "no enum has the enumerator '%s'",
			       s->opt->show.enumerator);
	for (size_t i = 0; i < s->wanted.nr; i++) {
		if (s->wanted.items[i].found)
			continue;
		diag_keep_last(diags, &last,
			       missing(s, &s->wanted.items[i], nr++ < NEAREST_WORDS_MAX));
	}
	return last;
}

/*
 * As in pahole, a first argument that is no file is a list of types. No type of C has a dot or a slash in
 * its name, so an argument with one is a missing file.
 */
static bool is_type_list(const char *arg)
{
	if (access(arg, F_OK) == 0)
		return false;
	return starts_with(arg, "file://") || (arg[0] != '@' && !strpbrk(arg, "./"));
}

static struct err *use_running_kernel(struct showing *s, struct file_refs *files)
{
	const struct options *opt = s->opt;

	if (opt->base)
		return err_new(ERR_USAGE, "'--btf_base' is for a file, and none is given");
	if (opt->from == ENCODE_FROM_DWARF)
		return err_new(
			ERR_USAGE,
			"'-F dwarf' is for a file, and none is given: a running kernel has only BTF");
	if (access(opt->kernel_btf, R_OK) != 0) {
		struct err *e = err_sys(errno, "the running kernel has no BTF: '%s'",
					opt->kernel_btf);

		return s->names_are_arg ? err_at(e, "'%s' is not a file", s->names) :
					  err_at(e, "no file is given");
	}
	s->running_kernel = true;
	vec_push(files, file_ref_of(opt->kernel_btf));
	return NULL;
}

/* A type after a file has to be the argument of -C. */
static struct err *refuse_types_after_file(const char *const *args, size_t nr)
{
	for (size_t i = 1; i < nr; i++) {
		if (is_type_list(args[i]))
			return err_new(ERR_IO, "'%s': no such file; did you mean '-C %s'?", args[i],
				       args[i]);
	}
	return NULL;
}

/* Find out which types are wanted, and from which files. */
static struct err *read_arguments(struct showing *s, struct file_refs *files)
{
	const struct options *opt = s->opt;
	const char *const *args = opt->files.items;
	size_t nr = opt->files.nr;
	bool no_list = opt->show_header || opt->show.enumerator;

	s->what = opt->show_what;
	s->names = opt->show_name;
	if (!s->names && !no_list && nr && is_type_list(args[0])) {
		s->what = SHOW_NAMED;
		s->names = args[0];
		s->names_are_arg = true;
		if (opt->of_all)
			return err_new(ERR_USAGE,
				       "'%s' is for all types of a file, and '%s' is not a file",
				       opt->of_all, args[0]);
		args++;
		nr--;
	} else if (!s->names && !no_list) {
		TRY(refuse_types_after_file(args, nr));
	}
	if (opt->show.reorganize && s->what != SHOW_NAMED)
		return err_new(ERR_USAGE, "'-R' needs a list of structs: give '-C LIST'");
	if (opt->show.defined_in && s->what != SHOW_NAMED)
		return err_new(ERR_USAGE, "'-u' needs '-C'");
	if (s->names)
		TRY(wanted_list_read(s->names, prints_symbols(s) ? WANTED_SHOWN : WANTED_TYPES,
				     &s->wanted));
	return nr ? file_list_expand(args, nr, files) : use_running_kernel(s, files);
}

static bool wants_types(const struct showing *s)
{
	for (size_t i = 0; i < s->wanted.nr; i++) {
		if (!s->wanted.items[i].is_func)
			return true;
	}
	return !s->wanted.nr;
}

static bool wants_symbols(const struct showing *s)
{
	return !is_done(s) && prints_symbols(s);
}

/*
 * Functions and variables come after types: most lists have only types, and DWARF without functions takes less time to
 * encode, most of all if the first units have the types.
 */
static struct err *show_files(struct showing *s, struct file_refs *files, struct diagnostics *diags)
{
	/* the first pass has printed the warnings */
	CLEANUP(diag_release) struct diagnostics second = { 0 };

	s->sought = mem_zalloc(s->wanted.nr, sizeof(*s->sought));
	s->files = mem_zalloc(2 * files->nr, sizeof(*s->files));
	for (size_t i = 0; i < files->nr && wants_types(s); i++)
		TRY(show_file(s, &files->items[i], diags));
	s->symbols = wants_symbols(s);
	/* a function may have the name of a type */
	name_ids_release(&s->listing.listed);
	for (size_t i = 0; i < files->nr && s->symbols; i++)
		TRY(show_file(s, &files->items[i], wants_types(s) ? &second : diags));
	if (files->nr && !s->nr_files)
		return err_new(ERR_FORMAT, "'%s': none of its members has types",
			       files->items[0].ar);
	return NULL;
}

struct err *job_show(const struct options *opt, struct diagnostics *diags)
{
	CLEANUP(text_release) struct text text = { .out = stdout, .colored = opt->colored };
	CLEANUP(file_refs_release) struct file_refs files = { 0 };
	CLEANUP(progress_end) struct progress progress;
	CLEANUP(showing_release) struct showing s = { .opt = opt, .progress = &progress };

	progress_begin(&progress, opt->quiet);
	listing_init(&s.listing, &opt->show, &text);
	TRY(read_arguments(&s, &files));
	if (opt->json) {
		s.listing.writer = &json_types;
		json_first(&text, "types", opt, &files);
	}
	TRY(show_files(&s, &files, diags));
	if (opt->json)
		json_types_end(&text, s.listing.nr_written);
	TRY(listing_end(&s.listing));
	return report_missing(&s, diags);
}
