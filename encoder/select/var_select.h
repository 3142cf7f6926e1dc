/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * var_select.h - all variables by section, and which of two at one place is kept
 *
 * The kernel takes a section's variables only if each begins where the one before has
 * ended, or later (kernel/bpf/btf.c, btf_datasec_check_meta), and refuses the whole BTF
 * otherwise. But the units of a program may well place two at one spot: the debug
 * information of a weak definition that was overridden is not taken away, and the linker
 * lets it point to the definition that won. In a distribution's kernel that is so for
 * some dozens, as "const struct bpf_func_proto bpf_spin_lock_proto __weak" of
 * kernel/bpf/core.c. pahole 1.31 lists both, and its BTF does not load.
 */
#ifndef BTFENC_ENCODER_SELECT_VAR_SELECT_H
#define BTFENC_ENCODER_SELECT_VAR_SELECT_H

#include "dedup/pool/str_pool.h"
#include "encoder/unit/unit_btf.h"
#include "loader/elf/symbols.h"

/* A variable where it lies. Borrows it. */
struct var_place {
	uint32_t offset, size;
	uint32_t unit;
	struct unit_var *var;
};

struct var_section {
	struct var_place *items;
	size_t nr, cap;
};

/* Owns its arrays. Zeroed is empty; then var_select_init(). */
struct var_select {
	struct var_section *sections; /* by index in the object's table */
	size_t nr_sections;
};

void var_select_init(struct var_select *l, size_t nr_sections);
void var_select_release(struct var_select *l);

/* Add the variables of @f, in the order of the input; they may not move from then on. */
void var_select_add(struct var_select *l, struct unit_btf *f);

/* A variable that is not described, and the one that has its place. */
struct var_drop {
	struct var_place dropped, by;
};

struct var_drops {
	struct var_drop *items;
	size_t nr, cap;
};

/*
 * Sort each section by offset and keep one of those that overlap. Those left out leave the
 * section and get unit_var.dropped; *ret lists them in the order of the input. The caller
 * owns ret->items.
 */
void var_select_choose(struct var_select *l, const struct object *obj, const struct symbols *syms,
		       struct str_pool *strings, struct var_drops *ret);

#endif
