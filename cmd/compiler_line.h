/* SPDX-License-Identifier: GPL-2.0-only */
/* compiler_line.h - which objects a compiler's command line may make */
#ifndef BTFENC_CMD_COMPILER_LINE_H
#define BTFENC_CMD_COMPILER_LINE_H

#include "cmd/file_list.h"

#include <stddef.h>

/*
 * Add to @ret the names of the objects that the command of @nr @words, a compiler with or without others
 * before it (ccache, distcc, env), leaves behind: that of -o, or one for each input; none without -c, for
 * then nothing is made or something is linked. Response files ("@FILE") are read, if they are files.
 *
 * There may be names of what will not be made; see compiler_line.c. *ret must be zeroed, and owns the names.
 */
void compiler_line_objects(const char *const *words, size_t nr, struct file_list *ret);

#endif
