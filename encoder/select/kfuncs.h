/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kfuncs.h - the functions of the kernel that BPF programs can call
 *
 * BTF_KFUNCS_START() (include/linux/btf_ids.h) puts sets of them, with flags, into the section
 * .BTF_ids. See docs/spec/encoding.md 10.
 */
#ifndef BTFENC_ENCODER_SELECT_KFUNCS_H
#define BTFENC_ENCODER_SELECT_KFUNCS_H

#include "base/vec.h"
#include "btf/btf_wire.h"
#include "loader/elf/symbols.h"

/* Flags of kfuncs (include/linux/btf.h) that change the BTF. */
enum {
	KFUNC_FASTCALL = 1u << 12,
	KFUNC_ARENA_RET = 1u << 13,
	KFUNC_ARENA_ARG1 = 1u << 14,
	KFUNC_ARENA_ARG2 = 1u << 15,
};

/* The declaration tags of a kfunc, and of one with KFUNC_FASTCALL. */
#define KFUNC_TAG "bpf_kfunc"
#define KFUNC_FASTCALL_TAG "bpf_fastcall"

struct kfunc {
	uint32_t func;   /* index in symbols.funcs */
	uint32_t symbol; /* index in symbols.all of its entry in .BTF_ids */
	uint32_t flags;
};

/* A symbol of .BTF_ids: resolve_btfids looks for the id of this name and kind. Borrows. */
struct btf_id_symbol {
	const char *name; /* @len bytes; not terminated */
	size_t len;
	enum btf_kind kind; /* BTF_FUNC, BTF_STRUCT, BTF_UNION or BTF_TYPEDEF */
	bool kfunc;         /* in a set of kfuncs */
};

/* Sorted by @func, each at most once. Zeroed is empty. */
struct kfuncs {
	struct kfunc *items;
	size_t nr, cap;
	bool *listed; /* by index in symbols.funcs: is it in @items? NULL: none is */
	/* all symbols of .BTF_ids, in the order of the symbol table */
	VEC(struct btf_id_symbol) ids;
};

/*
 * Read the sets of @o; without a section .BTF_ids there are none. ERR_FORMAT if a set or one
 * of its entries is outside of the section. Of several entries for a function, the last in the
 * symbol table counts.
 */
MUST_CHECK struct err *kfuncs_read(const struct object *o, const struct symbols *syms,
				   struct kfuncs *ret);
void kfuncs_release(struct kfuncs *k);
/*
 * Add the kfuncs that have no symbol to the functions of @syms, without an address, so that their descriptions are
 * not dropped. Returns whether there are any: then the indexes in @k are no longer right.
 */
bool kfuncs_add_to_symbols(const struct kfuncs *k, struct symbols *syms);

/* Find function @func, an index in symbols.funcs. NULL if it is no kfunc. */
const struct kfunc *kfuncs_find(const struct kfuncs *k, uint32_t func);

#endif
