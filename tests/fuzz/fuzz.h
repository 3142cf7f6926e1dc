/* SPDX-License-Identifier: GPL-2.0-only */
/* fuzz.h - what a fuzz target defines; libFuzzer or driver.c calls it */
#ifndef BTFENC_TESTS_FUZZ_H
#define BTFENC_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. Must not leak, print, or change anything that outlives the call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
