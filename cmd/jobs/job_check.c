/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_check.c - BTF that is there is checked by the kernel's rules
 *
 * A module with a .BTF.base has that as its base, and both are checked; --btf_base is then what the
 * kernel would move it to. The BTF of a BPF object is checked as libbpf would load it. A file that cannot be read
 * does not keep the others from their check.
 */
#include "base/cleanup.h"
#include "cmd/jobs/file_tree.h"
#include "cmd/jobs/jobs.h"
#include "cmd/print/outputs.h"
#include "cmd/print/print_line.h"
#include "loader/btf/archive.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_section.h"
#include "loader/btf/completed_btf.h"
#include "loader/elf/raw_file.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The file that is checked. */
struct checked {
	const struct object *obj; /* NULL: raw BTF */
	const struct file_ref *file;
	const char *path;            /* its name */
	const struct btf_view *base; /* what --btf_base names, or NULL */
	uint32_t version;            /* the oldest version that must take it */
	struct progress *progress;
	struct text *out;
	struct diagnostics *diags;
	bool json;
	bool by_libbpf;             /* libbpf loads it */
	struct check_counts counts; /* of what is printed */
};

/*
 * Does libbpf replace what @one is about, if the kernel refuses it? A name "?.section" gets another first
 * character, for example. libbpf itself puts one variable into .ksyms several times.
 */
static bool is_for_libbpf(const struct btf_view *v, const struct btf_finding *one)
{
	const char *name;

	if (!v || one->id < v->types.first || one->id >= btf_types_end(&v->types))
		return false;
	name = btf_check_str(v, btf_types_rec(&v->types, one->id)[BTF_REC_NAME]);
	switch (one->rule) {
	case RULE_NAME_SECTION_IDENTIFIER:
		return name && name[0] == '?';
	case RULE_TWICE_VAR:
		return name && !strcmp(name, ".ksyms");
	default:
		return btf_rule(one->rule)->replaced;
	}
}

static void print_finding(struct checked *f, const char *section, const struct btf_view *v,
			  const struct btf_finding *one)
{
	if (f->by_libbpf && is_for_libbpf(v, one))
		return;
	if (f->json)
		json_finding(f->out, f->path, section, v, one);
	else
		finding_print(f->out, f->path, section, v, one);
	if (btf_rule(one->rule)->warning)
		f->counts.warnings++;
	else
		f->counts.errors++;
	/* what a program of BPF has is of its compiler */
	f->counts.older[one->rule] = btf_rule(one->rule)->feature && !f->by_libbpf;
}

static void print_error(struct checked *f, const char *text)
{
	f->counts.errors++;
	if (f->json) {
		json_message(f->out, f->path, "error", text);
	} else {
		text_escape(f->out, f->path);
		put_line(f->out, ": error: ", text);
	}
}

