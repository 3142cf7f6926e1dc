/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_verify.h - the rules of the kernel's BTF checker
 *
 * Source: kernel/bpf/btf.c of 6.12, behind header and sections: the checks of each kind, names,
 * limits, resolution of references.
 */
#ifndef BTFENC_CHECK_BTF_VERIFY_H
#define BTFENC_CHECK_BTF_VERIFY_H

#include "btf/btf_view.h"
#include "check/btf_rule.h"

struct btf_verify_opts {
	/* of a pointer, 4 or 8; 0: as the BTF's "long" says, else 8 */
	uint8_t addr_size;
	/*
	 * Records are missing at the end, so that nobody can say where references lead: only what
	 * each record says of itself is checked.
	 */
	bool cut;
	/*
	 * By own record: leave it out of account, its references are not those of the file. NULL:
	 * all are as they should be.
	 */
	const bool *spoilt;
};

/*
 * Check every own record of @v, which may be split, and add each breach to @ret, in no order
 * across types. What follows from another breach is not reported.
 */
void btf_verify(const struct btf_view *v, const struct btf_verify_opts *opts,
		struct btf_findings *ret);

#endif
