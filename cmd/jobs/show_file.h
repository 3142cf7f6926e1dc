/* SPDX-License-Identifier: GPL-2.0-only */
/* show_file.h - open a file to print its types */
#ifndef BTFENC_CMD_JOBS_SHOW_FILE_H
#define BTFENC_CMD_JOBS_SHOW_FILE_H

#include "cmd/options/options.h"
#include "encoder/emit/encoded.h"
#include "encoder/until.h"
#include "loader/btf/btf_input.h"
#include "show/types.h"

/* Owns everything. Does not move: @types points into it. */
struct show_file {
	struct show_types types;
	struct btf_input btf;
	/* the BTF of DWARF */
	struct encoded made;
	struct btf_view made_view;
};

/*
 * Open the types of @file: raw BTF; the .BTF section of an ELF file, over @base or over its own .BTF.base; or
 * DWARF or an archive, which are encoded in memory. If the file has several, @opt->btf_first decides. ERR_IO;
 * ERR_FORMAT if the file is damaged, or has none and is no member of an ar archive. *ret must be zeroed; release it in any case.
 * @progress may be NULL. Types that @until does not name may be missing.
 */
MUST_CHECK struct err *show_file_open(const struct file_ref *file, const struct options *opt,
				      const struct btf_view *base, struct until until,
				      struct progress *progress, struct diagnostics *diags,
				      struct show_file *ret);
/*
 * Return the errors of show_file_open() for a file of which no type is needed. Of an ELF file it checks
 * only the headers and the presence of debug information.
 */
MUST_CHECK struct err *show_file_check(const struct file_ref *file, const struct options *opt,
				       const struct btf_view *base);
void show_file_release(struct show_file *f);

/* The BTF itself, without a base. Empty if the file has none. */
struct bytes show_file_bytes(const struct show_file *f);

#endif
