/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dw_decls.h - where types are declared: unit, file and line
 *
 * BTF and its encoder have no use for this, so it is read by a pass of its own, only if an option asks for it. The pass
 * reads units until it finds what is looked for.
 */
#ifndef BTFENC_LOADER_DWARF_DW_DECLS_H
#define BTFENC_LOADER_DWARF_DW_DECLS_H

#include "btf/btf_kind.h"
#include "loader/dwarf/dw_read_cu.h"

struct dw_decls;

/* The definition of a type. */
struct dw_decl_query {
	enum btf_ctype ctype; /* struct, enum or typedef */
	bool is_union;
	const char *name;
	uint64_t size; /* bytes; of a typedef 0 */
	/* the names of members or enumerators, NULL for none */
	const char *const *members;
	size_t nr;
};

/* Valid until the next call. */
struct dw_decl {
	const char *unit; /* NULL: it has no name */
	const char *file; /* NULL: unknown */
	uint64_t line;    /* 0: unknown */
	uint64_t offset;  /* of the DIE */
};

/*
 * Open the debug information of @file. @kabi_prefix (may be NULL) and @opts, of which the units to leave out count, are
 * those of the encoding; borrowed. ERR_IO; ERR_FORMAT. *ret is NULL if there is none.
 */
MUST_CHECK struct err *dw_decls_open(const struct file_ref *file, const char *kabi_prefix,
				     const struct dw_read_opts *opts, struct dw_decls **ret);
void dw_decls_close(struct dw_decls *d);

/*
 * Find the first definition like @q; if there is none, the first one of this name. All zero if there is none either.
 * ERR_FORMAT if a unit is malformed.
 */
MUST_CHECK struct err *dw_decls_find(struct dw_decls *d, const struct dw_decl_query *q,
				     struct dw_decl *ret);

#endif
