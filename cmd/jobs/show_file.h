/* SPDX-License-Identifier: GPL-2.0-only */
/* show_file.h - a file whose types are to be printed, as BTF */
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
	/* what was made of DWARF */
	struct encoded made;
	struct btf_view made_view;
};

/*
 * Open the types of @path: raw BTF, the .BTF section of an ELF file, over @base or else over its own
 * .BTF.base, or DWARF, which is encoded in memory, as is an archive. Of several the first in @opt is
 * taken. ERR_IO, or ERR_FORMAT if it has none or is damaged. *ret must be zeroed; release it in
 * any case. @progress shows the encoding; it may be NULL.
 *
 * @until: only these types are needed; others may be missing.
 */
MUST_CHECK struct err *show_file_open(const char *path, const struct options *opt,
				      const struct btf_view *base, struct until until,
				      struct progress *progress, struct diagnostics *diags,
				      struct show_file *ret);
/*
 * The errors of show_file_open() for a file from which no type is needed any more. Of an ELF file only the
 * headers and the presence of debug information are checked.
 */
MUST_CHECK struct err *show_file_check(const char *path, const struct options *opt,
				       const struct btf_view *base);
void show_file_release(struct show_file *f);

/* The BTF itself, without a base. */
struct bytes show_file_bytes(const struct show_file *f);

#endif
