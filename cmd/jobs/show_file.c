/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_file.c - see show_file.h
 *
 * Types are always printed from BTF, so DWARF is encoded first, without variables.
 */
#include "cmd/jobs/show_file.h"

#include "base/cleanup.h"
#include "encoder/encode.h"
#include "loader/btf/archive.h"

/* The content of the .BTF section of an ELF file. */
enum section_btf {
	SECTION_NONE,
	SECTION_WHOLE, /* one BTF, or split BTF with its .BTF.base */
	SECTION_SPLIT, /* its base is another file */
	SECTION_ARCHIVE,
};

struct elf_facts {
	uint8_t addr_size;
	enum section_btf btf;
};

static struct err *look_at(const struct file_ref *file, struct elf_facts *ret)
{
	CLEANUP(object_close) struct object obj = { 0 };
	CLEANUP(archive_release) struct archive members = { 0 };
	const struct object_section *btf, *base;

	TRY(object_open_ref(file, &obj));
	btf = object_section(&obj, ".BTF");
	base = object_section(&obj, ".BTF.base");
	ret->addr_size = obj.addr_size;
	if (!btf || !btf->data.len)
		ret->btf = SECTION_NONE;
	else if (archive_guess(btf->data, true, &members) == ARCHIVE_MANY)
		ret->btf = SECTION_ARCHIVE;
	else if (archive_is_split(btf->data) && !(base && base->data.len))
		ret->btf = SECTION_SPLIT;
	else
		ret->btf = SECTION_WHOLE;
	return NULL;
}

/* The arguments of show_file_open(), and facts about an ELF file. */
struct opening {
	const struct file_ref *file;
	const struct options *opt;
	const struct btf_view *base;
	struct until until;
	struct progress *progress;
	struct diagnostics *diags;
	struct elf_facts elf;
};

static struct err *open_view(const struct opening *o, struct show_file *f)
{
	TRY(btf_input_open_over(o->file, o->base, o->diags, &f->btf));
	types_init(&f->types, &f->btf.view, o->elf.addr_size);
	return NULL;
}

/* Encode DWARF or an archive in memory. *ret_found: there was any. */
static struct err *encode(const struct opening *o, enum encode_from from, struct show_file *f,
			  bool *ret_found)
{
	const struct encode_job job = {
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
				     FEATURE_DISTILLED_BASE | FEATURE_DECL_TAG_KFUNCS);
	opts.types_only = true;
	TRY(encode_files(&job, &opts, from == ENCODE_FROM_DWARF ? o->diags : &dropped, &f->made));
	*ret_found = f->made.btf != NULL;
	if (!f->made.btf)
		return NULL;
	TRY(err_at(btf_view_open_in_place((struct bytes){ f->made.btf, f->made.btf_len }, NULL,
					  &f->made_view),
		   "'%s', encoded", o->file->name));
	types_init(&f->types, &f->made_view, o->elf.addr_size);
	return NULL;
}

/* Open the BTF of an ELF file that has some. */
static struct err *open_section(const struct opening *o, struct show_file *f)
{
	bool found;

	if (o->elf.btf == SECTION_ARCHIVE && !o->base)
		return encode(o, ENCODE_FROM_BTF, f, &found);
	if (o->elf.btf == SECTION_SPLIT && !o->base)
		return err_new(ERR_FORMAT, "'%s': .BTF is split: give its base with '--btf_base'",
			       o->file->name);
	return open_view(o, f);
}

/*
 * Prefer BTF, which needs no encoding. If it is damaged, or its base is missing, use DWARF if there is any.
 */
static struct err *open_either(const struct opening *o, struct show_file *f, bool *ret_found)
{
	struct err *why = NULL, *e;

	if (o->elf.btf != SECTION_NONE && (o->elf.btf != SECTION_SPLIT || o->base)) {
		why = open_section(o, f);
		*ret_found = !why;
		if (!why || o->base)
			return why;
		show_file_release(f);
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

static struct err *no_format(const char *path, const struct options *opt, bool dwarf)
{
	return err_new(ERR_FORMAT, "'%s': there is no %s", path,
		       opt->from == ENCODE_FROM_DWARF ? "DWARF" :
		       !dwarf                         ? ".BTF section" :
							"DWARF and no BTF");
}

struct err *show_file_open(const struct file_ref *file, const struct options *opt,
			   const struct btf_view *base, struct until until,
			   struct progress *progress, struct diagnostics *diags,
			   struct show_file *f)
{
	struct opening o = { file, opt, base, until, progress, diags, { 0 } };
	bool dwarf = opt->from != ENCODE_FROM_BTF && !base, btf = opt->from != ENCODE_FROM_DWARF;
	bool found = false;

	if (btf && !raw_file_is_object(file))
		return open_view(&o, f);
	TRY(look_at(file, &o.elf));
	if (dwarf && btf && opt->btf_first && !selects_units(&opt->encode))
		TRY(open_either(&o, f, &found));
	else if (dwarf)
		TRY(encode(&o, ENCODE_FROM_DWARF, f, &found));
	if (found)
		return NULL;
	if (btf && o.elf.btf != SECTION_NONE)
		return open_section(&o, f);
	return file->ar ? NULL : no_format(file->name, opt, dwarf);
}

struct err *show_file_check(const struct file_ref *file, const struct options *opt,
			    const struct btf_view *base)
{
	CLEANUP(show_file_release) struct show_file f = { 0 };
	CLEANUP(object_close) struct object obj = { 0 };
	bool dwarf = opt->from != ENCODE_FROM_BTF && !base, btf = opt->from != ENCODE_FROM_DWARF;
	const struct object_section *section;

	if (btf && !raw_file_is_object(file))
		return open_view(&(struct opening){ .file = file, .base = base }, &f);
	TRY(object_open_ref(file, &obj));
	section = object_section(&obj, ".BTF");
	if (btf && section && section->data.len)
		return NULL;
	if (dwarf)
		TRY(object_load_debug(&obj));
	if (file->ar || (dwarf && obj.debug[DEBUG_INFO].len))
		return NULL;
	return no_format(file->name, opt, dwarf);
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
	encoded_release(&f->made);
	*f = (struct show_file){ 0 };
}
