/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify.h - the rules of the kernel's BTF checker
 *
 * Source: kernel/bpf/btf.c of 6.12, as far as a vmlinux or module passes through it:
 * the per-kind checks, names, limits, resolution of references.
 */
#ifndef BTFENC_DEDUP_BTF_VERIFY_H
#define BTFENC_DEDUP_BTF_VERIFY_H

#include "dedup/btf_view.h"

struct btf_finding {
	uint32_t id;      /* the type, 0 for the header or a section */
	const char *rule; /* a fixed sentence: what the kernel demands */
	uint32_t element; /* member, parameter, ... that breaks it; UINT32_MAX for none */
};

/*
 * Check every record of @v and report each breach to @found, in id order; returns how
 * many there were. @base as for btf_view_open().
 */
size_t btf_verify(const struct btf_view *v, const struct btf_view *base,
		  void (*found)(void *ctx, const struct btf_finding *f), void *ctx);

#endif
