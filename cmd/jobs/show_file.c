/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_file.c - see show_file.h
 *
 * Types are always printed from BTF, so DWARF is encoded first, without functions and variables unless they are asked for.
 */
#include "cmd/jobs/show_file.h"

#include "base/cleanup.h"
#include "btf/addr_size.h"
#include "cmd/options/option_table.h"
#include "encoder/encode.h"
#include "loader/btf/archive.h"

static struct err *look_at(const struct file_ref *file, struct show_file *f)
{
	CLEANUP(object_close) struct object obj = { 0 };
	CLEANUP(archive_release) struct archive members = { 0 };
	const struct object_section *btf, *base;

	TRY(object_open_ref(file, &obj));
	btf = object_section(&obj, ".BTF");
	base = object_section(&obj, ".BTF.base");
	f->addr_size = obj.addr_size;
	if (!btf || !btf->data.len)
		f->section = btf ? SECTION_EMPTY : SECTION_NONE;
	else if (archive_guess(btf->data, true, &members) == ARCHIVE_MANY)
		f->section = SECTION_ARCHIVE;
	else if (archive_is_split(btf->data) && !(base && base->data.len))
		f->section = SECTION_SPLIT;
	else
		f->section = SECTION_WHOLE;
	return NULL;
}

/* Neither the file nor a "long" states the size of pointers. */
static void report_addr_size(const struct show_source *o, const struct btf_view *v)
{
	struct addr_size size = addr_size_find(v);

	if (size.source == ADDR_SIZE_MEMBER)
		diag_add(
			o->diags, DIAG_WARNING,
			"'%s': pointers are printed with %u bytes, because type %u has no room for 8",
			o->file->name, size.bytes, size.type);
}

static void begin_types(const struct show_source *o, const struct btf_view *v, struct show_file *f)
{
	types_init(&f->types, v, f->addr_size);
	f->types.file = o->file->name;
	f->types.names->for_compiler = o->opt->show.compilable;
}

static struct err *open_view(const struct show_source *o, struct show_file *f)
{
	TRY(btf_input_open_over(o->file, o->base, o->diags, &f->btf));
	begin_types(o, &f->btf.view, f);
	if (!f->addr_size)
		report_addr_size(o, &f->btf.view);
	return NULL;
}

/* Only DWARF has places of declarations. */
static bool wants_decls(const struct options *o)
{
	return o->show.style.decl_info || o->show.defined_in || o->show.filter.decl_exclude;
}

static bool lists_features(const struct options *o)
{
	for (size_t i = 0; i < o->given.nr; i++) {
		const struct option_def *def = o->given.items[i].def;

		if (def->group == GROUP_FEATURES || def->use == USE_ALL_FEATURES)
			return true;
	}
	return false;
}

/* A header declares kfuncs, which tags mark, unless a list of features leaves the tags out. */
static void settle_kfuncs(const struct options *o, struct encode_opts *opts)
{
	if (!o->show_header)
		opts->features &= ~(uint32_t)FEATURE_DECL_TAG_KFUNCS;
	else if (!lists_features(o))
		opts->features |= FEATURE_DECL_TAG | FEATURE_DECL_TAG_KFUNCS;
}

/* Encode DWARF or an archive in memory. *ret_found: there was any. */
static struct err *encode(const struct show_source *o, enum encode_from from, struct show_file *f,
			  bool *ret_found)
{
	const struct encode_request request = {
		.files = o->file,
		.nr = 1,
		.from = from,
		.progress = o->progress,
		.until = o->until,
	};
	struct encode_opts opts = o->opt->encode;
	/* warnings about features that members of an archive lack do not matter here */
	CLEANUP(diag_release) struct diagnostics dropped = { 0 };

	opts.features |= FEATURE_FLOAT | FEATURE_ENUM64 | FEATURE_ENCODE_FORCE;
	opts.features &= ~(uint32_t)(FEATURE_VAR | FEATURE_GLOBAL_VAR | FEATURE_VARS_APART |
				     FEATURE_DISTILLED_BASE);
	settle_kfuncs(o->opt, &opts);
	if (o->symbols)
		opts.features |= FEATURE_VAR | FEATURE_GLOBAL_VAR;
	opts.types_only = !o->symbols && o->opt->show.form != LISTING_METHODS &&
			  !feature_on(&opts, FEATURE_DECL_TAG_KFUNCS);
	TRY(encode_files(&request, &opts, from == ENCODE_FROM_DWARF ? o->diags : &dropped,
			 &f->made));
	*ret_found = f->made.btf != NULL;
	if (!f->made.btf)
		return NULL;
	TRY(err_at(btf_view_open_in_place((struct bytes){ f->made.btf, f->made.btf_len }, NULL,
					  &f->made_view),
		   "'%s', encoded", o->file->name));
	begin_types(o, &f->made_view, f);
	return from == ENCODE_FROM_DWARF && wants_decls(o->opt) ? show_decls_open(o, f) : NULL;
}

