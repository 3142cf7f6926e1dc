/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpflib.h - what libbpf does for us: BTF as C
 *
 * The library is loaded when it is asked for, since that takes longer than encoding a small object,
 * and nothing else needs it. Its headers stay away from ours, which name the same things.
 */
#ifndef BTFENC_CMD_PRINT_BPFLIB_H
#define BTFENC_CMD_PRINT_BPFLIB_H

#include "base/bytes.h"
#include "base/err.h"

/*
 * Print @before, and all types of @btf, over @base unless that is empty, to standard output, each after
 * what it needs. Nothing if libbpf is not there or does not take them. @addr_size: of a pointer, 0 if nobody knows. ERR_UNSUPPORTED without libbpf 1; ERR_IO for what
 * it does not take or cannot do.
 */
MUST_CHECK struct err *bpflib_print_c(const char *before, struct bytes btf, struct bytes base,
				      uint8_t addr_size);

#endif
