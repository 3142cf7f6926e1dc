/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * job_sites.c - print where functions are inlined
 *
 * An argument is a file with BTF, or, as for --btf_diff, a list of files each of which has split BTF over those before
 * it. The first one is the ELF file that has the code. Its own BTF does not count if the next file has whole BTF.
 */
#include "base/cleanup.h"
#include "base/edit_distance.h"
#include "base/vec.h"
#include "cmd/jobs/jobs.h"
#include "cmd/options/file_list.h"
#include "cmd/print/outputs.h"
#include "cmd/print/print_line.h"
#include "cmd/print/sites.h"
#include "loader/btf/archive.h"
#include "loader/btf/btf_input.h"
#include "loader/btf/btf_stack.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One file, with all that is printed of it. */
struct site_file {
	const struct options *opt;
	const struct file_ref *file;
	char *list; /* a copy of its name, without what follows the first comma */
	struct object obj;
	bool has_obj;
	struct symbols syms;
	struct addr_symbols symbols;
	struct btf_stack stack;
	struct inline_sites sites;
	char **types;
	size_t nr_types;
};

static void site_file_release(struct site_file *f)
{
	for (size_t i = 0; i < f->nr_types; i++)
		free(f->types[i]);
	inline_sites_release(&f->sites);
	btf_stack_release(&f->stack);
	addr_symbols_release(&f->symbols);
	symbols_release(&f->syms);
	if (f->has_obj)
		object_close(&f->obj);
	FREE_ALL(f->types, f->list);
}

static bool has_btf(const struct object *o)
{
	const struct object_section *btf = object_section(o, ".BTF");

	return btf && btf->data.len;
}

/* Is raw file @path, the first of a list, BTF that needs no base, so that it is not split BTF over that of the code? */
static bool is_whole(const char *list)
{
	CLEANUP(mem_free_text) char *path = mem_printf("%.*s", (int)strcspn(list, ","), list);
	struct raw_file raw = { 0 };
	struct err *e = raw_file_open(path, &raw);
	bool whole = !e && !archive_is_split((struct bytes){ raw.ptr, raw.len });

	err_free(e);
	raw_file_close(&raw);
	return whole;
}

/* Open the code, and the BTF that belongs to it. */
static struct err *open_file(struct site_file *f, const struct btf_view *base,
			     struct diagnostics *diags)
{
	struct file_ref first = *f->file, rest = *f->file;
	char *comma;

	f->list = mem_strdup(f->file->path);
	comma = access(f->list, F_OK) == 0 ? NULL : strchr(f->list, ',');
	if (comma) {
		*comma = '\0';
		first = file_ref_of(f->list);
	}
	if (raw_file_is_object(&first)) {
		TRY(object_open_ref(&first, &f->obj));
		f->has_obj = true;
		object_find_debug_file(&f->obj);
		TRY(err_at(symbols_read(&f->obj, &f->syms), "'%s'", first.name));
		addr_symbols_make(&f->obj, &f->syms, &f->symbols);
	}
	if (f->has_obj && comma) {
		const char *others = f->file->path + strlen(f->list) + 1;

		if (!has_btf(&f->obj) || is_whole(others))
			rest = file_ref_of(others);
	}
	TRY(btf_stack_open(&rest, base, diags, &f->stack));
	return err_at(inline_sites_read(f->stack.top, f->stack.first, f->has_obj ? &f->obj : NULL,
					&f->sites),
		      "'%s'", f->file->name);
}

/* As the encoder: a kernel is relative to _text, another program to its lowest address. */
static void find_base(const struct site_file *f, struct sites_view *v)
{
	v->base = f->has_obj ? f->obj.load_addr : 0;
	v->base_name = f->has_obj ? NULL : "base";
	for (size_t i = 0; i < f->syms.nr_all; i++) {
		const struct symbol *s = &f->syms.all[i];

		if (s->section && s->section < f->obj.nr_sections && !strcmp(s->name, "_text")) {
			v->base = s->value;
			v->base_name = "_text";
		}
	}
}

static struct sites_view begin_view(struct site_file *f)
{
	struct sites_view v = {
		.btf = f->stack.top,
		.obj = f->has_obj ? &f->obj : NULL,
		.symbols = &f->symbols,
		.path = strcmp(f->list, f->file->path) ? f->list : f->file->name,
	};

	f->nr_types = btf_types_end(&v.btf->types);
	f->types = mem_zalloc(f->nr_types, sizeof(f->types[0]));
	v.types = f->types;
	find_base(f, &v);
	return v;
}

