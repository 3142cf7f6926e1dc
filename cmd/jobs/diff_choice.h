/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_choice.h - which differences --btf_diff prints */
#ifndef BTFENC_CMD_JOBS_DIFF_CHOICE_H
#define BTFENC_CMD_JOBS_DIFF_CHOICE_H

#include "btf/compare/btf_core.h"
#include "cmd/options/options.h"

/* Owns the names. Zeroed is empty. */
struct diff_choice {
	const struct options *opt;
	struct wanted_list names; /* -C */
	bool selects;             /* only some types */
	bool all;                 /* every difference is chosen */
	bool brief;               /* except those in the bases */
	struct btf_defined
		bases[2]; /* what the bases of the files define, unless differences there count */
};

/* Read the options. ERR_IO, ERR_USAGE for the names. *ret must be zeroed; release it in any case. */
MUST_CHECK struct err *diff_choice_open(const struct options *opt, struct diff_choice *ret);
/*
 * Differences of the bases do not count: neither do typedefs that the files repeat from them. @bases are those of both
 * files, or NULL; borrowed.
 */
void diff_choice_ignore_bases(struct diff_choice *ch, const struct btf_view *const bases[2]);
void diff_choice_release(struct diff_choice *ch);

/* Remove from @c the differences and changes that are not chosen, and note which names its types have. */
void diff_choice_apply(struct diff_choice *ch, struct btf_comparison *c);

/* An error for each name that no type had, unless --skip_missing; the last one is returned. */
MUST_CHECK struct err *diff_choice_missing(const struct diff_choice *ch, struct diagnostics *diags);

#endif
