/* SPDX-License-Identifier: GPL-2.0-only */
/* kprobe_places.h - where the running kernel refuses a kprobe, as far as its file shows */
#ifndef BTFENC_LOADER_ELF_KPROBE_PLACES_H
#define BTFENC_LOADER_ELF_KPROBE_PLACES_H

#include "loader/elf/addr_symbols.h"

/* Why there cannot be a kprobe; kprobe_refusals has texts. */
enum kprobe_refusal {
	KPROBE_FITS,
	KPROBE_NO_SYMBOL,
	KPROBE_AMBIGUOUS,
	KPROBE_ODD_NAME,
	KPROBE_INIT,
	KPROBE_NOINSTR,
	KPROBE_NOKPROBE,
	KPROBE_ENTRY,
	KPROBE_JUMP_LABEL,
	KPROBE_STATIC_CALL,
	KPROBE_BUG,
	KPROBE_NOTRACE,
	NR_KPROBE_REFUSALS,
};

extern const char *const kprobe_refusals[NR_KPROBE_REFUSALS];

/* Addresses of code, sorted. */
struct code_addrs {
	uint64_t *items;
	size_t nr, cap;
};

/* Code between two symbols. */
struct code_area {
	uint64_t start, end;
	enum kprobe_refusal why;
};

/*
 * Addresses are those of debug information, which the sections of a relocatable file have, too. Zeroed is empty. Borrows
 * the object.
 */
struct kprobe_places {
	const struct object *o;
	VEC(struct code_area) areas;
	/* instructions that the kernel changes while it runs, by the reason */
	struct code_addrs changed[NR_KPROBE_REFUSALS];
	/* functions that ftrace can trace, by their calls of it, and those that NOKPROBE_SYMBOL() excludes */
	struct code_addrs traced, excluded;
};

enum kernel_file { KERNEL_NONE, KERNEL_IMAGE, KERNEL_MODULE };

/* Is @o vmlinux, a module, or neither? @syms as for addr_symbols_make(). */
enum kernel_file kernel_file(const struct object *o, const struct symbols *syms);
/* The name of module @o, the file @path, as /proc/modules has it. The caller frees it. */
char *kernel_module_name(const struct object *o, const char *path);

/*
 * Read what @o, which is vmlinux or a module, tells about its code. A table that is missing or damaged tells
 * nothing. @syms as for addr_symbols_make().
 */
void kprobe_places_make(const struct object *o, const struct symbols *syms,
			struct kprobe_places *ret);
void kprobe_places_release(struct kprobe_places *p);

/* Can there be a kprobe at @offset of @section, which is in symbol @around (NULL: in none)? */
enum kprobe_refusal kprobe_places_check(const struct kprobe_places *p, uint32_t section,
					uint64_t offset, const struct addr_symbol *around);

#endif
