/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * open_files.c - open all input files and read their tables
 *
 * Before units can be read, two things are needed that do not depend on each other: the symbol table,
 * and the headers and abbreviations of the units. For a kernel each takes a few hundredths of a
 * second, so two threads read them.
 */
#include "encoder/program/passes.h"

#include "base/os/ordered.h"
#include "loader/elf/image.h"
#include "loader/elf/raw_file.h"

#include <stdlib.h>
#include <string.h>

/* --- opening files ------------------------------------------------------------------ */

static bool is_percpu(const struct object *obj, const char *name)
{
	/* the kernel's linker script puts .data..percpu..* into .data..percpu */
	return !strcmp(name, ".data..percpu") ||
	       (obj->is_rel && starts_with(name, ".data..percpu.."));
}

/* Choose the sections whose variables are wanted. @asked: a name is to be explained. */
static void choose_sections(const struct encode_opts *opts, bool asked, struct input *in)
{
	bool global = feature_on(opts, FEATURE_GLOBAL_VAR), var = feature_on(opts, FEATURE_VAR);
	bool apart = feature_on(opts, FEATURE_VARS_APART);
	const struct object *obj = &in->obj;

	/* to explain why a variable is omitted, it must be read */
	if (!global && !var && !apart && !(asked && !in->from_btf))
		return;
	in->var_sections = mem_zalloc(obj->nr_sections, sizeof(in->var_sections[0]));
	if (apart)
		in->apart_sections = mem_zalloc(obj->nr_sections, sizeof(in->apart_sections[0]));
	for (size_t i = 1; i < obj->nr_sections; i++) {
		bool own = global || (var && is_percpu(obj, obj->sections[i].name));

		in->var_sections[i] = own || apart;
		if (apart)
			in->apart_sections[i] = !own;
	}
}

/* Kfuncs that are kept need no feature: the kernel relies on them in any case. */
static struct err *read_kfuncs(const struct encode_opts *opts, bool is_split, struct input *in)
{
	bool keep = compat_get(opts->compat)->keep_kfuncs;

	if (!keep && !feature_on(opts, FEATURE_DECL_TAG_KFUNCS))
		return NULL;
	TRY(kfuncs_read(&in->obj, &in->syms, &in->kfuncs));
	/* an object may have kfuncs of other objects */
	if (!keep || (in->obj.is_rel && !is_split) ||
	    !kfuncs_add_to_symbols(&in->kfuncs, &in->syms))
		return NULL;
	kfuncs_release(&in->kfuncs);
	return kfuncs_read(&in->obj, &in->syms, &in->kfuncs);
}

static struct err *read_symbols_of(struct input *in, const struct encode_opts *opts, bool is_split,
				   struct diagnostics *diags)
{
	/* without a linked file there is no symbol table */
	if (!in->opened || opts->types_only)
		return NULL;
	TRY(symbols_read(&in->obj, &in->syms));
	if (!in->syms.have_symtab)
		diag_add(diags, DIAG_WARNING,
			 "'%s' has no symbol table: functions%s are left out; %s", in->path,
			 in->from_btf ? " and variables" : "",
			 "encode it before 'strip -s', or with its debug file");
	return read_kfuncs(opts, is_split, in);
}

/* Open @file. Symbols of a further one are read at once. */
static struct err *open_input(struct program *p, const struct file_ref *file, struct input *in)
{
	in->is_further = p->nr_inputs;
	TRY(input_open(in, file, p->request, p->opts, p->diags));
	if (!in->is_further || input_is_empty(in))
		return NULL;
	TRY(read_symbols_of(in, p->opts, p->request->base, p->diags));
	return input_suspend(in, &p->names);
}

/* Is a name to be explained? It may be that of any symbol. */
static bool is_asked(const struct program *p)
{
	return p->request->report && p->request->report->asked;
}

/* Open file @i of the request, or all files as one if they are @unlinked members. */
static struct err *open_next(struct program *p, size_t i, bool unlinked)
{
	const struct encode_request *request = p->request;
	struct input *in = &p->inputs[p->nr_inputs];
	struct err *err = unlinked ? input_open_unlinked(in, request, p->opts, p->diags) :
				     open_input(p, &request->files[i], in);

	if (err)
		input_release(in);
	TRY(err);
	/* otherwise objects were counted */
	if (!unlinked && !request->gather)
		progress_step(request->progress);
	if (input_is_empty(in)) {
		if (in->lacks_all)
			vec_push(&p->empty, request->files[i].name);
		in->lacks_all = false;
		return NULL;
	}
	if (in->opened && !p->nr_inputs)
		choose_sections(p->opts, is_asked(p), in);
	p->nr_inputs++;
	return NULL;
}

