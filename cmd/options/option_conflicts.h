/* SPDX-License-Identifier: GPL-2.0-only */
/* option_conflicts.h - which options can be combined */
#ifndef BTFENC_CMD_OPTIONS_OPTION_CONFLICTS_H
#define BTFENC_CMD_OPTIONS_OPTION_CONFLICTS_H

#include "cmd/options/options.h"

/* options.detached and options.vars_detached for "-" */
#define STANDARD_OUTPUT "/dev/stdout"

/* ERR_USAGE if options contradict one another, or if an input or an output is missing. */
MUST_CHECK struct err *options_check(const struct options *o);

#endif
