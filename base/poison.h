/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * poison.h - functions that may not be used
 *
 * The build puts this file in front of every source file (-include). It must therefore
 * pull in the headers that declare these names before it forbids them.
 */
#ifndef BTFENC_BASE_POISON_H
#define BTFENC_BASE_POISON_H

#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Write without a bound, or cut silently. Some are macros with _FORTIFY_SOURCE. */
#undef sprintf
#undef vsprintf
#pragma GCC poison strcpy stpcpy strcat sprintf vsprintf gets strncpy stpncpy strncat
/* Cannot tell a number from something else. */
#pragma GCC poison atoi atol atoll atof
/* A shell would see file names; a name made up beforehand is open to a race. */
#pragma GCC poison system popen tmpnam tempnam mktemp tmpfile
/* One state for all threads. */
#pragma GCC poison strtok strerror rand srand asctime ctime localtime gmtime
/* The stack is bounded, input is not; scopes are left in one way only. */
#undef alloca
#pragma GCC poison alloca longjmp

#endif