/* A base for another machine has types of the same names, but other sizes. */
static struct err *check_base(const struct btf_input *base, const struct input *in)
{
	const struct object *other = &base->obj;

	if (base->view.swapped != in->obj.swap)
		return err_new(ERR_UNSUPPORTED,
			       "'%s': the base is of the other byte order than '%s'", base->path,
			       in->path);
	/* raw BTF does not name its machine */
	if (other->path && in->opened &&
	    (other->machine != in->obj.machine || other->addr_size != in->obj.addr_size))
		return err_new(ERR_UNSUPPORTED, "'%s': the base is for another machine than '%s'",
			       base->path, in->path);
	return NULL;
}

struct err *open_files(struct program *p)
{
	const struct encode_request *request = p->request;
	bool unlinked = request->from == ENCODE_FROM_BTF && !request->gather &&
			(request->nr > 1 || !raw_file_is_object(&request->files[0]));

	p->inputs = mem_zalloc(request->nr, sizeof(p->inputs[0]));
	progress_count(request->progress, "files", request->nr);
	for (size_t i = 0; i < (unlinked ? 1 : request->nr); i++)
		TRY(open_next(p, i, unlinked));
	return request->base && p->nr_inputs ? check_base(request->base, &p->inputs[0]) : NULL;
}

/* --- reading tables ------------------------------------------------------------ */

/*
 * An estimate of the number of strings, measured on kernels: bytes of .debug_str for each string, and
 * symbols for each name of a function. A wrong estimate only costs time. Objects are small.
 */
enum { BYTES_PER_STRING = 24, SYMBOLS_PER_FUNC = 2 };

static void make_room(struct program *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct object *obj = &p->inputs[i].obj;

		if (p->inputs[i].from_btf || obj->is_rel)
			continue;
		const struct object_section *symtab = object_section(obj, ".symtab");
		if (symtab)
			nr += symtab->data.len / image_symbol_size(obj) / SYMBOLS_PER_FUNC;
		nr += obj->debug[DEBUG_STR].len / BYTES_PER_STRING;
	}
	id_set_expect(&p->strings.set, nr);
}

struct dw_open_opts program_dw_opts(const struct program *p)
{
	return (struct dw_open_opts){
		.kabi_prefix = p->opts->kabi_prefix,
		.merge = feature_on(p->opts, FEATURE_FORCE_CU_MERGING),
		.lto_note_decides = compat_get(p->opts->compat)->lto_note_decides,
	};
}

/*
 * The names of functions get the lowest string ids (dw_read_opts.func_names_end). Those that are not wanted get none, so
 * that they are not read.
 */
static void add_func_names(struct program *p)
{
	for (size_t i = 0; i < p->nr_inputs; i++) {
		struct input *in = &p->inputs[i];

		in->func_names = mem_zalloc(in->syms.nr_funcs, sizeof(in->func_names[0]));
		for (size_t f = 0; f < in->syms.nr_funcs; f++) {
			const struct func_entry *entry = &in->syms.funcs[f];
			const char *name = entry->name;

			/* strings of the pool end with a zero, not with ".isra.0" */
			if (name[entry->name_len])
				name = arena_strndup(&p->names, name, entry->name_len);
			if (encode_wants_func(p->opts, name) ||
			    (p->opts->kfuncs_too && kfuncs_find(&in->kfuncs, (uint32_t)f)))
				in->func_names[f] = str_pool_add(&p->strings, name,
								 entry->name_len);
		}
	}
	p->func_names_end = atomic_load(&p->strings.end);
	p->int_name = str_pool_add(&p->strings, "int", 3);
	p->fake_int = str_pool_add(&p->strings, "__SANITIZED_FAKE_INT__", 22);
}

/*
 * The base of address constants: in a kernel its symbol _text, the address of which /proc/kallsyms has; in a
 * program the lowest one that is loaded, which /proc/PID/maps has.
 */
static struct addr_base addr_base_of(const struct object *o, const struct symbols *syms)
{
	struct addr_base base = { 0 };

	if (o->is_rel)
		return base;
	base.start = o->load_addr;
	for (size_t i = 0; i < syms->nr_all; i++) {
		const struct symbol *s = &syms->all[i];

		if (!strcmp(s->name, "_text") && s->section && s->section < o->nr_sections)
			base.start = s->value;
	}
	for (size_t i = 1; i < o->nr_sections; i++) {
		const struct object_section *s = &o->sections[i];

		if ((s->flags & SHF_ALLOC) && s->addr + s->size > base.end)
			base.end = s->addr + s->size;
	}
	return base;
}

