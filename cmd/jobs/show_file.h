/* SPDX-License-Identifier: GPL-2.0-only */
/* show_file.h - open a file to print its types */
#ifndef BTFENC_CMD_JOBS_SHOW_FILE_H
#define BTFENC_CMD_JOBS_SHOW_FILE_H

#include "cmd/options/options.h"
#include "encoder/input/until.h"
#include "encoder/program/encode_result.h"
#include "loader/btf/btf_input.h"
#include "loader/dwarf/dw_decls.h"
#include "show/types.h"

/* A file whose types are to be printed, and how it is read. */
struct show_source {
	const struct file_ref *file;
	const struct options *opt;
	const struct btf_view *base; /* NULL: none */
	bool symbols;                /* functions and variables, too */
	struct until until;          /* other types may be missing */
	struct progress *progress;   /* may be NULL */
	struct diagnostics *diags;
};

/* The content of the .BTF section of an ELF file. */
enum section_btf {
	SECTION_NONE,
	SECTION_EMPTY,
	SECTION_WHOLE, /* one BTF, or split BTF with its .BTF.base */
	SECTION_SPLIT, /* its base is another file */
	SECTION_ARCHIVE,
};

/* Owns everything. Does not move: @types points into it. */
struct show_file {
	struct show_types types;
	struct btf_input btf;
	/* the BTF of DWARF */
	struct encode_result made;
	struct btf_view made_view;
	struct dw_decls *decls; /* of its DWARF; NULL: not wanted */
	/* of an ELF file */
	uint8_t addr_size;
	enum section_btf section;
};

/*
 * Open the types of @from: raw BTF; the .BTF section of an ELF file, over the base or over its own .BTF.base; or
 * DWARF or an archive, which are encoded in memory. If the file has several, options.btf_first decides. ERR_IO;
 * ERR_FORMAT if the file is damaged, or has none and is no member of an ar archive. *ret must be zeroed;
 * release it in any case.
 */
MUST_CHECK struct err *show_file_open(const struct show_source *from, struct show_file *ret);
/*
 * Return the errors of show_file_open() for a file of which no type is needed. Of an ELF file it checks
 * only the headers and the presence of debug information.
 */
MUST_CHECK struct err *show_file_check(const struct show_source *from);
/* show_decls.c: let the types of @f, whose DWARF was encoded, know where they are declared. */
MUST_CHECK struct err *show_decls_open(const struct show_source *from, struct show_file *f);
void show_file_release(struct show_file *f);

/* The BTF itself, without a base. Empty if the file has none. */
struct bytes show_file_bytes(const struct show_file *f);

#endif
