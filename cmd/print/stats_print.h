/* SPDX-License-Identifier: GPL-2.0-only */
/* stats_print.h - what --btf_stats prints */
#ifndef BTFENC_CMD_PRINT_STATS_PRINT_H
#define BTFENC_CMD_PRINT_STATS_PRINT_H

#include "btf/compare/btf_stats.h"

/* Lists end there, unless all of them are asked for. */
enum { STATS_LISTED = 10 };

/* @s of @v, which is @section of @path; @all: whole lists. */
void stats_print(const char *path, const char *section, const struct btf_view *v,
		 const struct btf_stats *s, bool all);

#endif