static struct err *read_symbols(void *ctx, struct diagnostics *diags)
{
	struct program *p = ctx;
	struct input *first = &p->inputs[0];
	/* facts have the variables of all sections */
	bool facts = p->opts->facts && first->obj.is_rel && !p->request->base;

	TRY(read_symbols_of(first, p->opts, p->request->base, diags));
	bool sites = encode_wants_sites(p->opts);
	if (facts || first->var_sections)
		TRY(symbols_index_objects(&first->obj, facts ? NULL : first->var_sections,
					  &first->syms));
	if (facts || first->var_sections || sites)
		section_map_make(&first->obj, &first->section_map);
	if (sites)
		first->addr_base = addr_base_of(&first->obj, &first->syms);
	for (size_t i = 0; i < p->nr_inputs; i++) {
		struct input *in = &p->inputs[i];

		/* variables of members are located by local symbols (locate_vars.c) */
		if (in->opened && !in->from_btf && !is_asked(p))
			symbols_drop_all(&in->syms);
	}
	add_func_names(p);
	return NULL;
}

static struct err *find_units(void *ctx, struct diagnostics *diags)
{
	struct program *p = ctx;
	const struct dw_open_opts opts = program_dw_opts(p);
	bool has_note;

	for (size_t i = 0; i < p->nr_inputs; i++) {
		struct input *in = &p->inputs[i];

		if (in->suspended)
			continue;
		if (!in->from_btf)
			TRY(err_at(dw_file_open(&in->obj, &p->strings, &opts, diags, &in->dwarf),
				   "'%s'", in->path));
		else if (in->opened)
			in->as_one = dw_find_lto_note(&in->obj, opts.lto_note_decides, &has_note) ||
				     opts.merge;
	}
	/* several files are not one unit, although the members of each are */
	p->as_one = p->nr_inputs == 1 && p->inputs[0].as_one;
	return NULL;
}

struct err *read_tables(struct program *p)
{
	const struct task tasks[] = { { read_symbols, p }, { find_units, p } };
	size_t bytes = 0;

	for (size_t i = 0; i < p->nr_inputs; i++)
		bytes += p->inputs[i].obj.debug[DEBUG_INFO].len;
	make_room(p);
	return run_tasks(tasks, ARRAY_SIZE(tasks), encode_jobs(p->opts, bytes), p->diags);
}

/* --- reporting ------------------------------------------------------------------------- */

/* Report that @rule applies to the archive in the file @path. */
static void report_archive(struct program *p, enum omission_rule rule, const char *path)
{
	const struct omission_log log = program_log(p, p->diags);
	uint32_t name = str_pool_add_copy(&p->strings, path, strlen(path));

	omission_report(&log, (struct omission){ rule, .name = name, .keyword = "archive" });
}

static void report_archives(struct program *p)
{
	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct input *in = &p->inputs[i];

		for (size_t k = 0; k < in->damaged.nr; k++)
			report_archive(p, OMIT_ARCHIVE_DAMAGED, in->damaged.items[k]);
		if (in->from_btf && in->opened && !p->opts->types_only && !in->syms.have_symtab)
			report_archive(p, OMIT_ARCHIVE_NO_SYMTAB, in->path);
	}
}

static void report_no_btf(struct program *p, const char *path)
{
	const struct omission_log log = program_log(p, p->diags);
	uint32_t name = str_pool_add(&p->strings, path, strlen(path));

	omission_report(&log, (struct omission){ OMIT_UNIT_NO_BTF, .name = name });
}

void report_without_btf(struct program *p)
{
	for (size_t i = 0; i < p->nr_inputs; i++) {
		const struct input *in = &p->inputs[i];

		for (size_t k = 0; k < in->without_btf.nr; k++)
			report_no_btf(p, in->without_btf.items[k]);
	}
}

void begin_report(struct program *p)
{
	struct report *r = p->request->report;
	const struct input *only = p->nr_inputs == 1 ? &p->inputs[0] : NULL;

	if (!r)
		return;
	p->omissions = report_begin(r, &p->strings, only ? &only->obj : NULL,
				    only ? &only->syms : NULL);
	report_without_btf(p);
	for (size_t i = 0; i < p->empty.nr; i++)
		report_no_btf(p, p->empty.items[i]);
	report_archives(p);
}

void end_report(struct program *p)
{
	struct report *r = p->request->report;

	if (!r)
		return;
	report_end(r, &p->strings, p->func_names_end, p->nr_inputs == 1 ? &p->inputs[0].obj : NULL);
	if (!p->nr_inputs)
		r->begun = false;
}
