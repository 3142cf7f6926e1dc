/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_select.h - all functions of the program, and which of them may be described
 *
 * A name in BTF stands for one prototype. So a function is described only if all units
 * agree on it, if it has one address, and if it takes its parameters as it says
 * (docs/spec/encoding.md 8.7). An optimized copy has a name of its own, with a suffix: with the
 * feature true_signature that one is described, whatever is true of the others
 * (docs/spec/encoding.md 8.9).
 */
#ifndef BTFENC_ENCODER_SELECT_FUNC_SELECT_H
#define BTFENC_ENCODER_SELECT_FUNC_SELECT_H

#include "encoder/report/omission.h"
#include "encoder/select/enum_kinds.h"
#include "encoder/unit/encode_opts.h"
#include "encoder/unit/unit_btf.h"
#include "loader/elf/symbols.h"

/* The functions of one input file. */
struct func_file {
	const struct symbols *syms;
	const uint32_t *names; /* string ids of the keys of syms->funcs */
};

/* What prototypes are made of, in the whole program. */
struct func_program {
	const struct func_file *files; /* by unit_func.file */
	const struct type_pool *types;
	const struct enum_kinds *enums;
	struct str_pool *strings;
	const struct unit_btf *const *units; /* by number; for reports only */
};

/* Owns its array. Zeroed is empty. */
struct func_select {
	struct {
		struct unit_func *items;
		size_t nr, cap;
	} funcs;
};

/* Add the functions of @f, in the order of the input. */
void func_select_add(struct func_select *l, const struct unit_btf *f);
void func_select_release(struct func_select *l);

/* Points into func_select and to the name of a symbol. */
struct chosen_func {
	const struct unit_func *func;
	const char *symbol; /* the name with its suffix, if it is described by that; else NULL */
};

/* In the order in which BTF lists functions: by name without suffix. */
struct func_choice {
	struct chosen_func *items;
	size_t nr, cap;
};

/*
 * Choose which functions to describe, and for each the unit whose word is taken; @log gets the
 * reasons against the others. The order of @l and flags change.
 */
void func_select_choose(struct func_select *l, const struct encode_opts *opts,
			const struct func_program *program, const struct omission_log *log,
			struct func_choice *ret);

#endif
