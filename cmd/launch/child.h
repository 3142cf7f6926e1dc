/* SPDX-License-Identifier: GPL-2.0-only */
/* child.h - run another program, so that nobody sees that we stand between */
#ifndef BTFENC_CMD_LAUNCH_CHILD_H
#define BTFENC_CMD_LAUNCH_CHILD_H

#include "base/compiler.h"
#include "base/err.h"

/* What became of it. */
struct child_end {
	int status; /* to exit with */
	int signal; /* that it died of, or 0 */
	int told;   /* the last signal that came meanwhile and was meant to end us, or 0 */
};

/*
 * Run @argv, NULL behind it, and wait for the end. The program is looked for in PATH, no shell is asked; it
 * has our environment, standard files and folder. A signal to us that would end us goes to it, and ends us
 * only if it ends it (child_die_of()); one from the terminal has reached it already.
 *
 * ERR_IO if it cannot be run; ret->status is 127 then if it is not there, or 126, as with env(1).
 */
MUST_CHECK struct err *child_run(char *const *argv, struct child_end *ret);

/* End as a program does that @sig ends, but without a core: it has left one. */
NORETURN void child_die_of(int sig);

#endif
