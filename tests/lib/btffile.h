/* SPDX-License-Identifier: GPL-2.0-only */
/* btffile.h - the BTF of a file, raw or in an ELF section, for the tools of the tests */
#ifndef BTFENC_TESTS_BTFFILE_H
#define BTFENC_TESTS_BTFFILE_H

#include "btf/btf_view.h"

/* Does not have a base. */
struct btf_file {
	struct bytes bytes;
	struct btf_view view;
};

/* Print the error @e of the file @path and exit with status 2. */
NORETURN void die_of(const char *path, struct err *e);

/* Read @path, or exit. */
void btf_file_read(const char *path, struct btf_file *ret);
void btf_file_release(struct btf_file *f);

static inline uint32_t *btf_file_rec(const struct btf_file *f, uint32_t id)
{
	return btf_types_rec(&f->view.types, id);
}

static inline const char *btf_file_str(const struct btf_file *f, uint32_t off)
{
	return btf_view_str(&f->view, NULL, off);
}

#endif
