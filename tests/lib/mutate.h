/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mutate.h - random damage to a file
 *
 * Damages bytes anywhere, in one section, or in one field of a section header, so that it hits small
 * tables as often as large ones: it changes bits and words, copies, swaps, wipes, inserts and removes
 * blocks, and cuts the end off. Half of the time it then corrects the checksums of .debug.btf, which would
 * hide other damage. It has its own reader of section headers, which shares no code
 * with the one under test.
 */
#ifndef BTFENC_TESTS_MUTATE_H
#define BTFENC_TESTS_MUTATE_H

#include "tests/lib/rand.h"

#include <stddef.h>

/* A copy of a file that may grow a little. */
struct victim {
	uint8_t *ptr;
	size_t len, cap;
};

/* Mostly few changes: a reader refuses a file with many of them at once. */
void mutate(struct victim *v, struct rnd *r);

#endif
