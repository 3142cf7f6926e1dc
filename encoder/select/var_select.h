/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_select.h - the variables of all sections, and which of those that overlap is kept
 *
 * The kernel refuses BTF in which a variable of a section starts before the one before it ends
 * (kernel/bpf/btf.c, btf_datasec_check_meta()). The units of a program can have two variables at
 * one address: DWARF of a weak definition that was overridden stays in the file, and the linker
 * relocates it to the definition that won. In a distribution's kernel this happens some dozen
 * times, for example for "const struct bpf_func_proto bpf_spin_lock_proto __weak" of
 * kernel/bpf/core.c. pahole 1.31 lists both, and the kernel does not load its BTF.
 */
#ifndef BTFENC_ENCODER_SELECT_VAR_SELECT_H
#define BTFENC_ENCODER_SELECT_VAR_SELECT_H

#include "dedup/pool/str_pool.h"
#include "encoder/unit/unit_btf.h"
#include "loader/elf/symbols.h"

/* A variable, and which bytes of the section it has. Borrows. */
struct var_range {
	uint32_t offset, size;
	uint32_t unit;
	struct unit_var *var;
};

struct var_section {
	struct var_range *items;
	size_t nr, cap;
};

/* Owns its arrays. Prepare with var_select_init(). */
struct var_select {
	struct var_section *sections; /* by index in the object's table */
	size_t nr_sections;
};

void var_select_init(struct var_select *l, size_t nr_sections);
void var_select_release(struct var_select *l);

/* Add the variables of @f, in the order of the input. Borrows them. */
void var_select_add(struct var_select *l, struct unit_btf *f);

/* A variable that is omitted, and the one that is kept instead. */
struct var_drop {
	struct var_range dropped, by;
};

struct var_drops {
	struct var_drop *items;
	size_t nr, cap;
};

/*
 * Sort each section by offset and keep one of the variables that overlap. Removes the others from
 * the section, sets unit_var.dropped and lists them in *ret in the order of the input. The caller
 * frees ret->items.
 */
void var_select_choose(struct var_select *l, const struct object *obj, const struct symbols *syms,
		       struct str_pool *strings, struct var_drops *ret);

#endif
