/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_omission.h - an omission as text, for --explain */
#ifndef BTFENC_CMD_PRINT_EXPLAIN_OMISSION_H
#define BTFENC_CMD_PRINT_EXPLAIN_OMISSION_H

#include "base/color.h"
#include "encoder/report/report.h"

/* @before, the name, or "(@none)" if it is empty, and @after. */
void explain_put_name(struct text *out, const char *before, const char *name, const char *none,
		      const char *after);
/* " at ADDRESS" or " at SECTION+OFFSET"; nothing if it is not known. */
void explain_put_address(struct text *out, const struct report_location *at);
/* By enum omission_result: "left out". */
extern const char *const explain_results[];
/* Of the rule and its result. */
enum color explain_color(enum omission_rule rule);
/* The lines about @o, one of the omissions of @r. */
void explain_put_omission(struct text *out, const struct report *r, const struct omission *o);

#endif
