/* SPDX-License-Identifier: GPL-2.0-only */
/* compiler_line.h - which objects the command line of a compiler may make */
#ifndef BTFENC_CMD_LAUNCH_COMPILER_LINE_H
#define BTFENC_CMD_LAUNCH_COMPILER_LINE_H

#include "cmd/options/file_list.h"

#include <stdbool.h>
#include <stddef.h>

struct compiler_line {
	/*
	 * The names of the objects that the command may make: the argument of -o, or one for each input. Some
	 * may not be made; see compiler_line.c. Empty without -c, since then nothing is made or something
	 * is linked.
	 */
	struct file_list objects;
	/* There is -c and -g, and nothing that keeps the command from making an object. */
	bool expects_debug;
};

/*
 * Read the command of @nr @words, a compiler with or without others before it (ccache, distcc, env).
 * Response files ("@FILE") are read if they are regular files. *ret must be zeroed; release it. It borrows
 * from @words.
 */
void compiler_line_read(const char *const *words, size_t nr, struct compiler_line *ret);
void compiler_line_release(struct compiler_line *l);

#endif
