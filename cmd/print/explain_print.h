/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_print.h - --explain: what is in the BTF and what is not, for people */
#ifndef BTFENC_CMD_PRINT_EXPLAIN_PRINT_H
#define BTFENC_CMD_PRINT_EXPLAIN_PRINT_H

#include "cmd/options/options.h"
#include "encoder/report/report.h"
#include "loader/btf/btf_input.h"

/*
 * Of the file @path, over @base (NULL: none), @made was made; @found is what there is to tell. With
 * @opt->explain_name where this name is, or why not; else all that was left out, by rule, of each the
 * first names, or with -V all. ERR_FORMAT if @made is no BTF.
 */
MUST_CHECK struct err *explain_print(FILE *out, const struct options *opt, const char *path,
				     const struct btf_input *base, const struct encoded *made,
				     const struct report *found);
/* The same for the BTF @btf of the file @path, which has no debug information. */
void explain_print_btf(FILE *out, const struct options *opt, const char *path,
		       const struct btf_view *btf);

#endif
