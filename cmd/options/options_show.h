/* SPDX-License-Identifier: GPL-2.0-only */
/* options_show.h - the options of printing */
#ifndef BTFENC_CMD_OPTIONS_OPTIONS_SHOW_H
#define BTFENC_CMD_OPTIONS_OPTIONS_SHOW_H

#include "cmd/options/option_table.h"
#include "cmd/options/options.h"

/* Let the option @def act, which is one of USE_SHOW_*. ERR_USAGE for a @value that it does not take. */
MUST_CHECK struct err *options_show_act(struct options *o, const struct option_def *def,
					const char *value);
/* All have acted: fill in what depends on several, or on the machine. */
void options_show_settle(struct options *o);

#endif
