/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify.h - the rules of the kernel's BTF checker
 *
 * Source: kernel/bpf/btf.c of Linux 5.10 to 7.4: the checks of each kind, of names, of limits, and of resolved
 * references. btf_check_frame.c has the checks of header and sections.
 */
#ifndef BTFENC_CHECK_BTF_VERIFY_H
#define BTFENC_CHECK_BTF_VERIFY_H

#include "btf/btf_view.h"
#include "check/btf_rule.h"

struct btf_verify_opts {
	uint32_t version; /* a linux_version(), 0: LINUX_DEFAULT */
	/* the size of a pointer, 4 or 8; 0: the one of btf/addr_size.h */
	uint8_t addr_size;
	/* Records are missing at the end: only the records are checked, not their references. */
	bool cut;
	/* By own record: skip it, because its references were replaced. NULL: check all. */
	const bool *spoilt;
};

/*
 * Check every own record of @v, which may be split, and add each breach to @ret, not sorted by type.
 * Consequences of another breach are not reported.
 */
void btf_verify(const struct btf_view *v, const struct btf_verify_opts *opts,
		struct btf_findings *ret);

#endif
