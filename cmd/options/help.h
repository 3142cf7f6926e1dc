/* SPDX-License-Identifier: GPL-2.0-only */
/* help.h - what the command says of itself, on stdout */
#ifndef BTFENC_CMD_OPTIONS_HELP_H
#define BTFENC_CMD_OPTIONS_HELP_H

#include "cmd/options/options.h"

/* Do @o->action, which is one that prints. */
void help_print(const struct options *o);

#endif