/* Keep the sites of function @name only. */
static void keep_func(const struct sites_view *v, const char *name, struct inline_sites *sites)
{
	size_t nr = 0;

	for (size_t i = 0; i < sites->nr; i++) {
		if (!strcmp(sites_func_name(v, &sites->items[i]), name))
			sites->items[nr++] = sites->items[i];
	}
	sites->nr = nr;
}

static struct err *no_sites(const struct site_file *f)
{
	return err_new(ERR_FORMAT,
		       "'%s': there are no sites of inlined functions: encode it with "
		       "'--btf_features=default,inline', or with '--btf_inline_detached=SITES' and "
		       "give '%s,SITES', or '%s,BTF,SITES' if that run wrote its BTF to a file",
		       f->file->name, f->list, f->list);
}

static struct err *not_inlined(const struct site_file *f, const struct sites_view *v)
{
	struct nearest n = nearest_to(f->opt->sites_of);

	for (size_t i = 0; i < f->sites.nr; i++)
		nearest_offer_other(&n, sites_func_name(v, &f->sites.items[i]));
	return err_new(ERR_FORMAT, "'%s': no site of a function '%s'%s%s%s", f->file->name,
		       f->opt->sites_of, n.name ? "; did you mean '" : "", n.name ? n.name : "",
		       n.name ? "'?" : "");
}

static struct err *print_program(struct text *out, const struct site_file *f,
				 const struct sites_view *v)
{
	const enum kernel_file kind = f->has_obj ? kernel_file(&f->obj, &f->syms) : KERNEL_NONE;
	struct kprobe_places places = { 0 };
	size_t nr;

	if (kind == KERNEL_NONE)
		return err_new(ERR_FORMAT,
			       "'--bpftrace': '%s' is neither a vmlinux nor a module with symbols",
			       f->list);
	CLEANUP(mem_free_text)
	char *module = kind == KERNEL_MODULE ? kernel_module_name(&f->obj, f->list) : NULL;
	kprobe_places_make(&f->obj, &f->syms, &places);
	nr = sites_bpftrace(out, v, f->sites.items, f->sites.nr, &places, module);
	kprobe_places_release(&places);
	if (nr)
		return NULL;
	TRY(text_flush(out, true));
	return err_new(ERR_FORMAT, "'%s': no site of '%s' can have a kprobe", f->file->name,
		       f->opt->sites_of);
}

static struct err *print_file(struct text *out, const struct options *opt,
			      const struct file_ref *file, const struct btf_view *base,
			      size_t *ret_nr, struct diagnostics *diags)
{
	CLEANUP(site_file_release) struct site_file f = { .opt = opt, .file = file };

	TRY(open_file(&f, base, diags));
	if (!f.sites.nr)
		return no_sites(&f);

	const struct sites_view v = begin_view(&f);
	struct inline_sites all = f.sites;

	if (opt->sites_of)
		keep_func(&v, opt->sites_of, &f.sites);
	if (!f.sites.nr) {
		f.sites.nr = all.nr;
		return not_inlined(&f, &v);
	}
	*ret_nr += f.sites.nr;
	if (opt->bpftrace)
		return print_program(out, &f, &v);
	for (size_t i = 0; i < f.sites.nr; i++) {
		(opt->json ? json_site : sites_print)(out, &v, &f.sites.items[i]);
		TRY(text_flush(out, false));
	}
	return NULL;
}

struct err *job_sites(const struct options *opt, struct diagnostics *diags)
{
	CLEANUP(btf_input_release) struct btf_input base = { 0 };
	CLEANUP(file_refs_release) struct file_refs files = { 0 };
	CLEANUP(text_release) struct text out = { .out = stdout };
	size_t nr = 0;

	TRY(file_list_expand(opt->files.items, opt->files.nr, &files));
	TRY(file_list_keep_btf(&files, diags));
	if (opt->base)
		TRY(btf_input_open(opt->base, diags, &base));
	if (opt->json)
		json_first(&out, "sites", opt, &files);
	for (size_t i = 0; i < files.nr; i++) {
		if (files.nr > 1 && !opt->json && !opt->bpftrace)
			put_line(&out, i ? "\n" : "", files.items[i].name);
		/* an error of this file comes after the output for those before it */
		TRY(text_flush(&out, true));
		TRY(print_file(&out, opt, &files.items[i], opt->base ? &base.view : NULL, &nr,
			       diags));
	}
	if (opt->json)
		json_sites_end(&out, nr);
	return text_flush(&out, true);
}
