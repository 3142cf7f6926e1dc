/* SPDX-License-Identifier: GPL-2.0-only */
/* report_json.h - --btf_report: a line of JSON for each entry; man/btfenc-report.5 has the schema */
#ifndef BTFENC_CMD_PRINT_REPORT_JSON_H
#define BTFENC_CMD_PRINT_REPORT_JSON_H

#include "cmd/options/file_list.h"
#include "encoder/report/report.h"

#include <stdio.h>

/* A change of what a line means is another version; new keys, rules and subjects are not. */
enum { REPORT_VERSION = 1 };

/* Which BTF it is about. Borrows. */
struct report_frame {
	const struct file_list *inputs;
	const char *base;   /* NULL: none */
	const char *output; /* NULL: nothing is written */
};

/* The first line, one for each entry of @r, and the last, which counts them. */
void report_json(FILE *out, const struct report_frame *f, const struct report *r);
/* The same for a run that failed with message @error. */
void report_json_failed(FILE *out, const struct report_frame *f, const char *error);

#endif
