/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * look_json.h - --btf_check, --btf_diff and --btf_stats with --json: an object of JSON on each line
 *
 * btfenc-report(5) describes the keys. All functions write to standard output.
 */
#ifndef BTFENC_CMD_PRINT_LOOK_JSON_H
#define BTFENC_CMD_PRINT_LOOK_JSON_H

#include "btf/compare/btf_compare.h"
#include "btf/compare/btf_stats.h"
#include "check/btf_check.h"
#include "cmd/options/options.h"

#include <stdio.h>

/* The first line. @schema is a name without "btfenc-"; @files are the inputs. */
void look_json_first(const char *schema, const struct options *opt, const char *const *files,
		     size_t nr);

/* A line of --btf_check: a breach, the reason why nothing was checked, or a file that cannot be read. */
void look_json_finding(const char *path, const char *section, const struct btf_view *v,
		       const struct btf_finding *f);
void look_json_other_base(const char *path, const char *message);
void look_json_failure(const char *path, const char *message);

/* What the last line of --btf_check counts. */
struct look_json_counts {
	size_t errors, warnings, failed;
};
void look_json_check_end(const struct look_json_counts *c);

/* The lines of --btf_diff behind the first. */
void look_json_diff(const struct btf_comparison *c);

/* A line of --btf_stats, and the last one. @all: whole lists, else STATS_LISTED items of each. */
void look_json_stats(const char *path, const char *section, const struct btf_view *v,
		     const struct btf_stats *s, bool all);
void look_json_stats_end(void);

#endif