/* One line, for each of its records would have several. */
static void print_other_base(struct checked *f, const char *base, const struct btf_check *c)
{
	CLEANUP(mem_free_text) char *text = base_fit_text(&c->fit, base);

	print_error(f, text);
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static void print_findings(struct checked *f, const char *section, const struct btf_check *c)
{
	struct check_counts before = f->counts;

	if (c->other_base) {
		print_other_base(f, c->view.base->path, c);
		return;
	}
	for (size_t i = 0; i < c->findings.nr; i++) {
		print_finding(f, section, c->readable ? &c->view : NULL, &c->findings.items[i]);
	}
	if (f->by_libbpf && !f->json && f->counts.errors + f->counts.warnings) {
		text_escape(f->out, f->path);
		put_line(f->out, ": note: ", "sections and externs are as libbpf completes them");
	}
	const size_t nr = c->view.types.start.nr, errors = f->counts.errors - before.errors;
	const size_t warnings = f->counts.warnings - before.warnings;

	btf_view_report_unknown(&c->view, f->path, f->diags);
	if (c->readable && f->diags->verbose) {
		text_escape(f->out, f->path);
		text_printf(f->out, ": %s: %s%zu type%s, %zu error%s, %zu warning%s\n", section,
			    c->cut ? "stopped after " : "", nr, plural(nr), errors, plural(errors),
			    warnings, plural(warnings));
	}
}

/* The concatenated BTF of objects: the kernel would only see the first one. */
static bool is_archive(struct checked *f, const char *section, struct bytes b)
{
	CLEANUP(archive_release) struct archive a = { 0 };

	if (archive_guess(b, false, &a) != ARCHIVE_MANY || a.members.nr < 2)
		return false;
	print_finding(f, section, NULL,
		      &(struct btf_finding){
			      .rule = RULE_ARCHIVE,
			      .element = UINT32_MAX,
			      .function = btf_rule(RULE_ARCHIVE)->function,
			      .offset = a.members.items[1].offset,
			      .value = a.members.nr,
		      });
	return true;
}

static void check_sites(struct checked *f, struct btf_check *c)
{
	CLEANUP(vec_release) VEC(struct file_section) sections = { 0 };

	if (!f->obj)
		return;
	for (size_t i = 0; i < f->obj->nr_sections; i++) {
		const struct object_section *s = &f->obj->sections[i];

		vec_push(&sections, ((struct file_section){
					    .name = s->name,
					    .size = s->size,
					    .executable = s->flags & SHF_EXECINSTR,
				    }));
	}
	btf_check_sites(c, sections.items, sections.nr);
}

/* Check the sections of the file whose base is @below, its .BTF. */
static void check_over(struct checked *f, const struct btf_check *below,
		       const struct btf_check_opts *opts)
{
	static const char *const names[] = { ".BTF.extra", ".BTF.inline" };
	/* no kernel reads .BTF.inline, so none refuses its kinds: the rules are those of the first that has them */
	const uint32_t oldest[] = { 0, linux_version(7, 4) };
	struct btf_check_opts o = *opts;

	o.base = &below->view;
	o.over_distilled = false;
	for (size_t i = 0; f->obj && below->sound && i < ARRAY_SIZE(names); i++) {
		const struct object_section *s = object_section(f->obj, names[i]);
		CLEANUP(btf_check_release) struct btf_check c = { 0 };

		if (!s || !s->data.len)
			continue;
		o.version = opts->version > oldest[i] ? opts->version : oldest[i];
		btf_check_run(s->data, &o, &c);
		check_sites(f, &c);
		print_findings(f, names[i], &c);
	}
}

static void check_alone(struct checked *f, const char *section, struct bytes b,
			const struct btf_check_opts *opts)
{
	CLEANUP(btf_check_release) struct btf_check c = { 0 };

	if (is_archive(f, section, b))
		return;
	btf_check_run(b, opts, &c);
	c.view.path = section;
	check_sites(f, &c);
	print_findings(f, section, &c);
	check_over(f, &c, opts);
}

static void check_distilled(struct checked *f, struct bytes btf, struct bytes distilled,
			    const struct btf_check_opts *opts)
{
	CLEANUP(btf_check_release) struct btf_check below = { 0 };
	CLEANUP(btf_check_release) struct btf_check above = { 0 };
	struct btf_check_opts o = *opts;

	if (btf_rule_applies(RULE_DISTILLED_UNKNOWN, f->version))
		print_finding(f, ".BTF.base", NULL,
			      &(struct btf_finding){
				      .rule = RULE_DISTILLED_UNKNOWN,
				      .element = UINT32_MAX,
				      .function = btf_rule(RULE_DISTILLED_UNKNOWN)->function,
			      });
	o.base = NULL;
	o.distilled = true;
	btf_check_run(distilled, &o, &below);
	below.view.path = ".BTF.base";
	if (below.sound) {
		o.base = &below.view;
		o.distilled = false;
		o.over_distilled = true;
		btf_check_run(btf, &o, &above);
	}
	if (above.sound && f->base)
		btf_check_relocation(&above.view, f->base, &above.findings, &below.findings);
	check_sites(f, &above);
	print_findings(f, ".BTF.base", &below);
	print_findings(f, ".BTF", &above);
	above.view.path = ".BTF";
	check_over(f, &above, opts);
}

/* Let *btf be what libbpf would load for @obj. */
static struct err *complete(struct checked *f, const struct object *obj, struct bytes *btf,
			    struct completed_btf *c)
{
	TRY(completed_btf_make(obj, *btf, c));
	if (!c->btf)
		return NULL;
	f->by_libbpf = true;
	for (size_t i = 0; i < c->refusals.nr; i++) {
		CLEANUP(mem_free_text)
		char *text = mem_printf("libbpf refuses the object: %s", c->refusals.items[i]);

		print_error(f, text);
	}
	*btf = (struct bytes){ c->btf, c->btf_len };
	diag_add(f->diags, DIAG_VERBOSE,
		 "'%s': checked as libbpf would load it: %u DATASECs and %u externs completed",
		 f->path, c->nr_sections, c->nr_externs);
	return NULL;
}

/* Check the sections of @f->obj. */
static struct err *check_sections(struct checked *f)
{
	CLEANUP(mem_free) uint8_t *own = NULL;
	CLEANUP(completed_btf_release) struct completed_btf completed = { 0 };
	const struct object_section *distilled = object_section(f->obj, ".BTF.base");
	const struct btf_check_opts opts = {
		.base = f->base,
		.version = f->version,
		.addr_size = f->obj->addr_size,
		.order = f->obj->swap ? CHECK_OTHER_ORDER : CHECK_HOST_ORDER,
	};
	struct bytes btf;

	TRY(btf_section_read(f->obj, f->diags, &btf, &own));
	if (!btf.len)
		return err_at(btf_section_missing(f->obj), "'%s'", f->path);
	if (completed_btf_applies(f->obj))
		TRY(complete(f, f->obj, &btf, &completed));
	if (distilled && distilled->data.len)
		check_distilled(f, btf, distilled->data, &opts);
	else
		check_alone(f, ".BTF", btf, &opts);
	return NULL;
}

static struct err *check_elf(struct checked *f)
{
	CLEANUP(object_close) struct object obj = { 0 };
	struct err *e;

	TRY(object_open_ref(f->file, &obj));
	f->obj = &obj;
	e = check_sections(f);
	f->obj = NULL;
	return e;
}

static struct err *check_raw(struct checked *f)
{
	CLEANUP(mem_free) uint8_t *bytes = NULL;
	size_t len = 0;

	TRY(raw_file_read_unpacked(f->path, &bytes, &len));
	check_alone(f, "BTF", (struct bytes){ bytes, len },
		    &(struct btf_check_opts){ .base = f->base, .version = f->version });
	return NULL;
}

static void add_counts(struct check_counts *to, const struct check_counts *c)
{
	to->errors += c->errors;
	to->warnings += c->warnings;
	to->failed += c->failed;
	for (size_t i = 0; i < NR_RULES; i++)
		to->older[i] |= c->older[i];
}

/* The last line of several files. */
static void print_sum(struct text *out, size_t nr_files, const struct check_counts *c)
{
	text_printf(out, "%zu files: %zu error%s, %zu warning%s", nr_files, c->errors,
		    plural(c->errors), c->warnings, plural(c->warnings));
	if (c->failed)
		text_printf(out, ", %zu could not be read", c->failed);
	text_char(out, '\n');
}

/* Is this the first rule about its feature that BTF breaks? */
static bool is_first(const struct check_counts *c, size_t rule)
{
	const char *feature = btf_rule((enum btf_rule_id)rule)->feature;

	for (size_t i = 0; i < rule; i++) {
		if (c->older[i] && !strcmp(btf_rule((enum btf_rule_id)i)->feature, feature))
			return false;
	}
	return true;
}

/* How to encode for an older kernel that refuses what features add. */
static void print_remedy(struct text *out, uint32_t version, const struct check_counts *c)
{
	CLEANUP(text_release) struct text names = { 0 };

	for (size_t i = 0; i < NR_RULES; i++) {
		if (c->older[i] && is_first(c, i))
			text_printf(&names, "%s%s", names.nr ? ", " : "",
				    btf_rule((enum btf_rule_id)i)->feature);
	}
	if (names.nr)
		text_printf(
			out,
			"note: for Linux %u.%u, encode without these features: %s (see btfenc-features(7))\n",
			version >> 16, version & UINT16_MAX, text_string(&names));
}

static void print_end(struct text *out, const struct options *opt, size_t nr_files,
		      const struct check_counts *c)
{
	if (nr_files > 1 && (opt->encode.verbose || c->errors || c->warnings || c->failed))
		print_sum(out, nr_files, c);
	print_remedy(out, opt->check_for, c);
}

struct err *job_check(const struct options *opt, struct diagnostics *diags, bool *ret_found)
{
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_trees_release) struct file_trees in = { 0 };
	const struct file_refs *files = &in.files;
	CLEANUP(text_release) struct text out = { .out = stdout };
	CLEANUP(progress_end) struct progress progress;
	struct check_counts counts = { 0 };
	struct err *last = NULL;

	if (opt->check_for > LINUX_NEWEST)
		diag_add(diags, DIAG_WARNING,
			 "'--btf_check=%u.%u': the newest known rules are those of Linux %u.%u",
			 opt->check_for >> 16, opt->check_for & UINT16_MAX, LINUX_NEWEST >> 16,
			 LINUX_NEWEST & UINT16_MAX);
	progress_begin(&progress, opt->quiet);
	TRY(file_trees_find(opt->files.items, opt->files.nr, diags, &in));
	if (opt->base)
		TRY(btf_input_open(opt->base, diags, &base));
	progress_count(&progress, "files", files->nr);
	if (opt->json)
		json_first(&out, "check", opt, files);
	for (size_t i = 0; i < files->nr; i++) {
		struct checked f = {
			.file = &files->items[i],
			.path = files->items[i].name,
			.base = opt->base ? &base.view : NULL,
			.version = opt->check_for,
			.progress = &progress,
			.out = &out,
			.diags = diags,
			.json = opt->json,
		};
		struct err *e = raw_file_is_object(f.file) ? check_elf(&f) : check_raw(&f);

		progress_step(&progress);
		*ret_found |= f.counts.errors != 0;
		f.counts.failed = e != NULL;
		add_counts(&counts, &f.counts);
		if (e) {
			if (opt->json)
				json_message(&out, f.path, "failure", err_text(e));
			diag_keep_last(diags, &last, e);
		}
		/* standard output may be the terminal that shows the progress */
		if (out.nr)
			progress_hide(&progress);
		e = text_flush(&out, true);
		if (e) {
			diag_keep_last(diags, &last, e);
			return last;
		}
	}
	if (opt->json)
		json_check_end(&out, &counts);
	else
		print_end(&out, opt, files->nr, &counts);
	diag_keep_last(diags, &last, text_flush(&out, true));
	return last;
}
