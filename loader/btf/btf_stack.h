/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_stack.h - all BTF of a file, or of several files that continue one another */
#ifndef BTFENC_LOADER_BTF_BTF_STACK_H
#define BTFENC_LOADER_BTF_BTF_STACK_H

#include "base/diagnostics.h"
#include "btf/btf_view.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

/* One BTF. The first of a file also has the file. */
struct btf_layer {
	const char *section; /* "BTF" of a raw file */
	char *path;          /* of a raw file, or of the ELF file that has this .BTF */
	struct btf_view view;
	struct object obj;
	struct raw_file raw;
	uint8_t *own; /* bytes that were relocated */
};

/* Owns its layers, which do not move. Zeroed is empty. */
struct btf_stack {
	struct {
		struct btf_layer **items;
		size_t nr, cap;
	} layers;                   /* from the bottom */
	const struct btf_view *top; /* the last one, whose bases are all others */
	uint32_t first;             /* the id of its first type that is not of a base */
};

/*
 * Read @file: an ELF file, a raw file or one in sysfs; or, if there is no file of this name, a list of
 * files with commas, each split BTF over those before it. The base of the first file is its .BTF.base
 * section if there is one, else @base (NULL: none). The base of .BTF.extra is the .BTF of the file, and so is that
 * of .BTF.inline; if a file has both, the ids and strings of the second follow those of the first here.
 *
 * ERR_IO; ERR_FORMAT if a file has no BTF, an archive or damaged BTF; ERR_BASE. @diags as
 * for btf_section_read(). *ret must be zeroed; release it in any case, before @base.
 */
MUST_CHECK struct err *btf_stack_open(const struct file_ref *file, const struct btf_view *base,
				      struct diagnostics *diags, struct btf_stack *ret);
void btf_stack_release(struct btf_stack *s);

#endif
