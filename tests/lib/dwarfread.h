/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarfread.h - what a reader makes of the units that dwarfmake.h makes */
#ifndef BTFENC_TESTS_DWARFREAD_H
#define BTFENC_TESTS_DWARFREAD_H

#include "base/cleanup.h"
#include "loader/dwarf/dw_read_cu.h"
#include "tests/lib/dwarfmake.h"

/* Zeroed is nothing. */
struct result {
	struct object obj;
	struct str_pool strings;
	struct dw_file file;
	struct dw_reader *reader;
	struct cu cu;
	struct diagnostics diags;
	bool wanted;
};

static inline void result_release(struct result *r)
{
	dw_reader_free(r->reader);
	cu_release(&r->cu);
	diag_release(&r->diags);
	dw_file_close(&r->file);
	str_pool_release(&r->strings);
}

/* All units are complete: open them, and read none. */
static inline struct err *result_open(struct dwarfmake *d, const struct dw_read_opts *opts,
				      struct result *r)
{
	r->obj = dw_object(d);
	r->diags.verbose = true;
	str_pool_init(&r->strings);
	TRY(dw_file_open(&r->obj, &r->strings, NULL, &r->diags, &r->file));
	r->reader = dw_reader_new(&r->file, opts);
	return NULL;
}

static inline struct err *result_read(struct result *r, size_t unit)
{
	return dw_read_cu(r->reader, unit, &r->cu, &r->wanted);
}

#endif
