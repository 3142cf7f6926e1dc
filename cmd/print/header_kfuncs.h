/* SPDX-License-Identifier: GPL-2.0-only */
/* header_kfuncs.h - the kfuncs in BTF, which --btf_header declares for BPF programs */
#ifndef BTFENC_CMD_PRINT_HEADER_KFUNCS_H
#define BTFENC_CMD_PRINT_HEADER_KFUNCS_H

#include "base/err.h"
#include "base/vec.h"
#include "btf/btf_view.h"

struct header_kfunc {
	const char *name;
	uint32_t func, proto; /* ids */
	bool fastcall;        /* it has the decl tag for the calling convention bpf_fastcall */
};

/* Sorted by name. Borrows the names. Zeroed is empty. */
struct header_kfuncs {
	struct header_kfunc *items;
	size_t nr, cap;
};

/*
 * The functions of @v and of its base that have the decl tag of kfuncs. ERR_FORMAT if C does not accept the name of
 * one.
 */
MUST_CHECK struct err *header_kfuncs_find(const struct btf_view *v, struct header_kfuncs *ret);
void header_kfuncs_release(struct header_kfuncs *k);

/* The text before the types, before the kfuncs, and behind them. */
extern const char header_kfunc_macros[], header_kfuncs_before[], header_kfuncs_behind[];

#endif
