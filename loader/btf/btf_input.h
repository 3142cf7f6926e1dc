/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_input.h - existing BTF, from a raw file or an ELF file */
#ifndef BTFENC_LOADER_BTF_BTF_INPUT_H
#define BTFENC_LOADER_BTF_BTF_INPUT_H

#include "btf/btf_view.h"
#include "loader/btf/completed_btf.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

/* Owns all but @cache. Does not move: @view points into it. Read-only once open. */
struct btf_input {
	char *path;
	struct btf_view view;
	struct btf_view base_view; /* the base of @view (.BTF.base), if @has_base */
	bool has_base;
	struct btf_input *under; /* the files before this one in a list; or NULL */
	/* the file, which has the bytes of the views */
	struct object obj;
	struct raw_file raw;
	struct bytes btf; /* those of @view */
	/* of a BPF object, the bytes with relocations applied, and as libbpf completes them */
	uint8_t *own;
	struct completed_btf completed;
	/* tables that speed up many runs over this base (base_cache.h); borrowed, or NULL */
	const struct base_cache *cache;
};

/*
 * Read BTF from @path: raw BTF, sysfs included, or an ELF file with a .BTF section, whose base is its
 * .BTF.base section if there is one. ERR_IO, or ERR_FORMAT if there is no BTF, if it is damaged, or if it
 * is split BTF without its base. If there is no file of this name, it is a list of files with commas, each
 * split BTF over those before it; @ret is the last one. The BTF of a BPF object is the one that libbpf loads. @diags: unknown kinds are a
 * warning. *ret must be zeroed and must not move; release it in any case.
 */
MUST_CHECK struct err *btf_input_open(const char *path, struct diagnostics *diags,
				      struct btf_input *ret);
/* The same for split BTF over @over, which must outlive it, unless there is a .BTF.base section. */
MUST_CHECK struct err *btf_input_open_over(const struct file_ref *file, const struct btf_view *over,
					   struct diagnostics *diags, struct btf_input *ret);
void btf_input_release(struct btf_input *in);

/* The bytes of @view. */
static inline struct bytes btf_input_bytes(const struct btf_input *in)
{
	return in->btf;
}

/* The length of its strings and those of its base. */
static inline uint32_t btf_input_str_len(const struct btf_input *in)
{
	return in->view.str_base + (uint32_t)in->view.strings.len;
}

#endif
