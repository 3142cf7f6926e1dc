/* SPDX-License-Identifier: GPL-2.0-only */
/* run_print.h - what --btf_stats prints of a run that has encoded something */
#ifndef BTFENC_CMD_PRINT_RUN_PRINT_H
#define BTFENC_CMD_PRINT_RUN_PRINT_H

#include "encoder/emit/encoded.h"
#include "encoder/encode_stats.h"
#include "loader/btf/btf_input.h"

#include <stdbool.h>

/*
 * What the run took, what the units said, and the tables of stats_print() of @made, which is for
 * @path and stands on @base (NULL: nothing). @all: whole lists.
 */
MUST_CHECK struct err *run_print(const struct encode_stats *s, const char *path,
				 const struct encoded *made, const struct btf_input *base,
				 bool all);

#endif