static bool has_btf(const struct show_file *f)
{
	return f->section != SECTION_NONE && f->section != SECTION_EMPTY;
}

/* Open the BTF of an ELF file that has some. */
static struct err *open_section(const struct show_source *o, struct show_file *f)
{
	bool found;

	if (f->section == SECTION_ARCHIVE && !o->base)
		return encode(o, ENCODE_FROM_BTF, f, &found);
	if (f->section == SECTION_SPLIT && !o->base)
		return err_new(ERR_FORMAT, "'%s': .BTF is split: give its base with '--btf_base'",
			       o->file->name);
	return open_view(o, f);
}

/*
 * Prefer BTF, which needs no encoding. If it is damaged, or its base is missing, use DWARF if there is any.
 */
static struct err *open_either(const struct show_source *o, struct show_file *f, bool *ret_found)
{
	struct err *why = NULL, *e;

	if (has_btf(f) && (f->section != SECTION_SPLIT || o->base)) {
		why = open_section(o, f);
		*ret_found = !why;
		if (!why || o->base)
			return why;
		uint8_t addr_size = f->addr_size;
		show_file_release(f);
		f->addr_size = addr_size;
	}
	e = encode(o, ENCODE_FROM_DWARF, f, ret_found);
	if (why && *ret_found)
		diag_add(o->diags, DIAG_WARNING, "%s; its DWARF is printed instead", err_text(why));
	if (!why || e || *ret_found) {
		err_free(why);
		return e;
	}
	return why;
}

/* Only units of DWARF have languages and names. */
static bool selects_units(const struct encode_opts *opts)
{
	return opts->nr_langs || opts->lang_only || opts->nr_exclude_units;
}

static bool needs_dwarf(const struct options *o)
{
	return selects_units(&o->encode) || wants_decls(o);
}

/* Without file names, -D would leave out all types. */
static struct err *check_decls(const struct show_source *o, const struct show_file *f)
{
	if (!o->opt->show.filter.decl_exclude || f->decls)
		return NULL;
	return err_new(ERR_FORMAT, "'%s': '-D' needs DWARF, because BTF has no names of files",
		       o->file->name);
}

static struct err *no_format(const struct show_source *o, bool dwarf, bool empty)
{
	if (empty && !dwarf)
		return err_new(ERR_FORMAT, "'%s': the .BTF section is empty", o->file->name);
	return err_new(ERR_FORMAT, "'%s': there is no %s%s", o->file->name,
		       o->opt->from == ENCODE_FROM_DWARF ? "DWARF" :
		       !dwarf                            ? ".BTF section" :
							   "DWARF and no BTF",
		       dwarf && selects_units(&o->opt->encode) ? " of the selected units" : "");
}

static bool may_have_dwarf(const struct show_source *o)
{
	return o->opt->from != ENCODE_FROM_BTF && !o->base;
}

struct err *show_file_open(const struct show_source *o, struct show_file *f)
{
	bool dwarf = may_have_dwarf(o), btf = o->opt->from != ENCODE_FROM_DWARF, found = false;

	if (btf && !raw_file_is_object(o->file)) {
		TRY(check_decls(o, f));
		return open_view(o, f);
	}
	TRY(look_at(o->file, f));
	if (dwarf && btf && o->opt->btf_first && !needs_dwarf(o->opt))
		TRY(open_either(o, f, &found));
	else if (dwarf)
		TRY(encode(o, ENCODE_FROM_DWARF, f, &found));
	if (found)
		return NULL;
	TRY(check_decls(o, f));
	if (btf && has_btf(f))
		return open_section(o, f);
	return o->file->ar ? NULL : no_format(o, dwarf, f->section == SECTION_EMPTY);
}

struct err *show_file_check(const struct show_source *o)
{
	CLEANUP(show_file_release) struct show_file f = { 0 };
	CLEANUP(object_close) struct object obj = { 0 };
	bool dwarf = may_have_dwarf(o), btf = o->opt->from != ENCODE_FROM_DWARF;
	const struct object_section *section;

	if (btf && !raw_file_is_object(o->file))
		return open_view(o, &f);
	TRY(object_open_ref(o->file, &obj));
	section = object_section(&obj, ".BTF");
	if (btf && section && section->data.len)
		return NULL;
	if (dwarf)
		TRY(object_load_debug(&obj));
	if (o->file->ar || (dwarf && obj.debug[DEBUG_INFO].len))
		return NULL;
	return no_format(o, dwarf, section);
}

struct bytes show_file_bytes(const struct show_file *f)
{
	return f->made.btf ? (struct bytes){ f->made.btf, f->made.btf_len } :
			     btf_input_bytes(&f->btf);
}

void show_file_release(struct show_file *f)
{
	types_release(&f->types);
	btf_input_release(&f->btf);
	btf_view_release(&f->made_view);
	encode_result_release(&f->made);
	dw_decls_close(f->decls);
	*f = (struct show_file){ 0 };
}
