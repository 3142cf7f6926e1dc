/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_select.h - the functions of the program, and which of them are described
 *
 * A name in BTF stands for one prototype. So a function is described only if all units agree on
 * its prototype, it has one address, and its parameters are where the prototype puts them
 * (docs/spec/encoding.md 8.7). With the feature true_signature an optimized copy is described
 * under the name of its symbol, for example foo.isra.0 (8.9).
 */
#ifndef BTFENC_ENCODER_SELECT_FUNC_SELECT_H
#define BTFENC_ENCODER_SELECT_FUNC_SELECT_H

#include "base/vec.h"
#include "encoder/report/omission.h"
#include "encoder/select/enum_kinds.h"
#include "encoder/select/kfuncs.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/unit_btf.h"
#include "loader/elf/symbols.h"

/* The functions of one input file. Borrows. */
struct func_file {
	const struct object *obj;
	const struct symbols *syms;
	const uint32_t *func_names; /* string ids of the keys of syms->funcs */
	const struct kfuncs *kfuncs;
};

/* Borrows. */
struct func_program {
	const struct func_file *files; /* by unit_func.file */
	const struct type_pool *types;
	const struct enum_kinds *enums;
	struct str_pool *strings;
	const struct unit_btf *const *units; /* by number; their names are for the report */
};

/* All functions that units have, in the order of the input. Owns its array. Zeroed is empty. */
struct func_select {
	VEC(struct unit_func) funcs;
};

/* Copy the functions of @unit. */
void func_select_add(struct func_select *all, const struct unit_btf *unit);
void func_select_release(struct func_select *all);

/* Borrows from func_select and from the symbol table. */
struct chosen_func {
	const struct unit_func *func;
	const char *symbol; /* the symbol with a suffix whose name it gets; NULL: its own name */
	/* descriptions in func_choice.also that are the same function, but may have other tags */
	size_t also, nr_also;
};

/* Sorted by name without suffix, which is the order of functions in BTF. */
struct func_choice {
	struct chosen_func *items;
	size_t nr, cap;
	VEC(const struct unit_func *) also;
};

/*
 * Select the functions to describe, and for each the unit that provides its prototype. Reports to
 * @log why the others are omitted. Sets flags of @l's functions.
 */
void func_select_choose(struct func_select *all, const struct encode_opts *opts,
			const struct func_program *program, const struct omission_log *log,
			struct func_choice *ret);

#endif
