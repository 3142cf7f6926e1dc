/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inject.h - run a command and interfere with one of its system calls
 *
 * Numbers the calls of all threads in the order in which they enter the kernel, from the first one
 * after execve. The chosen call fails, or transfers one byte, or a signal follows it. It uses
 * ptrace(2), so the command is the ordinary one.
 */
#ifndef BTFENC_TESTS_INJECT_H
#define BTFENC_TESTS_INJECT_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__x86_64__)
#define INJECT_WORKS 1
#else
#define INJECT_WORKS 0 /* the registers below are this machine's */
#endif

enum inject_what {
	INJECT_NOTHING,
	INJECT_ERROR,  /* it fails with @value */
	INJECT_ERRORS, /* it and all later ones of its number fail with @value */
	INJECT_SHORT,  /* it transfers one byte */
	INJECT_SIGNAL, /* when it is done, signal @value comes */
	INJECT_CUT,    /* when it is done, @file is cut to @value bytes */
};

struct inject {
	enum inject_what what;
	size_t at;
	uint16_t nr; /* if threads make another one there: the first of this number behind */
	int value;
	const char *file;
	bool no_proc; /* besides, nothing below /proc can be opened */
	bool no_temp; /* besides, no file without a name can be made */
};

struct injected {
	struct {
		uint16_t *items; /* the number of each call */
		size_t nr, cap;
	} calls;
	int status; /* as of waitpid() */
};

static inline void injected_release(struct injected *r)
{
	free(r->calls.items);
	*r = (struct injected){ 0 };
}

/* Run @argv, of which the first is a path, in @folder, and @how says what happens to it. */
struct injected inject(const struct inject *how, const char *folder, int output, char **argv);

#endif
