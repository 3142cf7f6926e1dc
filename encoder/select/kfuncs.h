/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kfuncs.h - which functions the kernel offers to BPF programs
 *
 * BTF_KFUNCS_START() sets in the .BTF_ids section list them, with flags
 * (docs/spec/encoding.md 10; include/linux/btf_ids.h).
 */
#ifndef BTFENC_ENCODER_SELECT_KFUNCS_H
#define BTFENC_ENCODER_SELECT_KFUNCS_H

#include "btf/btf_wire.h"
#include "loader/elf/symbols.h"

/* The bits of a kfunc's flags that BTF speaks of (include/linux/btf.h). */
enum {
	KFUNC_FASTCALL = 1u << 12,
	KFUNC_ARENA_RET = 1u << 13,
	KFUNC_ARENA_ARG1 = 1u << 14,
	KFUNC_ARENA_ARG2 = 1u << 15,
};

/* How BTF says that a function is one, and that it has KFUNC_FASTCALL. */
#define KFUNC_TAG "bpf_kfunc"
#define KFUNC_FASTCALL_TAG "bpf_fastcall"

struct kfunc {
	uint32_t func; /* index in symbols.funcs */
	uint32_t flags;
};

/* Something that .BTF_ids asks for. Borrows the name, which is that of a symbol. */
struct btf_id_symbol {
	const char *name; /* the @len bytes of it; they do not end there */
	size_t len;
	enum btf_kind kind; /* BTF_FUNC, BTF_STRUCT, BTF_UNION or BTF_TYPEDEF */
	bool kfunc;         /* a set of kfuncs lists it */
};

/* Sorted by @func, each at most once. Zeroed is empty. */
struct kfuncs {
	struct kfunc *items;
	size_t nr, cap;
	/* all that .BTF_ids asks for, in the order of the symbol table */
	struct {
		struct btf_id_symbol *items;
		size_t nr, cap;
	} ids;
};

/*
 * Read the sets of @o. No .BTF_ids section means none. A set or a member outside
 * the section is ERR_FORMAT. A function in several sets: the last word wins.
 */
MUST_CHECK struct err *kfuncs_read(const struct object *o, const struct symbols *syms,
				   struct kfuncs *ret);
void kfuncs_release(struct kfuncs *k);

/* NULL if @func is none. */
const struct kfunc *kfuncs_find(const struct kfuncs *k, uint32_t func);

#endif
