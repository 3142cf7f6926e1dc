/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_input.h - BTF that somebody else made, from a file of any sort */
#ifndef BTFENC_LOADER_BTF_BTF_INPUT_H
#define BTFENC_LOADER_BTF_BTF_INPUT_H

#include "btf/btf_view.h"
#include "dedup/base/base_names.h"
#include "dedup/base_index.h"
#include "dedup/pool/string_index.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

/* Owns everything. Does not move: @view points into it. Read-only once open. */
struct btf_input {
	char *path;
	struct btf_view view;      /* the types that others stand on */
	struct btf_view base_view; /* what @view itself stands on, if @has_base */
	bool has_base;
	/* the file, where the views have their bytes */
	struct object obj;
	struct raw_file raw;
	/* what those who stand on it look up, if it is @shared */
	bool shared;
	struct string_index strings;
	struct base_index types;
	struct base_names names;
	bool no_duplicates; /* map_to_base.h */
};

/*
 * Read the base of split BTF from @path: raw BTF, sysfs included, or an ELF file with a
 * .BTF section (over its .BTF.base, if it has one). ERR_IO, or ERR_FORMAT if there is no
 * BTF, if it is damaged, or if it is split without its base. *ret must be zeroed and stay
 * where it is; release it in any case.
 */
MUST_CHECK struct err *btf_input_open(const char *path, struct btf_input *ret);
/* The same for what is split over @over, which must outlive it, unless it has its own .BTF.base. */
MUST_CHECK struct err *btf_input_open_over(const char *path, const struct btf_view *over,
					   struct btf_input *ret);
void btf_input_release(struct btf_input *in);

/* The bytes that @view was made of. */
struct bytes btf_input_bytes(const struct btf_input *in);

/*
 * Many will stand on it: make the tables that one would do without, for all of them. @typedefs: they
 * find these, too (dedup_opts.base_typedefs). ERR_FORMAT for a type of unknown kind.
 */
MUST_CHECK struct err *btf_input_share(struct btf_input *in, bool typedefs);

/* Length of all its strings. */
static inline uint32_t btf_input_str_len(const struct btf_input *in)
{
	return in->view.str_base + (uint32_t)in->view.strings.len;
}

#endif
