/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_file.c - see show_file.h
 *
 * There is one way to print, from BTF, so what has DWARF is encoded first. Variables have no
 * layout and are left out.
 */
#include "cmd/show_file.h"

#include "base/cleanup.h"
#include "encoder/encode.h"

#include <elf.h>

/* What an ELF file has to say. */
struct elf_facts {
	uint8_t addr_size;
	bool has_btf;
};

static struct err *look_at(const char *path, struct elf_facts *ret)
{
	CLEANUP(object_close) struct object obj = { 0 };
	const struct object_section *btf;

	TRY(object_open_bare(path, &obj));
	btf = object_section(&obj, ".BTF");
	*ret = (struct elf_facts){ .addr_size = obj.addr_size, .has_btf = btf && btf->data.len };
	return NULL;
}

static struct err *open_btf(const char *path, const struct btf_view *base, uint8_t addr_size,
			    struct show_file *f)
{
	TRY(btf_input_open_over(path, base, &f->btf));
	types_init(&f->types, &f->btf.view, addr_size);
	return NULL;
}

/* *ret_found: it has some. */
static struct err *open_dwarf(const char *path, const struct options *opt, uint8_t addr_size,
			      struct progress *progress, struct notes *notes, struct show_file *f,
			      bool *ret_found)
{
	const struct encode_job job = {
		.paths = &path,
		.nr = 1,
		.from = ENCODE_FROM_DWARF,
		.progress = progress,
	};
	struct encode_opts opts = opt->encode;

	opts.features |= FEATURE_FLOAT | FEATURE_ENUM64 | FEATURE_ENCODE_FORCE;
	opts.features &= ~(uint32_t)(FEATURE_VAR | FEATURE_GLOBAL_VAR | FEATURE_VARS_APART |
				     FEATURE_DISTILLED_BASE);
	TRY(encode_files(&job, &opts, notes, &f->made));
	*ret_found = f->made.btf != NULL;
	if (!f->made.btf)
		return NULL;
	TRY(err_at(btf_view_open_in_place((struct bytes){ f->made.btf, f->made.btf_len }, NULL,
					  &f->made_view),
		   "'%s', encoded", path));
	types_init(&f->types, &f->made_view, addr_size);
	return NULL;
}

struct err *show_file_open(const char *path, const struct options *opt, const struct btf_view *base,
			   struct progress *progress, struct notes *notes, struct show_file *f)
{
	bool dwarf = opt->from != ENCODE_FROM_BTF && !base, btf = opt->from != ENCODE_FROM_DWARF;
	struct elf_facts elf = { 0 };
	bool found = false;

	if (btf && !raw_file_starts_with(path, ELFMAG, SELFMAG))
		return open_btf(path, base, 0, f);
	TRY(look_at(path, &elf));
	if (dwarf && !(btf && opt->btf_first && elf.has_btf))
		TRY(open_dwarf(path, opt, elf.addr_size, progress, notes, f, &found));
	if (found)
		return NULL;
	if (btf && elf.has_btf)
		return open_btf(path, base, elf.addr_size, f);
	return err_new(ERR_FORMAT, "'%s': there is no %s", path,
		       !btf   ? "DWARF" :
		       !dwarf ? ".BTF section" :
				"DWARF and no BTF");
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
