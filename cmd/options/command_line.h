/* SPDX-License-Identifier: GPL-2.0-only */
/* command_line.h - argv as options and files */
#ifndef BTFENC_CMD_OPTIONS_COMMAND_LINE_H
#define BTFENC_CMD_OPTIONS_COMMAND_LINE_H

#include "cmd/options/option_table.h"
#include "cmd/options/options.h"

struct command_line {
	int argc;
	char **argv;
	int next; /* index of the next argument to read */

	struct given_options given;
	struct strings files;
	bool launch;          /* --launch was given */
	unsigned int verbose; /* how often -V was given */
	bool at_once;         /* so was an option that ends the line, such as --version */
};

/*
 * Read the arguments from @next on, up to an option like --version. ERR_USAGE for an unknown option, or one
 * with an argument too many or too few.
 */
MUST_CHECK struct err *command_line_read(struct command_line *a);
void command_line_release(struct command_line *a);

#endif
