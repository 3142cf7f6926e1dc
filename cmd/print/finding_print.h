/* SPDX-License-Identifier: GPL-2.0-only */
/* finding_print.h - the lines of --btf_check */
#ifndef BTFENC_CMD_PRINT_FINDING_PRINT_H
#define BTFENC_CMD_PRINT_FINDING_PRINT_H

#include "check/btf_check.h"

/*
 * Print one line about @f to standard output: @path, where in it, what, and whose rule it is.
 * @section is what the BTF lies in; @v its records, NULL if they cannot be read. Whatever a name
 * consists of, it is printable and on that line.
 */
void finding_print(const char *path, const char *section, const struct btf_view *v,
		   const struct btf_finding *f);

#endif
