/* SPDX-License-Identifier: GPL-2.0-only */
/* btf_stack.h - all BTF of a file, or of several of which each stands on the one before */
#ifndef BTFENC_LOADER_BTF_BTF_STACK_H
#define BTFENC_LOADER_BTF_BTF_STACK_H

#include "base/diagnostics.h"
#include "btf/btf_view.h"
#include "loader/elf/object.h"
#include "loader/elf/raw_file.h"

/* One BTF, and the first of a file also what it is read from. */
struct btf_layer {
	const char *section; /* "BTF" of a raw file */
	char *path;          /* of a raw file */
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
	const struct btf_view *top; /* what has everything below it */
	uint32_t first;             /* the id of its first type that is not of a base */
};

/*
 * Read @names: a file, ELF, raw or in sysfs; or, if there is no file of this name, several with
 * commas between, each split from those before it. The first stands on @base (NULL: nothing),
 * unless it has a .BTF.base, on which it then stands. What else a file has (.BTF.extra) stands on
 * its .BTF.
 *
 * ERR_IO, or ERR_FORMAT if there is no BTF, an archive, BTF that is damaged, or one that wants
 * another base. @diags as btf_section_read(). *ret must be zeroed; release it in any case, before
 * @base.
 */
MUST_CHECK struct err *btf_stack_open(const char *names, const struct btf_view *base,
				      struct diagnostics *diags, struct btf_stack *ret);
void btf_stack_release(struct btf_stack *s);

#endif
