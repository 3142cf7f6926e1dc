/* SPDX-License-Identifier: GPL-2.0-only */
/* diff_print.h - what --btf_diff prints */
#ifndef BTFENC_CMD_PRINT_DIFF_PRINT_H
#define BTFENC_CMD_PRINT_DIFF_PRINT_H

#include "btf/compare/btf_compare.h"

#include <stdio.h>

/* To @out: a table by kind, then a line for each difference. @names: of the two files. */
void diff_print(FILE *out, const struct btf_comparison *c, const char *const names[2]);

#endif
