/* SPDX-License-Identifier: GPL-2.0-only */
/* child.h - run another program, and forward its signals and status */
#ifndef BTFENC_CMD_LAUNCH_CHILD_H
#define BTFENC_CMD_LAUNCH_CHILD_H

#include "base/compiler.h"
#include "base/err.h"

/* How the command ended. */
struct child_end {
	int status; /* to exit with */
	int signal; /* the signal that killed it, or 0 */
	int told;   /* the last signal that would have ended this process and was forwarded, or 0 */
};

/*
 * Run @argv, which ends with NULL, and wait for its end. The program is searched in PATH, without a shell, and
 * inherits environment, standard files and folder. A signal that would end this process is forwarded
 * to the program, and ends this process only if it ends the program (child_die_of()). Signals of the
 * terminal reach the program directly.
 *
 * ERR_IO if the program cannot be run; ret->status is then 127 if it does not exist, else 126, as with env(1).
 */
MUST_CHECK struct err *child_run(char *const *argv, struct child_end *ret);

/* Die of signal @sig, without a core dump: the child has left one. */
NORETURN void child_die_of(int sig);

#endif
